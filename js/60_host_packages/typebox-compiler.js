// @sinclair/typebox/compiler. Hooks may not make code from text everywhere, so a compiled type is the schema
// with its functions; results are the same.

import { Check, Decode, Encode, Errors, HasTransform, ValueErrorIterator } from "./typebox-value.js";
import { isPlain, TypeBoxError } from "./typebox/symbols.js";

export class TypeCompilerTypeGuardError extends TypeBoxError {}

/** A schema with its references, ready to be asked. */
export class TypeCheck {
  #schema;
  #references;

  constructor(schema, references) {
    this.#schema = schema;
    this.#references = references;
  }

  Schema() {
    return this.#schema;
  }

  References() {
    return this.#references;
  }

  Check(value) {
    return Check(this.#schema, this.#references, value);
  }

  Errors(value) {
    return Errors(this.#schema, this.#references, value);
  }

  Decode(value) {
    return Decode(this.#schema, this.#references, value);
  }

  Encode(value) {
    return Encode(this.#schema, this.#references, value);
  }

  HasTransform() {
    return HasTransform(this.#schema);
  }
}

export const TypeCompiler = Object.freeze({
  /** @throws {TypeCompilerTypeGuardError} for anything that is no schema */
  Compile(schema, references = []) {
    if (!isPlain(schema)) throw new TypeCompilerTypeGuardError("The value to compile is not a schema");
    return new TypeCheck(schema, references);
  },
});

/** The same under the name newer versions give it. */
export const Compile = TypeCompiler.Compile;
export { ValueErrorIterator };
