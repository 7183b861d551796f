/**
 * The 25 events of hooks and what their handlers may return.
 *
 * A test compares this file with the engine's own types: one interface per event or result, one field per line,
 * `type` first, optional fields with `?`.
 */
declare module "@f5-sales-demo/xcsh" {
	import type { AgentMessage } from "@f5-sales-demo/pi-agent-core";
	import type { ImageContent, TextContent, ToolResultMessage } from "@f5-sales-demo/pi-ai";

	/** The session was loaded. */
	export interface SessionStartEvent {
		type: "session_start";
	}

	/** Before another session is opened; can be cancelled. */
	export interface SessionBeforeSwitchEvent {
		type: "session_before_switch";
		reason: "new" | "resume" | "fork";
		/** With `resume`: the session that will be opened. */
		targetSessionFile?: string;
	}

	export interface SessionBeforeSwitchResult {
		cancel?: boolean;
	}

	/** Another session was opened. */
	export interface SessionSwitchEvent {
		type: "session_switch";
		reason: "new" | "resume" | "fork";
		previousSessionFile: string | undefined;
	}

	/** Before a branch is made from an earlier entry; can be cancelled. */
	export interface SessionBeforeBranchEvent {
		type: "session_before_branch";
		entryId: string;
	}

	export interface SessionBeforeBranchResult {
		/** Nothing happens, the session stays as it is. */
		cancel?: boolean;
		/** The branch is made but the conversation is not rewound to it. */
		skipConversationRestore?: boolean;
	}

	/** A branch was made. */
	export interface SessionBranchEvent {
		type: "session_branch";
		previousSessionFile: string | undefined;
	}

	/** Before the conversation is compacted; can be cancelled or done by the hook. */
	export interface SessionBeforeCompactEvent {
		type: "session_before_compact";
		preparation: CompactionPreparation;
		/** From the root to the current leaf. */
		branchEntries: SessionEntry[];
		customInstructions?: string;
		/** Fires when the person gives up; hand it to what takes time. */
		signal: AbortSignal;
	}

	export interface SessionBeforeCompactResult {
		cancel?: boolean;
		/** Used instead of the agent's own compaction. */
		compaction?: CompactionResult;
	}

	/** While the summary is being asked for. */
	export interface SessionCompactingEvent {
		type: "session.compacting";
		sessionId: string;
		messages: AgentMessage[];
	}

	export interface SessionCompactingResult {
		/** Lines added to what the summary is made from. */
		context?: string[];
		/** Used instead of the agent's summary prompt. */
		prompt?: string;
		/** Kept in the compaction entry. */
		preserveData?: Record<string, unknown>;
	}

	/** The conversation was compacted. */
	export interface SessionCompactEvent {
		type: "session_compact";
		compactionEntry: CompactionEntry;
		/** Whether a hook made the summary. */
		fromExtension: boolean;
	}

	/** Before the session moves to another entry of its tree; can be cancelled. */
	export interface SessionBeforeTreeEvent {
		type: "session_before_tree";
		preparation: TreePreparation;
		signal: AbortSignal;
	}

	export interface SessionBeforeTreeResult {
		cancel?: boolean;
		/** Used instead of the agent's own summary, when the person wants one. */
		summary?: { summary: string; details?: unknown };
	}

	/** The session moved to another entry of its tree. */
	export interface SessionTreeEvent {
		type: "session_tree";
		newLeafId: string | null;
		oldLeafId: string | null;
		summaryEntry?: BranchSummaryEntry;
		/** Whether a hook made the summary. */
		fromExtension?: boolean;
	}

	/** The agent ends; handlers have two seconds. */
	export interface SessionShutdownEvent {
		type: "session_shutdown";
	}

	/** Before every model call. `messages` is a copy: edits reach this call only, never the session. */
	export interface ContextEvent {
		type: "context";
		messages: AgentMessage[];
	}

	export interface ContextEventResult {
		messages?: AgentMessage[];
	}

	/** After the person's prompt, before the agent starts on it. */
	export interface BeforeAgentStartEvent {
		type: "before_agent_start";
		prompt: string;
		images?: ImageContent[];
	}

	export interface BeforeAgentStartEventResult {
		/** Added to the session and to the model's context. The first hook's message is kept. */
		message?: HookMessageInput;
	}

	export interface AgentStartEvent {
		type: "agent_start";
	}

	export interface AgentEndEvent {
		type: "agent_end";
		messages: AgentMessage[];
	}

	export interface TurnStartEvent {
		type: "turn_start";
		turnIndex: number;
		/** Milliseconds since the epoch. */
		timestamp: number;
	}

