// The types that stand for themselves, and those made directly of others.

import {
  create, exact, Hint, isKind, isSchema, Kind, OptionalKind, PatternNever, PatternNumber, PatternString,
  ReadonlyKind, TransformKind, TypeBoxError, without, withOptions,
} from "./symbols.js";

const simple = (kind, fields) => (options) => create(kind, fields, options);

export const any = simple("Any", {});
export const unknown = simple("Unknown", {});
export const never = simple("Never", { not: {} });
export const string = simple("String", { type: "string" });
export const number = simple("Number", { type: "number" });
export const integer = simple("Integer", { type: "integer" });
export const boolean = simple("Boolean", { type: "boolean" });
export const nullType = simple("Null", { type: "null" });
export const undefinedType = simple("Undefined", { type: "undefined" });
export const voidType = simple("Void", { type: "void" });
export const date = simple("Date", { type: "Date" });
export const bigint = simple("BigInt", { type: "bigint" });
export const symbol = simple("Symbol", { type: "symbol" });
export const bytes = simple("Uint8Array", { type: "Uint8Array" });

export const literal = (value, options) => create("Literal", { const: value, type: typeof value }, options);
export const not = (type, options) => create("Not", { not: type }, options);
export const array = (items, options) => create("Array", { type: "array", items }, options);
export const promise = (item, options) => create("Promise", { type: "Promise", item }, options);
export const iterator = (items, options) => create("Iterator", { type: "Iterator", items }, options);
export const asyncIterator = (items, options) => create("AsyncIterator", { type: "AsyncIterator", items }, options);
export const functionType = (parameters, returns, options) =>
  create("Function", { type: "Function", parameters, returns }, options);
export const constructorType = (parameters, returns, options) =>
  create("Constructor", { type: "Constructor", parameters, returns }, options);

export function regexp(pattern, options) {
  const { source, flags } = typeof pattern === "string" ? new RegExp(pattern) : pattern;
  return create("RegExp", { type: "RegExp", source, flags }, options);
}

export function object(properties, options) {
  const required = Object.keys(properties).filter((key) => !properties[key]?.[OptionalKind]);
  const fields = required.length > 0 ? { type: "object", required, properties } : { type: "object", properties };
  return create("Object", fields, options);
}

export function tuple(types, options) {
  const count = types.length;
  const bounds = { minItems: count, maxItems: count };
  const fields = count > 0 ? { type: "array", items: types, additionalItems: false, ...bounds } : { type: "array", ...bounds };
  return create("Tuple", fields, options);
}

/** @param {object[]} types none: never; one: that type */
export function union(types, options) {
  if (types.length === 0) return never(options);
  return types.length === 1 ? withOptions(types[0], options) : create("Union", { anyOf: types }, options);
}

/** A union made by another type: optional when a member is, the members then no longer. */
export function unionOf(types, options) {
  const isOptional = types.some((type) => type[OptionalKind]);
  const isReadonly = types.some((type) => type[ReadonlyKind]);
  const plain = types.map((type) => without(type, OptionalKind, ReadonlyKind));
  return modified(union(plain, options), isReadonly, isOptional);
}

/** An intersection made by another type: optional when all members are. */
export function intersectOf(types, options) {
  if (types.length === 1) return withOptions(types[0], options);
  if (types.length === 0) return never(options);
  const isOptional = types.every((type) => type[OptionalKind]);
  const plain = types.map((type) => without(type, OptionalKind));
  return modified(intersect(plain, options), false, isOptional);
}

function modified(type, isReadonly, isOptional) {
  const first = isReadonly ? readonly(type) : type;
  return isOptional ? optional(first) : first;
}

export function intersect(types, options = {}) {
  if (types.length === 1) return withOptions(types[0], options);
  if (types.length === 0) return never(options);
  if (types.some((type) => type[TransformKind])) throw new TypeBoxError("A transform cannot be part of an intersection");
  const rest = options.unevaluatedProperties;
  const isObjectType = rest === false || isSchema(rest) || types.every((type) => isKind(type, "Object"));
  return create("Intersect", isObjectType ? { type: "object", allOf: types } : { allOf: types }, options);
}

