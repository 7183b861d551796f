/**
 * The part of `@sinclair/typebox` that the engine ships. A hook with the real package in its `node_modules` gets that one;
 * remove this folder then to compile against its own types.
 */
declare module "@sinclair/typebox" {
	export const Kind: unique symbol;
	export const Hint: unique symbol;
	export const OptionalKind: unique symbol;
	export const ReadonlyKind: unique symbol;
	export const TransformKind: unique symbol;

	export class TypeBoxError extends Error {}

	interface Registry {
		Has(name: string): boolean;
		Set(name: string, check: (value: any) => boolean): void;
		Get(name: string): ((value: any) => boolean) | undefined;
		Delete(name: string): boolean;
		Clear(): void;
	}
	export const FormatRegistry: Registry;
	export const TypeRegistry: {
		Has(kind: string): boolean;
		Set(kind: string, check: (schema: any, value: unknown) => boolean): void;
		Delete(kind: string): boolean;
		Clear(): void;
	};

	export interface SchemaOptions {
		$id?: string;
		title?: string;
		description?: string;
		default?: any;
		examples?: any;
		[keyword: string]: any;
	}

	/** A JSON Schema whose TypeScript type is `static`. */
	export interface TSchema extends SchemaOptions {
		static: unknown;
	}

	export interface TTyped<T> extends TSchema {
		static: T;
	}

	export type Static<T extends TSchema> = T["static"];

	export interface TString extends TTyped<string> {
		type: "string";
	}
	export interface TNumber extends TTyped<number> {
		type: "number";
	}
	export interface TInteger extends TTyped<number> {
		type: "integer";
	}
	export interface TBoolean extends TTyped<boolean> {
		type: "boolean";
	}
	export interface TNull extends TTyped<null> {
		type: "null";
	}
	export type TAny = TTyped<any>;
	export type TUnknown = TTyped<unknown>;
	export type TNever = TTyped<never>;
	export type TUnsafe<T> = TTyped<T>;

	export interface TLiteral<T extends string | number | boolean = string | number | boolean> extends TTyped<T> {
		const: T;
	}

	export interface TArray<T extends TSchema = TSchema> extends TTyped<Static<T>[]> {
		type: "array";
		items: T;
	}

	export interface TTuple<T extends TSchema[] = TSchema[]> extends TTyped<{ [I in keyof T]: T[I] extends TSchema ? Static<T[I]> : never }> {
		type: "array";
		items?: T;
	}

	export type TOptional<T extends TSchema> = T & { [OptionalKind]: "Optional" };
	export type TReadonly<T extends TSchema> = T & { [ReadonlyKind]: "Readonly" };

	export type TProperties = Record<string, TSchema>;

	type OptionalKeys<T extends TProperties> = { [K in keyof T]: T[K] extends { [OptionalKind]: "Optional" } ? K : never }[keyof T];
	type Simplify<T> = { [K in keyof T]: T[K] };
	export type ObjectStatic<T extends TProperties> = Simplify<
		{ [K in Exclude<keyof T, OptionalKeys<T>>]: Static<T[K]> } & { [K in OptionalKeys<T>]?: Static<T[K]> }
	>;

	export interface ObjectOptions extends SchemaOptions {
		additionalProperties?: boolean | TSchema;
	}

	export interface TObject<T extends TProperties = TProperties> extends TTyped<ObjectStatic<T>> {
		type: "object";
		properties: T;
		required?: string[];
	}

	export type TRecord<K extends TSchema = TSchema, V extends TSchema = TSchema> = TTyped<
		Static<K> extends string | number ? Record<Static<K>, Static<V>> : Record<string, Static<V>>
	>;

	export interface TUnion<T extends TSchema[] = TSchema[]> extends TTyped<Static<T[number]>> {
		anyOf: T;
	}

	type IntersectStatic<T extends TSchema[]> = T extends [infer L extends TSchema, ...infer R extends TSchema[]]
		? Static<L> & IntersectStatic<R>
		: unknown;

	export interface TIntersect<T extends TSchema[] = TSchema[]> extends TTyped<IntersectStatic<T>> {
		allOf: T;
	}

