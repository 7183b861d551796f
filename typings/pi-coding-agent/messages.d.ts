/** The agent's own message kinds, compaction, and what events carry of them. */
declare module "@f5-sales-demo/xcsh" {
	import type { AgentMessage } from "@f5-sales-demo/pi-agent-core";
	import type { ImageContent, Message, MessageAttribution, Model, TextContent } from "@f5-sales-demo/pi-ai";

	export interface BashExecutionMessage {
		role: "bashExecution";
		command: string;
		output: string;
		/** Absent when it was killed. */
		exitCode: number | undefined;
		cancelled: boolean;
		truncated: boolean;
		fullOutputPath?: string;
		excludeFromContext?: boolean;
		/** Milliseconds since the epoch. */
		timestamp: number;
	}

	export interface PythonExecutionMessage {
		role: "pythonExecution";
		code: string;
		output: string;
		/** Absent when it was killed. */
		exitCode: number | undefined;
		cancelled: boolean;
		truncated: boolean;
		excludeFromContext?: boolean;
		/** Milliseconds since the epoch. */
		timestamp: number;
	}

	/** What `pi.sendMessage` put into the session. */
	export interface CustomMessage<T = unknown> {
		role: "custom";
		customType: string;
		content: string | (TextContent | ImageContent)[];
		/** Whether the person sees it. */
		display: boolean;
		details?: T;
		attribution?: MessageAttribution;
		/** Milliseconds since the epoch. */
		timestamp: number;
	}

	/** `custom`; older sessions say `hookMessage`. */
	export interface HookMessage<T = unknown> {
		role: "custom" | "hookMessage";
		customType: string;
		content: string | (TextContent | ImageContent)[];
		/** Whether the person sees it. */
		display: boolean;
		details?: T;
		attribution?: MessageAttribution;
		/** Milliseconds since the epoch. */
		timestamp: number;
	}

	/** A message as a hook sends it; the agent adds role and time. */
	export type HookMessageInput<T = unknown> = Pick<HookMessage<T>, "customType" | "content" | "display" | "details" | "attribution">;

	export interface BranchSummaryMessage {
		role: "branchSummary";
		summary: string;
		fromId: string;
		/** Milliseconds since the epoch. */
		timestamp: number;
	}

	export interface CompactionSummaryMessage {
		role: "compactionSummary";
		summary: string;
		shortSummary?: string;
		tokensBefore: number;
		/** Milliseconds since the epoch. */
		timestamp: number;
	}

	export interface FileMentionMessage {
		role: "fileMention";
		files: { path: string; content: string; lineCount?: number; image?: ImageContent }[];
		/** Milliseconds since the epoch. */
		timestamp: number;
	}

	/** The agent's own kinds, by role. Hosts that have more can add to it with `declare module`. */
	export interface CustomAgentMessages {
		bashExecution: BashExecutionMessage;
		pythonExecution: PythonExecutionMessage;
		custom: CustomMessage;
		hookMessage: HookMessage;
		branchSummary: BranchSummaryMessage;
		compactionSummary: CompactionSummaryMessage;
		fileMention: FileMentionMessage;
	}

	export interface FileOperations {
		read: Set<string>;
		written: Set<string>;
		edited: Set<string>;
	}

	export interface CompactionSettings {
		enabled: boolean;
		/** Tokens. */
		reserveTokens: number;
		/** Tokens. */
		keepRecentTokens: number;
		[field: string]: any;
	}

	export interface CompactionPreparation {
		firstKeptEntryId: string;
		messagesToSummarize: AgentMessage[];
		turnPrefixMessages: AgentMessage[];
		recentMessages: AgentMessage[];
		isSplitTurn: boolean;
		tokensBefore: number;
		previousSummary?: string;
		previousPreserveData?: Record<string, unknown>;
		fileOps: FileOperations;
		settings: CompactionSettings;
	}

	export interface CompactionResult<T = unknown> {
		summary: string;
		shortSummary?: string;
		firstKeptEntryId: string;
		tokensBefore: number;
		details?: T;
		preserveData?: Record<string, unknown>;
	}

	export interface TreePreparation {
		targetId: string;
		oldLeafId: string | null;
		commonAncestorId: string | null;
		/** From the old leaf back to the common ancestor. */
		entriesToSummarize: SessionEntry[];
		userWantsSummary: boolean;
	}

	export interface TtsrRule {
		name: string;
		[field: string]: any;
	}

	export interface TodoItem {
		content: string;
		status: string;
		[field: string]: any;
	}

	/** Session messages as a model gets them. */
	export function convertToLlm(messages: AgentMessage[]): Message[];

	/** Name of `convertToLlm` in older agents. */
	export function messageTransformer(messages: AgentMessage[]): Message[];

	/** The lookup of older agents. */
	export function findModel(provider: string, modelId: string): { model: Model | null; error: string | null };

	/** Messages as plain text, for summaries. Call `convertToLlm` first. */
	export function serializeConversation(messages: Message[]): string;
}
