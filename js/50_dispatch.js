// The fold over all handlers of one emit. What to do for which event stands in the rule table (src/runner/rules.rs, hooks.md §4),
// which arrives here once at start. The fold is a machine that goes on after each handler, not one long async function: a handler that a
// limit stops takes the code that called it along, and its emit must go on all the same.
import { core, primordials } from "ext:core/mod.js";
import { op_emit_done, op_handler_begins, op_hook_warning, op_monotonic_ms } from "ext:core/ops";
import { hostCallSyncFor } from "./05_host.js";
import { push } from "./06_lists.js";
import { thrownText, toText } from "./07_values.js";
import { createContext, settings } from "./30_context.js";
import { endScope, hasOpenDialogs, Scope } from "./35_scope.js";
import { bothNamesOfOrigin, oldSessionEvent, oldSessionHandlers } from "./45_dialects.js";
import { disposeSession } from "./46_session_end.js";
import { hooks, isError, isObject, lineOf, ownStack, reportError, stackOf } from "./47_hooks.js";
import { abortApart, ApartHandlers, cancelApart } from "./48_apart.js";
import { InputGuard } from "./48_input_guard.js";
import { HostHandlers, reviveSets } from "./49_host_handlers.js";
import { isThenable, poison, resultText, toPromise } from "./49_results.js";

const {
  ArrayIsArray,
  Boolean,
  Error,
  JSONParse,
  MapPrototypeDelete,
  MapPrototypeForEach,
  MapPrototypeGet,
  MapPrototypeHas,
  MapPrototypeSet,
  Promise,
  PromisePrototypeThen,
  RangeError,
  SafeMap,
  SafeWeakRef,
  TypeError,
} = primordials;
const { clearTimeout, setTimeout } = core.loadExtScript("ext:deno_web/02_timers.js");
const { AbortController } = core.loadExtScript("ext:deno_web/03_abort_signal.js");

/** At most so many handler calls in one emit: a handler that keeps registering handlers must come to an end. */
const MAX_CALLS = 10_000;
let rules = { __proto__: null };
const aborts = new SafeMap();

export function setRules(table) {
  rules = table;
}

/** Makes `signal` and `preparation.fileOps` what a hook expects them to be (decision 5). */
function revive(emit, event) {
  const controller = new AbortController();
  if (event.signal?.aborted) controller.abort();
  event.signal = controller.signal;
  MapPrototypeSet(aborts, emit, controller);
  reviveSets(event);
}

/** The host aborted the signal of a running emit. */
export function abort(emit, reason) {
  MapPrototypeGet(aborts, emit)?.abort(reason);
  abortApart(MapPrototypeGet(running, emit), reason);
}

/** Running emits (`Run`) and calls (`Waiting`) by number. */
export const running = new SafeMap();

/** A call of the host that can be given up while it waits. */
export class Waiting {
  cancelled = false;
  #giveUp = undefined;

  cancel() {
    this.cancelled = true;
    this.#giveUp?.();
  }

  /** Waits for `value`, or until given up: then nothing. */
  settle(value) {
    return new Promise((resolve, reject) => {
      this.#giveUp = resolve;
      PromisePrototypeThen(toPromise(value), resolve, reject);
    });
  }
}

function warn(hook, message) {
  op_hook_warning(hook.index, message);
}

/** One emit: where its fold stands. */
class Run {
  /** Place of the handler that runs or waits: hook, and position in its list. */
  h = 0;
  i = -1;
  list = undefined;
  hook = undefined;
  handler = undefined;
  shown = undefined;
  scope = undefined;
  started = 0;
  /** The promise the handler returned; held weakly, so that one that nothing can settle is found out. */
  pending = undefined;
  /** Grows with every step, so that what a given-up handler still does counts for nothing. */
  epoch = 0;
  timer = undefined;
  calls = 0;
  resultText = undefined;
  by = undefined;
  thrown = undefined;
  cancelled = false;
  over = false;
  /** The hook of another isolate that has the emit now. */
  apart = undefined;

  /**
   * @param only position of the one hook whose handlers run, for an emit that came from another isolate with the text `before`
   */
  constructor(id, event, rule, only, before) {
    this.h = only ?? 0;
    this.only = only;
    this.before = before;
    this.id = id;
    this.event = event;
    this.rule = rule;
    this.model = settings.hasHost ? hostCallSyncFor(-1, id, "ctx.getModel", []) : undefined;
    this.contexts = new SafeMap();
    this.guard = event.type === "tool_call" && isObject(event.input) ? new InputGuard(event) : undefined;
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

  /** Goes to the next handler. The lists are live: a handler registered while this emit runs still runs in it. */
  advance() {
    this.i++;
    for (; this.h < (this.only === undefined ? hooks.length : this.only + 1); this.h++, this.i = 0, this.list = undefined) {
      const hook = hooks[this.h];
      if (hook === undefined) continue;
      if (this.list === undefined) this.#open(hook);
      if (this.list !== undefined && this.i < this.list.length) {
        this.hook = hook;
        this.handler = hook.inHost || hook.isApart ? this.list.at(this.i, this) : this.list[this.i];
        return true;
      }
    }
    return false;
  }

  #open(hook) {
    const type = this.event.type;
    this.old = false;
    if (hook.isApart) {
      this.list = new ApartHandlers(hook, type);
      return;
    }
    this.list = hook.inHost ? new HostHandlers(hook, type) : MapPrototypeGet(hook.handlers, type);
    if (this.list === undefined) {
      this.list = oldSessionHandlers(hook, type);
      this.old = this.list !== undefined;
    }
  }

