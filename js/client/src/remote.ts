import type { Bindings } from "./bindings.js";
import type { ComponentLink } from "./component-proxy.js";
import { Code, HookrtError } from "./errors.js";
import { type Engine, engineOptions, type RunnerPeer, sharedEngine } from "./engine.js";
import { type EmitKind, type EmitResult, eventText, OpenSignals } from "./events.js";
import type { HookCommandContext, HookFactory, HookMessage } from "./hook-types.js";
import { HostCalls } from "./host-calls.js";
import { HostFactories } from "./host-factory.js";
import { HookRecord, remoteHandler } from "./loaded-hook.js";
import { RemoteMessage } from "./message-proxy.js";
import type { CallParams, Id, LoadedHookInfo, LoadResult, Registered } from "./messages.js";
import { Mirror } from "./mirror.js";

/** What `loadHooks` was asked for. */
export interface LoadPlan {
	method: "hooks.load" | "hooks.discoverAndLoad";
	entries: ({ path: string } | { host: string; path: string })[];
	factories: Map<string, HookFactory>;
	cwd: string;
	/** Params of `runner.create` besides the name and cwd. */
	create: Record<string, unknown>;
	/** Params of `hooks.discoverAndLoad` besides entries and cwd. */
	discover: Record<string, unknown>;
}

const MAX_REVIVALS = 3;
const REVIVAL_WINDOW_MS = 60_000;
let nextRunner = 1;

/** One runner of the engine and what the host knows of it. Outlives engines: after a death the next use loads the hooks anew. */
export class Remote implements RunnerPeer, ComponentLink {
	readonly name = `r${nextRunner++}`;
	readonly hooks: HookRecord[] = [];
	readonly #plan: LoadPlan;
	readonly #factories: HostFactories;
	readonly #signals = new OpenSignals();
	readonly #calls = new Map<Id, AbortController>();
	/** The engine this runner lives in, also while its hooks are being loaded there. */
	#engine: Engine | undefined;
	/** The same once they are: what asks the hooks asks this one, so that nothing passes a gate that is not up yet. */
	#serving: Engine | undefined;
	#death: HookrtError | undefined;
	#cause: string | undefined;
	#reviving: Promise<Engine> | undefined;
	#revivals: number[] = [];
	#generation = -1;
	#early: Registered[] = [];
	#bindings: Bindings | undefined;
	#host: HostCalls | undefined;
	#disposed = false;
	mirror: Mirror | undefined;

