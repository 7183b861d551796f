// The engine's entry points, in the order a generation uses them: configure, load, emit, call, dispose.
import { core, internals, primordials } from "ext:core/mod.js";
import { op_emit_done, op_set_format_exception_callback } from "ext:core/ops";
import { installGlobals, sealGlobals } from "./10_globals.js";
import { setIsolate } from "./05_host.js";
import { fillPrivateNs } from "./15_private_ns.js";
import { watchChildren } from "./16_children.js";
import { createPi, Hook } from "./20_pi.js";
import { settings } from "./30_context.js";
import { configureTheme, resizeScreen } from "./41_theme_instance.js";
import { disposeSession } from "./46_session_end.js";
import { callOwned, hookNamedIn, hooks, ownerOf, reportError, stackOf } from "./47_hooks.js";
import { abort, cancel, emit, orphaned, setRules, stalled, stopped } from "./50_dispatch.js";
import { call } from "./55_commands.js";
import { requireFound, requireResolve } from "./56_require.js";
import { push, put } from "./06_lists.js";
import { thrownReason, toText } from "./07_values.js";

const { ArrayPrototypeIncludes, JSONParse, ObjectAssign } = primordials;

const { saveGlobalThisReference } = core.loadExtScript("ext:deno_web/02_event.js");

fillPrivateNs();
watchChildren();
installGlobals();

/** Applies what the host says of this runner and takes away what only the engine may see. */
function configure(text) {
  const { rules, theme, node, isolate, ...rest } = JSONParse(text);
  setRules(rules);
  setIsolate(isolate);
  configureTheme(theme);
  ObjectAssign(settings, rest);
  sealGlobals(node);
  core.setUnhandledPromiseRejectionHandler((_promise, reason) => {
    reportError(ownerOf(core.getAsyncContext()) ?? ownerByStack(reason), "unhandled", reason);
    return true;
  });
  // Of errors the engine itself knows more.
  op_set_format_exception_callback((value) => core.isNativeError(value) ? undefined : thrownReason(value));
  core.setReportExceptionCallback?.(reportStray);
}

function reportStray(error) {
  reportError(ownerOf(core.getAsyncContext()) ?? ownerByStack(error), "unhandled", error);
}

// What a listener of an `EventTarget` throws goes to the global object, which is no `EventTarget` here: false says that it was dealt with.
saveGlobalThisReference({
  dispatchEvent(event) {
    reportStray(event.error);
    return false;
  },
});

/** The hook whose file stands in the error's stack: for failures that carry no async context. */
function ownerByStack(error) {
  const stack = stackOf(error);
  return stack === undefined ? undefined : hookNamedIn(stack);
}

function defaultExport(namespace) {
  const value = namespace.default;
  // `exports.__esModule` with `exports.default`, compiled by other tools, counts as a default export.
  if (typeof value === "object" && value !== null && value.__esModule && typeof value.default === "function") return value.default;
  return value;
}

/**
 * Calls the factory of an evaluated hook module and reports through call `id`.
 * @param namespace the module's namespace object
 */
async function load(id, index, path, url, cwd, namespace) {
  const hook = new Hook(index, path, url, cwd);
  // Hooks whose modules never evaluated have no other place to get theirs.
  for (let i = hooks.length; i < index; i++) push(hooks, new Hook(i, "", "", cwd));
  hook.quarantined = ArrayPrototypeIncludes(settings.quarantined, index);
  put(hooks, index, hook);
  let out = "{}";
  try {
    const factory = defaultExport(namespace);
    if (typeof factory !== "function") {
      out = '{"notAFunction":true}';
    } else {
      await callOwned(hook, id, factory, createPi(hook));
    }
  } catch (error) {
    out = `{"thrown":${toText({ message: thrownReason(error), stack: stackOf(error) })}}`;
  }
  if (out !== "{}") hooks[index] = new Hook(index, path, url, cwd); // a hook that failed to load has registered nothing
  op_emit_done(id, out);
}

/** A hook whose factory did not finish in time: what it registered, now or later, counts for nothing. */
function unload(index) {
  const hook = hooks[index];
  if (hook !== undefined) hooks[index] = new Hook(index, hook.path, hook.url, hook.cwd);
}

/** The place of a hook whose handlers run in the host or in another isolate; what it registers is known to the engine's other half. */
function addForeignHook(index, path, inHost) {
  const hook = new Hook(index, path, `${inHost ? "host" : "apart"}:${path}`, settings.cwd);
  hook.inHost = inHost;
  hook.isApart = !inHost;
  put(hooks, index, hook);
}

/** The host has initialised the runner: hooks may send messages and append entries from now on. */
function goLive(hasUI) {
  settings.hasUI = hasUI;
  for (let i = 0; i < hooks.length; i++) {
    if (hooks[i] !== undefined) hooks[i].live = true;
  }
}

/** Changes what the host may change later: `theme` (as in `configure`) and `terminal`. */
function reconfigure(text) {
  const { theme, terminal } = JSONParse(text);
  if (theme !== undefined) configureTheme(theme);
  if (terminal !== undefined) resizeScreen(terminal);
}

internals.hookrt = {
  configure, load, unload, addForeignHook, goLive, reconfigure, emit, call, abort, cancel, dispose: disposeSession, stopped, stalled, orphaned,
  loadBuiltin: (name) => void core.createLazyLoader(name)(), requireFound, requireResolve,
};
