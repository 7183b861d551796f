// What hooks written for older agents expect (docs/dialects.md): the one `session` event with a `reason`, `fromHook` beside `fromExtension`,
// `pi.send`, a boolean as second argument of `sendMessage`.
import { primordials } from "ext:core/mod.js";
import { lazy } from "./07_values.js";

const {
  ArrayIsArray,
  ArrayPrototypePush,
  FunctionPrototypeToString,
  MapPrototypeGet,
  SafeMapIterator,
  String,
  StringPrototypeIncludes,
  StringPrototypeStartsWith,
} = primordials;

const isNew = (event) => event.reason === "new";

/** Today's session events → `reason` of the old one. */
const REASONS = {
  __proto__: null,
  session_start: () => "start",
  session_before_switch: (event) => isNew(event) ? "before_new" : "before_switch",
  session_switch: (event) => isNew(event) ? "new" : "switch",
  session_before_branch: () => "before_branch",
  session_branch: () => "branch",
  session_before_compact: () => "before_compact",
  session_compact: () => "compact",
  session_shutdown: () => "shutdown",
};

/** When `branch` was an event of its own, `session` did not tell of it. */
function oldestHandlers(hook, type) {
  return type === "session_before_branch" ? MapPrototypeGet(hook.handlers, "branch") : undefined;
}

/**
 * The `session` handlers that a hook without any `session_*` handler wants to see `type`, or those of `branch`, which came before that; a
 * hook that knows today's events uses those.
 */
export function oldSessionHandlers(hook, type) {
  if (REASONS[type] === undefined) return undefined;
  const handlers = oldestHandlers(hook, type) ?? MapPrototypeGet(hook.handlers, "session");
  if (handlers === undefined) return undefined;
  for (const { 0: name } of new SafeMapIterator(hook.handlers)) {
    if (StringPrototypeStartsWith(name, "session_")) return undefined;
  }
  return handlers;
}

/** The event as an old `session` handler reads it; what costs a question to the host is asked when it is read. */
export function oldSessionEvent(run, hook) {
  const { event } = run;
  const ctx = run.context(hook);
  const isOldest = oldestHandlers(hook, run.type) !== undefined;
  const old = isOldest ? { ...event, type: "branch" } : { ...event, type: "session", reason: reasonFor(run) };
  lazy(old, "entries", () => ctx.sessionManager.getEntries());
  lazy(old, "sessionFile", () => ctx.sessionManager.getSessionFile() ?? null);
  lazy(old, "sessionManager", () => ctx.sessionManager);
  if (event.entryId !== undefined) lazy(old, "targetTurnIndex", () => turnOf(old.entries, event.entryId));
  if (event.preparation) {
    const { messagesToSummarize, recentMessages, previousSummary, tokensBefore } = event.preparation;
    old.messagesToSummarize = messagesToSummarize;
    old.messagesToKeep = recentMessages;
    old.previousSummary = previousSummary;
    old.tokensBefore = tokensBefore;
    old.model = ctx.model;
    old.resolveApiKey = (model) => ctx.modelRegistry.getApiKey(model);
  }
  return old;
}

/** The names that two reasons had before the last ones, for a handler that asks for those. */
const OLDER = { __proto__: null, before_new: "before_clear", new: "clear" };

function reasonFor({ event, type, handler }) {
  const reason = REASONS[type](event);
  const older = OLDER[reason];
  if (older === undefined) return reason;
  const source = FunctionPrototypeToString(handler.fn);
  const names = (name) => StringPrototypeIncludes(source, `"${name}"`) || StringPrototypeIncludes(source, `'${name}'`);
  return names(older) && !names(reason) ? older : reason;
}

/** How many prompts of the person come before an entry. */
function turnOf(entries, entryId) {
  let turn = 0;
  for (let i = 0; i < entries.length; i++) {
    if (entries[i]?.id === entryId) break;
    if (entries[i]?.message?.role === "user") turn++;
  }
  return turn;
}

function bothNames(object) {
  if (typeof object !== "object" || object === null) return;
  if (object.fromHook === undefined && object.fromExtension !== undefined) object.fromHook = object.fromExtension;
  else if (object.fromExtension === undefined && object.fromHook !== undefined) object.fromExtension = object.fromHook;
}

/** Older hooks read `fromHook` where newer ones read `fromExtension`: an event that has one gets both. */
export function bothNamesOfOrigin(event) {
  if (event.type !== "session_compact" && event.type !== "session_tree") return;
  bothNames(event);
  bothNames(event.compactionEntry);
  bothNames(event.summaryEntry);
}

/** The oldest `pi.send(text, attachments?)` as the arguments of `sendMessage`; anything else is `sendMessage` under another name. */
export function sendArguments(first, second) {
  if (typeof first !== "string") return [first, second];
  let content = first;
  if (ArrayIsArray(second) && second.length > 0) {
    content = [{ type: "text", text: first }];
    for (let i = 0; i < second.length; i++) {
      const file = second[i];
      if (file?.type === "image") ArrayPrototypePush(content, { type: "image", data: file.content, mimeType: file.mimeType });
      else if (file) ArrayPrototypePush(content, { type: "text", text: String(file.extractedText ?? file.fileName ?? "") });
    }
  }
  return [{ customType: "user", content, display: true }, { triggerTurn: true }];
}
