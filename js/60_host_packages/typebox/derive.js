// Types made from the properties of other types.

import { intersect, intersectOf, literal, never, number, object, optional, union, unionOf } from "./build.js";
import { has, isKind, isSchema, Kind, OptionalKind, TransformKind, withOptions, without } from "./symbols.js";

const OBJECT_PARTS = [TransformKind, "$id", "required", "properties"];
const KEPT = new Set(["BigInt", "Boolean", "Integer", "Literal", "Null", "Number", "String", "Symbol", "Undefined"]);
const distinct = (list) => [...new Set(list)];

/** Applies a change of properties through unions and intersections. */
function mapObject(type, change) {
  switch (type[Kind]) {
    case "Object":
      return object(change(type.properties), without(type, ...OBJECT_PARTS));
    case "Intersect":
      return intersect(type.allOf.map((part) => mapObject(part, change)));
    case "Union":
      return union(type.anyOf.map((part) => mapObject(part, change)));
    default:
      return KEPT.has(type[Kind]) ? type : object({});
  }
}

const mapValues = (properties, change) =>
  Object.fromEntries(Object.entries(properties).map(([key, type]) => [key, change(type)]));

export function partial(type, options) {
  return { ...mapObject(type, (properties) => mapValues(properties, (each) => optional(each))), ...options };
}

export function required(type, options) {
  return { ...mapObject(type, (properties) => mapValues(properties, (each) => without(each, OptionalKind))), ...options };
}

export function pick(type, keys, options) {
  const names = keyNames(keys);
  const change = (properties) =>
    Object.fromEntries(names.filter((key) => has(properties, key)).map((key) => [key, properties[key]]));
  return { ...mapOnlyObjects(type, change), ...options };
}

export function omit(type, keys, options) {
  return { ...mapOnlyObjects(type, (properties) => without(properties, ...keyNames(keys))), ...options };
}

function mapOnlyObjects(type, change) {
  return KEPT.has(type[Kind]) ? object({}) : mapObject(type, change);
}

/** Keys given as an array of names or as a type (a literal, a union of literals, a template). */
function keyNames(keys) {
  if (!isSchema(keys)) return [...keys].map(String);
  if (isKind(keys, "Union")) return keys.anyOf.flatMap(keyNames);
  if (isKind(keys, "Literal")) return [String(keys.const)];
  if (isKind(keys, "Number") || isKind(keys, "Integer")) return ["[number]"];
  return [];
}

/** Names of the properties a value of the type may have. */
export function propertyKeys(type) {
  switch (type[Kind]) {
    case "Object":
      return Object.keys(type.properties);
    case "Intersect":
      return type.allOf.flatMap(propertyKeys);
    case "Union": {
      const [first = [], ...others] = type.anyOf.map(propertyKeys);
      return first.filter((key) => others.every((keys) => keys.includes(key)));
    }
    case "Tuple":
      return (type.items ?? []).map((_, index) => String(index));
    case "Array":
      return ["[number]"];
    default:
      return [];
  }
}

export function keyOf(type, options) {
  const keys = propertyKeys(type).map((key) => (key === "[number]" ? number() : literal(key)));
  return withOptions(unionOf(keys), options);
}

/** The type of one property, `never` where there is none. */
function property(type, key) {
  switch (type[Kind]) {
    case "Object":
      return has(type.properties, key) ? type.properties[key] : never();
    case "Intersect":
      return intersectOf(type.allOf.map((part) => property(part, key)).filter((part) => !isKind(part, "Never")));
    case "Union": {
      const parts = type.anyOf.map((part) => property(part, key));
      return unionOf(parts.some((part) => isKind(part, "Never")) ? [] : parts);
    }
    case "Tuple":
      return key === "[number]" ? unionOf(type.items ?? []) : (type.items?.[key] ?? never());
    case "Array":
      return key === "[number]" ? type.items : never();
    default:
      return never();
  }
}

export function index(type, keys, options) {
  return withOptions(unionOf(keyNames(keys).map((key) => property(type, key))), options);
}

/** One object type with the properties of all. */
export function composite(types, options) {
  const keys = distinct(types.flatMap(propertyKeys));
  const entries = keys.map((key) => {
    const parts = types.map((type) => property(type, key)).filter((part) => !isKind(part, "Never"));
    return [key, intersectOf(parts)];
  });
  return object(Object.fromEntries(entries), options);
}

/** Whether values of the left type belong to the right one, for the simple kinds unions are made of. */
function assignable(left, right) {
  const [from, to] = [left[Kind], right[Kind]];
  if (to === "Any" || to === "Unknown" || from === "Never") return true;
  if (to === "Union") return right.anyOf.some((member) => assignable(left, member));
  if (from === "Union") return left.anyOf.every((member) => assignable(member, right));
  if (from === "Literal") {
    if (to === "Literal") return left.const === right.const;
    return typeof left.const === (to === "Integer" ? "number" : to.toLowerCase());
  }
  if (from === "Integer" && to === "Number") return true;
  if (from === "TemplateLiteral" && to === "String") return true;
  if (from === "Array" && to === "Array") return assignable(left.items, right.items);
  if (from === "Object" && to === "Object") {
    return Object.entries(right.properties).every(([key, type]) => {
      if (!has(left.properties, key)) return Boolean(type[OptionalKind]);
      return assignable(left.properties[key], type);
    });
  }
  return from === to && !["Object", "Array", "Record", "Tuple", "Intersect"].includes(from);
}

function filterMembers(left, right, keep, options) {
  const members = isKind(left, "Union") ? left.anyOf : [left];
  return union(members.filter((member) => assignable(member, right) === keep), options);
}

export const exclude = (left, right, options) => filterMembers(left, right, false, options);
export const extract = (left, right, options) => filterMembers(left, right, true, options);
