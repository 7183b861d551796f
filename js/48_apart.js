// Hooks with permissions of their own live in an isolate of their own. Here they only have their place in the order: an emit that comes to
// one goes over as a whole, the fold runs there over its handlers, and its outcome is taken into the fold here.
import { primordials } from "ext:core/mod.js";
import { op_apart_abort, op_apart_cancel, op_apart_emit, op_handler_count } from "ext:core/ops";
import { toText } from "./07_values.js";
import { adopt } from "./49_host_handlers.js";

const { JSONParse, PromisePrototypeThen, StringPrototypeStartsWith } = primordials;

/** All handlers that such a hook has for an event stand as one; its length is live like that of a list. */
export class ApartHandlers {
  constructor(hook, type) {
    this.hook = hook;
    this.type = type;
  }

  get length() {
    const { hook, type } = this;
    // Which handlers of the old `session` event want it is decided over there.
    const has = (name) => op_handler_count(hook.index, name) > 0;
    const handled = has(type) || (StringPrototypeStartsWith(type, "session_") && has("session")) || (type === "session_before_branch" && has("branch"));
    return handled ? 1 : 0;
  }

  at(_index, run) {
    return { fn: (event) => emitApart(this.hook, run, event), at: undefined };
  }
}

function emitApart(hook, run, event) {
  const text = toText(event.signal === undefined ? event : { ...event, signal: { aborted: event.signal?.aborted === true } });
  run.apart = hook;
  // Not `await`: that asks `Promise.prototype` for its constructor, which a hook may have replaced.
  return PromisePrototypeThen(
    op_apart_emit(hook.index, run.id, run.type, text),
    (answer) => {
      run.apart = undefined;
      // Without a prototype: what is not there must not be read from one that hooks changed.
      const envelope = { __proto__: null, ...JSONParse(answer) };
      if (envelope.event !== undefined) adopt(event, envelope.event);
      return envelope;
    },
    (error) => {
      run.apart = undefined;
      throw error;
    },
  );
}

/** The emit is given up while it is over there. */
export function cancelApart(run) {
  if (run.apart !== undefined) op_apart_cancel(run.apart.index, run.id);
}

/** Its signal is aborted there, too. */
export function abortApart(run, reason) {
  if (run?.apart !== undefined) op_apart_abort(run.apart.index, run.id, reason ?? "");
}
