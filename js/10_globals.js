// What hooks find on `globalThis`: web APIs from deno_web, deno_fetch and deno_crypto, and Node's globals from deno_node. Whatever a hook
// may never touch is a getter that loads its module at first use.
import { core, internals, primordials } from "ext:core/mod.js";
import { op_hook_print } from "ext:core/ops";

const { ObjectDefineProperties, ObjectDefineProperty, SafeArrayIterator, StringPrototypeEndsWith, StringPrototypeSlice, SymbolAsyncDispose, SymbolDispose, SymbolSpecies } = primordials;

const script = (specifier) => core.loadExtScript(specifier);
const lazyScript = (specifier) => () => core.loadExtScript(specifier);

const event = script("ext:deno_web/02_event.js");
const url = script("ext:deno_web/00_url.js");
const consoleModule = script("ext:deno_web/01_console.js");
const abortSignal = script("ext:deno_web/03_abort_signal.js");
const { DOMException, QuotaExceededError } = script("ext:deno_web/01_dom_exception.js");
const performance = script("ext:deno_web/15_performance.js");
script("ext:deno_node/internal/crypto/constants.ts"); // brands keys so that node:crypto knows those of WebCrypto
const crypto = script("ext:deno_crypto/00_crypto.js");
const messagePort = script("ext:deno_web/13_message_port.js");

const encoding = lazyScript("ext:deno_web/08_text_encoding.js");
const base64 = lazyScript("ext:deno_web/05_base64.js");
const streams = lazyScript("ext:deno_web/06_streams.js");
const compression = lazyScript("ext:deno_web/14_compression.js");
const file = lazyScript("ext:deno_web/09_file.js");
const fileReader = lazyScript("ext:deno_web/10_filereader.js");
const urlPattern = lazyScript("ext:deno_web/01_urlpattern.js");
const broadcast = lazyScript("ext:deno_web/01_broadcast_channel.js");
const headers = lazyScript("ext:deno_fetch/20_headers.js");
const formData = lazyScript("ext:deno_fetch/21_formdata.js");
const request = lazyScript("ext:deno_fetch/23_request.js");
const response = lazyScript("ext:deno_fetch/23_response.js");
const fetchModule = lazyScript("ext:deno_fetch/26_fetch.js");
const eventSource = lazyScript("ext:deno_fetch/27_eventsource.js");
const nodeProcess = core.createLazyLoader("node:process");
const nodeBuffer = core.createLazyLoader("node:buffer");
const nodeTimers = core.createLazyLoader("node:timers");

/** Console levels of deno_web: 0 debug, 1 log and info, 2 warn, 3 error. */
const LEVELS = ["debug", "info", "warn", "error"];

/** What a hook prints goes to the engine's log under the hook's name. */
function printToLog(text, level) {
  const end = StringPrototypeEndsWith(text, "\n") ? text.length - 1 : text.length;
  op_hook_print(core.getAsyncContext()?.hookrt?.hook ?? -1, LEVELS[level] ?? "info", StringPrototypeSlice(text, 0, end));
}

/** Named exports of a lazily loaded module, as non-enumerable globals. */
function classes(load, names) {
  const out = {};
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    out[name] = core.propNonEnumerableLazyLoaded((module) => module[name], load);
  }
  return out;
}

function functions(load, names) {
  const out = {};
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    out[name] = core.propWritableLazyLoaded((module) => module[name], load);
  }
  return out;
}

function eager(module, names) {
  const out = {};
  for (let i = 0; i < names.length; i++) out[names[i]] = core.propNonEnumerable(module[names[i]]);
  return out;
}

/** Events of the process, such as `exit` and `unhandledRejection`, are listened for on the global object. */
const globalTarget = new event.EventTarget();
const globalListeners = {
  addEventListener: core.propWritable((...args) => globalTarget.addEventListener(...new SafeArrayIterator(args))),
  removeEventListener: core.propWritable((...args) => globalTarget.removeEventListener(...new SafeArrayIterator(args))),
  dispatchEvent: core.propWritable((happened) => globalTarget.dispatchEvent(happened)),
};

internals.hookConsole = new consoleModule.Console(printToLog);

