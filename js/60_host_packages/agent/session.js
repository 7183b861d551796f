// Reading the entries of a session file.

/** Version of the session file format. */
export const CURRENT_SESSION_VERSION = 3;

/** The entries of a session file (one JSON object a line); lines that are none are skipped. */
export function parseSessionEntries(content) {
  return content.split("\n").flatMap((line) => {
    try {
      const entry = line.trim() === "" ? undefined : JSON.parse(line);
      return entry !== null && typeof entry === "object" ? [entry] : [];
    } catch {
      return [];
    }
  });
}

/** @returns {object | null} */
export function getLatestCompactionEntry(entries) {
  for (let at = entries.length - 1; at >= 0; at -= 1) {
    if (entries[at].type === "compaction") return entries[at];
  }
  return null;
}

/**
 * What a model sees of a session: the messages on the way from the start to the leaf, with a compaction in
 * place of what it summarizes, and the model and thinking level in force there.
 *
 * @param {object[]} entries
 * @param {string | null} [leafId] default the last entry; null: before the first one
 * @param {Map<string, object>} [byId] the entries by id, when the caller has them
 */
export function buildSessionContext(entries, leafId, byId) {
  const context = { messages: [], thinkingLevel: "off", model: null };
  const path = leafId === null ? [] : pathTo(entries, leafId, byId);
  for (const entry of path) {
    if (entry.type === "thinking_level_change") context.thinkingLevel = entry.thinkingLevel;
    else if (entry.type === "model_change") context.model = modelOf(entry);
    else if (entry.type === "message" && entry.message.role === "assistant") {
      context.model = { provider: entry.message.provider, modelId: entry.message.model };
    }
  }
  const compaction = getLatestCompactionEntry(path);
  context.messages = compaction ? compactedMessages(path, compaction) : path.flatMap(messageOf);
  return context;
}

function modelOf({ provider, modelId, model }) {
  if (modelId !== undefined) return { provider, modelId };
  const [first, ...rest] = String(model ?? "").split("/");
  return { provider: first, modelId: rest.join("/") };
}

function pathTo(entries, leafId, known) {
  const byId = known ?? new Map(entries.map((entry) => [entry.id, entry]));
  const path = [];
  const seen = new Set();
  let entry = byId.get(leafId) ?? entries[entries.length - 1];
  while (entry && !seen.has(entry)) {
    seen.add(entry);
    path.unshift(entry);
    entry = entry.parentId ? byId.get(entry.parentId) : undefined;
  }
  return path.filter(({ type }) => type !== "session");
}

function compactedMessages(path, compaction) {
  const at = path.indexOf(compaction);
  const keptFrom = path.findIndex((entry) => entry.id === compaction.firstKeptEntryId);
  const kept = keptFrom >= 0 && keptFrom < at ? path.slice(keptFrom, at) : [];
  const summary = {
    role: "compactionSummary",
    summary: compaction.summary,
    tokensBefore: compaction.tokensBefore,
    timestamp: Date.parse(compaction.timestamp),
  };
  return [summary, ...[...kept, ...path.slice(at + 1)].flatMap(messageOf)];
}

function messageOf(entry) {
  const timestamp = Date.parse(entry.timestamp);
  switch (entry.type) {
    case "message":
      return [entry.message];
    case "custom_message": {
      const { customType, content, display, details } = entry;
      return [{ role: "custom", customType, content, display, details, timestamp }];
    }
    case "branch_summary":
      return entry.summary ? [{ role: "branchSummary", summary: entry.summary, fromId: entry.fromId, timestamp }] : [];
    default:
      return [];
  }
}