  /** Takes a handler's settled return value into the fold; true ends the emit. */
  take(value) {
    const { hook, rule } = this;
    const { fold, stop } = rule;
    if (fold === "none" || value === undefined || value === null) return false;
    if (!isObject(value) || typeof value === "function") {
      if (value) warn(hook, `a "${this.event.type}" handler of ${hook.path} returned a ${typeof value}, not an object; it counts as no result`);
      return false;
    }
    if (fold === "chain") {
      const messages = value.messages;
      if (messages) keepMessages(this, messages);
      return false;
    }
    if (fold === "first") {
      if (this.resultText !== undefined || !value.message) return false;
      this.resultText = resultText(value, rule.fields);
      return false;
    }
    const decision = stop === "none" ? undefined : value[stop];
    const ends = Boolean(decision);
    this.resultText = resultText(value, rule.fields, stop, decision);
    if (ends) this.by = { hook: hook.index, hookPath: hook.path, line: lineOf(hook, ownStack(this.handler.at)) };
    return ends;
  }

  /** Takes what came of the emit in another isolate, the fields of an envelope. Its failures have been told over there. */
  takeApart({ result, thrown, by, trace }) {
    for (let i = 0; this.trace !== undefined && i < trace?.length; i++) push(this.trace, trace[i]);
    if (thrown !== undefined) {
      if (this.rule.onThrow !== "propagate") return false;
      this.thrown = thrown;
      this.by = by;
      return true;
    }
    const ends = this.take(result);
    if (ends) this.by = by;
    return ends;
  }

  /** A handler threw, or its value could not be taken; true ends the emit. */
  fail(error) {
    const { hook, handler } = this;
    reportError(hook, this.event.type, error);
    if (this.rule.onThrow !== "propagate") return false;
    const stack = stackOf(error);
    this.thrown = { message: thrownText(error), isError: isError(error), stack };
    this.by = { hook: hook.index, hookPath: hook.path, line: lineOf(hook, stack) ?? lineOf(hook, ownStack(handler?.at)) };
    return true;
  }
}

/** The messages the next handler sees. What has no JSON form at all cannot be handed on: then the last good ones stay. */
function keepMessages(run, messages) {
  if (messages === undefined || typeof messages === "function" || typeof messages === "symbol") {
    throw new TypeError(`it left messages that cannot be handed on: ${typeof messages}`);
  }
  run.event.messages = messages;
}

/** Runs handlers until one waits or all have run. */
function step(run) {
  for (;;) {
    if (!run.advance()) return finish(run);
    if (++run.calls > MAX_CALLS) {
      run.fail(new RangeError(`more than ${MAX_CALLS} handler calls in one emit`));
      return finish(run);
    }
    const { hook, event, rule } = run;
    if (hook.quarantined && event.type === "tool_call") {
      run.resultText = toText({ block: true, reason: `hook ${hook.path} is in quarantine: it broke the engine too often` });
      run.by = { hook: hook.index, hookPath: hook.path };
      return finish(run);
    }
    run.shown = run.old ? oldSessionEvent(run, hook) : rule.fresh ? { ...event } : event;
    run.started = run.trace === undefined ? 0 : op_monotonic_ms();
    run.scope = new Scope();
    // What runs until this is put back, its continuations included, is the hook's: a limit and a late failure find it.
    const before = core.getAsyncContext();
    core.setAsyncContext({ __proto__: null, ...before, hookrt: { __proto__: null, hook: hook.index, emit: run.id, scope: run.scope } });
    op_handler_begins(hook.index, run.id);
    let ends;
    try {
      const value = (0, run.handler.fn)(run.shown, run.context(hook));
      if (isThenable(value)) {
        wait(run, toPromise(value));
        return undefined;
      }
      ends = settled(run, value, false);
    } catch (error) {
      ends = settled(run, error, true);
    } finally {
      core.setAsyncContext(before);
    }
    if (ends) return finish(run);
  }
}

