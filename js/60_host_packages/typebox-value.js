// Values and schemas: @sinclair/typebox/value. Every function also takes the schemas that references name as a
// second argument before the value.

import { errorsOf, matches } from "./typebox/check.js";
import { clone, equal } from "./typebox/equal.js";
import { convertValue } from "./typebox/convert.js";
import {
  applyDefaults, createValue, hasTransform, removeExtras, transformValue, ValueCreateError,
} from "./typebox/reshape.js";
import { TypeBoxError } from "./typebox/symbols.js";

const withReferences = (run) => (schema, ...rest) =>
  rest.length >= 2 ? run(schema, rest[0], rest[1]) : run(schema, [], rest[0]);

/** The errors of a value; iterable, and `First()` gives the first one. */
export class ValueErrorIterator {
  #errors;

  constructor(errors) {
    this.#errors = errors;
  }

  [Symbol.iterator]() {
    return this.#errors[Symbol.iterator]();
  }

  First() {
    return this.#errors[0];
  }
}

/** What `Assert` and `Parse` throw; `error` is the first mismatch. */
export class AssertError extends TypeBoxError {
  constructor(errors) {
    super(errors[0]?.message ?? "Invalid value");
    this.name = "AssertError";
    this.error = errors[0];
    this.#errors = errors;
  }

  #errors;

  Errors() {
    return new ValueErrorIterator(this.#errors);
  }
}

export class TransformDecodeCheckError extends TypeBoxError {
  constructor(schema, value, error) {
    super("Unable to decode value as it does not match the expected schema");
    Object.assign(this, { schema, value, error });
  }
}

export class TransformEncodeCheckError extends TypeBoxError {
  constructor(schema, value, error) {
    super("The encoded value does not match the expected schema");
    Object.assign(this, { schema, value, error });
  }
}

export const Check = withReferences(matches);
export const Errors = withReferences((schema, references, value) => new ValueErrorIterator(errorsOf(schema, references, value)));
export const Assert = withReferences((schema, references, value) => {
  if (!matches(schema, references, value)) throw new AssertError(errorsOf(schema, references, value));
});
/** Fills in defaults; changes the value it gets. */
export const Default = withReferences(applyDefaults);
/** Drops properties the schema does not know; changes the value it gets. */
export const Clean = withReferences(removeExtras);
/** Converts plain types where the value says the same; changes the value it gets. */
export const Convert = withReferences(convertValue);
export const Decode = withReferences((schema, references, value) => {
  if (!matches(schema, references, value)) throw new TransformDecodeCheckError(schema, value, errorsOf(schema, references, value)[0]);
  return hasTransform(schema) ? transformValue(schema, references, value, "Decode") : value;
});
export const Encode = withReferences((schema, references, value) => {
  const encoded = hasTransform(schema) ? transformValue(schema, references, value, "Encode") : value;
  if (!matches(schema, references, encoded)) throw new TransformEncodeCheckError(schema, encoded, errorsOf(schema, references, encoded)[0]);
  return encoded;
});
export const Create = (schema, references = []) => createValue(schema, references);
export const Clone = clone;
export const Equal = equal;
export const HasTransform = (schema) => hasTransform(schema);

const STEPS = {
  Assert: (schema, references, value) => {
    Assert(schema, references, value);
    return value;
  },
  Clean,
  Clone: (_schema, _references, value) => clone(value),
  Convert,
  Decode: (schema, references, value) => (hasTransform(schema) ? transformValue(schema, references, value, "Decode") : value),
  Default,
  Encode: (schema, references, value) => (hasTransform(schema) ? transformValue(schema, references, value, "Encode") : value),
};
export const ParseDefault = Object.freeze(["Clone", "Clean", "Default", "Convert", "Assert", "Decode"]);

/** `Parse(schema, value)` or `Parse([step, …], schema, value)`: copies, cleans, fills in, converts, checks, decodes. */
export function Parse(...args) {
  const steps = Array.isArray(args[0]) ? args.shift() : ParseDefault;
  const [schema, ...rest] = args;
  const [references, value] = rest.length >= 2 ? rest : [[], rest[0]];
  return steps.reduce((current, step) => {
    if (!Object.hasOwn(STEPS, step)) throw new TypeBoxError(`Unable to find Parse operation '${step}'`);
    return STEPS[step](schema, references, current);
  }, value);
}

export const Value = Object.freeze({
  Assert, Check, Clean, Clone, Convert, Create, Decode, Default, Encode, Equal, Errors, Parse, ValueErrorIterator,
});
export { ValueCreateError };
