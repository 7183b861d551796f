// One hook's `pi`: what its factory gets (hooks.md §6). Registrations are kept here, per hook, in order.
import { primordials } from "ext:core/mod.js";
import { op_exec, op_exec_kill, op_log, op_register } from "ext:core/ops";
import { currentEmit, hostNotifyFor } from "./05_host.js";
import { push } from "./06_lists.js";
import { lazy, toText } from "./07_values.js";
import { sendArguments } from "./45_dialects.js";
import { loadHostPackage } from "./60_host_packages.js";

const {
  ArrayIsArray,
  Error,
  NumberIsFinite,
  RangeError,
  SafeMap,
  MapPrototypeGet,
  MapPrototypeSet,
  String,
  TypeError,
  decodeURIComponent,
} = primordials;

/** Handlers of one event that one hook may have: far below what one emit may call, so that a hook that registers without end harms itself. */
const MAX_HANDLERS = 1_000;

function shown(url) {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

/** Everything the engine keeps of one loaded hook. */
export class Hook {
  constructor(index, path, url, cwd) {
    this.index = index;
    /** Path as it was given to `loadHooks`; errors name it. */
    this.path = path;
    /** URL of the module. */
    this.url = url;
    /** The same as stack traces have it. */
    this.shownUrl = shown(url);
    this.cwd = cwd;
    this.handlers = new SafeMap();
    this.commands = new SafeMap();
    this.renderers = new SafeMap();
    this.live = false;
    /** It broke the engine too often: its tool calls are refused without running it. */
    this.quarantined = false;
    /** Its handlers run in the host. */
    this.inHost = false;
    /** It lives in another isolate, see `48_apart.js`. */
    this.isApart = false;
  }
}

let nextExec = 1;

function pause(ms) {
  return typeof ms === "number" && NumberIsFinite(ms) && ms > 0 ? ms : 0;
}

/** Runs a program without a shell; see `pi.exec`. Resolves with `{stdout, stderr, code, killed}`, never rejects for a failing program. */
export async function exec(hook, command, args, options) {
  const list = [];
  if (args !== undefined && args !== null) {
    if (!ArrayIsArray(args)) throw new TypeError("pi.exec: the second argument is a list of arguments");
    for (let i = 0; i < args.length; i++) push(list, String(args[i]));
  }
  const signal = options?.signal;
  const id = nextExec++;
  let onAbort;
  if (signal) {
    if (signal.aborted) return { stdout: "", stderr: "", code: 137, killed: true };
    onAbort = () => op_exec_kill(id);
    signal.addEventListener("abort", onAbort);
  }
  try {
    const cwd = options?.cwd === undefined || options.cwd === null ? hook.cwd : String(options.cwd);
    return await op_exec(id, String(command), list, cwd, pause(options?.timeout));
  } finally {
    if (onAbort) signal.removeEventListener("abort", onAbort);
  }
}

function requireFunction(value, what) {
  if (typeof value !== "function") throw new TypeError(`${what} must be a function, got ${value === null ? "null" : typeof value}`);
}

/** Where a registration stands in the hook's source; read only when somebody asks. */
function here() {
  return new Error("registered here");
}

/** Builds the `pi` object of one hook. It is extensible; absent members read as `undefined`. */
export function createPi(hook) {
  const requireLive = (what) => {
    if (!hook.live) throw new Error(`${what} handler not initialized`);
  };
  const sendMessage = (message, options) => {
    requireLive("sendMessage");
    // Older hooks pass a boolean: it means `triggerTurn`.
    const opts = typeof options === "boolean" ? { triggerTurn: options } : options ?? {};
    hostNotifyFor(hook.index, currentEmit(), "pi.sendMessage", [message, opts]);
  };
  const logger = { error: log("error"), warn: log("warn"), info: log("info"), debug: log("debug") };
  function log(level) {
    return (message, context) => {
      let text;
      try {
        text = context === undefined ? undefined : toText(context);
      } catch {
        text = undefined; // a context that cannot be written never costs the message
      }
      op_log(hook.index, level, String(message), text ?? "");
    };
  }
  const pi = {
    on(event, handler) {
      const name = String(event);
      requireFunction(handler, `the handler of "${name}"`);
      let list = MapPrototypeGet(hook.handlers, name);
      if (list === undefined) {
        list = [];
        MapPrototypeSet(hook.handlers, name, list);
      }
      if (list.length >= MAX_HANDLERS) throw new RangeError(`more than ${MAX_HANDLERS} handlers of one hook for "${name}"`);
      push(list, { fn: handler, at: here() });
      op_register(hook.index, "handler", name, "");
    },
    sendMessage,
    send: (first, second) => {
      const { 0: message, 1: options } = sendArguments(first, second);
      sendMessage(message, options);
    },
    sendUserMessage: (content, options) => sendMessage({ customType: "user", content, display: true }, { ...options, triggerTurn: true }),
    appendEntry(customType, data) {
      requireLive("appendEntry");
      hostNotifyFor(hook.index, currentEmit(), "pi.appendEntry", data === undefined ? [String(customType)] : [String(customType), data]);
    },
    registerMessageRenderer(customType, renderer) {
      requireFunction(renderer, `the renderer of "${String(customType)}"`);
      MapPrototypeSet(hook.renderers, String(customType), renderer);
      op_register(hook.index, "renderer", String(customType), "");
    },
    registerCommand(name, options) {
      const handler = typeof options === "function" ? options : options?.handler;
      requireFunction(handler, `the handler of command "${String(name)}"`);
      const description = options?.description;
      MapPrototypeSet(hook.commands, String(name), { handler });
      op_register(hook.index, "command", String(name), description === undefined || description === null ? "" : String(description));
    },
    exec: (command, args, options) => exec(hook, command, args, options),
    logger,
  };
  lazy(pi, "typebox", () => loadHostPackage("typebox"));
  lazy(pi, "pi", () => loadHostPackage("pi-coding-agent"));
  lazy(pi, "events", eventBus);
  return pi;
}

let bus;

/** `pi.events`: what the hooks of one isolate tell each other. */
function eventBus() {
  return bus ??= loadHostPackage("pi-coding-agent").createEventBus();
}
