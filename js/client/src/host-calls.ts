import type { Bindings } from "./bindings.js";
import { type ComponentLink, type RemoteComponent, showRemote } from "./component-proxy.js";
import { Code, HookrtError } from "./errors.js";
import type { TUI } from "./hook-types.js";
import type { SetupEntry } from "./messages.js";
import type { Mirror } from "./mirror.js";

type Answer = Record<string, unknown>;
type Manager = Record<string, ((...args: any[]) => any) | undefined>;

/** Answers what hooks in the engine ask of the host (§11), with the host's own functions. */
export class HostCalls {
	readonly #bindings: Bindings;
	readonly #mirror: Mirror;
	readonly #components: ComponentLink;
	readonly #shown = new Map<number, { proxy: RemoteComponent; tui: Partial<TUI> }>();

	constructor(bindings: Bindings, mirror: Mirror, components: ComponentLink) {
		this.#bindings = bindings;
		this.#mirror = mirror;
		this.#components = components;
	}

	/** A request. Reads the isolate waits for are answered without a promise. `signal` fires when the engine no longer waits. */
	answer(method: string, args: any[], signal: AbortSignal): Promise<Answer> | Answer {
		const dot = method.indexOf(".");
		const name = method.slice(dot + 1);
		switch (method.slice(0, dot)) {
			case "ui":
				return name === "getEditorText" ? value(this.#bindings.uiContext.getEditorText()) : this.#dialog(name, args, signal);
			case "session":
				return name === "snapshot" ? this.#mirror.snapshot() : this.#session(name, args);
			case "models":
				return this.#models(name, args);
			case "ctx":
				return this.#control(name, args);
			case "ai":
				if (name === "complete") return this.#complete(args[0], signal);
		}
		throw unknownMethod(method);
	}

	/** A notification of the `ui` and `ctx` areas. */
	tell(method: string, args: any[]): void {
		const ui = this.#bindings.uiContext;
		switch (method) {
			case "ui.notify":
				return ui.notify(args[0], args[1]);
			case "ui.setStatus":
				return ui.setStatus(args[0], args[1] ?? undefined);
			case "ui.setEditorText":
				return ui.setEditorText(args[0]);
			case "ui.customRender":
				return this.#shown.get(args[0])?.proxy.changed();
			case "ui.customStop":
				return this.#shown.get(args[0])?.tui.stop?.();
			case "ui.customStart":
				return this.#shown.get(args[0])?.tui.start?.();
			case "ctx.abort":
				return this.#bindings.abort();
		}
	}

	async #dialog(name: string, args: any[], signal: AbortSignal): Promise<Answer> {
		const ui = this.#bindings.uiContext;
		const given = (index: number): any => args[index] ?? undefined;
		const options = { ...(given(2) ?? {}), signal };
		switch (name) {
			case "select":
				return value(await unless(signal, undefined, ui.select(args[0], args[1] ?? [], options)));
			case "confirm":
				return value(await unless(signal, false, ui.confirm(args[0], given(1), options)));
			case "input":
				return value(await unless(signal, undefined, ui.input(args[0], given(1), options)));
			case "editor":
				return value(await unless(signal, undefined, ui.editor(args[0], given(1), options)));
			case "custom": {
				const id = Number(args[0]);
				try {
					await unless(
						signal,
						undefined,
						showRemote(ui, this.#components, id, signal, (proxy, tui) => this.#shown.set(id, { proxy, tui })),
					);
				} finally {
					this.#shown.delete(id);
				}
				return {};
			}
		}
		throw unknownMethod(`ui.${name}`);
	}

	#session(name: string, args: any[]): Promise<Answer> | Answer {
		const manager = (this.#bindings.sessionManager ?? {}) as unknown as Manager;
		const given = args.map((arg) => (arg === null ? undefined : bytes(arg)));
		const result = manager[name]?.(...given);
		return result instanceof Promise ? result.then(value) : value(result);
	}

	#models(name: string, args: any[]): Promise<Answer> | Answer {
		const registry = (this.#bindings.modelRegistry ?? {}) as unknown as Manager;
		// The host's own object, where it has one: what crossed is a copy of it.
		const given = name === "getApiKey" ? [registry["find"]?.(args[0]?.provider, args[0]?.id) ?? args[0]] : args;
		const result = registry[name]?.(...given);
		return result instanceof Promise ? result.then(value) : value(result);
	}

	#control(name: string, args: any[]): Promise<Answer> | Answer {
		const bindings = this.#bindings;
		switch (name) {
			case "isIdle":
				return value(bindings.isIdle());
			case "hasQueuedMessages":
				return value(bindings.hasQueuedMessages());
			case "getModel":
				return value(bindings.getModel());
			case "waitForIdle":
				return this.#changing(bindings.waitForIdle());
			case "newSession":
				return this.#changing(bindings.newSessionHandler(newSessionOptions(args[0])));
			case "branch":
				return this.#changing(bindings.branchHandler(args[0]));
			case "navigateTree":
				return this.#changing(bindings.navigateTreeHandler(args[0], args[1] ?? undefined));
		}
		throw unknownMethod(`ctx.${name}`);
	}

