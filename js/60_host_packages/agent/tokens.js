// How much of the context window is used, and when a session is due for compaction.

const CHARACTERS_PER_TOKEN = 4;
const IMAGE_CHARACTERS = 4800;

/** What compaction leaves free and keeps, in tokens. */
export const DEFAULT_COMPACTION_SETTINGS = Object.freeze({ enabled: true, reserveTokens: 16384, keepRecentTokens: 20000 });

function contentLength(content) {
  if (typeof content === "string") return content.length;
  return (content ?? []).reduce((sum, block) => sum + blockLength(block), 0);
}

function blockLength(block) {
  switch (block.type) {
    case "text":
      return block.text?.length ?? 0;
    case "thinking":
      return block.thinking?.length ?? 0;
    case "toolCall":
      return block.name.length + JSON.stringify(block.arguments ?? {}).length;
    case "image":
      return IMAGE_CHARACTERS;
    default:
      return 0;
  }
}

/** A rough number of tokens of one message: a quarter of its characters. */
export function estimateTokens(message) {
  const { role } = message;
  let length = contentLength(message.content);
  if (role === "bashExecution") length = message.command.length + (message.output?.length ?? 0);
  else if (role === "pythonExecution") length = message.code.length + (message.output?.length ?? 0);
  else if (role === "branchSummary" || role === "compactionSummary") length = message.summary.length;
  return Math.ceil(length / CHARACTERS_PER_TOKEN);
}

/** Tokens the context took in a model call. */
export function calculateContextTokens(usage) {
  return usage.totalTokens || usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
}

/** The usage of the latest answer that ended well. */
export function getLastAssistantUsage(entries) {
  for (let at = entries.length - 1; at >= 0; at -= 1) {
    const { type, message } = entries[at];
    const ended = type === "message" && message.role === "assistant" && !["aborted", "error"].includes(message.stopReason);
    if (ended && message.usage) return message.usage;
  }
  return undefined;
}

export function shouldCompact(contextTokens, contextWindow, settings) {
  return Boolean(settings.enabled) && contextTokens > contextWindow - settings.reserveTokens;
}
