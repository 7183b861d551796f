import { type Bindings, contextOf, headlessBindings, headlessUi } from "./bindings.js";
import { HookrtError, messageOf, thrownByHook } from "./errors.js";
import { engineOptions } from "./engine.js";
import { type EmitKind, type EmitResult, replaceFields } from "./events.js";
import type { HookRunnerOptions } from "./handlers.js";
import type {
	AgentMessage,
	BeforeAgentStartEventResult,
	HookCommandContext,
	HookError,
	HookEvent,
	HookMessage,
	HookMessageRenderer,
	HookUIContext,
	ImageContent,
	ModelRegistry,
	ReadonlySessionManager,
	RegisteredCommand,
	SessionBeforeCompactResult,
	SessionBeforeTreeResult,
	SessionCompactingResult,
	ToolCallEvent,
	ToolCallEventResult,
	ToolResultEventResult,
} from "./hook-types.js";
import { remoteOf } from "./load.js";
import { HookRecord, type LoadedHook } from "./loaded-hook.js";
import type { LoadResult } from "./messages.js";
import type { Remote } from "./remote.js";

export type HookErrorListener = (error: HookError) => void;

/** Any event; newer agents emit more than this version knows. */
export type AnyHookEvent = HookEvent | { type: string; [field: string]: unknown };

export type EmitReturn =
	| (SessionBeforeCompactResult & SessionBeforeTreeResult & SessionCompactingResult & ToolResultEventResult & { skipConversationRestore?: boolean })
	| undefined;

const POLL_MS = 400;

/** Runs the loaded hooks: the same class as in the reference, with the fold in the engine. */
export class HookRunner {
	readonly #hooks: LoadedHook[];
	readonly #remote: Remote | undefined;
	readonly #bindings: Bindings;
	readonly #listeners = new Set<HookErrorListener>();
	#poll: ReturnType<typeof setInterval> | undefined;

	constructor(hooks: LoadedHook[], cwd: string, sessionManager: ReadonlySessionManager, modelRegistry: ModelRegistry) {
		this.#hooks = hooks;
		this.#remote = remoteOf(hooks);
		this.#bindings = headlessBindings(cwd, sessionManager, modelRegistry, (error) => this.emitError(error));
		this.#remote?.bind(this.#bindings);
	}

	/** Gives the hooks their host. Until then `pi.sendMessage` and `pi.appendEntry` throw and there is no user interface. */
	initialize(options: HookRunnerOptions): void {
		const bindings = this.#bindings;
		const { sendMessageHandler, appendEntryHandler, uiContext, hasUI, ...rest } = options;
		for (const [name, value] of Object.entries(rest)) if (value !== undefined) (bindings as any)[name] = value;
		bindings.uiContext = uiContext ?? headlessUi();
		bindings.hasUI = hasUI ?? false;
		bindings.initialized = true;
		for (const hook of this.#hooks) {
			hook.setSendMessageHandler(sendMessageHandler);
			hook.setAppendEntryHandler(appendEntryHandler);
		}
		this.#remote?.initialize();
		if (this.#remote && !this.#poll) {
			// Timers of hooks read state too, when no emit brings it up to date.
			this.#poll = setInterval(() => this.#remote?.mirror?.push(), POLL_MS);
			this.#poll.unref?.();
		}
	}

	getUIContext(): HookUIContext | null {
		return this.#bindings.uiContext;
	}

	getHasUI(): boolean {
		return this.#bindings.hasUI;
	}

	getHookPaths(): string[] {
		return this.#hooks.map((hook) => hook.path);
	}

	/** Gives what ends the subscription. */
	onError(listener: HookErrorListener): () => void {
		this.#listeners.add(listener);
		return () => {
			this.#listeners.delete(listener);
		};
	}