	export interface TurnEndEvent {
		type: "turn_end";
		turnIndex: number;
		message: AgentMessage;
		toolResults: ToolResultMessage[];
	}

	export interface AutoCompactionStartEvent {
		type: "auto_compaction_start";
		reason: "threshold" | "overflow" | "idle";
		action: "context-full" | "handoff";
	}

	export interface AutoCompactionEndEvent {
		type: "auto_compaction_end";
		action: "context-full" | "handoff";
		result?: CompactionResult;
		aborted: boolean;
		willRetry: boolean;
		errorMessage?: string;
		skipped?: boolean;
	}

	export interface AutoRetryStartEvent {
		type: "auto_retry_start";
		attempt: number;
		maxAttempts: number;
		/** Milliseconds. */
		delayMs: number;
		errorMessage: string;
	}

	export interface AutoRetryEndEvent {
		type: "auto_retry_end";
		success: boolean;
		attempt: number;
		finalError?: string;
	}

	/** Rules fired on what the model was writing. */
	export interface TtsrTriggeredEvent {
		type: "ttsr_triggered";
		rules: TtsrRule[];
	}

	export interface TodoReminderEvent {
		type: "todo_reminder";
		todos: TodoItem[];
		attempt: number;
		maxAttempts: number;
	}

	/** Before a tool runs. A throw blocks it too. */
	export interface ToolCallEvent {
		type: "tool_call";
		toolName: string;
		toolCallId: string;
		/** Edits do not reach the tool unless the host says `inputMutation: "apply"`. */
		input: Record<string, unknown>;
	}

	export interface ToolCallEventResult {
		/** The tool does not run. */
		block?: boolean;
		/** What the model is told. */
		reason?: string;
	}

	/** After a tool ran, or failed (`isError`). */
	export interface ToolResultEventBase {
		type: "tool_result";
		toolCallId: string;
		input: Record<string, unknown>;
		content: (TextContent | ImageContent)[];
		isError?: boolean;
		isWarning?: boolean;
	}

	export interface ToolResultEventResult {
		/** Replaces the tool's content. */
		content?: (TextContent | ImageContent)[];
		/** Replaces the tool's details. */
		details?: unknown;
		/** Typed, not applied by the tool wrapper. */
		isError?: boolean;
		isWarning?: boolean;
	}

	/** Event and result of each event name. */
	export interface HookEventMap {
		session_start: { event: SessionStartEvent; result: undefined };
		session_before_switch: { event: SessionBeforeSwitchEvent; result: SessionBeforeSwitchResult };
		session_switch: { event: SessionSwitchEvent; result: undefined };
		session_before_branch: { event: SessionBeforeBranchEvent; result: SessionBeforeBranchResult };
		session_branch: { event: SessionBranchEvent; result: undefined };
		session_before_compact: { event: SessionBeforeCompactEvent; result: SessionBeforeCompactResult };
		"session.compacting": { event: SessionCompactingEvent; result: SessionCompactingResult };
		session_compact: { event: SessionCompactEvent; result: undefined };
		session_before_tree: { event: SessionBeforeTreeEvent; result: SessionBeforeTreeResult };
		session_tree: { event: SessionTreeEvent; result: undefined };
		session_shutdown: { event: SessionShutdownEvent; result: undefined };
		context: { event: ContextEvent; result: ContextEventResult };
		before_agent_start: { event: BeforeAgentStartEvent; result: BeforeAgentStartEventResult };
		agent_start: { event: AgentStartEvent; result: undefined };
		agent_end: { event: AgentEndEvent; result: undefined };
		turn_start: { event: TurnStartEvent; result: undefined };
		turn_end: { event: TurnEndEvent; result: undefined };
		auto_compaction_start: { event: AutoCompactionStartEvent; result: undefined };
		auto_compaction_end: { event: AutoCompactionEndEvent; result: undefined };
		auto_retry_start: { event: AutoRetryStartEvent; result: undefined };
		auto_retry_end: { event: AutoRetryEndEvent; result: undefined };
		ttsr_triggered: { event: TtsrTriggeredEvent; result: undefined };
		todo_reminder: { event: TodoReminderEvent; result: undefined };
		tool_call: { event: ToolCallEvent; result: ToolCallEventResult };
		tool_result: { event: ToolResultEvent; result: ToolResultEventResult };
	}

	export type HookEventName = keyof HookEventMap;
	export type HookEvent = HookEventMap[HookEventName]["event"];
	export type SessionEvent = Extract<HookEvent, { type: `session${string}` }>;
}