export function optional(type, enable = true) {
  return enable ? { ...type, [OptionalKind]: "Optional" } : without(type, OptionalKind);
}

export function readonly(type, enable = true) {
  return enable ? { ...type, [ReadonlyKind]: "Readonly" } : without(type, ReadonlyKind);
}

/** A TypeScript enum or an object like one; the number to name entries of an enum do not count. */
export function enumType(item, options) {
  if (item === undefined) throw new TypeBoxError("Enum needs an object");
  const names = Object.keys(item).filter((key) => Number.isNaN(Number(key)));
  const values = [...new Set(names.map((key) => item[key]))];
  return union(values.map((value) => literal(value)), { ...options, [Hint]: "Enum" });
}

export function record(key, type, options) {
  const byPattern = (pattern) => create("Record", { type: "object", patternProperties: { [pattern]: type } }, options);
  const byKeys = (keys) => object(Object.fromEntries(keys.map((name) => [name, type])), { ...options, [Hint]: "Record" });
  switch (key[Kind]) {
    case "Union":
      return byKeys(literalKeys(key));
    case "Literal":
      return byKeys([String(key.const)]);
    case "Boolean":
      return object({ true: type, false: type }, options);
    case "Integer":
    case "Number":
      return byPattern(exact(PatternNumber));
    case "String":
      return byPattern(key.pattern ?? exact(PatternString));
    case "TemplateLiteral":
      return byPattern(key.pattern);
    case "RegExp":
      return byPattern(key.source);
    case "Any":
      return byPattern(exact(PatternString));
    case "Never":
      return byPattern(exact(PatternNever));
    default:
      return never(options);
  }
}

function literalKeys(type) {
  if (isKind(type, "Union")) return type.anyOf.flatMap(literalKeys);
  return isKind(type, "Literal") ? [String(type.const)] : [];
}

/** A schema of one's own; the type is only for the compiler. */
export function unsafe(options = {}) {
  return { ...options, [Kind]: options[Kind] ?? "Unsafe" };
}

export function ref(target, options) {
  const $ref = typeof target === "string" ? target : target?.$id;
  if (typeof $ref !== "string") throw new TypeBoxError("The target type of Ref must have an $id");
  return create("Ref", { $ref }, options);
}

let recursions = 0;

/** A type that contains itself: the callback gets what stands for it. */
export function recursive(callback, options = {}) {
  const $id = options.$id ?? `T${recursions++}`;
  const type = callback(create("This", { $ref: $id }));
  return { ...options, [Hint]: "Recursive", ...type, $id };
}

/** The type of exactly this value, all the way down. */
export function constType(value, options) {
  return withOptions(constOf(value, true), options);
}

function constOf(value, root) {
  const type = constShape(value);
  const composed = Array.isArray(value) || isKind(type, "Object");
  return composed && !(root && isKind(type, "Object")) ? readonly(type) : type;
}

function constShape(value) {
  if (Array.isArray(value)) return tuple(value.map((item) => constOf(item, false)));
  if (value === null) return nullType();
  if (value === undefined) return undefinedType();
  if (value instanceof Date) return date();
  if (value instanceof Uint8Array) return bytes();
  if (typeof value === "function") return functionType([], unknown());
  if (typeof value === "bigint") return bigint();
  if (typeof value === "symbol") return symbol();
  if (typeof value !== "object") return literal(value);
  return object(Object.fromEntries(Object.keys(value).map((key) => [key, readonly(constOf(value[key], true))])));
}

/** `Transform(type).Decode(fn).Encode(fn)`: a type whose decoded value is another one. */
export function transform(type) {
  return {
    Decode: (Decode) => ({
      Encode(Encode) {
        const inner = type[TransformKind];
        const both = inner
          ? { Encode: (value) => inner.Encode(Encode(value)), Decode: (value) => Decode(inner.Decode(value)) }
          : { Encode, Decode };
        return { ...type, [TransformKind]: both };
      },
    }),
  };
}

/** The members of a tuple, an intersection or a union. */
export function rest(type) {
  if (isKind(type, "Intersect")) return [...type.allOf];
  if (isKind(type, "Union")) return [...type.anyOf];
  return isKind(type, "Tuple") ? [...(type.items ?? [])] : [];
}

