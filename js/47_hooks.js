// The loaded hooks, and what ties whatever runs, and whatever fails, to the hook it belongs to.
import { core, primordials } from "ext:core/mod.js";
import { op_hook_error } from "ext:core/ops";
import { thrownText } from "./07_values.js";

const {
  NumberParseInt,
  ObjectDefineProperty,
  ObjectGetOwnPropertyDescriptor,
  ObjectSetPrototypeOf,
  StringPrototypeIncludes,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
} = primordials;

/** Hooks in load order. */
export const hooks = [];

export function reportError(hook, event, error) {
  op_hook_error(hook === undefined ? -1 : hook.index, event, thrownText(error), stackOf(error) ?? "");
}

export function stackOf(error) {
  try {
    return typeof error?.stack === "string" ? error.stack : undefined;
  } catch {
    return undefined;
  }
}

/** The stack of an error the engine made itself: what a hook made of `Error.prepareStackTrace` has no part in it. */
export function ownStack(error) {
  const before = ObjectGetOwnPropertyDescriptor(globalThis, "Error");
  if (before === undefined || !before.configurable) return undefined;
  // Where formatting looks for the hook's function; the formatting itself runs no code of hooks, so this is always put back.
  ObjectDefineProperty(globalThis, "Error", { __proto__: null, value: undefined, configurable: true });
  const stack = stackOf(error);
  ObjectDefineProperty(globalThis, "Error", { __proto__: null, ...before });
  return stack;
}

/** The line of `hook`'s own file that a stack trace names first; undefined when it names none. */
export function lineOf(hook, stack) {
  if (stack === undefined) return undefined;
  const at = StringPrototypeIndexOf(stack, `${hook.shownUrl}:`);
  if (at < 0) return undefined;
  const line = NumberParseInt(StringPrototypeSlice(stack, at + hook.shownUrl.length + 1), 10);
  return line > 0 ? line : undefined;
}

/** The first hook whose file `text` names, a stack trace or a place in one. */
export function hookNamedIn(text) {
  for (let i = 0; i < hooks.length; i++) {
    if (hooks[i] !== undefined && StringPrototypeIncludes(text, hooks[i].shownUrl)) return hooks[i];
  }
  return undefined;
}

export function isObject(value) {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/** Whose code runs, as the async context has it under `hookrt`. Classes, for literals without a prototype are slow objects. */
class Ownership {
  constructor(hook, emit, scope) {
    this.hook = hook;
    this.emit = emit;
    this.scope = scope;
  }
}
class Mapping {
  constructor(hookrt) {
    this.hookrt = hookrt;
  }
}
ObjectSetPrototypeOf(Ownership.prototype, null);
ObjectSetPrototypeOf(Mapping.prototype, null);

/** The async context `before` with hook number `hook` as owner. */
export function owned(before, hook, emit, scope) {
  const ownership = new Ownership(hook, emit, scope);
  return before === undefined ? new Mapping(ownership) : { __proto__: null, ...before, hookrt: ownership };
}

/**
 * Calls into a hook with the hook as owner: the async context carries it across awaits and timers, so that a late failure finds its hook.
 * @param scope owns the dialogs that are opened meanwhile; absent when nothing ends them together
 */
export function callOwned(hook, emit, fn, first, second, scope) {
  const before = core.getAsyncContext();
  core.setAsyncContext(owned(before, hook.index, emit, scope));
  try {
    return fn(first, second);
  } finally {
    core.setAsyncContext(before);
  }
}

/** The hook that owns an async context, undefined for the engine's own work. */
export function ownerOf(context) {
  const index = context?.hookrt?.hook;
  return index === undefined ? undefined : hooks[index];
}

/** Whether a thrown value is an `Error`; a hostile one is none. */
export function isError(value) {
  try {
    return core.isNativeError(value);
  } catch {
    return false;
  }
}