	constructor(plan: LoadPlan) {
		this.#plan = plan;
		this.#factories = new HostFactories(plan.factories, plan.cwd, (registered) => {
			this.#engine?.notify("host.register", { runner: this.name, ...registered });
		});
	}

	/** Starts the engine if need be, makes the runner and loads. */
	async load(): Promise<LoadResult> {
		const result = await this.#load();
		this.#apply(result);
		return result;
	}

	async #load(): Promise<LoadResult> {
		if (this.#disposed) throw new HookrtError("the runner was disposed", Code.engineGone);
		const engine = await sharedEngine();
		this.#attach(engine);
		const { cwd, create, discover, entries, method } = this.#plan;
		await engine.request("runner.create", { runner: this.name, cwd, ...create }).result;
		const params = method === "hooks.load" ? { runner: this.name, entries } : { runner: this.name, entries, cwd, ...discover };
		return engine.request<LoadResult>(method, params).result;
	}

	/** The host's side; a runner has one. */
	bind(bindings: Bindings): void {
		this.#bindings = bindings;
		this.mirror = new Mirror(bindings, (method, params) => this.#engine?.notify(method, { runner: this.name, ...params }));
		this.#host = new HostCalls(bindings, this.mirror, this);
	}

	/** Tells the engine that the host is ready for `pi.sendMessage`, dialogs and the rest. */
	initialize(): void {
		const engine = this.#engine;
		if (!engine || engine.gone || !this.#bindings || !this.mirror) return;
		this.mirror.forget();
		const params = { runner: this.name, hasUI: this.#bindings.hasUI, state: this.mirror.changes() };
		engine.request("runner.initialize", params).result.catch((error) => this.#log("warn", `runner.initialize: ${error.message}`));
	}

	async emit(kind: EmitKind, event: { type: string }, signal?: AbortSignal): Promise<EmitResult> {
		const engine = this.#serving ?? (await this.#revive());
		this.mirror?.push();
		const params = `{"runner":"${this.name}","kind":"${kind}","event":${eventText(event)}}`;
		const sent = engine.requestText<EmitResult>("hooks.emit", params);
		const own = (event as { signal?: unknown }).signal;
		if (!signal && !(own instanceof AbortSignal)) return sent.result;
		const ends: (() => void)[] = [];
		if (own instanceof AbortSignal) {
			ends.push(this.#signals.watch(sent.id, own, () => engine.notify("signal.abort", { runner: this.name, emit: sent.id })));
		}
		if (signal) {
			const cancel = (): void => engine.notify("emit.cancel", { runner: this.name, emit: sent.id });
			if (signal.aborted) cancel();
			signal.addEventListener("abort", cancel, { once: true });
			ends.push(() => signal.removeEventListener("abort", cancel));
		}
		try {
			return await sent.result;
		} finally {
			for (const end of ends) end();
		}
	}

	async runCommand(hook: number, name: string, args: string): Promise<void> {
		const engine = await this.#live();
		this.mirror?.push();
		await engine.request("commands.run", { runner: this.name, hook, name, args }).result;
	}

	async renderMessage(message: HookMessage, expanded: boolean, width: number): Promise<string[] | undefined> {
		const engine = await this.#live();
		const params = { runner: this.name, customType: message.customType, message, options: { expanded }, width };
		return (await engine.request<{ lines?: string[] }>("renderers.render", params).result).lines;
	}

	async statusLine(width: number): Promise<string> {
		const engine = await this.#live();
		return (await engine.request<{ line?: string }>("statusLine.render", { runner: this.name, width }).result).line ?? "";
	}

	/** Loads the same hooks anew; with a dead engine in a new one. */
	async reload(): Promise<LoadResult> {
		if (this.#serving) {
			const result = await this.#serving.request<LoadResult>("hooks.reload", { runner: this.name }).result;
			this.#apply(result);
			return result;
		}
		this.#revivals = [];
		return this.#loadAgain();
	}

	async dispose(): Promise<void> {
		this.#disposed = true;
		this.#serving = undefined;
		this.#death ??= new HookrtError("the runner was disposed", Code.engineGone);
		const engine = this.#engine;
		if (!engine || engine.gone) return;
		await engine.request("runner.dispose", { runner: this.name }).result.catch(() => {});
		engine.detach(this.name);
	}

	// What the engine asks and tells.

	call(method: string, params: Record<string, unknown>, id: Id): Promise<Record<string, unknown>> | Record<string, unknown> {
		if (method === "host.load") {
			return this.#factories.load(Number(params["generation"]), Number(params["hook"]), String(params["host"]));
		}
		if (!this.#bindings || !this.#host) throw new HookrtError(`${method} before the host made a HookRunner`, Code.unknownMethod);
		if (method === "host.invoke") {
			return this.#factories.invoke(params, this.#bindings, this.#signals.get(params["emit"] as Id | undefined));
		}
		const controller = new AbortController();
		const answer = this.#host.answer(method, (params as unknown as CallParams).args ?? [], controller.signal);
		if (!(answer instanceof Promise)) return answer;
		this.#calls.set(id, controller);
		return answer.finally(() => this.#calls.delete(id));
	}

	tell(method: string, params: Record<string, unknown>): void {
		const args = (params["args"] ?? []) as any[];
		switch (method) {
			case "hooks.error":
				return this.#error(params);
			case "hooks.warning":
				return this.#log("warn", `${params["hookPath"] ?? "hookrt"}: ${params["message"]}`);
			case "hooks.registered":
				return this.#registered(params as unknown as Registered);
			case "hooks.reloaded": {
				const result = params as unknown as LoadResult;
				for (const { path, error } of result.errors ?? []) this.#bindings?.emitError({ hookPath: path, event: "reload", error });
				return this.#apply(result);
			}
			case "call.cancel":
				return this.#calls.get(args[0])?.abort();
			case "log":
				return this.#log(args[0], String(args[1]), args[2]);
			case "pi.sendMessage":
				this.#record(params["hook"])?.sendMessage?.(args[0], args[1] ?? {});
				return this.mirror?.push();
			case "pi.appendEntry":
				this.#record(params["hook"])?.appendEntry?.(args[0], args[1]);
				return this.mirror?.push();
			default:
				return this.#host?.tell(method, args);
		}
	}

	died(error: HookrtError): void {
		this.#death = error;
		this.#cause = error.message;
		this.#serving = undefined;
		this.mirror?.forget();
		for (const controller of this.#calls.values()) controller.abort();
		this.#calls.clear();
	}

	// Components drawn in the engine.

	async render(component: number, width: number, rows: number | undefined): Promise<string[]> {
		const engine = await this.#live();
		const params = { runner: this.name, component, width, ...(rows ? { rows } : {}) };
		return (await engine.request<{ lines?: string[] }>("component.render", params).result).lines ?? [];
	}

	input(component: number, data: string): void {
		this.#engine?.notify("component.input", { runner: this.name, component, data });
	}

	invalidate(component: number): void {
		this.#engine?.notify("component.invalidate", { runner: this.name, component });
	}

	// Inside.

	#attach(engine: Engine): void {
		this.#engine = engine;
		this.#death = undefined;
		this.#generation = -1;
		engine.attach(this.name, this);
	}

	async #live(): Promise<Engine> {
		return this.#serving ?? this.#revive();
	}

	/** A new engine with the same hooks. */
	#revive(): Promise<Engine> {
		this.#reviving ??= this.#reviveOnce().finally(() => {
			this.#reviving = undefined;
		});
		return this.#reviving;
	}

	async #reviveOnce(): Promise<Engine> {
		const death = this.#death ?? new HookrtError("the hooks were not loaded", Code.engineGone);
		const now = Date.now();
		this.#revivals = this.#revivals.filter((at) => now - at < REVIVAL_WINDOW_MS);
		if (this.#revivals.length >= MAX_REVIVALS) {
			throw new HookrtError(`${death.message}; it died ${MAX_REVIVALS} times within a minute and is not started again`, Code.engineGone, {
				hint: "call reload() on the runner when the cause is gone",
			});
		}
		this.#revivals.push(now);
		await this.#loadAgain();
		if (!this.#serving) throw this.#death ?? death;
		this.#log("warn", `${death.message}; its hooks were loaded again`);
		return this.#serving;
	}

	/**
	 * Loads in a new engine. When a hook that was there does not load, the old list stays and so does the death: what that hook guarded is
	 * refused, not let through.
	 */
	async #loadAgain(): Promise<LoadResult> {
		const cause = this.#cause ?? "the engine is gone";
		const result = await this.#load();
		const missing = this.hooks.filter((hook) => !result.hooks.some((loaded) => loaded.resolvedPath === hook.resolvedPath));
		if (missing.length === 0) {
			this.#apply(result);
			if (this.#bindings?.initialized) this.initialize();
			return result;
		}
		const paths = missing.map((hook) => hook.path).join(", ");
		this.#death = new HookrtError(`${cause}; hooks that did not load again: ${paths}`, Code.engineGone);
		const engine = this.#engine;
		this.#engine = undefined;
		await engine?.request("runner.dispose", { runner: this.name }).result.catch(() => {});
		engine?.detach(this.name);
		return { ...result, kept: true };
	}

	#record(index: unknown): HookRecord | undefined {
		return this.hooks.find((hook) => hook.index === index);
	}

	/** Makes the loaded hooks those of a load result, in the array that the host holds. */
	#apply(result: LoadResult): void {
		if (!this.#engine?.gone) this.#serving = this.#engine;
		for (const warning of result.warnings ?? []) this.#log("warn", warning);
		if (result.kept) {
			this.#factories.adopt(this.#generation);
			return;
		}
		this.#generation = result.generation;
		const old = new Map(this.hooks.map((hook) => [hook.index, hook]));
		const records = result.hooks.map((info) => {
			const record = this.#factories.get(result.generation, info.hook) ?? this.#remoteRecord(info);
			record.path = info.path;
			record.resolvedPath = info.resolvedPath;
			const before = old.get(info.hook) ?? this.hooks[0];
			record.sendMessage ??= before?.sendMessage;
			record.appendEntry ??= before?.appendEntry;
			return record;
		});
		this.#factories.adopt(result.generation);
		this.hooks.splice(0, this.hooks.length, ...records);
		this.mirror?.forget();
		const early = this.#early.filter((registered) => registered.generation === result.generation);
		this.#early = [];
		for (const registered of early) this.#registered(registered);
		if (this.#bindings?.initialized) this.mirror?.push();
	}

	#remoteRecord(info: LoadedHookInfo): HookRecord {
		const record = new HookRecord(info.hook, info.path, info.resolvedPath, false);
		for (const [event, count] of Object.entries(info.handlers ?? {})) {
			for (let i = 0; i < count; i++) record.addHandler(event, remoteHandler(event, info.path));
		}
		for (const command of info.commands ?? []) this.#addCommand(record, command.name, command.description);
		for (const customType of info.renderers ?? []) this.#addRenderer(record, customType);
		return record;
	}

	#registered(registered: Registered): void {
		const record = registered.generation === this.#generation ? this.#record(registered.hook) : undefined;
		if (!record) {
			// The line after a load result is read before whoever awaits that result has run.
			if (registered.generation > this.#generation) this.#early.push(registered);
			return;
		}
		if (registered.event !== undefined) record.addHandler(registered.event, remoteHandler(registered.event, record.path));
		if (registered.command) this.#addCommand(record, registered.command.name, registered.command.description);
		if (registered.renderer !== undefined) this.#addRenderer(record, registered.renderer);
	}

	#addCommand(record: HookRecord, name: string, description: string | undefined): void {
		record.commands.set(name, {
			name,
			...(description === undefined ? {} : { description }),
			handler: (args: string, _ctx: HookCommandContext) => this.runCommand(record.index, name, args),
		});
	}

	#addRenderer(record: HookRecord, customType: string): void {
		record.messageRenderers.set(
			customType,
			(message, { expanded }) =>
				new RemoteMessage(
					message as HookMessage,
					expanded,
					(shown, open, width) => this.renderMessage(shown, open, width),
					() => this.#bindings?.requestRender(),
				),
		);
	}

	#error(params: Record<string, unknown>): void {
		const error = { hookPath: String(params["hookPath"] ?? ""), event: String(params["event"] ?? ""), error: String(params["error"] ?? "") };
		if (this.#bindings) this.#bindings.emitError(error);
		else this.#log("warn", `${error.hookPath}: ${error.event}: ${error.error}`);
	}

	#log(level: string, message: string, context?: unknown): void {
		const logger = engineOptions().logger;
		if (level === "error") logger?.error(message, context);
		else if (level === "warn") logger?.warn(message, context);
		else if (level === "info") logger?.info?.(message, context);
		else logger?.debug?.(message, context);
	}
}
