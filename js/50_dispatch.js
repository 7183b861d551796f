// The fold over all handlers of one emit. What to do for which event stands in the rule table (src/runner/rules.rs, hooks.md §4),
// which arrives here once at start.
import { core, primordials } from "ext:core/mod.js";
import { op_emit_done, op_handler_count, op_hook_error, op_hook_warning, op_monotonic_ms } from "ext:core/ops";
import { hostCallFor, hostCallSyncFor } from "./05_host.js";
import { thrownText, toText } from "./07_values.js";
import { createContext, settings } from "./30_context.js";
import { endScope, Scope } from "./35_scope.js";
import { disposeSession } from "./46_session_end.js";
import { bothNamesOfOrigin, oldSessionEvent, oldSessionHandlers } from "./45_dialects.js";

const {
  ArrayPrototypePush,
  Boolean,
  Error,
  JSONParse,
  ArrayIsArray,
  MapPrototypeDelete,
  MapPrototypeGet,
  MapPrototypeSet,
  NumberParseInt,
  ObjectDefineProperty,
  ObjectHasOwn,
  ObjectKeys,
  Promise,
  PromisePrototypeThen,
  PromiseResolve,
  RangeError,
  SafeMap,
  SafePromiseRace,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
  TypeError,
} = primordials;
const { clearTimeout, setTimeout } = core.loadExtScript("ext:deno_web/02_timers.js");
const { AbortController } = core.loadExtScript("ext:deno_web/03_abort_signal.js");
const Set = globalThis.Set;

/** Hooks in load order. */
export const hooks = [];
/** What all `session_shutdown` handlers together may take. */
const SHUTDOWN_MS = 2_000;
/** At most so many handler calls in one emit: a handler that keeps registering handlers must come to an end. */
const MAX_CALLS = 10_000;
let rules = { __proto__: null };
const aborts = new SafeMap();

export function setRules(table) {
  rules = table;
}

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

/** The line of `hook`'s own file that a stack trace names first; undefined when it names none. */
export function lineOf(hook, stack) {
  if (stack === undefined) return undefined;
  const at = StringPrototypeIndexOf(stack, `${hook.url}:`);
  if (at < 0) return undefined;
  const line = NumberParseInt(StringPrototypeSlice(stack, at + hook.url.length + 1), 10);
  return line > 0 ? line : undefined;
}

