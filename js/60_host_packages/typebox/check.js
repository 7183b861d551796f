// Whether a value belongs to a schema, and where it does not. Schemas of the builder and plain JSON Schemas alike.

import {
  FormatRegistry, has, isKind, isObject, isPlain, isSchema, Kind, OptionalKind, TypeBoxError, TypeRegistry,
} from "./symbols.js";
import { equal } from "./equal.js";

/**
 * @typedef {{ path: string, message: string, value: unknown, schema: object, errors: ValidationError[][] }} ValidationError
 * `path` is a JSON pointer; `errors` are, for a union, those of each member
 */

/** @param {object} schema @param {object[]} references schemas with an `$id` @returns {boolean} */
export function matches(schema, references, value) {
  return new Visitor(references, null).visit(schema, "", value);
}

/** @returns {ValidationError[]} */
export function errorsOf(schema, references, value) {
  const errors = [];
  new Visitor(references, errors).visit(schema, "", value);
  return errors;
}

/** The schema a reference names. */
export function dereference(schema, references) {
  const target = references.find((candidate) => candidate.$id === schema.$ref);
  if (!target) throw new TypeBoxError(`Unable to dereference schema with $id '${schema.$ref}'`);
  return isKind(target, "Ref") ? dereference(target, references) : target;
}

/** The references in force inside a schema: it may name itself. */
export function referencesIn(schema, references) {
  return schema.$id === undefined || references.includes(schema) ? references : [...references, schema];
}

const isFunction = (value) => typeof value === "function";
const TYPES = {
  string: ["string", (value) => typeof value === "string"],
  number: ["number", (value) => Number.isFinite(value)],
  integer: ["integer", (value) => Number.isInteger(value)],
  boolean: ["boolean", (value) => typeof value === "boolean"],
  null: ["null", (value) => value === null],
  array: ["array", Array.isArray],
  object: ["object", isPlain],
  undefined: ["undefined", (value) => value === undefined],
  void: ["void", (value) => value === undefined],
  bigint: ["bigint", (value) => typeof value === "bigint"],
  symbol: ["symbol", (value) => typeof value === "symbol"],
  Date: ["Date", (value) => value instanceof Date && Number.isFinite(value.getTime())],
  Uint8Array: ["Uint8Array", (value) => value instanceof Uint8Array],
  RegExp: ["string", (value) => typeof value === "string"],
  Function: ["function", isFunction],
  Constructor: ["constructor", isFunction],
  Promise: ["promise", (value) => isFunction(value?.then)],
  Iterator: ["iterator", (value) => isObject(value) && isFunction(value[Symbol.iterator])],
  AsyncIterator: ["async iterator", (value) => isObject(value) && isFunction(value[Symbol.asyncIterator])],
};

/** Bounds: keyword, test that must hold, what to say. */
const NUMBER_BOUNDS = [
  ["exclusiveMaximum", (value, limit) => value < limit, "number to be less than"],
  ["exclusiveMinimum", (value, limit) => value > limit, "number to be greater than"],
  ["maximum", (value, limit) => value <= limit, "number to be less or equal to"],
  ["minimum", (value, limit) => value >= limit, "number to be greater or equal to"],
  ["multipleOf", isMultiple, "number to be a multiple of"],
];
const DATE_BOUNDS = [
  ["exclusiveMaximumTimestamp", (value, limit) => value.getTime() < limit, "Date timestamp to be less than"],
  ["exclusiveMinimumTimestamp", (value, limit) => value.getTime() > limit, "Date timestamp to be greater than"],
  ["maximumTimestamp", (value, limit) => value.getTime() <= limit, "Date timestamp to be less or equal to"],
  ["minimumTimestamp", (value, limit) => value.getTime() >= limit, "Date timestamp to be greater or equal to"],
  ["multipleOfTimestamp", (value, limit) => value.getTime() % limit === 0, "Date timestamp to be a multiple of"],
];
const BYTES_BOUNDS = [
  ["maxByteLength", (value, limit) => value.length <= limit, "byte length less or equal to"],
  ["minByteLength", (value, limit) => value.length >= limit, "byte length greater or equal to"],
];
const STRING_BOUNDS = [
  ["minLength", (value, limit) => value.length >= limit, "string length greater or equal to"],
  ["maxLength", (value, limit) => value.length <= limit, "string length less or equal to"],
];
const ARRAY_BOUNDS = [
  ["minItems", (value, limit) => value.length >= limit, "array length to be greater or equal to"],
  ["maxItems", (value, limit) => value.length <= limit, "array length to be less or equal to"],
];
const OBJECT_BOUNDS = [
  ["minProperties", (value, limit) => Object.keys(value).length >= limit, "the number of properties to be at least"],
  ["maxProperties", (value, limit) => Object.keys(value).length <= limit, "the number of properties to be at most"],
];

