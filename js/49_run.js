// One emit: where its fold stands, what came of it so far, and how that leaves the isolate.
import { core, primordials } from "ext:core/mod.js";
import { op_hook_warning } from "ext:core/ops";
import { hostCallSyncFor } from "./05_host.js";
import { pop, push } from "./06_lists.js";
import { thrownText, toText } from "./07_values.js";
import { createContext, settings } from "./30_context.js";
import { oldSessionHandlers } from "./45_dialects.js";
import { hooks, isError, isObject, lineOf, ownStack, reportError, stackOf } from "./47_hooks.js";
import { ApartHandlers } from "./48_apart.js";
import { InputGuard } from "./48_input_guard.js";
import { HostHandlers } from "./49_host_handlers.js";
import { resultText } from "./49_results.js";

const { Boolean, MapPrototypeGet, MapPrototypeSet, ObjectHasOwn, SafeMap, TypeError } = primordials;

/** Tells that something a hook did is legal but surprising. */
export function warn(hook, message) {
  op_hook_warning(hook.index, message);
}

/** One emit: where its fold stands. */
export class Run {
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
  /** `{ messages, hook }` of lists that a later handler replaced, and the hook the present list is of. */
  replaced = undefined;
  messagesBy = undefined;

  /**
   * @param only position of the one hook whose handlers run, for an emit that came from another isolate with the text `before`
   */
  constructor(id, event, rule, only, before) {
    this.h = only ?? 0;
    this.only = only;
    this.before = before;
    this.id = id;
    /** Name of the event. Handlers share the event and may write to it; what runs, and how, is not theirs to say. */
    this.type = event.type;
    this.event = event;
    this.rule = rule;
    this.model = settings.hasHost ? hostCallSyncFor(-1, id, "ctx.getModel", []) : undefined;
    this.contexts = new SafeMap();
    this.guard = event.type === "tool_call" && ObjectHasOwn(event, "input") ? new InputGuard(event, () => this.#isRunning()) : undefined;
    this.trace = settings.trace ? [] : undefined;
  }

  /** Whether the code that runs now belongs to the current handler; before the first and after the last one it is the engine's. */
  #isRunning() {
    return core.getAsyncContext()?.hookrt?.scope === this.scope;
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
    const { type } = this;
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
      if (value) warn(hook, `a "${this.type}" handler of ${hook.path} returned a ${typeof value}, not an object; it counts as no result`);
      return false;
    }
    if (fold === "chain") {
      const messages = value.messages;
      if (messages) keepMessages(this, messages);
      return false;
    }
    this.#newer(value);
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

  /** Fields of results that newer agents know: `input` of a tool call is an edit like any other, a system prompt has nowhere to go. */
  #newer(value) {
    if (this.type === "before_agent_start" && (value.systemPrompt !== undefined || value.systemPromptAppend !== undefined)) {
      warn(this.hook, `a "${this.type}" handler of ${this.hook.path} returned a system prompt; hooks cannot change that, so it is ignored`);
    }
    const input = this.guard === undefined ? undefined : value.input;
    if (input === undefined) return;
    if (settings.inputMutation === "apply") this.guard.replace(input);
    else warn(this.hook, `the "tool_call" handler of ${this.hook.path} returned an input; it is ignored (inputMutation is "ignore")`);
  }

  /** Takes what came of the emit in another isolate, the fields of an envelope. Its failures have been told over there. */
  takeApart({ result, thrown, by, trace, cancelled }) {
    if (cancelled === true) {
      // It was given up over there; that this isolate is told as well may come later.
      this.cancelled = true;
      return true;
    }
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
    reportError(hook, this.type, error);
    if (this.rule.onThrow !== "propagate") return false;
    const stack = stackOf(error);
    this.thrown = { message: thrownText(error), isError: isError(error), stack };
    this.by = { hook: hook.index, hookPath: hook.path, line: lineOf(hook, stack) ?? lineOf(hook, ownStack(handler?.at)) };
    return true;
  }
}

/** The messages the next handler sees. What has no JSON form at all cannot be handed on: then the last good ones stay. */
export function keepMessages(run, messages) {
  if (messages === undefined || typeof messages === "function" || typeof messages === "symbol") {
    throw new TypeError(`it left messages that cannot be handed on: ${typeof messages}`);
  }
  if (messages === run.event.messages) return;
  push(run.replaced ??= [], { messages: run.event.messages, hook: run.messagesBy });
  run.event.messages = messages;
  run.messagesBy = run.hook;
}

/** Text around the messages. What cannot be marshalled is told, and the list before it counts. */
function ofMessages(run, write) {
  for (;;) {
    try {
      return write(run.event.messages);
    } catch (error) {
      const good = run.replaced === undefined ? undefined : pop(run.replaced);
      if (good === undefined) throw error;
      reportError(run.messagesBy, run.type, error);
      run.event.messages = good.messages;
      run.messagesBy = good.hook;
    }
  }
}

/** The result of a finished emit as JSON text, when that is all there is to tell: the large ones, which nobody copies or reads again on their way. */
export function bareResult(run) {
  if (run.rule.fold !== "chain" || run.thrown !== undefined || run.by !== undefined || run.trace !== undefined) return undefined;
  // An ordinary object: of any other the engine writes all that is in it in its slow way. Nothing is assigned to it, so no setter gets at it.
  return ofMessages(run, (messages) => toText({ messages }, -1));
}

/** The envelope of a finished emit as JSON text: pieces that are JSON text already are joined, not parsed again. */
export function envelope(run) {
  let out = "{";
  const add = (name, text) => {
    if (text !== undefined) out += `${out === "{" ? "" : ","}"${name}":${text}`;
  };
  if (run.thrown !== undefined) add("thrown", toText(run.thrown));
  else if (run.cancelled && run.rule.onThrow === "propagate") add("cancelled", "true");
  else if (run.rule.fold === "chain") add("result", `{"messages":${ofMessages(run, toText)}}`);
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
