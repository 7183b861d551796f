// Arrays of the engine's own that nothing on a shared prototype reaches.
import { primordials } from "ext:core/mod.js";

const { ObjectDefineProperty } = primordials;

/** Sets an element by definition: an assignment, and `push` with it, would run into a setter that a hook put on `Array.prototype`. */
export function put(list, index, value) {
  ObjectDefineProperty(list, index, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
}

export function push(list, value) {
  put(list, list.length, value);
}

export function pop(list) {
  const last = list[list.length - 1];
  if (list.length > 0) list.length--;
  return last;
}
