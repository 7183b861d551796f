// The agent's own package, under all its names and subpaths: what hooks use of it as values.

export {
  defineTool,
  isBashToolResult,
  isEditToolResult,
  isFindToolResult,
  isGrepToolResult,
  isLsToolResult,
  isReadToolResult,
  isToolCallEventType,
  isWriteToolResult,
} from "./agent/guards.js";
export { convertToLlm, convertToLlm as messageTransformer, serializeConversation } from "./agent/messages.js";
export { findModel } from "./ai/models.js";
export {
  calculateContextTokens,
  DEFAULT_COMPACTION_SETTINGS,
  estimateTokens,
  getLastAssistantUsage,
  shouldCompact,
} from "./agent/tokens.js";
export {
  buildSessionContext,
  CURRENT_SESSION_VERSION,
  getLatestCompactionEntry,
  parseSessionEntries,
} from "./agent/session.js";
export { DEFAULT_MAX_BYTES, DEFAULT_MAX_LINES, formatSize, truncateHead, truncateLine, truncateTail } from "./agent/truncate.js";
export {
  BorderedLoader,
  DynamicBorder,
  ExtensionInputComponent,
  ExtensionInputComponent as HookInputComponent,
  ExtensionSelectorComponent,
  ExtensionSelectorComponent as HookSelectorComponent,
} from "./agent/components.js";
export { CustomEditor } from "./agent/custom_editor.js";
export { renderDiff, truncateToVisualLines } from "./agent/diff.js";
export {
  getEditorTheme,
  getMarkdownTheme,
  getSelectListTheme,
  getSettingsListTheme,
  keyHint,
  keyText,
  rawKeyHint,
  theme,
} from "./agent/theming.js";
export { getLanguageFromPath, highlightCode } from "./agent/highlight.js";
export { Theme } from "../40_theme.js";
export { parseFrontmatter, stripFrontmatter } from "./agent/frontmatter.js";
export { CONFIG_DIR_NAME, copyToClipboard, getAgentDir, getShellConfig, withFileMutationQueue } from "./agent/system.js";
export { createEventBus } from "./agent/event_bus.js";
export { logger } from "./agent/logger.js";
export { StringEnum } from "./pi-ai.js";
export { Container, Markdown, Spacer, Text } from "./pi-tui.js";
export { Type } from "./typebox.js";
