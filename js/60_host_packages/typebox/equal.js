// Structural equality and copies of values.

const tag = (value) => Object.prototype.toString.call(value);

/** Whether two values have the same structure: arrays, plain objects, dates, typed arrays, maps and sets. */
export function equal(left, right) {
  if (Object.is(left, right)) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) {
    return left === right;
  }
  if (tag(left) !== tag(right)) return false;
  if (left instanceof Date) return left.getTime() === right.getTime();
  if (ArrayBuffer.isView(left)) return left.length === right.length && Array.prototype.every.call(left, (item, i) => item === right[i]);
  if (Array.isArray(left)) return left.length === right.length && left.every((item, i) => equal(item, right[i]));
  if (left instanceof Map) return left.size === right.size && [...left].every(([key, item]) => right.has(key) && equal(item, right.get(key)));
  if (left instanceof Set) return left.size === right.size && [...left].every((item) => right.has(item));
  const keys = Reflect.ownKeys(left);
  return keys.length === Reflect.ownKeys(right).length && keys.every((key) => Object.hasOwn(right, key) && equal(left[key], right[key]));
}

/** A deep copy; functions, symbols and objects of classes are kept as they are. */
export function clone(value) {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(clone);
  if (value instanceof Date) return new Date(value.getTime());
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return value.slice();
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [clone(key), clone(item)]));
  if (value instanceof Set) return new Set([...value].map(clone));
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const copy = Object.create(prototype);
  for (const key of Reflect.ownKeys(value)) copy[key] = clone(value[key]);
  return copy;
}
