/** Sessions: entries, their tree, and the managers that hold them. */
declare module "@f5-sales-demo/xcsh" {
	import type { AgentMessage } from "@f5-sales-demo/pi-agent-core";
	import type { ImageContent, Message, MessageAttribution, Model, TextContent } from "@f5-sales-demo/pi-ai";

	export interface SessionHeader {
		type: "session";
		version?: number;
		id: string;
		title?: string;
		/** ISO 8601. */
		timestamp: string;
		cwd: string;
		parentSession?: string;
	}

	export interface SessionEntryBase {
		type: string;
		id: string;
		parentId: string | null;
		/** ISO 8601. */
		timestamp: string;
	}

	export interface SessionMessageEntry extends SessionEntryBase {
		type: "message";
		message: AgentMessage;
	}

	export interface ThinkingLevelChangeEntry extends SessionEntryBase {
		type: "thinking_level_change";
		thinkingLevel?: string | null;
	}

	export interface ModelChangeEntry extends SessionEntryBase {
		type: "model_change";
		/** `provider/modelId`. */
		model: string;
		role?: string;
	}

	export interface ContextChangeEntry extends SessionEntryBase {
		type: "context_change";
		[field: string]: any;
	}

	export interface ServiceTierChangeEntry extends SessionEntryBase {
		type: "service_tier_change";
		serviceTier: string | null;
	}

	export interface CompactionEntry<T = unknown> extends SessionEntryBase {
		type: "compaction";
		summary: string;
		shortSummary?: string;
		firstKeptEntryId: string;
		tokensBefore: number;
		details?: T;
		preserveData?: Record<string, unknown>;
		fromExtension?: boolean;
	}

	export interface BranchSummaryEntry<T = unknown> extends SessionEntryBase {
		type: "branch_summary";
		fromId: string;
		summary: string;
		details?: T;
		fromExtension?: boolean;
	}

	/** What `pi.appendEntry` wrote: state of a hook, never seen by the model. */
	export interface CustomEntry<T = unknown> extends SessionEntryBase {
		type: "custom";
		customType: string;
		data?: T;
	}

	/** What `pi.sendMessage` wrote. */
	export interface CustomMessageEntry<T = unknown> extends SessionEntryBase {
		type: "custom_message";
		customType: string;
		content: string | (TextContent | ImageContent)[];
		details?: T;
		display: boolean;
		attribution?: MessageAttribution;
	}

	export interface LabelEntry extends SessionEntryBase {
		type: "label";
		targetId: string;
		label: string | undefined;
	}

	export interface TtsrInjectionEntry extends SessionEntryBase {
		type: "ttsr_injection";
		injectedRules: string[];
	}

	export interface MCPToolSelectionEntry extends SessionEntryBase {
		type: "mcp_tool_selection";
		selectedToolNames: string[];
	}

	export interface SessionInitEntry extends SessionEntryBase {
		type: "session_init";
		systemPrompt: string;
		task: string;
		tools: string[];
		outputSchema?: unknown;
	}

	export interface ModeChangeEntry extends SessionEntryBase {
		type: "mode_change";
		mode: string;
		data?: Record<string, unknown>;
	}

	export type SessionEntry =
		| SessionMessageEntry
		| ThinkingLevelChangeEntry
		| ModelChangeEntry
		| ContextChangeEntry
		| ServiceTierChangeEntry
		| CompactionEntry
		| BranchSummaryEntry
		| CustomEntry
		| CustomMessageEntry
		| LabelEntry
		| TtsrInjectionEntry
		| MCPToolSelectionEntry
		| SessionInitEntry
		| ModeChangeEntry;

	export interface SessionTreeNode {
		entry: SessionEntry;
		children: SessionTreeNode[];
		label?: string;
	}

	/** Totals of a session: tokens, and cost in US dollars. */
	export interface UsageStatistics {
		input: number;
		output: number;
		cacheRead: number;
		cacheWrite: number;
		cost: number;
		[field: string]: any;
	}

	/** Reads; writes go through `pi.sendMessage` and `pi.appendEntry`. */
	export interface ReadonlySessionManager {
		getCwd(): string;
		getSessionDir(): string;
		getSessionId(): string;
		/** `undefined` for a session that is not stored. */
		getSessionFile(): string | undefined;
		getSessionName(): string | undefined;
		getArtifactsDir(): string | null;
		getLeafId(): string | null;
		getLeafEntry(): SessionEntry | undefined;
		getEntry(id: string): SessionEntry | undefined;
		getLabel(id: string): string | undefined;
		/** From the root to `fromId`, or to the current leaf. */
		getBranch(fromId?: string): SessionEntry[];
		getHeader(): SessionHeader | null;
		getEntries(): SessionEntry[];
		getTree(): SessionTreeNode[];
		getUsageStatistics(): UsageStatistics;
		getArtifactPath(id: string): Promise<string | null>;
		allocateArtifactPath(toolType: string): Promise<{ id?: string; path?: string }>;
		/** Gives the artifact's id. */
		saveArtifact(content: string, toolType: string): Promise<string | undefined>;
		putBlob(data: Uint8Array): Promise<{ hash: string; path: string; [field: string]: any }>;
	}

	/** The manager of a new session, in `setup` of `ctx.newSession`. Each append gives the new entry's id. */
	export interface SessionManager extends ReadonlySessionManager {
		appendMessage(message: Message | AgentMessage): string;
		appendCustomEntry(customType: string, data?: unknown): string;
		appendCustomMessageEntry<T = unknown>(
			customType: string,
			content: string | (TextContent | ImageContent)[],
			display: boolean,
			details?: T,
			attribution?: MessageAttribution,
		): string;
		appendModelChange(model: string, role?: string): string;
		appendThinkingLevelChange(thinkingLevel?: string): string;
		appendLabelChange(targetId: string, label: string | undefined): string;
	}

	export interface ModelRegistry {
		getAll(): Model[];
		/** Those with a key. */
		getAvailable(): Model[];
		find(provider: string, modelId: string): Model | undefined;
		getApiKey(model: Model, sessionId?: string): Promise<string | undefined>;
		getApiKeyForProvider(provider: string, sessionId?: string): Promise<string | undefined>;
	}
}