function isMultiple(value, step) {
  if (typeof value === "bigint") return value % BigInt(step) === 0n;
  const parts = value / step;
  return value % step === 0 || Math.abs(parts - Math.round(parts)) < 1e-9 * Math.max(1, Math.abs(parts));
}

const pointer = (key) => String(key).replace(/~/g, "~0").replace(/\//g, "~1");

class Visitor {
  #references;
  #errors;

  /** @param {ValidationError[] | null} errors null: stop at the first mismatch */
  constructor(references, errors) {
    this.#references = references;
    this.#errors = errors;
  }

  visit(schema, path, value) {
    if (typeof schema === "boolean") return schema || this.#fail({}, path, value, "Never");
    const outer = this.#references;
    this.#references = referencesIn(schema, outer);
    try {
      return this.#rules(schema, path, value);
    } finally {
      this.#references = outer;
    }
  }

  #rules(schema, path, value) {
    const kind = schema[Kind];
    if (typeof kind === "string" && TypeRegistry.Has(kind)) {
      return TypeRegistry.Get(kind)(schema, value) || this.#fail(schema, path, value, `Expected kind '${kind}'`);
    }
    if (typeof schema.$ref === "string") return this.visit(dereference(schema, this.#references), path, value);
    if (has(schema, "const")) {
      return equal(schema.const, value) || this.#fail(schema, path, value, `Expected ${quoted(schema.const)}`);
    }
    return this.#all(
      () => this.#type(schema, path, value),
      () => this.#enum(schema, path, value),
      () => this.#combinations(schema, path, value),
    );
  }

  /** Every check, or as many as it takes to know that one failed. */
  #all(...checks) {
    let ok = true;
    for (const check of checks) {
      if (!check()) ok = false;
      if (!ok && this.#errors === null) return false;
    }
    return ok;
  }

  #fail(schema, path, value, message, errors = []) {
    this.#errors?.push({ schema, path, value, message, errors });
    return false;
  }

  #type(schema, path, value) {
    const types = Array.isArray(schema.type) ? schema.type : [schema.type];
    // The parts of an intersection say themselves what they expect.
    if (isKind(schema, "Intersect")) return true;
    if (schema.type === undefined) return this.#contents(schema, path, value, this.#guess(schema, value));
    const type = types.find((name) => TYPES[name]?.[1](value));
    if (type === undefined || (isKind(schema, "Record") && (value instanceof Date || value instanceof Uint8Array))) {
      const names = types.map((name) => (isKind(schema, "Tuple") ? "tuple" : (TYPES[name]?.[0] ?? name)));
      return this.#fail(schema, path, value, `Expected ${names.join(" or ")}`);
    }
    return this.#contents(schema, path, value, type);
  }

  /** A plain schema without `type` still bounds values of the type its keywords are about. */
  #guess(schema, value) {
    if (typeof schema[Kind] === "string") return undefined;
    return ["string", "number", "array", "object"].find((name) => TYPES[name][1](value));
  }

  #contents(schema, path, value, type) {
    switch (type) {
      case "string":
        return this.#string(schema, path, value);
      case "RegExp":
        return (
          new RegExp(schema.source, schema.flags).test(value) ||
          this.#fail(schema, path, value, "Expected string to match regular expression")
        );
      case "number":
      case "integer":
      case "bigint":
        return this.#bounds(NUMBER_BOUNDS, schema, path, value);
      case "Date":
        return this.#bounds(DATE_BOUNDS, schema, path, value);
      case "Uint8Array":
        return this.#bounds(BYTES_BOUNDS, schema, path, value);
      case "array":
        return isKind(schema, "Tuple") ? this.#tuple(schema, path, value) : this.#array(schema, path, value);
      case "object":
        return this.#object(schema, path, value);
      default:
        return true;
    }
  }

  #bounds(table, schema, path, value) {
    return this.#all(
      ...table.map(([keyword, holds, text]) => () =>
        schema[keyword] === undefined ||
        holds(value, schema[keyword]) ||
        this.#fail(schema, path, value, `Expected ${text} ${schema[keyword]}`),
      ),
    );
  }

  #string(schema, path, value) {
    return this.#all(
      () => this.#bounds(STRING_BOUNDS, schema, path, value),
      () =>
        schema.pattern === undefined ||
        new RegExp(schema.pattern).test(value) ||
        this.#fail(schema, path, value, `Expected string to match '${schema.pattern}'`),
      () => this.#format(schema, path, value),
    );
  }

  #format(schema, path, value) {
    // A plain JSON Schema's format is a remark; the builder's is a rule that must be registered.
    if (schema.format === undefined || typeof schema[Kind] !== "string" || isKind(schema, "Unsafe")) return true;
    if (!FormatRegistry.Has(schema.format)) return this.#fail(schema, path, value, `Unknown format '${schema.format}'`);
    return (
      FormatRegistry.Get(schema.format)(value) ||
      this.#fail(schema, path, value, `Expected string to match '${schema.format}' format`)
    );
  }

  #array(schema, path, value) {
    const { items } = schema;
    const perIndex = Array.isArray(items);
    const each = (item, i) => {
      const schemaOfItem = perIndex ? (items[i] ?? schema.additionalItems ?? true) : items;
      return schemaOfItem === undefined || this.visit(schemaOfItem, `${path}/${i}`, item);
    };
    return this.#all(
      () => this.#bounds(ARRAY_BOUNDS, schema, path, value),
      ...value.map((item, i) => () => each(item, i)),
      () =>
        schema.uniqueItems !== true ||
        allDifferent(value) ||
        this.#fail(schema, path, value, "Expected array elements to be unique"),
      () => this.#contains(schema, path, value),
    );
  }

  #contains(schema, path, value) {
    if (schema.contains === undefined) return true;
    const found = value.filter((item) => matches(schema.contains, this.#references, item)).length;
    const { minContains = 1, maxContains = Infinity } = schema;
    return (
      (found >= minContains && found <= maxContains) ||
      this.#fail(schema, path, value, "Expected array to contain a matching number of values")
    );
  }

  #tuple(schema, path, value) {
    const { items = [], maxItems = 0 } = schema;
    if (value.length !== maxItems) return this.#fail(schema, path, value, `Expected tuple to have ${maxItems} elements`);
    return this.#all(...items.map((item, i) => () => this.visit(item, `${path}/${i}`, value[i])));
  }

  #object(schema, path, value) {
    const { properties = {}, patternProperties = {}, additionalProperties } = schema;
    const required = schema.required ?? [];
    const patterns = Object.entries(patternProperties).map(([source, type]) => [new RegExp(source), type]);
    const known = (key) => has(properties, key) || patterns.some(([pattern]) => pattern.test(key));
    return this.#all(
      () => this.#bounds(OBJECT_BOUNDS, schema, path, value),
      ...required.map((key) => () =>
        key in value || this.#fail(schema, `${path}/${pointer(key)}`, undefined, "Expected required property"),
      ),
      ...Object.keys(value)
        .filter((key) => !known(key))
        .map((key) => () => this.#unknownProperty(additionalProperties, schema, `${path}/${pointer(key)}`, value[key])),
      ...Object.entries(properties).map(([key, type]) => () => this.#property(type, required.includes(key), path, key, value)),
      ...patterns.flatMap(([pattern, type]) =>
        Object.keys(value)
          .filter((key) => pattern.test(key))
          .map((key) => () => this.visit(type, `${path}/${pointer(key)}`, value[key])),
      ),
    );
  }

  #unknownProperty(rule, schema, path, value) {
    if (rule === undefined || rule === true) return true;
    return rule === false ? this.#fail(schema, path, value, "Unexpected property") : this.visit(rule, path, value);
  }

  /** An optional property may also be there and undefined. */
  #property(type, required, path, key, value) {
    const present = required || (typeof type[Kind] === "string" && !type[OptionalKind]) || value[key] !== undefined;
    return !present || this.visit(type, `${path}/${pointer(key)}`, value[key]);
  }

  #enum(schema, path, value) {
    if (!Array.isArray(schema.enum) || schema.enum.some((item) => equal(item, value))) return true;
    return this.#fail(schema, path, value, `Expected one of ${schema.enum.map(quoted).join(", ")}`);
  }

  #combinations(schema, path, value) {
    return this.#all(
      () => !schema.anyOf || this.#anyOf(schema, schema.anyOf, path, value, (count) => count > 0),
      () => !schema.oneOf || this.#anyOf(schema, schema.oneOf, path, value, (count) => count === 1),
      () => !schema.allOf || this.#allOf(schema, path, value),
      () => schema.not === undefined || this.#not(schema, path, value),
    );
  }

  #anyOf(schema, members, path, value, enough) {
    const found = members.filter((member) => matches(member, this.#references, value)).length;
    if (enough(found)) return true;
    const inner =
      this.#errors === null ? [] : members.map((member) => errorsBelow(member, this.#references, path, value));
    return this.#fail(schema, path, value, "Expected union value", inner);
  }

  #allOf(schema, path, value) {
    const ok = this.#all(...schema.allOf.map((part) => () => this.visit(part, path, value)));
    if (!ok) return this.#errors === null ? false : this.#fail(schema, path, value, "Expected all values to match");
    const rule = schema.unevaluatedProperties;
    if (rule === undefined || rule === true || !isPlain(value)) return true;
    const known = new Set(schema.allOf.flatMap(namesOf));
    const extra = Object.keys(value).filter((key) => !known.has(key));
    return this.#all(
      ...extra.map((key) => () => this.#unknownProperty(isSchema(rule) ? rule : false, schema, `${path}/${pointer(key)}`, value[key])),
    );
  }

  #not(schema, path, value) {
    if (!matches(schema.not, this.#references, value)) return true;
    return this.#fail(schema, path, value, isKind(schema, "Never") ? "Never" : "Value should not match");
  }
}

function errorsBelow(schema, references, path, value) {
  return errorsOf(schema, references, value).map((error) => ({ ...error, path: path + error.path }));
}

function namesOf(schema) {
  return [...Object.keys(schema.properties ?? {}), ...(schema.allOf ?? schema.anyOf ?? []).flatMap(namesOf)];
}

function allDifferent(items) {
  const seen = new Set(items.filter((item) => !isObject(item)));
  const objects = items.filter(isObject);
  if (seen.size + objects.length !== items.length) return false;
  return objects.every((item, i) => !objects.slice(0, i).some((other) => equal(item, other)));
}

function quoted(value) {
  return typeof value === "string" ? `'${value}'` : String(value);
}
