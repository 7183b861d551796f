/** The `pi` object that a hook's default export is called with. */
declare module "@f5-sales-demo/xcsh" {
	import type { ImageContent, TextContent } from "@f5-sales-demo/pi-ai";
	import type { Logger } from "@f5-sales-demo/pi-utils";
	import type { Component } from "@f5-sales-demo/pi-tui";

	export interface ExecOptions {
		/** Kills the program: `killed` is true then and `code` 137. */
		signal?: AbortSignal;
		/** Milliseconds; 0 or less means none. */
		timeout?: number;
		cwd?: string;
	}

	export interface ExecResult {
		stdout: string;
		stderr: string;
		/** 127 when there is no such program, 137 when it was killed. */
		code: number;
		killed: boolean;
	}

	/** A handler of event `E` that may return `R`, or nothing. */
	export type HookHandler<E, R = undefined> = (event: E, ctx: HookContext) => Promise<R | void> | R | void;

	/** The handler of a known event. */
	export type HookHandlerOf<K extends HookEventName> = HookHandler<HookEventMap[K]["event"], HookEventMap[K]["result"]>;

	export interface HookMessageRenderOptions {
		expanded: boolean;
	}

	/** Draws messages of one `customType`; `undefined` leaves it to the agent. */
	export type HookMessageRenderer<T = unknown> = (
		message: HookMessage<T>,
		options: HookMessageRenderOptions,
		theme: Theme,
	) => Component | undefined;

	export interface RegisteredCommand {
		name: string;
		description?: string;
		/** `args` is the text after the command's name. */
		handler: (args: string, ctx: HookCommandContext) => Promise<void> | void;
	}

	export interface SendMessageOptions {
		/** Starts a turn when the agent is idle. Default false. */
		triggerTurn?: boolean;
		deliverAs?: "steer" | "followUp";
	}

	export interface HookAPI {
		/** An event this version does not know: newer agents may emit it. */
		on<E extends string>(
			event: E extends HookEventName ? never : E,
			handler: (event: { type: E; [field: string]: any }, ctx: HookContext) => unknown,
		): void;
		on(event: "session_start", handler: HookHandlerOf<"session_start">): void;
		on(event: "session_before_switch", handler: HookHandlerOf<"session_before_switch">): void;
		on(event: "session_switch", handler: HookHandlerOf<"session_switch">): void;
		on(event: "session_before_branch", handler: HookHandlerOf<"session_before_branch">): void;
		on(event: "session_branch", handler: HookHandlerOf<"session_branch">): void;
		on(event: "session_before_compact", handler: HookHandlerOf<"session_before_compact">): void;
		on(event: "session.compacting", handler: HookHandlerOf<"session.compacting">): void;
		on(event: "session_compact", handler: HookHandlerOf<"session_compact">): void;
		on(event: "session_before_tree", handler: HookHandlerOf<"session_before_tree">): void;
		on(event: "session_tree", handler: HookHandlerOf<"session_tree">): void;
		on(event: "session_shutdown", handler: HookHandlerOf<"session_shutdown">): void;
		on(event: "context", handler: HookHandlerOf<"context">): void;
		on(event: "before_agent_start", handler: HookHandlerOf<"before_agent_start">): void;
		on(event: "agent_start", handler: HookHandlerOf<"agent_start">): void;
		on(event: "agent_end", handler: HookHandlerOf<"agent_end">): void;
		on(event: "turn_start", handler: HookHandlerOf<"turn_start">): void;
		on(event: "turn_end", handler: HookHandlerOf<"turn_end">): void;
		on(event: "auto_compaction_start", handler: HookHandlerOf<"auto_compaction_start">): void;
		on(event: "auto_compaction_end", handler: HookHandlerOf<"auto_compaction_end">): void;
		on(event: "auto_retry_start", handler: HookHandlerOf<"auto_retry_start">): void;
		on(event: "auto_retry_end", handler: HookHandlerOf<"auto_retry_end">): void;
		on(event: "ttsr_triggered", handler: HookHandlerOf<"ttsr_triggered">): void;
		on(event: "todo_reminder", handler: HookHandlerOf<"todo_reminder">): void;
		on(event: "tool_call", handler: HookHandlerOf<"tool_call">): void;
		on(event: "tool_result", handler: HookHandlerOf<"tool_result">): void;
		/** Several known events at once. Last, so that the compiler's message names the handler's own event. */
		on<K extends HookEventName>(event: K, handler: HookHandlerOf<K>): void;

		/** Adds a message to the session that the model sees. A boolean as second argument is `triggerTurn` (older hooks). */
		sendMessage<T = unknown>(message: HookMessageInput<T>, options?: SendMessageOptions | boolean): void;
		/** Keeps a hook's own state in the session; the model never sees it. */
		/** A message of the person's, displayed; starts a turn. */
		sendUserMessage(content: string | (TextContent | ImageContent)[], options?: { deliverAs?: "steer" | "followUp" }): void;
		/** What hooks of one isolate tell each other. */
		readonly events: { emit(channel: string, data: unknown): void; on(channel: string, handler: (data: unknown) => void): () => void };
		appendEntry<T = unknown>(customType: string, data?: T): void;
		registerMessageRenderer<T = unknown>(customType: string, renderer: HookMessageRenderer<T>): void;
		/** A slash command. In one hook the last registration of a name wins, among hooks the first. */
		registerCommand(name: string, options: { description?: string; handler: RegisteredCommand["handler"] }): void;
		/** Runs a program, without a shell. Never rejects for a failing program. */
		exec(command: string, args: string[], options?: ExecOptions): Promise<ExecResult>;
		logger: Logger;
		typebox: typeof import("@sinclair/typebox");
		/** The exports of the agent's package. */
		pi: typeof import("@f5-sales-demo/xcsh");
	}

	/** A hook's default export. */
	export type HookFactory = (pi: HookAPI) => void | Promise<void>;

	export interface HookError {
		hookPath: string;
		event: string;
		error: string;
	}
}
