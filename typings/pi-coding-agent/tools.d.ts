/** Tool results told apart by tool, with typed details. */
declare module "@f5-sales-demo/xcsh" {
	export interface TruncationResult {
		content: string;
		truncated: boolean;
		truncatedBy?: "lines" | "bytes" | null;
		totalLines?: number;
		totalBytes?: number;
		outputLines?: number;
		outputBytes?: number;
		[field: string]: any;
	}

	export interface BashToolDetails {
		truncation?: TruncationResult;
		fullOutputPath?: string;
		[field: string]: any;
	}

	export interface ReadToolDetails {
		truncation?: TruncationResult;
		[field: string]: any;
	}

	export interface EditToolDetails {
		/** Unified diff of the change. */
		diff?: string;
		firstChangedLine?: number;
		[field: string]: any;
	}

	export interface GrepToolDetails {
		truncation?: TruncationResult;
		matchLimitReached?: number;
		linesTruncated?: boolean;
		[field: string]: any;
	}

	export interface FindToolDetails {
		truncation?: TruncationResult;
		resultLimitReached?: number;
		[field: string]: any;
	}

	export interface LsToolDetails {
		truncation?: TruncationResult;
		entryLimitReached?: number;
		[field: string]: any;
	}

	export interface BashToolResultEvent extends ToolResultEventBase {
		toolName: "bash";
		details: BashToolDetails | undefined;
	}

	export interface ReadToolResultEvent extends ToolResultEventBase {
		toolName: "read";
		details: ReadToolDetails | undefined;
	}

	export interface EditToolResultEvent extends ToolResultEventBase {
		toolName: "edit";
		details: EditToolDetails | undefined;
	}

	export interface WriteToolResultEvent extends ToolResultEventBase {
		toolName: "write";
		details: undefined;
	}

	export interface GrepToolResultEvent extends ToolResultEventBase {
		toolName: "grep";
		details: GrepToolDetails | undefined;
	}

	export interface FindToolResultEvent extends ToolResultEventBase {
		toolName: "find";
		details: FindToolDetails | undefined;
	}

	export interface LsToolResultEvent extends ToolResultEventBase {
		toolName: "ls";
		details: LsToolDetails | undefined;
	}

	export interface CustomToolResultEvent extends ToolResultEventBase {
		toolName: string;
		details: unknown;
	}

	export type ToolResultEvent =
		| BashToolResultEvent
		| ReadToolResultEvent
		| EditToolResultEvent
		| WriteToolResultEvent
		| GrepToolResultEvent
		| FindToolResultEvent
		| LsToolResultEvent
		| CustomToolResultEvent;

	export function isBashToolResult(event: ToolResultEvent): event is BashToolResultEvent;
	export function isReadToolResult(event: ToolResultEvent): event is ReadToolResultEvent;
	export function isEditToolResult(event: ToolResultEvent): event is EditToolResultEvent;
	export function isWriteToolResult(event: ToolResultEvent): event is WriteToolResultEvent;
	export function isGrepToolResult(event: ToolResultEvent): event is GrepToolResultEvent;
	export function isFindToolResult(event: ToolResultEvent): event is FindToolResultEvent;
	export function isLsToolResult(event: ToolResultEvent): event is LsToolResultEvent;

	export interface BashToolInput {
		command: string;
		/** Seconds. */
		timeout?: number;
		[field: string]: unknown;
	}

	export interface ReadToolInput {
		path: string;
		offset?: number;
		limit?: number;
		[field: string]: unknown;
	}

	export interface EditToolInput {
		path: string;
		[field: string]: unknown;
	}

	export interface WriteToolInput {
		path: string;
		content: string;
		[field: string]: unknown;
	}

	export interface GrepToolInput {
		pattern: string;
		path?: string;
		[field: string]: unknown;
	}

	export interface FindToolInput {
		pattern: string;
		path?: string;
		[field: string]: unknown;
	}

	export interface LsToolInput {
		path?: string;
		limit?: number;
		[field: string]: unknown;
	}

	export interface ToolInputMap {
		bash: BashToolInput;
		read: ReadToolInput;
		edit: EditToolInput;
		write: WriteToolInput;
		grep: GrepToolInput;
		find: FindToolInput;
		ls: LsToolInput;
	}

	/** Narrows a `tool_call` event to one tool, and its `input` with it. */
	export function isToolCallEventType<TName extends keyof ToolInputMap>(
		toolName: TName,
		event: ToolCallEvent,
	): event is ToolCallEvent & { toolName: TName; input: ToolInputMap[TName] };
	export function isToolCallEventType<TName extends string, TInput extends Record<string, unknown>>(
		toolName: TName,
		event: ToolCallEvent,
	): event is ToolCallEvent & { toolName: TName; input: TInput };
}