/** The handler's promise is awaited; called with the hook as owner. */
function wait(run, promise) {
  const epoch = ++run.epoch;
  run.pending = new SafeWeakRef(promise);
  PromisePrototypeThen(promise, (value) => resume(run, epoch, value, false), (error) => resume(run, epoch, error, true));
  if (settings.handlerTimeoutMs > 0 && run.timer === undefined && !run.hook.isApart) armTimer(run, epoch, settings.handlerTimeoutMs);
}

function resume(run, epoch, value, failed) {
  if (run.epoch !== epoch || run.over) return;
  run.epoch++;
  run.pending = undefined;
  const ends = settled(run, value, failed);
  core.setAsyncContext(undefined);
  if (ends) finish(run);
  else step(run);
}

/** A handler has its outcome; true ends the emit. */
function settled(run, value, failed) {
  let ends;
  let kind = "none";
  disarmTimer(run);
  settleInput(run, failed);
  const poisoned = poison();
  if (poisoned !== undefined && !failed) {
    value = poisoned;
    failed = true;
  }
  try {
    ends = failed ? run.fail(value) : false;
    if (run.rule.fold === "chain") keepMessages(run, run.shown.messages);
    if (!failed) ends = run.hook.isApart ? run.takeApart(value) : run.take(value);
    if (failed) kind = "error";
    else if (value !== undefined) kind = ends ? run.rule.stop : typeof value;
  } catch (error) {
    ends = run.fail(error);
    kind = "error";
  }
  endScope(run.scope);
  if (run.trace !== undefined && !run.hook.isApart) {
    push(run.trace, { hookPath: run.hook.path, event: run.event.type, ms: op_monotonic_ms() - run.started, kind });
  }
  return ends;
}

function settleInput(run, failed) {
  if (run.guard === undefined || !run.guard.settle(settings.inputMutation, failed)) return;
  if (failed || settings.inputMutation !== "ignore") return; // an edit followed by a throw is dropped together with the call
  warn(run.hook, `the "tool_call" handler of ${run.hook.path} edited event.input; the edit is ignored (inputMutation is "ignore")`);
}

/** The wall-clock limit of a handler; it stands still while a dialog is open. */
function armTimer(run, epoch, ms) {
  run.timer = setTimeout(() => {
    run.timer = undefined;
    if (run.epoch !== epoch || run.over) return;
    if (hasOpenDialogs(run.scope)) armTimer(run, epoch, ms);
    else giveUp(run, new Error(`timed out: its handler did not finish within ${settings.handlerTimeoutMs} ms`));
  }, ms);
}

function disarmTimer(run) {
  if (run.timer !== undefined) clearTimeout(run.timer);
  run.timer = undefined;
}

/**
 * The current handler of `run` fails from outside; the emit goes on with the next one.
 * @param stack where the handler was, when that is known; the error's own stack names the engine's code
 */
function giveUp(run, error, stack) {
  error.stack = stack;
  run.epoch++;
  run.pending = undefined;
  if (settled(run, error, true)) finish(run);
  else step(run);
}

/** The envelope of a finished emit as JSON text: pieces that are JSON text already are joined, not parsed again. */
function envelope(run) {
  if (run.rule.fold === "chain" && run.thrown === undefined && run.by === undefined && run.trace === undefined) {
    // The large ones: written in one go, for joining pieces would copy them once more.
    return toText({ __proto__: null, result: { __proto__: null, messages: run.event.messages } }, -2);
  }
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
  if (run.only !== undefined && run.rule.fold !== "chain") {
    const after = toText(run.event);
    if (after !== run.before) add("event", after);
  }
  return `${out}}`;
}

function finish(run) {
  if (run.over) return;
  run.over = true;
  run.epoch++;
  const before = core.getAsyncContext();
  // Marshalling runs getters of the last handler's result: they are that hook's.
  core.setAsyncContext({ __proto__: null, ...before, hookrt: { __proto__: null, hook: run.hook?.index ?? -1, emit: run.id } });
  let done;
  try {
    disarmTimer(run);
    cancelApart(run);
    if (run.event.type === "session_shutdown" && run.only === undefined) {
      clearTimeout(run.shutdownTimer);
      disposeSession();
    }
    done = envelope(run);
  } catch (error) {
    done = unfit(error);
  }
  end(run.id, done);
  core.setAsyncContext(before);
}

/** True when somebody waited for it. It stands among the running ones until it is answered, so that a limit that strikes before leaves a trace. */
function end(id, done) {
  const waited = op_emit_done(id, done);
  MapPrototypeDelete(aborts, id);
  MapPrototypeDelete(running, id);
  return waited;
}

/** Something that cannot be marshalled: one error, and the host treats a tool call as refused. */
function unfit(error) {
  reportError(undefined, "emit", error);
  return `{"thrown":${toText({ message: thrownText(error), isError: true })}}`;
}

