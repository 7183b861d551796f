// A builder of JSON Schemas with the interface of @sinclair/typebox. It makes the same schemas; what it lacks
// (modules, mapped types, conditional types) is absent.

import * as build from "./typebox/build.js";
import * as derive from "./typebox/derive.js";
import * as template from "./typebox/template.js";

/** The builder. A function per type; options (`description`, `minimum`, …) are the last argument. */
export const Type = Object.freeze({
  Any: build.any,
  Array: build.array,
  AsyncIterator: build.asyncIterator,
  BigInt: build.bigint,
  Boolean: build.boolean,
  Capitalize: template.capitalize,
  Composite: derive.composite,
  Const: build.constType,
  Constructor: build.constructorType,
  Date: build.date,
  Enum: build.enumType,
  Exclude: derive.exclude,
  Extract: derive.extract,
  Function: build.functionType,
  Index: derive.index,
  Integer: build.integer,
  Intersect: build.intersect,
  Iterator: build.iterator,
  KeyOf: derive.keyOf,
  Literal: build.literal,
  Lowercase: template.lowercase,
  Never: build.never,
  Not: build.not,
  Null: build.nullType,
  Number: build.number,
  Object: build.object,
  Omit: derive.omit,
  Optional: build.optional,
  Partial: derive.partial,
  Pick: derive.pick,
  Promise: build.promise,
  Readonly: build.readonly,
  ReadonlyOptional: (type) => build.readonly(build.optional(type)),
  Record: build.record,
  Recursive: build.recursive,
  Ref: build.ref,
  RegExp: build.regexp,
  Required: derive.required,
  Rest: build.rest,
  String: build.string,
  Symbol: build.symbol,
  TemplateLiteral: template.templateLiteral,
  Transform: build.transform,
  Tuple: build.tuple,
  Uint8Array: build.bytes,
  Uncapitalize: template.uncapitalize,
  Undefined: build.undefinedType,
  Union: build.union,
  Unknown: build.unknown,
  Unsafe: build.unsafe,
  Uppercase: template.uppercase,
  Void: build.voidType,
});

export {
  FormatRegistry,
  Hint,
  Kind,
  OptionalKind,
  ReadonlyKind,
  TransformKind,
  TypeBoxError,
  TypeRegistry,
} from "./typebox/symbols.js";
export { constType as Const, optional as Optional, readonly as Readonly, unsafe as Unsafe } from "./typebox/build.js";
export default Type;
