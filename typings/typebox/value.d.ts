/** Checking and changing values by schemas. */
declare module "@sinclair/typebox/value" {
	import type { Static, TSchema } from "@sinclair/typebox";
	import { TypeBoxError } from "@sinclair/typebox";

	export interface ValueError {
		type?: number;
		/** JSON pointer. */
		path: string;
		message: string;
		value: unknown;
		schema: TSchema;
	}

	export class ValueErrorIterator implements Iterable<ValueError> {
		[Symbol.iterator](): IterableIterator<ValueError>;
		First(): ValueError | undefined;
	}

	export class AssertError extends TypeBoxError {
		Errors(): ValueErrorIterator;
	}
	export class TransformDecodeCheckError extends TypeBoxError {}
	export class TransformEncodeCheckError extends TypeBoxError {}
	export class ValueCreateError extends TypeBoxError {}

	// Each also takes the schemas that references name, before the value.
	export function Check<T extends TSchema>(schema: T, value: unknown): value is Static<T>;
	export function Check<T extends TSchema>(schema: T, references: TSchema[], value: unknown): value is Static<T>;
	export function Errors(schema: TSchema, value: unknown): ValueErrorIterator;
	export function Errors(schema: TSchema, references: TSchema[], value: unknown): ValueErrorIterator;
	export function Assert<T extends TSchema>(schema: T, value: unknown): asserts value is Static<T>;
	export function Default(schema: TSchema, value: unknown): unknown;
	export function Clean(schema: TSchema, value: unknown): unknown;
	export function Convert(schema: TSchema, value: unknown): unknown;
	export function Decode<T extends TSchema>(schema: T, value: unknown): Static<T>;
	export function Encode<T extends TSchema>(schema: T, value: unknown): unknown;
	export function Create<T extends TSchema>(schema: T): Static<T>;
	export function Clone<T>(value: T): T;
	export function Equal(left: unknown, right: unknown): boolean;
	export function HasTransform(schema: TSchema): boolean;
	export const ParseDefault: readonly string[];
	export function Parse<T extends TSchema>(schema: T, value: unknown): Static<T>;
	export function Parse<T extends TSchema>(operations: readonly string[], schema: T, value: unknown): Static<T>;

	/** The functions of this module. */
	export const Value: {
		Check: typeof Check;
		Errors: typeof Errors;
		Assert: typeof Assert;
		Default: typeof Default;
		Clean: typeof Clean;
		Convert: typeof Convert;
		Decode: typeof Decode;
		Encode: typeof Encode;
		Create: typeof Create;
		Clone: typeof Clone;
		Equal: typeof Equal;
		Parse: typeof Parse;
	};
}
