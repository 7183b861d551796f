/** Messages and content blocks as models and sessions hold them. Hosts may add fields and roles: unknown ones pass through. */
declare module "@f5-sales-demo/pi-ai" {
	export interface TextContent {
		type: "text";
		text: string;
		textSignature?: string;
	}

	export interface ImageContent {
		type: "image";
		/** The bytes in base64. */
		data: string;
		/** For example `image/png`. */
		mimeType: string;
	}

	export interface ThinkingContent {
		type: "thinking";
		thinking: string;
		thinkingSignature?: string;
	}

	export interface RedactedThinkingContent {
		type: "redactedThinking";
		data: string;
	}

	export interface ToolCall {
		type: "toolCall";
		/** The id that the tool result repeats. */
		id: string;
		name: string;
		arguments: Record<string, any>;
	}

	/** Tokens of one model call, and what they cost in US dollars. */
	export interface Usage {
		input: number;
		output: number;
		cacheRead: number;
		cacheWrite: number;
		totalTokens: number;
		cost: { input: number; output: number; cacheRead: number; cacheWrite: number; total: number };
	}

	export type StopReason = "stop" | "length" | "toolUse" | "error" | "aborted";
	export type MessageAttribution = "user" | "agent";

	export interface UserMessage {
		role: "user";
		content: string | (TextContent | ImageContent)[];
		attribution?: MessageAttribution;
		/** Milliseconds since the epoch. */
		timestamp: number;
	}

	export interface DeveloperMessage {
		role: "developer";
		content: string | (TextContent | ImageContent)[];
		attribution?: MessageAttribution;
		/** Milliseconds since the epoch. */
		timestamp: number;
	}

	export interface AssistantMessage {
		role: "assistant";
		content: (TextContent | ThinkingContent | RedactedThinkingContent | ToolCall)[];
		api: string;
		provider: string;
		model: string;
		usage: Usage;
		stopReason: StopReason;
		errorMessage?: string;
		/** Milliseconds since the epoch. */
		timestamp: number;
	}

	export interface ToolResultMessage<TDetails = any> {
		role: "toolResult";
		toolCallId: string;
		toolName: string;
		content: (TextContent | ImageContent)[];
		details?: TDetails;
		isError: boolean;
		/** Milliseconds since the epoch. */
		timestamp: number;
	}

	/** What a model understands; session messages are turned into these by `convertToLlm`. */
	export type Message = UserMessage | DeveloperMessage | AssistantMessage | ToolResultMessage;
}