function isObject(value) {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/**
 * Calls into a hook with the hook as owner: the async context carries it across awaits and timers, so that a late failure finds its hook.
 * @param scope owns the dialogs that are opened meanwhile; absent when nothing ends them together
 */
export function callOwned(hook, emit, fn, first, second, scope) {
  const before = core.getAsyncContext();
  core.setAsyncContext({ __proto__: null, ...before, hookrt: { __proto__: null, hook: hook.index, emit, scope } });
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

/** Makes `signal` and `preparation.fileOps` what a hook expects them to be (decision 5). */
function revive(emit, event) {
  const controller = new AbortController();
  if (event.signal?.aborted) controller.abort();
  event.signal = controller.signal;
  MapPrototypeSet(aborts, emit, controller);
  reviveSets(event);
}

function reviveSets(event) {
  const ops = event.preparation?.fileOps;
  if (isObject(ops)) {
    const names = ["read", "written", "edited"];
    for (let i = 0; i < names.length; i++) {
      const list = ops[names[i]];
      if (ArrayIsArray(list)) ops[names[i]] = new Set(list);
    }
  }
}

/** The host aborted the signal of a running emit. */
export function abort(emit, reason) {
  MapPrototypeGet(aborts, emit)?.abort(reason);
}

const GIVEN_UP = { __proto__: null };

/** What can be given up while it waits: an emit or a call of the host. */
export class Waiting {
  cancelled = false;
  #giveUp = undefined;

  cancel() {
    this.cancelled = true;
    this.#giveUp?.();
  }

  /** Waits for `value`, or until given up: then GIVEN_UP. */
  async settle(value) {
    const outcome = await new Promise((resolve, reject) => {
      this.#giveUp = () => resolve(GIVEN_UP);
      PromisePrototypeThen(PromiseResolve(value), resolve, reject);
    });
    this.#giveUp = undefined;
    return outcome;
  }
}

/** Running emits and calls by number. */
export const running = new SafeMap();

/** Gives up a running emit or call: what its handler does from now on counts for nothing. */
export function cancel(id) {
  MapPrototypeGet(running, id)?.cancel();
}

/** The handlers a hook of the host has for an event; its length is live like that of a list. */
class HostHandlers {
  constructor(hook, type) {
    this.hook = hook;
    this.type = type;
  }

  get length() {
    return op_handler_count(this.hook.index, this.type);
  }

  at(index, emit) {
    return { fn: (event) => invokeInHost(this.hook, emit, this.type, index, event), at: undefined };
  }
}

/** One handler call in the host (docs/protocol.md §12). */
async function invokeInHost(hook, emit, type, index, event) {
  const payload = event.signal === undefined ? event : { ...event, signal: { aborted: event.signal?.aborted === true } };
  const answer = await hostCallFor(hook.index, emit, "host.invoke", [settings.generation, type, index, payload]);
  if (answer?.thrown) throw thrownInHost(answer.thrown);
  if (isObject(answer?.payload)) adopt(event, answer.payload);
  return answer?.result;
}

function thrownInHost({ message, isError, stack }) {
  if (isError === false) return message;
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}

/** Makes the event what a handler in the host left of it, live values staying live. */
function adopt(event, payload) {
  const keys = ObjectKeys(event);
  for (let i = 0; i < keys.length; i++) {
    if (!ObjectHasOwn(payload, keys[i]) && keys[i] !== "signal") delete event[keys[i]];
  }
  const given = ObjectKeys(payload);
  for (let i = 0; i < given.length; i++) {
    if (given[i] !== "signal") event[given[i]] = payload[given[i]];
  }
  reviveSets(event);
}

/**
 * Watches `event.input`: nothing is compared until a handler looks at it, and then only its JSON text.
 * Under "ignore" an edit is undone after the handler and told; under "apply" edits accumulate (decision 6).
 */
class InputGuard {
  #value;
  #text;
  touched = false;
  changed = false;

  constructor(event) {
    this.#value = event.input;
    const guard = this;
    ObjectDefineProperty(event, "input", {
      __proto__: null,
      configurable: true,
      enumerable: true,
      get() {
        guard.#touch();
        return guard.#value;
      },
      set(value) {
        guard.#touch();
        guard.#value = value;
      },
    });
  }

  #touch() {
    this.#text ??= toText(this.#value);
    this.touched = true;
  }

  /** Called after each handler; true when that handler edited the input. */
  settle(mutation, failed) {
    if (!this.touched) return false;
    this.touched = false;
    let text;
    try {
      text = toText(this.#value);
    } catch {
      text = undefined;
    }
    if (text === this.#text) return false;
    if (mutation === "apply" && !failed && text !== undefined) {
      this.#text = text;
      this.changed = true;
    } else {
      this.#value = JSONParse(this.#text);
    }
    return true;
  }

  get text() {
    return this.#text;
  }
}

const DECISIONS = { __proto__: null, block: true, cancel: true };

/** The result as the host gets it: contract fields read as properties (so inherited ones count), then the other own fields. */
function resultText(result, fields) {
  const out = { __proto__: null }; // nothing inherited, setters of `Object.prototype` least of all
  for (let i = 0; i < fields.length; i++) {
    const value = result[fields[i]];
    if (value === undefined) continue;
    out[fields[i]] = DECISIONS[fields[i]] ? Boolean(value) : value;
  }
  const keys = ObjectKeys(result);
  for (let i = 0; i < keys.length; i++) {
    if (!ObjectHasOwn(out, keys[i])) out[keys[i]] = result[keys[i]];
  }
  return toText(out);
}

function warn(hook, message) {
  op_hook_warning(hook.index, message);
}

/** State of one emit while its handlers run. */
class Run extends Waiting {
  constructor(id, event, rule) {
    super();
    this.id = id;
    this.event = event;
    this.rule = rule;
    this.model = settings.hasHost ? hostCallSyncFor(-1, id, "ctx.getModel", []) : undefined;
    this.contexts = new SafeMap();
    this.guard = event.type === "tool_call" && isObject(event.input) ? new InputGuard(event) : undefined;
    this.result = undefined;
    this.resultText = undefined;
    this.by = undefined;
    this.thrown = undefined;
    this.calls = 0;
    /** Whose handler runs. */
    this.hook = undefined;
    /** Nobody waits for the rest any more. */
    this.over = false;
    this.trace = settings.trace ? [] : undefined;
  }

  context(hook) {
    let ctx = MapPrototypeGet(this.contexts, hook.index);
    if (ctx === undefined) {
      ctx = createContext(hook, this.id, this.model);
      MapPrototypeSet(this.contexts, hook.index, ctx);
    }
    return ctx;
  }

  /** Takes a handler's settled return value into the fold; true ends the emit. */
  take(hook, handler, value) {
    const { fold, stop } = this.rule;
    if (fold === "none" || value === undefined || value === null) return false;
    if (!isObject(value) || typeof value === "function") {
      if (value) warn(hook, `a "${this.event.type}" handler of ${hook.path} returned a ${typeof value}, not an object; it counts as no result`);
      return false;
    }
    if (fold === "chain") {
      const messages = value.messages;
      if (messages) this.event.messages = messages;
      return false;
    }
    if (fold === "first") {
      if (this.resultText !== undefined || !value.message) return false;
      this.resultText = resultText(value, this.rule.fields);
      return false;
    }
    const ends = stop !== "none" && Boolean(value[stop]);
    this.resultText = resultText(value, this.rule.fields);
    if (ends) this.by = { hookPath: hook.path, line: lineOf(hook, stackOf(handler.at)) };
    return ends;
  }

  /** A handler threw, or its value could not be taken; true ends the emit. */
  fail(hook, error, handler) {
    reportError(hook, this.event.type, error);
    if (this.rule.onThrow !== "propagate") return false;
    const stack = stackOf(error);
    let isError = false;
    try {
      isError = core.isNativeError(error);
    } catch { /* counts as not an Error */ }
    this.thrown = { message: thrownText(error), isError, stack };
    this.by = { hook: hook.index, hookPath: hook.path, line: lineOf(hook, stack) ?? lineOf(hook, stackOf(handler?.at)) };
    return true;
  }
}

async function runHandlers(run) {
  const { event, rule, guard } = run;
  const type = event.type;
  for (let h = 0; h < hooks.length; h++) {
    const hook = hooks[h];
    if (hook === undefined) continue;
    let list = hook.inHost ? new HostHandlers(hook, type) : MapPrototypeGet(hook.handlers, type);
    const old = list === undefined && (list = oldSessionHandlers(hook, type)) !== undefined;
    if (list === undefined) continue;
    run.hook = hook;
    // The list is live: a handler registered while this emit runs still runs in it.
    for (let i = 0; i < list.length; i++) {
      if (++run.calls > MAX_CALLS) {
        run.fail(hook, new RangeError(`more than ${MAX_CALLS} handler calls in one emit`));
        return;
      }
      const handler = hook.inHost ? list.at(i, run.id) : list[i];
      const shown = old ? oldSessionEvent(run, hook) : rule.fresh ? { ...event } : event;
      const started = run.trace === undefined ? 0 : now();
      const scope = new Scope();
      let ends;
      let kind = "none";
      try {
        let value = callOwned(hook, run.id, handler.fn, shown, run.context(hook), scope);
        if (isObject(value) && typeof value.then === "function") {
          value = await run.settle(value);
          if (run.over || run.cancelled) return;
        }
        if (rule.fold === "chain") event.messages = shown.messages;
        settleInput(run, hook, false);
        ends = run.take(hook, handler, value);
        if (run.trace !== undefined && value !== undefined) kind = ends ? rule.stop : typeof value;
      } catch (error) {
        if (run.over || run.cancelled) return;
        if (rule.fold === "chain") event.messages = shown.messages;
        settleInput(run, hook, true);
        ends = run.fail(hook, error, handler);
        kind = "error";
      } finally {
        endScope(scope);
      }
      if (run.trace !== undefined) {
        ArrayPrototypePush(run.trace, { hookPath: hook.path, event: type, ms: op_monotonic_ms() - started, kind });
      }
      if (ends) return;
    }
  }
}

function settleInput(run, hook, failed) {
  if (run.guard === undefined || !run.guard.settle(settings.inputMutation, failed)) return;
  if (failed) return; // an edit followed by a throw is dropped together with the call
  if (settings.inputMutation === "ignore") {
    warn(hook, `the "tool_call" handler of ${hook.path} edited event.input; the edit is ignored (inputMutation is "ignore")`);
  }
}

/** `session_shutdown`: its handlers get 2 s together, then everything hooks have running ends (decision 8). */
async function runShutdown(run) {
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve(true), SHUTDOWN_MS);
  });
  if (await SafePromiseRace([runHandlers(run), late])) {
    run.over = true;
    reportError(run.hook, run.event.type, new Error(`timed out: session_shutdown handlers have ${SHUTDOWN_MS} ms`));
  }
  clearTimeout(timer);
  disposeSession();
}