	/** A listener that throws is logged and disturbs nobody. */
	emitError(error: HookError): void {
		for (const listener of [...this.#listeners]) {
			try {
				listener(error);
			} catch (failure) {
				engineOptions().logger?.warn(`an error listener of HookRunner threw: ${messageOf(failure)}`);
			}
		}
	}

	hasHandlers(eventType: string): boolean {
		const handles = (hook: LoadedHook, type: string): boolean => (hook.handlers.get(type)?.length ?? 0) > 0;
		// Files written for older agents see today's session events as the one `session` event.
		const old = eventType === "session_before_branch" ? ["session", "branch"] : eventType.startsWith("session_") ? ["session"] : [];
		return this.#hooks.some((hook) => handles(hook, eventType) || (!isLocal(hook) && old.some((name) => handles(hook, name))));
	}

	/** The first hook's renderer of that type. See also `renderMessage`. */
	getMessageRenderer(customType: string): HookMessageRenderer | undefined {
		for (const hook of this.#hooks) {
			const renderer = hook.messageRenderers.get(customType);
			if (renderer) return renderer;
		}
		return undefined;
	}

	/** All of them, in load order, names not deduplicated. */
	getRegisteredCommands(): RegisteredCommand[] {
		return this.#hooks.flatMap((hook) => [...hook.commands.values()]);
	}

	getCommand(name: string): RegisteredCommand | undefined {
		for (const hook of this.#hooks) {
			const command = hook.commands.get(name);
			if (command) return command;
		}
		return undefined;
	}

	/** The `ctx` to call a command's handler with. */
	createCommandContext(): HookCommandContext {
		const bindings = this.#bindings;
		return {
			...contextOf(bindings),
			waitForIdle: () => bindings.waitForIdle(),
			newSession: (options) => bindings.newSessionHandler(options),
			branch: (entryId) => bindings.branchHandler(entryId),
			navigateTree: (targetId, options) => bindings.navigateTreeHandler(targetId, options),
		};
	}

	/** Emits an event; gives the result of the events that have one. Never rejects: failures go to the error listeners. */
	async emit(event: AnyHookEvent): Promise<EmitReturn> {
		// The end of the session also ends what hooks without a handler have running.
		if (event.type !== "session_shutdown" && !this.hasHandlers(event.type)) return undefined;
		return (await this.#guarded("emit", event))?.result;
	}

	/**
	 * Emits `tool_call`. Rejects with what a handler threw, and when the engine is gone or cannot answer: the tool must not run then. `signal`
	 * (not in the reference) gives up waiting and rejects.
	 */
	async emitToolCall(event: ToolCallEvent, signal?: AbortSignal): Promise<ToolCallEventResult | undefined> {
		if (!this.#remote || !this.hasHandlers("tool_call")) return undefined;
		let answer: EmitResult;
		try {
			answer = await this.#remote.emit("toolCall", event, signal);
		} catch (error) {
			throw thrownByHook(error);
		}
		if (answer.input) replaceFields(event.input, answer.input);
		return answer.result;
	}

	/** The messages for one model call: the input itself when no hook changed them. */
	async emitContext(messages: AgentMessage[]): Promise<AgentMessage[]> {
		if (!this.hasHandlers("context")) return messages;
		return (await this.#guarded("context", { type: "context", messages }))?.result ?? messages;
	}

	/** The first hook's message, if one gave any. */
	async emitBeforeAgentStart(prompt: string, images?: ImageContent[]): Promise<BeforeAgentStartEventResult | undefined> {
		if (!this.hasHandlers("before_agent_start")) return undefined;
		return (await this.#guarded("beforeAgentStart", { type: "before_agent_start", prompt, images }))?.result;
	}

	// Beyond the reference.

	/** A message drawn by its hook, in lines of at most `width` columns; undefined: draw it yourself. */
	async renderMessage(message: HookMessage, options: { expanded: boolean }, width: number): Promise<string[] | undefined> {
		const renderer = this.getMessageRenderer(message.customType);
		if (!renderer || !this.#remote) return undefined;
		const hook = this.#hooks.find((candidate) => candidate.messageRenderers.get(message.customType) === renderer);
		if (hook && isLocal(hook)) return renderer(message, options, this.#bindings.uiContext.theme)?.render(width);
		return this.#remote.renderMessage(message, options.expanded, width);
	}

	/** All statuses of this runner's hooks in one line of at most `width` columns. */
	async renderStatusLine(width: number): Promise<string> {
		return (await this.#remote?.statusLine(width)) ?? "";
	}

	/** Loads the hooks anew, in a new engine if the old one died. A broken edit keeps what ran and says why. */
	async reload(): Promise<Pick<LoadResult, "errors" | "warnings" | "kept">> {
		if (!this.#remote) return { errors: [], warnings: [] };
		const { errors, warnings, kept } = await this.#remote.reload();
		return { errors, warnings, kept };
	}

	/** The host rewrote session entries in place, or changed state that hooks may be reading this very moment. */
	stateChanged(rewritten = false): void {
		if (rewritten) this.#remote?.mirror?.refresh();
		this.#remote?.mirror?.push();
	}

	/** Ends the hooks: their timers, watchers and child processes. Emit `session_shutdown` before it. */
	async dispose(): Promise<void> {
		if (this.#poll) clearInterval(this.#poll);
		await this.#remote?.dispose();
	}

	async #guarded(kind: EmitKind, event: AnyHookEvent): Promise<EmitResult | undefined> {
		try {
			return await this.#remote?.emit(kind, event);
		} catch (error) {
			const hookPath = error instanceof HookrtError ? String(error.data?.["hookPath"] ?? "hookrt") : "hookrt";
			this.emitError({ hookPath, event: event.type, error: messageOf(error) });
			return undefined;
		}
	}
}

/** Whether its factory runs in the host. */
function isLocal(hook: LoadedHook): boolean {
	return hook instanceof HookRecord && hook.local;
}
