/** Every hook type, from the same typings that hook authors compile against. */
export type * from "../types/pi-coding-agent.js";
export type { AgentMessage, AgentTool, AgentToolContext, AgentToolResult, AgentToolUpdateCallback } from "../types/pi-agent-core.js";
export type { AssistantMessage, Context, ImageContent, Message, Model, TextContent } from "../types/pi-ai.js";
export type { Component, TUI } from "../types/pi-tui.js";
