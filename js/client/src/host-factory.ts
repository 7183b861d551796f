import { type Bindings, contextOf } from "./bindings.js";
import { Code, HookrtError, messageOf } from "./errors.js";
import { engineOptions } from "./engine.js";
import { resultToWire, reviveEvent } from "./events.js";
import { execCommand } from "./exec.js";
import type { ExecOptions, HookAPI, HookFactory, HookMessageRenderer, RegisteredCommand } from "./hook-types.js";
import { HookRecord } from "./loaded-hook.js";
import { type Registered, type Registrations, toText } from "./messages.js";

/** Hooks whose factories the host gave as functions. Handlers run here; which one runs when is the engine's fold (§12). */
export class HostFactories {
	readonly #factories: Map<string, HookFactory>;
	readonly #cwd: string;
	readonly #register: (registered: Registered) => void;
	/** By generation, then by place in the load order. */
	readonly #hooks = new Map<number, Map<number, HookRecord>>();

	constructor(factories: Map<string, HookFactory>, cwd: string, register: (registered: Registered) => void) {
		this.#factories = factories;
		this.#cwd = cwd;
		this.#register = register;
	}

	get(generation: number, hook: number): HookRecord | undefined {
		return this.#hooks.get(generation)?.get(hook);
	}

	/** `host.load`: runs the factory, awaited, as the engine does with those of files. */
	async load(generation: number, hook: number, id: string): Promise<Registrations> {
		const factory = this.#factories.get(id);
		if (typeof factory !== "function") throw new HookrtError("Hook must export a default function", Code.host);
		const record = new HookRecord(hook, "", "", true);
		const state = { loading: true };
		await factory(this.#api(record, generation, state));
		state.loading = false;
		let hooks = this.#hooks.get(generation);
		if (!hooks) {
			hooks = new Map();
			this.#hooks.set(generation, hooks);
		}
		hooks.set(hook, record);
		return {
			handlers: Object.fromEntries([...record.handlers].map(([event, list]) => [event, list.length])),
			commands: [...record.commands.values()].map(({ name, description }) => (description === undefined ? { name } : { name, description })),
			renderers: [...record.messageRenderers.keys()],
		};
	}

	/** The generation that stands: registrations of every other are dropped. */
	adopt(generation: number): void {
		for (const known of this.#hooks.keys()) if (known !== generation) this.#hooks.delete(known);
	}

	/** `host.invoke`: one handler call. */
	async invoke(params: Record<string, any>, bindings: Bindings, signal: AbortSignal | undefined): Promise<Record<string, unknown>> {
		const event = String(params["event"]);
		const handler = this.get(params["generation"], params["hook"])?.handlers.get(event)?.[params["index"]];
		if (!handler) throw new HookrtError(`no handler ${params["index"]} of "${event}"`, Code.host);
		const payload = reviveEvent(params["payload"] ?? { type: event }, signal);
		const before = payloadText(payload);
		let value: unknown;
		try {
			value = await handler(payload, contextOf(bindings));
		} catch (error) {
			throw thrown(error);
		}
		const answer: Record<string, unknown> = {};
		try {
			const result = resultToWire(event, value);
			if (result !== undefined) answer["result"] = result;
			const after = payloadText(payload);
			if (after !== before) answer["payload"] = JSON.parse(after);
			toText(answer);
		} catch (error) {
			throw thrown(error); // a getter that throws, or a value that no JSON can hold
		}
		return answer;
	}

	#api(record: HookRecord, generation: number, state: { loading: boolean }): HookAPI {
		const late = (what: Pick<Registered, "event" | "command" | "renderer">): void => {
			if (!state.loading) this.#register({ hook: record.index, generation, ...what });
		};
		const api = {
			on: (event: string, handler: (...args: any[]) => unknown): void => {
				record.addHandler(event, handler);
				late({ event });
			},
			sendMessage: (message: any, options?: any): void => {
				if (!record.sendMessage) throw new Error("sendMessage handler not initialized");
				record.sendMessage(message, typeof options === "boolean" ? { triggerTurn: options } : options);
			},
			appendEntry: (customType: string, data?: unknown): void => {
				if (!record.appendEntry) throw new Error("appendEntry handler not initialized");
				record.appendEntry(customType, data);
			},
			registerMessageRenderer: (customType: string, renderer: HookMessageRenderer<any>): void => {
				record.messageRenderers.set(customType, renderer);
				late({ renderer: customType });
			},
			registerCommand: (name: string, options: Omit<RegisteredCommand, "name">): void => {
				record.commands.set(name, { name, ...options });
				late({ command: options.description === undefined ? { name } : { name, description: options.description } });
			},
			exec: (command: string, args: string[], options?: ExecOptions) => execCommand(command, args, options?.cwd ?? this.#cwd, options),
			logger: engineOptions().logger ?? { error() {}, warn() {}, info() {}, debug() {} },
			typebox: engineOptions().modules?.typebox,
			pi: engineOptions().modules?.pi,
		};
		return api as unknown as HookAPI;
	}
}

function payloadText(payload: Record<string, any>): string {
	return JSON.stringify(payload, (key, value) => {
		if (value instanceof Set) return [...value];
		return key === "signal" && value instanceof AbortSignal ? { aborted: false } : value;
	});
}

function thrown(error: unknown): HookrtError {
	const isError = error instanceof Error;
	const stack = isError && typeof error.stack === "string" ? { stack: error.stack } : {};
	return new HookrtError(messageOf(error), Code.hookThrew, { thrown: { isError, ...stack } });
}
