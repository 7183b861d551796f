/** What handlers and commands get besides the event. */
declare module "@f5-sales-demo/xcsh" {
	import type { Model } from "@f5-sales-demo/pi-ai";
	import type { Component, KeybindingsManager, TUI } from "@f5-sales-demo/pi-tui";

	export interface DialogOptions {
		/** Closes the dialog as cancelled. */
		signal?: AbortSignal;
		/** Milliseconds until it closes as cancelled. */
		timeout?: number;
	}

	/** Without a user interface (`hasUI` false) every member has the documented default and does nothing. */
	export interface HookUIContext {
		/** The chosen option; `undefined` when cancelled. */
		select(title: string, options: string[], dialog?: DialogOptions): Promise<string | undefined>;
		/** `false` when refused or cancelled. */
		confirm(title: string, message: string, dialog?: DialogOptions): Promise<boolean>;
		/** One line; `undefined` when cancelled. */
		input(title: string, placeholder?: string, dialog?: DialogOptions): Promise<string | undefined>;
		/** Several lines; `undefined` when cancelled. */
		editor(title: string, prefill?: string, dialog?: { signal?: AbortSignal }): Promise<string | undefined>;
		notify(message: string, type?: "info" | "warning" | "error"): void;
		/** Text in the status line under that key; `undefined` takes it away. Line breaks become spaces. */
		setStatus(key: string, text?: string): void;
		/** Shows a component with the keyboard until it calls `done`, the third argument (newer agents: the fourth); gives what `done` was given. */
		custom<T>(
			factory: (
				tui: TUI,
				theme: Theme,
				done: ((result: T) => void) & KeybindingsManager,
				doneOfNewerAgents: (result: T) => void,
			) => (Component & { dispose?(): void }) | Promise<Component & { dispose?(): void }>,
		): Promise<T>;
		/** Puts text into the agent's prompt editor. */
		setEditorText(text: string): void;
		getEditorText(): string;
		readonly theme: Theme;
	}

	/** Stays usable after the handler returned: timers and watchers may call it later. */
	export interface HookContext {
		ui: HookUIContext;
		hasUI: boolean;
		cwd: string;
		sessionManager: ReadonlySessionManager;
		modelRegistry: ModelRegistry;
		/** As it was when the emit began. */
		model: Model | undefined;
		/** Whether the agent is not working on a prompt. */
		isIdle(): boolean;
		/** Stops what the agent is doing, without waiting for it. */
		abort(): void;
		hasQueuedMessages(): boolean;
	}

	/** Session controls, for commands only: in an event they would wait for themselves. */
	export interface HookCommandContext extends HookContext {
		waitForIdle(): Promise<void>;
		/** `setup` gets the writable manager of the new session. */
		newSession(options?: {
			parentSession?: string;
			setup?: (sessionManager: SessionManager) => Promise<void> | void;
		}): Promise<{ cancelled: boolean }>;
		/** A new session from that entry on. */
		branch(entryId: string): Promise<{ cancelled: boolean }>;
		/** Another entry of the same session's tree. */
		navigateTree(targetId: string, options?: { summarize?: boolean }): Promise<{ cancelled: boolean }>;
	}
}