	/** The hook sees the state after the change: the mirror goes out before the answer. */
	async #changing(work: Promise<unknown>): Promise<Answer> {
		const result = await work;
		this.#mirror.push();
		return value(result);
	}

	async #complete(request: any, signal: AbortSignal): Promise<Answer> {
		if (!this.#bindings.complete) throw unknownMethod("ai.complete");
		return value(await this.#bindings.complete(request, signal));
	}
}

function value(result: unknown): Answer {
	return result === undefined ? {} : { value: result };
}

function unknownMethod(method: string): HookrtError {
	return new HookrtError(`the host does not offer ${method}`, Code.unknownMethod);
}

/** The work's result, or `fallback` as soon as the engine gave up: hosts that ignore signals must not keep it waiting. */
function unless<T>(signal: AbortSignal, fallback: T, work: Promise<T>): Promise<T> {
	if (signal.aborted) return Promise.resolve(fallback);
	return new Promise((resolve, reject) => {
		signal.addEventListener("abort", () => resolve(fallback), { once: true });
		work.then(resolve, reject);
	});
}

function bytes(arg: unknown): unknown {
	const text = typeof arg === "object" && arg !== null ? (arg as { $bytes?: unknown }).$bytes : undefined;
	return typeof text === "string" ? new Uint8Array(Buffer.from(text, "base64")) : arg;
}

function newSessionOptions(given: { parentSession?: string; entries?: SetupEntry[] } | undefined): any {
	const entries = given?.entries ?? [];
	const parent = given?.parentSession ? { parentSession: given.parentSession } : {};
	return entries.length === 0 ? parent : { ...parent, setup: async (manager: unknown) => replaySetup(manager as Manager, entries) };
}

/** Makes the calls that the hook's `setup` made, with the ids of the real manager. */
function replaySetup(manager: Manager, entries: SetupEntry[]): void {
	const real = new Map<string, unknown>();
	for (const entry of entries) {
		const made = append(manager, entry, (id) => real.get(id) ?? id);
		if (made !== undefined) real.set(entry.id, made);
	}
}

function append(manager: Manager, entry: SetupEntry, realId: (id: string) => unknown): unknown {
	switch (entry.kind) {
		case "message":
			return manager["appendMessage"]?.(entry["message"]);
		case "custom":
			return manager["appendCustomEntry"]?.(entry["customType"], entry["data"]);
		case "custom_message":
			return manager["appendCustomMessageEntry"]?.(
				entry["customType"],
				entry["content"],
				entry["display"],
				entry["details"],
				entry["attribution"],
			);
		case "model_change":
			return manager["appendModelChange"]?.(entry["model"], entry["role"]);
		case "thinking_level_change":
			return manager["appendThinkingLevelChange"]?.(entry["thinkingLevel"]);
		case "label":
			return manager["appendLabelChange"]?.(realId(entry["targetId"]), entry["label"]);
	}
	throw new HookrtError(`unknown kind of setup entry: ${entry.kind}`, Code.host);
}
