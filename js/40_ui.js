// `ctx.ui`: dialogs, notices, status and custom components (hooks.md §7). Without a user interface every call has its
// documented default and crosses nothing.
import { core, primordials } from "ext:core/mod.js";
import { hostAsk, hostCallSyncFor, hostNotifyFor } from "./05_host.js";
import { settings } from "./30_context.js";
import { lazy } from "./07_values.js";
import { currentTheme } from "./41_theme_instance.js";
import { trackDialog } from "./35_scope.js";
import { showComponent } from "./42_components.js";

const { ArrayIsArray, ArrayPrototypeMap, ArrayPrototypePush, Promise, PromisePrototypeThen, String } = primordials;
// Called without a receiver: the timers of deno_web refuse a foreign one.
const { clearTimeout, setTimeout } = core.loadExtScript("ext:deno_web/02_timers.js");

/**
 * A dialog: asks the host and ends early when the hook's own signal fires, its timeout passes or its handler is over; ended early it gives
 * `fallback`, and an answer that still comes is dropped.
 */
async function dialog(hook, emit, name, args, options, fallback) {
  if (!settings.hasUI) return fallback;
  const signal = options?.signal;
  if (signal?.aborted) return fallback;
  const timeout = typeof options?.timeout === "number" && options.timeout > 0 ? options.timeout : undefined;
  if (timeout !== undefined) ArrayPrototypePush(args, { timeout });
  const { answer, cancel } = hostAsk(hook.index, emit, name, args);
  return await new Promise((resolve, reject) => {
    let timer;
    let untrack;
    const settle = (end) => (value) => {
      untrack();
      signal?.removeEventListener("abort", close);
      if (timer !== undefined) clearTimeout(timer);
      end(value);
    };
    const close = () => {
      cancel();
      settle(resolve)(fallback);
    };
    untrack = trackDialog(close);
    signal?.addEventListener("abort", close);
    if (timeout !== undefined) timer = setTimeout(close, timeout);
    PromisePrototypeThen(answer, settle((value) => resolve(value ?? fallback)), settle(reject));
  });
}

function texts(options) {
  return ArrayIsArray(options) ? ArrayPrototypeMap(options, (option) => typeof option === "string" ? option : option?.label ?? String(option)) : [];
}

/** Builds `ctx.ui` for one hook and emit. */
export function createUi(hook, emit) {
  const tell = (name, args) => {
    if (settings.hasUI) hostNotifyFor(hook.index, emit, name, args);
  };
  const ui = {
    select: (title, options, opts) => dialog(hook, emit, "ui.select", [String(title), texts(options)], opts, undefined),
    confirm: async (title, message, opts) =>
      (await dialog(hook, emit, "ui.confirm", message === undefined ? [String(title)] : [String(title), String(message)], opts, false)) === true,
    input: (title, placeholder, opts) =>
      dialog(hook, emit, "ui.input", placeholder === undefined ? [String(title)] : [String(title), String(placeholder)], opts, undefined),
    editor: (title, prefill, opts) =>
      dialog(hook, emit, "ui.editor", prefill === undefined ? [String(title)] : [String(title), String(prefill)], opts, undefined),
    notify: (message, level) => tell("ui.notify", level === undefined ? [String(message)] : [String(message), String(level)]),
    setStatus: (key, text) => tell("ui.setStatus", [String(key), text === undefined || text === null ? null : String(text)]),
    setEditorText: (text) => tell("ui.setEditorText", [String(text)]),
    getEditorText: () => settings.hasUI ? hostCallSyncFor(hook.index, emit, "ui.getEditorText", []) ?? "" : "",
    custom: async (factory, options) => settings.hasUI ? await showComponent(hook, emit, factory, options) : undefined,
  };
  lazy(ui, "theme", currentTheme);
  return ui;
}
