// `ctx`: what a handler or command gets besides its event (hooks.md §7).
import { primordials } from "ext:core/mod.js";
import { hostCallFor, hostCallSyncFor, hostNotifyFor } from "./05_host.js";
import { exec, lazy } from "./20_pi.js";
import { createUi } from "./40_ui.js";

const { ArrayPrototypePush, PromiseResolve, String } = primordials;

/** What the host told the engine when the runner was initialised; see `configure`. */
export const settings = {
  cwd: "/",
  hasUI: false,
  /** False: the host supplies nothing, so every read answers with its default and crosses nothing. */
  hasHost: false,
  inputMutation: "ignore",
};

const SESSION_READS = [
  "getCwd", "getSessionDir", "getSessionId", "getSessionFile", "getSessionName", "getArtifactsDir", "getLeafId", "getLeafEntry",
  "getEntry", "getLabel", "getBranch", "getHeader", "getEntries", "getTree", "getUsageStatistics",
];
const SESSION_CALLS = ["getArtifactPath", "allocateArtifactPath", "saveArtifact", "putBlob"];
/** Answers of a session manager without a host. */
const SESSION_DEFAULTS = {
  __proto__: null,
  getCwd: () => settings.cwd,
  getEntries: () => [],
  getBranch: () => [],
  getTree: () => [],
};
const MODEL_READS = ["getAll", "getAvailable", "find"];
const MODEL_CALLS = ["getApiKey", "getApiKeyForProvider"];

function reads(hook, area, names, defaults) {
  const out = {};
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    out[name] = (...args) => {
      const answer = settings.hasHost ? hostCallSyncFor(hook.index, 0, `${area}.${name}`, args) : undefined;
      return answer === undefined ? defaults[name]?.() : answer;
    };
  }
  return out;
}

function calls(hook, area, names, out) {
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    out[name] = (...args) => settings.hasHost ? hostCallFor(hook.index, 0, `${area}.${name}`, args) : PromiseResolve(undefined);
  }
  return out;
}

export function createSessionManager(hook) {
  return calls(hook, "session", SESSION_CALLS, reads(hook, "session", SESSION_READS, SESSION_DEFAULTS));
}

export function createModelRegistry(hook) {
  const none = { __proto__: null, getAll: () => [], getAvailable: () => [] };
  return calls(hook, "models", MODEL_CALLS, reads(hook, "models", MODEL_READS, none));
}

/** The session manager a `setup` callback may write to: entries are collected and handed to the host with the new session. */
function createSetupManager(hook, entries) {
  let next = 1;
  const add = (kind, fields) => {
    const id = `setup-${next++}`;
    ArrayPrototypePush(entries, { id, kind, ...fields });
    return id;
  };
  return {
    ...createSessionManager(hook),
    appendMessage: (message) => add("message", { message }),
    appendCustomEntry: (customType, data) => add("custom", { customType: String(customType), data }),
    appendCustomMessageEntry: (customType, content, display, details, attribution = "agent") =>
      add("custom_message", { customType: String(customType), content, display, details, attribution }),
    appendModelChange: (provider, modelId) => add("model_change", { provider, modelId }),
    appendThinkingLevelChange: (thinkingLevel) => add("thinking_level_change", { thinkingLevel }),
    appendLabelChange: (targetId, label) => add("label", { targetId, label }),
  };
}

const notCancelled = (answer) => ({ cancelled: answer?.cancelled === true });

/**
 * The context of one emit for one hook. It stays usable after the handler returned (timers and watchers call it later).
 * @param model taken when the emit began
 */
export function createContext(hook, emit, model) {
  const ask = (name, fallback) => settings.hasHost ? hostCallSyncFor(hook.index, emit, name, []) ?? fallback : fallback;
  const ctx = {
    hasUI: settings.hasUI,
    cwd: settings.cwd,
    model,
    isIdle: () => ask("ctx.isIdle", true),
    abort: () => {
      if (settings.hasHost) hostNotifyFor(hook.index, emit, "ctx.abort", []);
    },
    hasQueuedMessages: () => ask("ctx.hasQueuedMessages", false),
    exec: (command, args, options) => exec(hook, command, args, options),
  };
  lazy(ctx, "ui", () => createUi(hook, emit));
  lazy(ctx, "sessionManager", () => createSessionManager(hook));
  lazy(ctx, "modelRegistry", () => createModelRegistry(hook));
  return ctx;
}

/** The context of a slash command: the same plus the session controls. */
export function createCommandContext(hook, emit, model) {
  const ctx = createContext(hook, emit, model);
  const call = async (name, args) => settings.hasHost ? await hostCallFor(hook.index, emit, name, args) : undefined;
  ctx.waitForIdle = async () => {
    await call("ctx.waitForIdle", []);
  };
  ctx.newSession = async (options) => {
    const entries = [];
    if (typeof options?.setup === "function") await options.setup(createSetupManager(hook, entries));
    return notCancelled(await call("ctx.newSession", [{ parentSession: options?.parentSession, entries }]));
  };
  ctx.branch = async (entryId) => notCancelled(await call("ctx.branch", [String(entryId)]));
  ctx.navigateTree = async (id, options) => notCancelled(await call("ctx.navigateTree", [String(id), { summarize: options?.summarize }]));
  return ctx;
}
