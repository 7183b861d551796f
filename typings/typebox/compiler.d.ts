/** The same checks behind the compiler's interface. */
declare module "@sinclair/typebox/compiler" {
	import type { Static, TSchema } from "@sinclair/typebox";
	import { TypeBoxError } from "@sinclair/typebox";
	import type { ValueErrorIterator } from "@sinclair/typebox/value";

	export { ValueErrorIterator } from "@sinclair/typebox/value";

	export class TypeCompilerTypeGuardError extends TypeBoxError {}

	export class TypeCheck<T extends TSchema> {
		constructor(schema: T, references: TSchema[]);
		Schema(): T;
		References(): TSchema[];
		Check(value: unknown): value is Static<T>;
		Errors(value: unknown): ValueErrorIterator;
		Decode(value: unknown): Static<T>;
		Encode(value: unknown): unknown;
		HasTransform(): boolean;
	}

	export function Compile<T extends TSchema>(schema: T, references?: TSchema[]): TypeCheck<T>;
	export const TypeCompiler: { Compile: typeof Compile };
}