/** The envelope of a finished emit as JSON text: pieces that are JSON text already are joined, not parsed again. */
function envelope(run) {
  let out = "{";
  const add = (name, text) => {
    if (text !== undefined) out += `${out === "{" ? "" : ","}"${name}":${text}`;
  };
  if (run.thrown !== undefined) add("thrown", toText(run.thrown));
  else if (run.cancelled && run.rule.onThrow === "propagate") add("cancelled", "true");
  else if (run.rule.fold === "chain") add("result", `{"messages":${toText(run.event.messages)}}`);
  else add("result", run.resultText);
  if (run.guard?.changed && run.thrown === undefined && run.by === undefined && !run.cancelled) add("input", run.guard.text);
  if (run.by !== undefined) add("by", toText(run.by));
  if (run.trace !== undefined) add("trace", toText(run.trace));
  return `${out}}`;
}

/**
 * Runs one emit: the event comes in as JSON text, the fold runs over every handler, `op_emit_done` takes the envelope out once.
 * Never throws.
 */
export async function emit(id, text) {
  let done;
  try {
    const event = JSONParse(text);
    if (typeof event?.type !== "string") throw new TypeError("an event is an object with a type");
    const rule = rules[event.type] ?? rules["*"];
    if (event.type === "session_before_compact" || event.type === "session_before_tree") revive(id, event);
    bothNamesOfOrigin(event);
    const run = new Run(id, event, rule);
    MapPrototypeSet(running, id, run);
    if (event.type === "session_shutdown") await runShutdown(run);
    else await runHandlers(run);
    done = envelope(run);
  } catch (error) {
    // Only values that cannot be marshalled end here: one error, and the host treats a tool call as refused.
    reportError(undefined, "emit", error);
    done = `{"thrown":${toText({ message: thrownText(error), isError: true })}}`;
  }
  MapPrototypeDelete(aborts, id);
  MapPrototypeDelete(running, id);
  op_emit_done(id, done);
}
