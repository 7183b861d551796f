// Telling events apart by tool.

const is = (toolName) => (event) => event?.toolName === toolName;

export const isBashToolResult = is("bash");
export const isReadToolResult = is("read");
export const isEditToolResult = is("edit");
export const isWriteToolResult = is("write");
export const isGrepToolResult = is("grep");
export const isFindToolResult = is("find");
export const isLsToolResult = is("ls");

/** @param {string} toolName @param {{ toolName?: string }} event a `tool_call` event */
export function isToolCallEventType(toolName, event) {
  return event?.toolName === toolName;
}

/** Gives the tool back unchanged; it is there for the compiler. */
export function defineTool(tool) {
  return tool;
}
