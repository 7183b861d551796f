// What handlers give back, read so that what hooks made of shared prototypes neither breaks the fold nor turns a verdict.
import { core, primordials } from "ext:core/mod.js";
import { toText } from "./07_values.js";
import { isObject } from "./47_hooks.js";

const { Boolean, Error, ObjectHasOwn, ObjectKeys, ObjectPrototype, PromisePrototype, PromiseResolve, ReflectDeleteProperty } = primordials;

/**
 * Whether a result has to be awaited. A promise has, even if a hook took `then` from all of them; a `then` that every object has says
 * nothing, see `poison`.
 */
export function isThenable(value) {
  if (core.isPromise(value)) return true;
  return isObject(value) && !ObjectHasOwn(ObjectPrototype, "then") && typeof value.then === "function";
}

/** A promise of `value`. A native one stays as it is: `then` and `constructor` of `Promise.prototype` may be a hook's by now. */
export function toPromise(value) {
  return core.isPromise(value) && value.then === PromisePrototype.then ? value : PromiseResolve(value);
}

const DECISIONS = { __proto__: null, block: true, cancel: true };

/**
 * The result as the host gets it: contract fields read as properties (so inherited ones count), then the other own fields. Each is read
 * once: a getter may answer differently the next time.
 * @param stop the field that was read already, `decision` its value
 */
export function resultText(result, fields, stop, decision) {
  const out = { __proto__: null }; // nothing inherited, setters of `Object.prototype` least of all
  const read = { __proto__: null };
  for (let i = 0; i < fields.length; i++) {
    const name = fields[i];
    const value = name === stop ? decision : result[name];
    read[name] = true;
    if (value !== undefined) out[name] = DECISIONS[name] ? Boolean(value) : value;
  }
  const keys = ObjectKeys(result);
  for (let i = 0; i < keys.length; i++) {
    if (!read[keys[i]]) out[keys[i]] = result[keys[i]];
  }
  return toText(out);
}

/** What must never stand on `Object.prototype`: it would make of every result what it says. */
const POISON = ["then", "block", "cancel"];

/** The reason why what a handler gave cannot be trusted. What hook code put there is taken away, so that the next one can be. */
export function poison() {
  let found;
  let stays = false;
  for (let i = 0; i < POISON.length; i++) {
    if (!ObjectHasOwn(ObjectPrototype, POISON[i])) continue;
    found = POISON[i];
    stays ||= !ReflectDeleteProperty(ObjectPrototype, POISON[i]);
  }
  const fate = stays ? "it cannot be removed, so no answer counts until the hooks are loaded anew" : "it was removed";
  return found === undefined ? undefined : new Error(`some hook defined Object.prototype.${found}, which changes what every handler answers; ${fate}`);
}
