// Calls from hooks into the host. A call is a name and its arguments; arguments and answers cross as JSON text.
// Names are listed in docs/protocol.md.
import { core, primordials } from "ext:core/mod.js";
import { op_host_call, op_host_call_sync, op_host_cancel, op_host_notify } from "ext:core/ops";
import { toText } from "./07_values.js";

const { JSONParse, ObjectDefineProperty, PromisePrototypeThen } = primordials;

/** Index of "no particular hook", for calls the engine makes itself. */
export const NO_HOOK = -1;

function parse(text) {
  return text === null || text === undefined || text === "" ? undefined : JSONParse(text);
}

/** The host's error under the name the host gave it. */
function named(error) {
  if (typeof error?.hostName === "string") {
    ObjectDefineProperty(error, "name", { __proto__: null, value: error.hostName, configurable: true, writable: true });
    delete error.hostName;
  }
  throw error;
}

/** Ids that hosts know must differ among the isolates of a runner: each counts in steps of their number. */
let isolates = 1;
let isolate = 0;
export function setIsolate({ number, of }) {
  isolate = number;
  isolates = of;
}

export function runnerId(count) {
  return count * isolates + isolate;
}

let nextCall = 1;

/** Asks the host: `answer` is the promise of its answer (`undefined` when it has none), `cancel()` ends the asking and tells the host. */
export function hostAsk(hook, emit, name, args) {
  const id = runnerId(nextCall++);
  const answer = PromisePrototypeThen(op_host_call(id, hook, emit, name, toText(args)), parse, named);
  return { answer, cancel: () => op_host_cancel(id) };
}

/** Asks the host and waits for its answer. Rejects with the host's own error. */
export function hostCallFor(hook, emit, name, args) {
  return hostAsk(hook, emit, name, args).answer;
}

/** Asks the host and blocks until it answers. For reads that are synchronous in the hook API. */
export function hostCallSyncFor(hook, emit, name, args) {
  try {
    return parse(op_host_call_sync(hook, emit, name, toText(args)));
  } catch (error) {
    named(error);
  }
}

/** Tells the host something; nothing comes back and nothing waits. */
export function hostNotifyFor(hook, emit, name, args) {
  op_host_notify(hook, emit, name, toText(args));
}

/** The emit or call that the code that runs now belongs to; 0 for none. */
export function currentEmit() {
  return core.getAsyncContext()?.hookrt?.emit ?? 0;
}

export const hostCall = (name, ...args) => hostCallFor(NO_HOOK, 0, name, args);
export const hostCallSync = (name, ...args) => hostCallSyncFor(NO_HOOK, 0, name, args);
export const hostNotify = (name, ...args) => hostNotifyFor(NO_HOOK, 0, name, args);