/** The event of this name in JSON text; a `type` of its own does not count, so that everybody speaks of the same event. */
function readEvent(name, text, rule) {
  const event = JSONParse(text);
  if (!isObject(event) || ArrayIsArray(event)) throw new TypeError(`${name}: an event is an object`);
  if (rule.fold === "chain" && !ArrayIsArray(event.messages)) throw new TypeError(`${name}: the event needs "messages", a list`);
  return event.type === name ? event : { type: name, ...event, type: name };
}

/**
 * Runs one emit: the event comes in as JSON text, the fold runs over every handler, `op_emit_done` takes the envelope out once.
 * Never throws.
 * @param only position of the one hook whose handlers run, when the emit comes from the isolate that has the others
 */
export function emit(id, name, text, only) {
  try {
    const rule = rules[name] ?? rules["*"];
    const event = readEvent(name, text, rule);
    if (event.type === "session_before_compact" || event.type === "session_before_tree") revive(id, event);
    bothNamesOfOrigin(event);
    const run = new Run(id, event, rule, only, only === undefined ? undefined : text);
    MapPrototypeSet(running, id, run);
    if (event.type === "session_shutdown" && only === undefined && settings.shutdownTimeoutMs > 0) limitShutdown(run, settings.shutdownTimeoutMs);
    step(run);
  } catch (error) {
    end(id, unfit(error));
  }
}

/** `session_shutdown`: its handlers get some time together, then everything hooks have running ends (decision 8). */
function limitShutdown(run, ms) {
  run.shutdownTimer = setTimeout(() => {
    if (run.over) return;
    reportError(run.hook, run.event.type, new Error(`timed out: session_shutdown handlers have ${ms} ms`));
    finish(run);
  }, ms);
}

/** Gives up a running emit or call: what its handler does from now on counts for nothing. */
export function cancel(id) {
  const found = MapPrototypeGet(running, id);
  if (found instanceof Run) {
    found.cancelled = true;
    if (found.scope !== undefined) endScope(found.scope);
    finish(found);
  } else {
    found?.cancel();
  }
}

/** Fails a call that is no emit: a command, a renderer, a factory. */
function failCall(id, error, stack) {
  return end(id, `{"thrown":${toText({ message: thrownText(error), isError: true, stack })}}`);
}

/**
 * A limit stopped code of hook `index` in emit or call `emit` (0: outside of any); whoever called it is gone, too. The emit goes on here.
 * @param place where it was, `at URL:LINE:COLUMN`, or nothing
 */
export function stopped(emit, index, message, place) {
  core.setAsyncContext(undefined); // what was stopped could not put it back
  const error = new Error(message);
  error.stack = place === "" ? undefined : `${message}\n    ${place}`;
  const run = interrupted() ?? MapPrototypeGet(running, emit);
  if (run instanceof Run && run.over) {
    reportError(run.hook, run.event.type, error);
    failCall(run.id, error, error.stack);
  } else if (run instanceof Run && (run.pending === undefined || run.hook?.index === index || index < 0)) {
    giveUp(run, error, error.stack);
  } else if (emit > 0 && !(run instanceof Run)) {
    const waited = failCall(emit, error, error.stack);
    if (index >= 0 && (run !== undefined || !waited)) reportError(hooks[index], run === undefined ? "unhandled" : "timed out", error);
  } else {
    reportError(hooks[index], "unhandled", error);
  }
  // Continuations that stood in the queue behind the stopped one are lost with it.
  MapPrototypeForEach(running, (other) => {
    if (other === run || !(other instanceof Run) || other.pending === undefined) return;
    const promise = other.pending.deref();
    if (promise !== undefined) wait(other, promise);
  });
}

/** The emit whose fold was under way: all others wait for a promise. */
function interrupted() {
  let found;
  MapPrototypeForEach(running, (run) => {
    if (run instanceof Run && (run.over || run.pending === undefined)) found = run;
  });
  return found;
}

/** After a collection: emits whose handler's promise is gone, so that nobody can settle it any more. */
export function orphaned() {
  failUnsettled((run) => run.pending.deref() === undefined);
}

/** Nothing is left in the isolate that could settle what the open emits wait for; what waits for the host's abort still can. */
export function stalled() {
  failUnsettled((run) => !MapPrototypeHas(aborts, run.id));
  MapPrototypeForEach(running, (waiting, id) => {
    if (!(waiting instanceof Run)) failCall(id, neverSettles());
  });
}

function neverSettles() {
  return new Error("its promise can never settle: nothing is left that it could wait for");
}

function failUnsettled(isHopeless) {
  const open = [];
  MapPrototypeForEach(running, (waiting) => {
    if (waiting instanceof Run && waiting.pending !== undefined && isHopeless(waiting)) push(open, waiting);
  });
  for (let i = 0; i < open.length; i++) giveUp(open[i], neverSettles());
}
