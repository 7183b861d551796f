// Conversions between plain types where the value says the same: "42" for a number, 1 for true.

import { matches } from "./check.js";
import { clone } from "./equal.js";
import { walk } from "./reshape.js";
import { has, isPlain } from "./symbols.js";

const TIME = "(?:[0-2]\\d:[0-5]\\d:[0-5]\\d)(?:\\.\\d+)?";
const ZONE = "(?:z|[+-]\\d\\d(?::?\\d\\d)?)";
const DAY = "\\d{4}-[01]\\d-[0-3]\\d";
const DATE_TIME = new RegExp(`^${DAY}t${TIME}(${ZONE})?$`, "i");
const TIME_ONLY = new RegExp(`^${TIME}(${ZONE})?$`, "i");
const DATE_ONLY = new RegExp(`^${DAY}$`);

const isNumeric = (value) => typeof value === "string" && value.trim() !== "" && !Number.isNaN(Number(value));
const isTrue = (value) => [true, 1, 1n, "1"].includes(value) || (typeof value === "string" && value.toLowerCase() === "true");
const isFalse = (value) =>
  [false, 0, 0n, "0", "-0"].includes(value) || (typeof value === "string" && value.toLowerCase() === "false");

function toNumber(value) {
  if (isNumeric(value)) return parseFloat(value);
  if (typeof value === "number") return value;
  return isTrue(value) ? 1 : isFalse(value) ? 0 : value;
}

function toInteger(value) {
  const number = toNumber(value);
  return typeof number === "number" ? Math.trunc(number) : value;
}

function toBoolean(value) {
  return isTrue(value) ? true : isFalse(value) ? false : value;
}

function toText(value) {
  if (typeof value === "symbol") return value.description ?? value;
  return ["number", "boolean", "bigint"].includes(typeof value) ? String(value) : value;
}

function toBigInt(value) {
  if (isNumeric(value)) return BigInt(value.trim().split(".")[0]);
  if (Number.isFinite(value)) return BigInt(Math.trunc(value));
  return isTrue(value) ? 1n : isFalse(value) ? 0n : value;
}

function toDate(value) {
  if (typeof value === "number") return new Date(value);
  if (isNumeric(value)) return new Date(parseInt(value, 10));
  if (typeof value !== "string") return value;
  const dateTime = DATE_TIME.exec(value);
  if (dateTime) return new Date(dateTime[1] ? value : `${value}Z`);
  const time = TIME_ONLY.exec(value);
  if (time) return new Date(`1970-01-01T${value}${time[1] ? "" : "Z"}`);
  return DATE_ONLY.test(value) ? new Date(`${value}T00:00:00.000Z`) : value;
}

function toLiteral(schema, value) {
  const convert = { string: toText, number: toNumber, boolean: toBoolean }[typeof schema.const];
  const converted = convert ? convert(value) : value;
  return converted === schema.const ? converted : value;
}

const CONVERT = {
  other: (_schema, value) => value,
  String: (_schema, value) => toText(value),
  Number: (_schema, value) => toNumber(value),
  Integer: (_schema, value) => toInteger(value),
  Boolean: (_schema, value) => toBoolean(value),
  BigInt: (_schema, value) => toBigInt(value),
  Date: (_schema, value) => toDate(value),
  Null: (_schema, value) => (typeof value === "string" && value.toLowerCase() === "null" ? null : value),
  Undefined: (_schema, value) => (value === "undefined" ? undefined : value),
  Literal: toLiteral,
  Array: (schema, value, go) => (Array.isArray(value) ? value : [value]).map((item) => go(schema.items, item)),
  Tuple: (schema, value, go) =>
    Array.isArray(value) ? value.map((item, i) => (schema.items?.[i] ? go(schema.items[i], item) : item)) : value,
  Object(schema, value, go) {
    if (!isPlain(value)) return value;
    for (const [key, type] of Object.entries(schema.properties)) {
      if (has(value, key)) value[key] = go(type, value[key]);
    }
    return value;
  },
  Record(schema, value, go) {
    if (!isPlain(value)) return value;
    const [type] = Object.values(schema.patternProperties);
    for (const key of Object.keys(value)) value[key] = go(type, value[key]);
    return value;
  },
  Intersect: (schema, value, go) => schema.allOf.reduce((sum, part) => go(part, sum), value),
  Union(schema, value, go, references) {
    if (schema.anyOf.some((member) => matches(member, references, value))) return value;
    for (const member of schema.anyOf) {
      const converted = go(member, clone(value));
      if (matches(member, references, converted)) return converted;
    }
    return value;
  },
};

export const convertValue = (schema, references, value) => walk(CONVERT, schema, references, value);
