// Changing a value towards its schema: defaults, leftovers, conversions, values out of nothing, transforms.

import { clone } from "./equal.js";
import { dereference, matches, referencesIn } from "./check.js";
import { has, isObject, isPlain, isSchema, Kind, TransformKind, TypeBoxError } from "./symbols.js";

export class ValueCreateError extends TypeBoxError {}

/**
 * Walks value and schema together. `rules` has a function per kind, and `other` for the rest; each gets the
 * schema, the value, a function to go on with, and the references.
 */
function walk(rules, schema, references, value) {
  const inner = referencesIn(schema, references);
  const go = (next, item) => walk(rules, next, inner, item);
  if (typeof schema.$ref === "string") {
    const before = rules.reference?.(schema, value) ?? value;
    return go(dereference(schema, inner), before);
  }
  const rule = rules[schema[Kind]] ?? rules.other;
  return rule(schema, value, go, inner);
}

const keep = (_schema, value) => value;

function defaultOf(schema, value) {
  if (!has(schema, "default")) return value;
  const copy = typeof schema.default === "function" ? schema.default() : clone(schema.default);
  if (value === undefined) return copy;
  return isPlain(value) && isPlain(copy) ? Object.assign(copy, value) : value;
}

const DEFAULT = {
  reference: defaultOf,
  other: defaultOf,
  Date: (schema, value) => (value instanceof Date ? value : defaultOf(schema, value)),
  Array(schema, value, go) {
    const list = Array.isArray(value) ? value : defaultOf(schema, value);
    if (Array.isArray(list)) list.forEach((item, i) => void (list[i] = go(schema.items, item)));
    return list;
  },
  Tuple(schema, value, go) {
    const list = defaultOf(schema, value);
    if (Array.isArray(list)) (schema.items ?? []).forEach((item, i) => void (list[i] = go(item, list[i])));
    return list;
  },
  Object(schema, value, go) {
    const object = defaultOf(schema, value);
    if (!isObject(object)) return object;
    for (const [key, type] of Object.entries(schema.properties)) {
      const item = go(type, object[key]);
      if (item !== undefined) object[key] = item;
    }
    defaultsOfRest(schema, object, (key) => has(schema.properties, key), go);
    return object;
  },
  Record(schema, value, go) {
    const object = defaultOf(schema, value);
    if (!isObject(object)) return object;
    const [[source, type]] = Object.entries(schema.patternProperties);
    const pattern = new RegExp(source);
    for (const key of Object.keys(object)) {
      if (pattern.test(key) && has(type, "default")) object[key] = go(type, object[key]);
    }
    defaultsOfRest(schema, object, (key) => pattern.test(key), go);
    return object;
  },
  Intersect(schema, value, go) {
    const start = defaultOf(schema, value);
    return schema.allOf.reduce((sum, part) => {
      const next = go(part, start);
      return isObject(next) ? { ...sum, ...next } : next;
    }, {});
  },
  Union(schema, value, go, references) {
    const start = defaultOf(schema, value);
    for (const member of schema.anyOf) {
      const result = go(member, clone(start));
      if (matches(member, references, result)) return result;
    }
    return start;
  },
};

function defaultsOfRest(schema, object, known, go) {
  const rule = schema.additionalProperties;
  if (!isSchema(rule) || !has(rule, "default")) return;
  for (const key of Object.keys(object)) if (!known(key)) object[key] = go(rule, object[key]);
}

const CLEAN = {
  other: keep,
  Array: (schema, value, go) => (Array.isArray(value) ? value.map((item) => go(schema.items, item)) : value),
  Tuple(schema, value, go) {
    if (!Array.isArray(value)) return value;
    const items = schema.items ?? [];
    return value.slice(0, items.length).map((item, i) => go(items[i], item));
  },
  Object: (schema, value, go, references) => cleanKeys(schema, value, go, references, (key) => has(schema.properties, key) && schema.properties[key]),
  Record(schema, value, go, references) {
    const [[source, type]] = Object.entries(schema.patternProperties);
    const pattern = new RegExp(source);
    return cleanKeys(schema, value, go, references, (key) => pattern.test(key) && type);
  },
  Intersect(schema, value, go, references) {
    const parts = schema.allOf.map((part) => go(part, clone(value)));
    const sum = parts.reduce((all, part) => (isObject(part) ? { ...all, ...part } : part), {});
    const rule = schema.unevaluatedProperties;
    if (!isPlain(value) || !isPlain(sum) || !isSchema(rule)) return sum;
    for (const key of Object.keys(value)) {
      if (!has(sum, key) && matches(rule, references, value[key])) sum[key] = go(rule, value[key]);
    }
    return sum;
  },
  Union(schema, value, go, references) {
    const member = schema.anyOf.find((each) => each[Kind] !== "Unsafe" && matches(each, references, value));
    return member ? go(member, value) : value;
  },
};

