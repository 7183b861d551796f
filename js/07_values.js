// Values: properties computed late, and what leaves the isolate: any JavaScript value as JSON text (decision 5). Hook code may have replaced
// `JSON`, `Array.prototype.map` and friends; everything here uses the primordials captured before hooks ran.
import { core, primordials } from "ext:core/mod.js";
import { op_bytes_to_base64 } from "ext:core/ops";
import { push } from "./06_lists.js";

const {
  ArrayBufferIsView,
  ArrayIsArray,
  BigIntPrototypeToString,
  DatePrototypeGetTime,
  DatePrototypeToISOString,
  JSONStringify,
  NumberIsFinite,
  ObjectDefineProperty,
  ObjectGetPrototypeOf,
  ObjectHasOwn,
  ObjectKeys,
  ObjectPrototype,
  RangeError,
  SafeMapIterator,
  SafeSet,
  SafeSetIterator,
  SetPrototypeAdd,
  SetPrototypeDelete,
  SetPrototypeHas,
  String,
  StringPrototypeIsWellFormed,
  StringPrototypeSlice,
  StringPrototypeToWellFormed,
  Uint8Array,
} = primordials;

/** Deepest nesting that may cross, in levels. */
export const MAX_DEPTH = 1000;

function tooDeep() {
  return new RangeError(`value is nested deeper than ${MAX_DEPTH} levels`);
}

/** True when `JSON.stringify` alone writes `value` as decision 5 wants it. Cheap: long strings cost nothing. */
function isPlain(value, depth) {
  switch (typeof value) {
    case "string":
      return StringPrototypeIsWellFormed(value);
    case "boolean":
      return true;
    case "number":
      return true; // NaN and infinities become null either way
    case "object":
      break;
    default:
      return false;
  }
  if (value === null) return true;
  if (depth > MAX_DEPTH) return false;
  if (ArrayIsArray(value)) {
    if (value.toJSON !== undefined) return false;
    for (let i = 0; i < value.length; i++) {
      if (!isPlain(value[i], depth + 1)) return false;
    }
    return true;
  }
  const proto = ObjectGetPrototypeOf(value);
  if ((proto !== ObjectPrototype && proto !== null) || value.toJSON !== undefined) return false;
  const keys = ObjectKeys(value);
  for (let i = 0; i < keys.length; i++) {
    const item = value[keys[i]];
    if (item !== undefined && !isPlain(item, depth + 1)) return false;
    if (!StringPrototypeIsWellFormed(keys[i])) return false;
  }
  return true;
}

const OMIT = { __proto__: null };

/** An array that a `toJSON` on a shared prototype does not reach. */
function list() {
  return ObjectDefineProperty([], "toJSON", { __proto__: null, value: undefined });
}

/** A plain copy that `JSON.stringify` writes as decision 5 wants; `OMIT` for what has no JSON form. */
function toPlain(value, depth, open) {
  switch (typeof value) {
    case "string":
      return StringPrototypeToWellFormed(value); // a lone surrogate has no place in UTF-8
    case "boolean":
      return value;
    case "number":
      return NumberIsFinite(value) ? value : null;
    case "bigint":
      return BigIntPrototypeToString(value);
    case "object":
      break;
    default:
      return OMIT;
  }
  if (value === null) return null;
  if (depth > MAX_DEPTH) throw tooDeep();
  if (SetPrototypeHas(open, value)) return "[Circular]";
  if (core.isDate(value)) {
    const time = DatePrototypeGetTime(value);
    return NumberIsFinite(time) ? DatePrototypeToISOString(value) : null;
  }
  if (core.isAnyArrayBuffer(value)) return { __proto__: null, $bytes: op_bytes_to_base64(new Uint8Array(value)) };
  if (ArrayBufferIsView(value)) {
    return { __proto__: null, $bytes: op_bytes_to_base64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)) };
  }
  if (core.isBoxedPrimitive(value)) return toPlain(value.valueOf(), depth + 1, open);
  SetPrototypeAdd(open, value);
  let out;
  if (ArrayIsArray(value)) {
    out = list();
    for (let i = 0; i < value.length; i++) {
      const item = toPlain(value[i], depth + 1, open);
      push(out, item === OMIT ? null : item);
    }
  } else if (core.isMap(value)) {
    out = list();
    // No `forEach`: QuickJS loses an exception that comes up through many native frames.
    for (const entry of new SafeMapIterator(value)) {
      const k = toPlain(entry[0], depth + 2, open);
      const v = toPlain(entry[1], depth + 2, open);
      const pair = list();
      push(pair, k === OMIT ? null : k);
      push(pair, v === OMIT ? null : v);
      push(out, pair);
    }
  } else if (core.isSet(value)) {
    out = list();
    for (const item of new SafeSetIterator(value)) {
      const plain = toPlain(item, depth + 1, open);
      push(out, plain === OMIT ? null : plain);
    }
  } else {
    out = { __proto__: null };
    const keys = ObjectKeys(value);
    for (let i = 0; i < keys.length; i++) {
      const item = toPlain(value[keys[i]], depth + 1, open);
      if (item !== OMIT) out[StringPrototypeToWellFormed(keys[i])] = item;
    }
  }
  SetPrototypeDelete(open, value);
  return out;
}

/**
 * JSON text of any value; `undefined` for a value without a JSON form (undefined, functions, symbols).
 * @param depth the level `value` stands on; negative when levels around it are the engine's own
 * @throws what a getter or proxy of the value throws, and a RangeError past MAX_DEPTH levels.
 */
export function toText(value, depth = 0) {
  // Asked of the property, not of its value: a getter may be a hook's.
  if (!ObjectHasOwn(ObjectPrototype, "toJSON") && isPlain(value, depth)) {
    const text = JSONStringify(value);
    if (text !== undefined) return text;
  }
  const plain = toPlain(value, depth, new SafeSet());
  return plain === OMIT ? undefined : JSONStringify(plain);
}

/** Text of anything thrown, also of values whose own conversion throws. */
export function thrownText(value) {
  try {
    if (core.isNativeError(value)) return String(value.message);
    return String(value);
  } catch {
    return "[value that cannot be shown]";
  }
}

/** Longest description of a thrown value, in characters. */
const MAX_REASON = 300;

/** What to tell of anything thrown while a hook loads: of a value that is no `Error` its `message`, or its JSON text. */
export function thrownReason(value) {
  try {
    if (core.isNativeError(value) || typeof value !== "object" || value === null) return thrownText(value);
    const message = value.message;
    if (typeof message === "string" && message !== "") return message;
    const text = toText(value);
    return text.length > MAX_REASON ? `${StringPrototypeSlice(text, 0, MAX_REASON)}…` : text;
  } catch {
    return thrownText(value);
  }
}

/** A property computed at first use: most hooks never touch it. */
export function lazy(object, name, get) {
  ObjectDefineProperty(object, name, {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      const value = get();
      ObjectDefineProperty(object, name, { __proto__: null, value, configurable: true, enumerable: true, writable: true });
      return value;
    },
    set(value) {
      ObjectDefineProperty(object, name, { __proto__: null, value, configurable: true, enumerable: true, writable: true });
    },
  });
}
