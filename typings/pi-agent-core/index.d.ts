/** Agent messages and tools. */
declare module "@f5-sales-demo/pi-agent-core" {
	import type { ImageContent, Message, TextContent, Tool } from "@f5-sales-demo/pi-ai";
	import type { CustomAgentMessages } from "@f5-sales-demo/xcsh";
	import type { Static, TSchema } from "@sinclair/typebox";

	/** Names of the thinking levels; `inherit` takes the session's. */
	export const ThinkingLevel: {
		readonly Inherit: "inherit";
		readonly Off: "off";
		readonly Minimal: "minimal";
		readonly Low: "low";
		readonly Medium: "medium";
		readonly High: "high";
		readonly XHigh: "xhigh";
		readonly Max: "max";
	};
	export type ThinkingLevel = (typeof ThinkingLevel)[keyof typeof ThinkingLevel];

	/** Everything a session can hold: what models understand plus the agent's own kinds, told apart by `role`. */
	export type AgentMessage = Message | CustomAgentMessages[keyof CustomAgentMessages];

	export interface AgentToolResult<TDetails = any> {
		content: (TextContent | ImageContent)[];
		details?: TDetails;
	}

	export type AgentToolUpdateCallback<TDetails = any> = (partialResult: AgentToolResult<TDetails>) => void;

	export interface AgentToolContext {
		[field: string]: any;
	}

	export interface AgentTool<TParameters extends TSchema = TSchema, TDetails = any> extends Tool<TParameters> {
		/** Shown to the person. */
		label: string;
		execute(
			toolCallId: string,
			params: Static<TParameters>,
			signal?: AbortSignal,
			onUpdate?: AgentToolUpdateCallback<TDetails>,
			context?: AgentToolContext,
		): Promise<AgentToolResult<TDetails>>;
	}
}
