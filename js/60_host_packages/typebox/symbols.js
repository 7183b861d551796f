// The marks a schema carries beside its JSON: invisible in JSON, shared with the real package by name.

export const Kind = Symbol.for("TypeBox.Kind");
export const Hint = Symbol.for("TypeBox.Hint");
export const OptionalKind = Symbol.for("TypeBox.Optional");
export const ReadonlyKind = Symbol.for("TypeBox.Readonly");
export const TransformKind = Symbol.for("TypeBox.Transform");

export const PatternBoolean = "(true|false)";
export const PatternNumber = "(0|[1-9][0-9]*)";
export const PatternString = "(.*)";
export const PatternNever = "(?!.*)";
export const exact = (pattern) => `^${pattern}$`;

export class TypeBoxError extends Error {}

export const isObject = (value) => typeof value === "object" && value !== null;
export const isPlain = (value) => isObject(value) && !Array.isArray(value);
export const has = (object, key) => Object.hasOwn(object, key);

/** Whether the value is a schema made by the builder. */
export const isSchema = (value) => isPlain(value) && typeof value[Kind] === "string";
export const isKind = (schema, kind) => isSchema(schema) && schema[Kind] === kind;

/** A schema; the options come first so that they cannot change what the type says of itself. */
export function create(kind, fields, options) {
  return { ...options, [Kind]: kind, ...fields };
}

/** The schema with options laid over it. */
export function withOptions(schema, options) {
  return options === undefined ? schema : { ...options, ...schema };
}

/** The schema without some of its keys. */
export function without(schema, ...keys) {
  const copy = { ...schema };
  for (const key of keys) delete copy[key];
  return copy;
}

/** A map of functions by name with the interface of the package's registries. */
function registry() {
  const entries = new Map();
  return Object.freeze({
    Entries: () => new Map(entries),
    Clear: () => entries.clear(),
    Delete: (name) => entries.delete(name),
    Has: (name) => entries.has(name),
    Set: (name, test) => void entries.set(name, test),
    Get: (name) => entries.get(name),
  });
}

/** Tests of strings by `format`; none is known at the start, and an unknown one is never met. */
export const FormatRegistry = registry();
/** Tests of kinds of one's own: `(schema, value) => boolean`. */
export const TypeRegistry = registry();