	export interface TypeBuilder {
		String(options?: SchemaOptions): TString;
		Number(options?: SchemaOptions): TNumber;
		Integer(options?: SchemaOptions): TInteger;
		Boolean(options?: SchemaOptions): TBoolean;
		Null(options?: SchemaOptions): TNull;
		Any(options?: SchemaOptions): TAny;
		Unknown(options?: SchemaOptions): TUnknown;
		Never(options?: SchemaOptions): TNever;
		Literal<T extends string | number | boolean>(value: T, options?: SchemaOptions): TLiteral<T>;
		Enum<T extends Record<string, string | number>>(values: T, options?: SchemaOptions): TTyped<T[keyof T]>;
		Array<T extends TSchema>(items: T, options?: SchemaOptions): TArray<T>;
		Tuple<T extends TSchema[]>(items: [...T], options?: SchemaOptions): TTuple<T>;
		Object<T extends TProperties>(properties: T, options?: ObjectOptions): TObject<T>;
		Record<K extends TSchema, V extends TSchema>(key: K, value: V, options?: SchemaOptions): TRecord<K, V>;
		Union<T extends TSchema[]>(schemas: [...T], options?: SchemaOptions): TUnion<T>;
		Intersect<T extends TSchema[]>(schemas: [...T], options?: SchemaOptions): TIntersect<T>;
		Optional<T extends TSchema>(schema: T): TOptional<T>;
		Readonly<T extends TSchema>(schema: T): TReadonly<T>;
		Partial<T extends TProperties>(schema: TObject<T>, options?: SchemaOptions): TTyped<Partial<ObjectStatic<T>>>;
		Required<T extends TProperties>(schema: TObject<T>, options?: SchemaOptions): TTyped<Required<ObjectStatic<T>>>;
		Pick<T extends TProperties, K extends (keyof T)[]>(
			schema: TObject<T>,
			keys: [...K],
			options?: SchemaOptions,
		): TObject<Pick<T, K[number]>>;
		Omit<T extends TProperties, K extends (keyof T)[]>(
			schema: TObject<T>,
			keys: [...K],
			options?: SchemaOptions,
		): TObject<Omit<T, K[number]>>;
		Composite<T extends TObject[]>(schemas: [...T], options?: SchemaOptions): TTyped<IntersectStatic<T>>;
		Const<const T>(value: T, options?: SchemaOptions): TTyped<T>;
		Date(options?: SchemaOptions): TTyped<Date>;
		BigInt(options?: SchemaOptions): TTyped<bigint>;
		Symbol(options?: SchemaOptions): TTyped<symbol>;
		Uint8Array(options?: SchemaOptions): TTyped<Uint8Array>;
		Undefined(options?: SchemaOptions): TTyped<undefined>;
		Void(options?: SchemaOptions): TTyped<void>;
		RegExp(pattern: RegExp | string, options?: SchemaOptions): TTyped<string>;
		Not(schema: TSchema, options?: SchemaOptions): TTyped<unknown>;
		Exclude<L extends TSchema, R extends TSchema>(left: L, right: R, options?: SchemaOptions): TTyped<Exclude<Static<L>, Static<R>>>;
		Extract<L extends TSchema, R extends TSchema>(left: L, right: R, options?: SchemaOptions): TTyped<Extract<Static<L>, Static<R>>>;
		Index<T extends TSchema, K extends keyof Static<T>>(schema: T, keys: readonly K[], options?: SchemaOptions): TTyped<Static<T>[K]>;
		ReadonlyOptional<T extends TSchema>(schema: T): TReadonly<TOptional<T>>;
		Recursive<T extends TSchema>(build: (self: TTyped<any>) => T, options?: SchemaOptions): T;
		Ref(target: string | TSchema, options?: SchemaOptions): TTyped<any>;
		Promise<T extends TSchema>(item: T, options?: SchemaOptions): TTyped<Promise<Static<T>>>;
		Function(parameters: TSchema[], returns: TSchema, options?: SchemaOptions): TTyped<(...args: any[]) => any>;
		Transform<T extends TSchema>(schema: T): {
			Decode<U>(decode: (value: Static<T>) => U): { Encode(encode: (value: U) => Static<T>): TTyped<U> };
		};
		TemplateLiteral(parts: string | TSchema[], options?: SchemaOptions): TTyped<string>;
		Capitalize(schema: TSchema, options?: SchemaOptions): TTyped<string>;
		Uncapitalize(schema: TSchema, options?: SchemaOptions): TTyped<string>;
		Uppercase(schema: TSchema, options?: SchemaOptions): TTyped<string>;
		Lowercase(schema: TSchema, options?: SchemaOptions): TTyped<string>;
		Constructor(parameters: TSchema[], returns: TSchema, options?: SchemaOptions): TTyped<new (...args: any[]) => any>;
		Iterator<T extends TSchema>(items: T, options?: SchemaOptions): TTyped<IterableIterator<Static<T>>>;
		AsyncIterator<T extends TSchema>(items: T, options?: SchemaOptions): TTyped<AsyncIterableIterator<Static<T>>>;
		Rest<T extends TSchema>(schema: T): TSchema[];
		KeyOf<T extends TProperties>(schema: TObject<T>, options?: SchemaOptions): TTyped<keyof T & string>;
		Unsafe<T>(schema?: SchemaOptions): TUnsafe<T>;
	}

	export const Type: TypeBuilder;
	export function Optional<T extends TSchema>(schema: T): TOptional<T>;
	export function Readonly<T extends TSchema>(schema: T): TReadonly<T>;
	export function Unsafe<T>(schema?: SchemaOptions): TUnsafe<T>;
	export function Const<const T>(value: T, options?: SchemaOptions): TTyped<T>;
	export default Type;
	export {};
}
