// Handlers that live in the host (docs/protocol.md §12): each call crosses over and back, in its place in the order.
import { primordials } from "ext:core/mod.js";
import { op_handler_count } from "ext:core/ops";
import { hostCallFor } from "./05_host.js";
import { settings } from "./30_context.js";
import { isObject } from "./47_hooks.js";

const { ArrayIsArray, Error, ObjectHasOwn, ObjectKeys, PromisePrototypeThen } = primordials;
const Set = globalThis.Set;

/** The handlers a hook of the host has for an event; its length is live like that of a list. */
export class HostHandlers {
  constructor(hook, type) {
    this.hook = hook;
    this.type = type;
  }

  get length() {
    return op_handler_count(this.hook.index, this.type);
  }

  at(index, run) {
    return { fn: (event) => invokeInHost(this.hook, run.id, this.type, index, event), at: undefined };
  }
}

/** One handler call in the host (docs/protocol.md §12). */
function invokeInHost(hook, emit, type, index, event) {
  const payload = event.signal === undefined ? event : { ...event, signal: { aborted: event.signal?.aborted === true } };
  const answered = hostCallFor(hook.index, emit, "host.invoke", [settings.generation, type, index, payload]);
  // Not `await`: that asks `Promise.prototype` for its constructor, which a hook may have replaced.
  return PromisePrototypeThen(answered, (answer) => {
    if (answer?.thrown) throw thrownInHost(answer.thrown);
    if (isObject(answer?.payload)) adopt(event, answer.payload);
    return answer?.result;
  });
}

function thrownInHost({ message, isError, stack }) {
  if (isError === false) return message;
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}

/** Makes the event what a handler elsewhere left of it, live values staying live. */
export function adopt(event, payload) {
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

/** Makes `preparation.fileOps` the sets a hook expects (decision 5). */
export function reviveSets(event) {
  const ops = event.preparation?.fileOps;
  if (isObject(ops)) {
    const names = ["read", "written", "edited"];
    for (let i = 0; i < names.length; i++) {
      const list = ops[names[i]];
      if (ArrayIsArray(list)) ops[names[i]] = new Set(list);
    }
  }
}
