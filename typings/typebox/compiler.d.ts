/** The same checks behind the compiler's interface. */
declare module "@sinclair/typebox/compiler" {
	import type { Static, TSchema } from "@sinclair/typebox";
	import type { ValueError } from "@sinclair/typebox/value";

	export interface TypeCheck<T extends TSchema> {
		Check(value: unknown): value is Static<T>;
		Errors(value: unknown): Iterable<ValueError> & { First(): ValueError | undefined };
	}

	export const TypeCompiler: { Compile<T extends TSchema>(schema: T): TypeCheck<T> };
}
