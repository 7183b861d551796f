// The fold over all handlers of one emit. What to do for which event stands in the rule table (src/runner/rules.rs, hooks.md §4),
// which arrives here once at start. The fold is a machine that goes on after each handler, not one long async function: a handler that a
// limit stops takes the code that called it along, and its emit must go on all the same.
import { core, primordials } from "ext:core/mod.js";
import { op_emit_done, op_emit_result, op_handler_begins, op_monotonic_ms } from "ext:core/ops";
import { push } from "./06_lists.js";
import { thrownText, toText } from "./07_values.js";
import { settings } from "./30_context.js";
import { endScope, hasOpenDialogs, Scope } from "./35_scope.js";
import { bothNamesOfOrigin, oldSessionEvent } from "./45_dialects.js";
import { disposeSession } from "./46_session_end.js";
import { hookNamedIn, hooks, isObject, owned, reportError } from "./47_hooks.js";
import { abortApart, cancelApart } from "./48_apart.js";
import { reviveSets } from "./49_host_handlers.js";
import { isThenable, poison, toPromise } from "./49_results.js";
import { bareResult, envelope, keepMessages, Run, warn } from "./49_run.js";

const {
  ArrayIsArray,
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
  ReflectSet,
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

/** Runs handlers until one waits or all have run. */
function step(run) {
  for (;;) {
    if (!run.advance()) return finish(run);
    if (++run.calls > MAX_CALLS) {
      run.fail(new RangeError(`more than ${MAX_CALLS} handler calls in one emit`));
      return finish(run);
    }
    const { hook, event, rule } = run;
    if (hook.quarantined && run.type === "tool_call") {
      run.resultText = toText({ block: true, reason: `hook ${hook.path} is in quarantine: it broke the engine too often` });
      run.by = { hook: hook.index, hookPath: hook.path };
      return finish(run);
    }
    if (event.type !== run.type) ReflectSet(event, "type", run.type); // an earlier handler wrote to it
    run.shown = run.old ? oldSessionEvent(run, hook) : rule.fresh ? { ...event } : event;
    run.started = run.trace === undefined ? 0 : op_monotonic_ms();
    run.scope = new Scope();
    // What runs until this is put back, its continuations included, is the hook's: a limit and a late failure find it.
    const before = core.getAsyncContext();
    core.setAsyncContext(owned(before, hook.index, run.id, run.scope));
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

/**
 * A handler has its outcome; true ends the emit.
 * @param stopped it was stopped from outside: nothing of what it left is read, for that may be what it was stopped in
 */
function settled(run, value, failed, stopped) {
  let ends;
  let kind = "none";
  disarmTimer(run);
  const unfit = settleInput(run, failed);
  if (unfit !== undefined) {
    value = unfit;
    failed = true;
  }
  const poisoned = poison();
  if (poisoned !== undefined && !failed) {
    value = poisoned;
    failed = true;
  }
  try {
    ends = failed ? run.fail(value) : false;
    if (run.rule.fold === "chain" && !stopped) keepMessages(run, run.shown.messages);
    if (!failed) ends = run.hook.isApart ? run.takeApart(value) : run.take(value);
    if (failed) kind = "error";
    else if (value !== undefined) kind = ends ? run.rule.stop : typeof value;
  } catch (error) {
    ends = run.fail(error);
    kind = "error";
  }
  endScope(run.scope);
  if (run.trace !== undefined && !run.hook.isApart) {
    push(run.trace, { hookPath: run.hook.path, event: run.type, ms: op_monotonic_ms() - run.started, kind });
  }
  return ends;
}

/** Deals with edits of the input; the error when one was made that cannot be applied. */
function settleInput(run, failed) {
  if (run.guard === undefined || !run.guard.settle(settings.inputMutation, failed)) return undefined;
  if (failed) return undefined; // an edit followed by a throw is dropped together with the call
  if (settings.inputMutation !== "ignore") {
    return run.guard.unfit ? new TypeError("it edited event.input into what has no JSON form, so the edit cannot be applied") : undefined;
  }
  warn(run.hook, `the "tool_call" handler of ${run.hook.path} edited event.input; the edit is ignored (inputMutation is "ignore")`);
  return undefined;
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
  if (settled(run, error, true, true)) finish(run);
  else step(run);
}

function finish(run) {
  if (run.over) return;
  run.over = true;
  run.epoch++;
  const before = core.getAsyncContext();
  // Marshalling runs getters of the last handler's result: they are that hook's.
  core.setAsyncContext(owned(before, run.hook?.index ?? -1, run.id));
  let done;
  let isBare = false;
  try {
    disarmTimer(run);
    cancelApart(run);
    if (run.type === "session_shutdown" && run.only === undefined) {
      clearTimeout(run.shutdownTimer);
      disposeSession();
    }
    done = bareResult(run);
    isBare = done !== undefined;
    done ??= envelope(run);
  } catch (error) {
    done = unfit(error);
  }
  end(run.id, done, isBare);
  core.setAsyncContext(before);
}

/** True when somebody waited for it. It stands among the running ones until it is answered, so that a limit that strikes before leaves a trace. */
function end(id, done, isBare) {
  const waited = isBare ? op_emit_result(id, done) : op_emit_done(id, done);
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
    reportError(run.hook, run.type, new Error(`timed out: session_shutdown handlers have ${ms} ms`));
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
  // Some callbacks – those of sockets – carry no async context.
  if (index < 0) index = hookNamedIn(place)?.index ?? -1;
  const error = new Error(message);
  error.stack = place === "" ? undefined : `${message}\n    ${place}`;
  const run = interrupted() ?? MapPrototypeGet(running, emit);
  if (run instanceof Run && run.over) {
    reportError(run.hook, run.type, error);
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
