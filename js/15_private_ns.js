// Fills the namespace that node polyfills call `Deno` (see 00_private_ns.js). Hooks never see it.
import { core, internals, primordials } from "ext:core/mod.js";
import { op_console_size, op_hook_denied, op_pid, op_runtime_cpu_usage, op_runtime_memory_usage } from "ext:core/ops";
import { settings } from "./30_context.js";

const { Error, Float64Array, ObjectAssign, ObjectDefineProperty, ObjectGetOwnPropertyDescriptors, ObjectDefineProperties, Symbol } = primordials;

const script = (specifier) => core.loadExtScript(specifier);

class ExitError extends Error {
  constructor(message) {
    super(message);
    this.name = "ExitError";
  }
}

/** Error classes that ops of the deno crates throw by name. */
const ERROR_CLASSES = [
  "NotFound", "ConnectionRefused", "ConnectionReset", "ConnectionAborted", "NotConnected", "AddrInUse", "AddrNotAvailable", "BrokenPipe",
  "PermissionDenied", "AlreadyExists", "InvalidData", "TimedOut", "WouldBlock", "WriteZero", "UnexpectedEof", "Http", "Busy", "NotSupported",
  "FilesystemLoop", "IsADirectory", "NetworkUnreachable", "NotADirectory",
];

function errorClasses() {
  const out = { BadResource: core.BadResource, Interrupted: core.Interrupted, NotCapable: core.NotCapable };
  for (let i = 0; i < ERROR_CLASSES.length; i++) {
    const name = ERROR_CLASSES[i];
    const cls = { [name]: class extends Error {
      constructor(message, options) {
        super(message, options);
        this.name = name;
      }
    } }[name];
    core.registerErrorClass(name, cls);
    out[name] = cls;
  }
  return out;
}

/**
 * Tells of every denied permission. The class is the core's own and cannot be registered anew; where its constructor names the error is the
 * one place all of them pass.
 */
function watchDenials() {
  ObjectDefineProperty(core.NotCapable.prototype, "name", {
    __proto__: null,
    configurable: true,
    get: () => "NotCapable",
    set(name) {
      ObjectDefineProperty(this, "name", { __proto__: null, value: name, configurable: true, enumerable: true, writable: true });
      // The flags alone do not help where the policy file narrows.
      if (settings.confinedBy !== undefined) this.message = `${this.message}; ${settings.confinedBy}`;
      op_hook_denied(core.getAsyncContext()?.hookrt?.hook ?? -1, `${this.message}`);
    },
  });
}

function errorBuilders() {
  const { DOMException, QuotaExceededError } = script("ext:deno_web/01_dom_exception.js");
  const dom = {
    DOMExceptionOperationError: "OperationError",
    DOMExceptionAbortError: "AbortError",
    DOMExceptionInvalidCharacterError: "InvalidCharacterError",
    DOMExceptionDataError: "DataError",
    DOMExceptionNotSupportedError: "NotSupportedError",
    DOMExceptionNetworkError: "NetworkError",
    DOMExceptionInvalidStateError: "InvalidStateError",
  };
  for (const name in dom) core.registerErrorBuilder(name, (message) => new DOMException(message, dom[name]));
  core.registerErrorBuilder("DOMExceptionQuotaExceededError", (message) => new QuotaExceededError(message));
}

/** Adds what `load()` offers under `names`, each loaded at first use. */
function lazyMembers(ns, load, names) {
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    ObjectDefineProperty(ns, name, {
      __proto__: null,
      configurable: true,
      enumerable: true,
      get: () => load()[name],
    });
  }
}

export function fillPrivateNs() {
  const ns = internals.privateNs;
  errorBuilders();
  watchDenials();
  const os = script("ext:deno_os/30_os.js");
  const consoleModule = script("ext:deno_web/01_console.js");
  consoleModule.setNoColorFns(() => true, () => true); // a hook's output goes to a log
  const usage = new Float64Array(4);
  ObjectDefineProperties(ns, ObjectGetOwnPropertyDescriptors(script("ext:deno_fs/30_fs.js")));
  ObjectDefineProperties(ns, ObjectGetOwnPropertyDescriptors(os));
  ObjectAssign(ns, {
    core,
    // A hook may end itself, never the process (decision 11).
    exit: () => {
      throw new ExitError("process.exit() would end the agent; a hook may only return or throw");
    },
    internal: Symbol("internal"),
    args: [],
    version: { deno: "2.9.6", v8: "15.0", typescript: "6.0" },
    build: core.build,
    errors: errorClasses(),
    inspect: consoleModule.inspect,
    permissions: {},
    noColor: false,
    consoleSize: () => {
      const { 0: columns, 1: rows } = op_console_size();
      return { columns, rows };
    },
    cpuUsage: () => {
      op_runtime_cpu_usage(usage);
      return { system: usage[0], user: usage[1] };
    },
    memoryUsage: () => {
      op_runtime_memory_usage(usage);
      return { rss: usage[0], heapTotal: usage[1], heapUsed: usage[2], external: usage[3] };
    },
    watchFs: (...args) => script("ext:hookrt_fs_events/40_fs_events.js").watchFs(...args),
  });
  ns[ns.internal] = internals;
  for (const [name, get] of [["pid", () => op_pid(false)], ["ppid", () => op_pid(true)], ["mainModule", () => "file:///hookrt"]]) {
    ObjectDefineProperty(ns, name, { __proto__: null, configurable: true, enumerable: true, get });
  }
  const { addSignalListener, removeSignalListener } = script("ext:deno_os/40_signals.js");
  ObjectAssign(ns, { addSignalListener, removeSignalListener });
  lazyMembers(ns, () => script("ext:deno_io/12_io.js"), ["SeekMode", "stdin", "stdout", "stderr"]);
  lazyMembers(ns, () => script("ext:deno_process/40_process.js"), ["Command", "ChildProcess", "Process", "kill"]);
  lazyMembers(ns, () => script("ext:deno_net/01_net.js"), ["connect", "listen", "resolveDns"]);
  lazyMembers(ns, () => script("ext:deno_net/02_tls.js"), ["connectTls", "listenTls", "startTls"]);
  lazyMembers(ns, () => script("ext:deno_fetch/22_http_client.js"), ["createHttpClient", "HttpClient"]);
  lazyMembers(ns, () => script("ext:deno_http/00_serve.ts"), ["serve"]);
}