const globals = {
  ...globalListeners,
  console: core.propNonEnumerable(internals.hookConsole),
  ...eager(event, ["CloseEvent", "CustomEvent", "ErrorEvent", "Event", "EventTarget", "MessageEvent", "ProgressEvent", "PromiseRejectionEvent"]),
  ...eager(url, ["URL", "URLSearchParams"]),
  ...eager(abortSignal, ["AbortController", "AbortSignal"]),
  ...eager(performance, ["Performance", "PerformanceEntry", "PerformanceMark", "PerformanceMeasure", "PerformanceObserver"]),
  ...eager(crypto, ["Crypto", "CryptoKey", "SubtleCrypto"]),
  ...eager(messagePort, ["MessageChannel", "MessagePort"]),
  DOMException: core.propNonEnumerable(DOMException),
  QuotaExceededError: core.propNonEnumerable(QuotaExceededError),
  ...classes(encoding, ["TextDecoder", "TextEncoder", "TextDecoderStream", "TextEncoderStream"]),
  ...classes(streams, [
    "ByteLengthQueuingStrategy", "CountQueuingStrategy", "ReadableByteStreamController", "ReadableStream", "ReadableStreamBYOBReader",
    "ReadableStreamBYOBRequest", "ReadableStreamDefaultController", "ReadableStreamDefaultReader", "TransformStream",
    "TransformStreamDefaultController", "WritableStream", "WritableStreamDefaultController", "WritableStreamDefaultWriter",
  ]),
  ...classes(compression, ["CompressionStream", "DecompressionStream"]),
  ...classes(file, ["Blob", "File"]),
  ...classes(fileReader, ["FileReader"]),
  ...classes(urlPattern, ["URLPattern"]),
  ...classes(broadcast, ["BroadcastChannel"]),
  ...classes(headers, ["Headers"]),
  ...classes(formData, ["FormData"]),
  ...classes(request, ["Request"]),
  ...classes(response, ["Response"]),
  ...classes(eventSource, ["EventSource"]),
  ...functions(base64, ["atob", "btoa"]),
  ...functions(nodeTimers, ["clearImmediate", "clearInterval", "clearTimeout", "setImmediate", "setInterval", "setTimeout"]),
  Buffer: core.propWritableLazyLoaded((module) => module.Buffer, nodeBuffer),
  process: core.propWritableLazyLoaded((module) => module.default, nodeProcess),
  crypto: core.propGetterOnly(() => crypto.crypto),
  fetch: core.propWritable(function fetch(...args) {
    return fetchModule().fetch(...new SafeArrayIterator(args));
  }),
  global: core.propWritable(globalThis),
  self: core.propWritable(globalThis),
  performance: core.propWritable(performance.performance),
  reportError: core.propWritable(event.reportError),
  structuredClone: core.propWritable(messagePort.structuredClone),
};

const BUN_MODULE = core.createLazyLoader("ext:hookrt/71_bun_global.js");

/** Puts the globals in place; done once, while the snapshot is made. */
export function installGlobals() {
  core.defineGlobalProperties(globalThis, globals);
  core.defineGlobalProperties(globalThis, { Bun: core.propWritableLazyLoaded((module) => module.Bun, BUN_MODULE) });
  const symbols = { dispose: SymbolDispose, asyncDispose: SymbolAsyncDispose };
  for (const name in symbols) {
    if (!(name in Symbol)) ObjectDefineProperty(Symbol, name, { __proto__: null, value: symbols[name] });
  }
}

/** Done at start, before any hook runs: the last set-up that needs the running process, then the engine's own names disappear. */
export function sealGlobals(node) {
  performance.setTimeOrigin();
  internals.__nodeBootstrapArgs = {
    usesLocalNodeModulesDir: true,
    runningOnMainThread: true,
    argv0: node.argv0,
    nodeDebug: "",
    denoArgs: node.args,
    denoVersion: internals.privateNs.version,
  };
  ObjectDefineProperties(globalThis, {
    Deno: { __proto__: null, value: undefined, configurable: true, writable: true },
    __bootstrap: { __proto__: null, value: undefined, configurable: true, writable: true },
  });
  // Every await of the engine's own asks for it.
  ObjectDefineProperty(Promise, SymbolSpecies, { __proto__: null, configurable: false });
  delete globalThis.Deno;
  delete globalThis.__bootstrap;
  delete globalThis.bootstrap;
}
