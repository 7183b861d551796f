// `ctx`: what a handler or command gets besides its event (hooks.md §7).
import { primordials } from "ext:core/mod.js";
import { currentEmit, hostCallFor, hostCallSyncFor, hostNotifyFor } from "./05_host.js";
import { lazy, thrownText } from "./07_values.js";
import { cachedRead } from "./25_session_cache.js";
import { exec } from "./20_pi.js";
import { createUi } from "./40_ui.js";

const {
  ArrayPrototypeFind,
  ArrayPrototypeIndexOf,
  ArrayPrototypePush,
  ArrayPrototypeReduceRight,
  ArrayPrototypeSlice,
  Date,
  DatePrototypeToISOString,
  MapPrototypeGet,
  MapPrototypeSet,
  ObjectDefineProperty,
  PromiseResolve,
  SafeMap,
  String,
} = primordials;

/** What the host told the engine when the runner was initialised; see `configure`. */
export const settings = {
  cwd: "/",
  hasUI: false,
  /** False: the host supplies nothing, so every read answers with its default and crosses nothing. */
  hasHost: false,
  inputMutation: "ignore",
  /** Positions of the hooks whose tool calls are refused without running them. */
  quarantined: [],
  /** Wall-clock limit of a handler in milliseconds; 0 is none. */
  handlerTimeoutMs: 0,
  /** How long a child process may take that a hook waits for synchronously without a `timeout` of its own, in milliseconds. */
  syncChildTimeoutMs: 120_000,
  /** What the handlers of `session_shutdown` get together, in milliseconds (decision 8); 0 is no limit. */
  shutdownTimeoutMs: 2_000,
  /** Number of this isolate among those of its runner. */
  generation: 0,
  /** What else than flags says what hooks may reach: a clause for the message of a denial. */
  confinedBy: undefined,
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

function reads(hook, area, names, defaults, read = hostCallSyncFor) {
  const out = {};
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    out[name] = (...args) => {
      const answer = settings.hasHost ? read(hook.index, currentEmit(), `${area}.${name}`, args) : undefined;
      return answer === undefined ? defaults[name]?.() : answer;
    };
  }
  return out;
}

function calls(hook, area, names, out) {
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    out[name] = (...args) => settings.hasHost ? hostCallFor(hook.index, currentEmit(), `${area}.${name}`, args) : PromiseResolve(undefined);
  }
  return out;
}

export function createSessionManager(hook) {
  return calls(hook, "session", SESSION_CALLS, reads(hook, "session", SESSION_READS, SESSION_DEFAULTS, cachedRead));
}

export function createModelRegistry(hook) {
  const none = { __proto__: null, getAll: () => [], getAvailable: () => [] };
  const registry = calls(hook, "models", MODEL_CALLS, reads(hook, "models", MODEL_READS, none));
  registry.getApiKeyAndHeaders = async (model) => {
    try {
      return { ok: true, apiKey: await registry.getApiKey(model) };
    } catch (error) {
      return { ok: false, error: thrownText(error) };
    }
  };
  return registry;
}

/**
 * The session manager a `setup` callback may write to. What it appends is collected in `calls` and handed to the host with the new session;
 * reads show the new session, which has nothing but that.
 */
function createSetupManager(hook, calls) {
  const entries = [];
  const labels = new SafeMap();
  const leaf = () => entries[entries.length - 1];
  const find = (id) => ArrayPrototypeFind(entries, (entry) => entry.id === id);
  const add = (kind, fields) => {
    const id = `setup-${calls.length + 1}`;
    ArrayPrototypePush(calls, { id, kind, ...fields });
    const timestamp = DatePrototypeToISOString(new Date());
    ArrayPrototypePush(entries, { type: kind, id, parentId: leaf()?.id ?? null, timestamp, ...fields });
    return id;
  };
  return {
    ...createSessionManager(hook),
    getEntries: () => ArrayPrototypeSlice(entries),
    getBranch: (leafId) => ArrayPrototypeSlice(entries, 0, leafId === undefined ? entries.length : ArrayPrototypeIndexOf(entries, find(leafId)) + 1),
    getTree: () => ArrayPrototypeReduceRight(entries, (children, entry) => [{ entry, children, label: MapPrototypeGet(labels, entry.id) }], []),
    getEntry: find,
    getLabel: (id) => MapPrototypeGet(labels, id),
    getLeafId: () => leaf()?.id ?? null,
    getLeafEntry: leaf,
    getHeader: () => null,
    getSessionFile: () => undefined,
    appendMessage: (message) => add("message", { message }),
    appendCustomEntry: (customType, data) => add("custom", { customType: String(customType), data }),
    appendCustomMessageEntry: (customType, content, display, details, attribution = "agent") =>
      add("custom_message", { customType: String(customType), content, display, details, attribution }),
    appendModelChange: (model, role) => add("model_change", { model, role }),
    appendThinkingLevelChange: (thinkingLevel) => add("thinking_level_change", { thinkingLevel }),
    appendLabelChange: (targetId, label) => {
      MapPrototypeSet(labels, targetId, label);
      return add("label", { targetId, label });
    },
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
  ObjectDefineProperty(ctx, "sessionFile", {
    __proto__: null,
    configurable: true,
    get: () => ctx.sessionManager.getSessionFile() ?? null,
    set: (value) => ObjectDefineProperty(ctx, "sessionFile", { __proto__: null, value, configurable: true, writable: true }),
  });
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
