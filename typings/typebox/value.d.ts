/** Checking values against schemas. */
declare module "@sinclair/typebox/value" {
	import type { Static, TSchema } from "@sinclair/typebox";

	export interface ValueError {
		/** JSON pointer. */
		path: string;
		message: string;
		value: unknown;
		schema: TSchema;
	}

	export interface ValueModule {
		Check<T extends TSchema>(schema: T, value: unknown): value is Static<T>;
		Errors(schema: TSchema, value: unknown): Iterable<ValueError> & { First(): ValueError | undefined };
	}

	export const Value: ValueModule;
}