function cleanKeys(schema, value, go, references, typeOf) {
  if (!isPlain(value)) return value;
  const rule = schema.additionalProperties;
  for (const key of Object.keys(value)) {
    const type = typeOf(key) || (isSchema(rule) && matches(rule, references, value[key]) && rule);
    if (type) value[key] = go(type, value[key]);
    else delete value[key];
  }
  return value;
}

const FALLBACK = {
  String: (schema) => " ".repeat(schema.minLength ?? 0),
  Number: (schema) => schema.minimum ?? schema.exclusiveMinimum ?? 0,
  Integer: (schema) => schema.minimum ?? schema.exclusiveMinimum ?? 0,
  Boolean: () => false,
  Null: () => null,
  Undefined: () => undefined,
  Void: () => undefined,
  BigInt: () => 0n,
  Symbol: (schema) => Symbol(schema.value ?? undefined),
  Uint8Array: (schema) => new Uint8Array(schema.minByteLength ?? 0),
  Date: (schema) => new Date(schema.minimumTimestamp ?? Date.now()),
  Literal: (schema) => schema.const,
  Any: () => ({}),
  Unknown: () => ({}),
  Record: () => ({}),
};

/** A value of the schema: its default, else the plainest one there is. */
export function createValue(schema, references) {
  if (has(schema, "default")) return typeof schema.default === "function" ? schema.default() : clone(schema.default);
  const inner = referencesIn(schema, references);
  const go = (next) => createValue(next, inner);
  if (typeof schema.$ref === "string") return go(dereference(schema, inner));
  switch (schema[Kind]) {
    case "Array":
      if (schema.uniqueItems || schema.contains) break;
      return Array.from({ length: schema.minItems ?? 0 }, () => go(schema.items));
    case "Tuple":
      return (schema.items ?? []).map(go);
    case "Object":
      return Object.fromEntries((schema.required ?? []).map((key) => [key, go(schema.properties[key])]));
    case "Union":
      return go(schema.anyOf[0]);
    case "Intersect": {
      const sum = schema.allOf.map(go).reduce((all, part) => (isObject(part) ? { ...all, ...part } : part), {});
      if (matches(schema, references, sum)) return sum;
      break;
    }
    case "Function":
      return () => go(schema.returns);
    case "Promise":
      return Promise.resolve(go(schema.item));
    default: {
      const pattern = schema.pattern ?? schema.format;
      if (FALLBACK[schema[Kind]] && pattern === undefined) return FALLBACK[schema[Kind]](schema);
    }
  }
  throw new ValueCreateError(`A value of kind '${schema[Kind]}' with these constraints needs a default`);
}

/** Applies the transforms of a schema: parts first when decoding, the whole first when encoding. */
export function transformValue(schema, references, value, direction) {
  const own = schema[TransformKind]?.[direction];
  const start = direction === "Encode" && own ? own(value) : value;
  const inner = referencesIn(schema, references);
  const go = (next, item) => transformValue(next, inner, item, direction);
  const result = typeof schema.$ref === "string" ? go(dereference(schema, inner), start) : transformParts(schema, inner, start, go, direction);
  return direction === "Decode" && own ? own(result) : result;
}

function transformParts(schema, references, value, go, direction) {
  switch (schema[Kind]) {
    case "Array":
      return Array.isArray(value) ? value.map((item) => go(schema.items, item)) : value;
    case "Tuple":
      return Array.isArray(value) ? value.map((item, i) => (schema.items?.[i] ? go(schema.items[i], item) : item)) : value;
    case "Object":
      return mapKeys(value, (key, item) => (has(schema.properties, key) ? go(schema.properties[key], item) : item));
    case "Record": {
      const [[source, type]] = Object.entries(schema.patternProperties);
      const pattern = new RegExp(source);
      return mapKeys(value, (key, item) => (pattern.test(key) ? go(type, item) : item));
    }
    case "Intersect":
      return schema.allOf.reduce((sum, part) => go(part, sum), value);
    case "Union": {
      const candidate = (member) => (direction === "Encode" ? go(member, clone(value)) : value);
      const member = schema.anyOf.find((each) => matches(each, references, attempt(() => candidate(each))));
      return member ? go(member, value) : value;
    }
    default:
      return value;
  }
}

/** A member's own encoder may reject what is another member's value. */
function attempt(compute) {
  try {
    return compute();
  } catch {
    return Symbol("no value");
  }
}

function mapKeys(value, change) {
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, change(key, item)]));
}

/** Whether a schema, or one inside it, has a transform. */
export function hasTransform(schema, seen = new Set()) {
  if (!isObject(schema) || seen.has(schema)) return false;
  seen.add(schema);
  if (schema[TransformKind]) return true;
  return Object.values(schema).some((part) => hasTransform(part, seen));
}

export const applyDefaults = (schema, references, value) => walk(DEFAULT, schema, references, value);
export const removeExtras = (schema, references, value) => walk(CLEAN, schema, references, value);
export { walk };
