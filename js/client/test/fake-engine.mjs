#!/usr/bin/env node
// A stand-in for `hookrt serve`, for tests of the client: the protocol of docs/protocol.md over hooks imported into this very process. It has
// no isolation and no limits. Faults are chosen by FAKE_FAULT: see `faults`.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const fault = process.env.FAKE_FAULT ?? "";
const plain = (_key, value) => (value instanceof Set ? [...value] : value);
const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message }, plain)}\n`);
const runners = new Map();
const open = new Map();
let nextId = 1;

class Wire extends Error {
	constructor(code, message, data) {
		super(message);
		Object.assign(this, { code, data });
	}
}

const ask = (method, params) =>
	new Promise((resolveCall, reject) => {
		const id = nextId++;
		open.set(id, { resolve: resolveCall, reject });
		write({ id, method, params });
		params.onId?.(id);
	});
const tell = (method, params) => write({ method, params });

// What the host may make this engine do wrong.
const faults = {
	garbage() {
		process.stdout.write("this is not JSON\n[1,2]\n42\nnull\n");
		write({ id: 987654, result: {} });
		write({ method: "something.new", params: { runner: "nobody" } });
	},
};

const RULES = {
	tool_call: { fold: "last", stop: "block", propagate: true },
	tool_result: { fold: "last" },
	session_before_switch: { fold: "last", stop: "cancel" },
	session_before_branch: { fold: "last", stop: "cancel" },
	session_before_compact: { fold: "last", stop: "cancel" },
	session_before_tree: { fold: "last", stop: "cancel" },
	"session.compacting": { fold: "last" },
	context: { fold: "chain", fresh: true },
	before_agent_start: { fold: "first", fresh: true },
};

class Runner {
	constructor(name, { cwd, options }) {
		Object.assign(this, { name, cwd: cwd ?? process.cwd(), options: options ?? {}, generation: -1, hooks: [], initialized: false });
		Object.assign(this, { hasUI: false, state: {}, mirror: undefined, components: new Map(), statuses: new Map(), emits: new Map() });
	}

	async load(entries) {
		const generation = this.generation + 1;
		const hooks = [];
		const errors = [];
		for (const [hook, entry] of entries.entries()) {
			const path = entry.path ?? `<host:${entry.host}>`;
			const record = { hook, path, host: entry.host, generation, handlers: new Map(), commands: new Map(), renderers: new Map(), loading: true };
			try {
				await (entry.host ? this.loadHost(record) : this.loadFile(record));
				record.loading = false;
				hooks.push(record);
			} catch (error) {
				const text = error.plain ? error.message : `Failed to load hook: ${error.message}`;
				errors.push({ hook, path, error: text });
			}
		}
		return { generation, hooks, errors };
	}

	async loadHost(record) {
		record.resolvedPath = record.path;
		const given = await ask("host.load", { runner: this.name, hook: record.hook, generation: record.generation, host: record.host });
		for (const [event, count] of Object.entries(given.handlers)) {
			record.handlers.set(event, Array.from({ length: count }, (_, index) => ({ index })));
		}
		for (const command of given.commands) record.commands.set(command.name, command);
		for (const renderer of given.renderers) record.renderers.set(renderer, true);
	}

	async loadFile(record) {
		record.resolvedPath = isAbsolute(record.path) ? record.path : resolve(this.cwd, record.path);
		if (!existsSync(record.resolvedPath)) throw new Error(`no such file: ${record.resolvedPath}`);
		const module = await import(`${pathToFileURL(record.resolvedPath)}?generation=${this.name}-${record.generation}`);
		if (typeof module.default !== "function") throw Object.assign(new Error("Hook must export a default function"), { plain: true });
		await module.default(this.api(record));
	}

	api(record) {
		const late = (what) => {
			if (!record.loading) tell("hooks.registered", { runner: this.name, hook: record.hook, generation: record.generation, ...what });
		};
		const about = (args) => ({ runner: this.name, hook: record.hook, args });
		return {
			on: (event, fn) => {
				if (!record.handlers.has(event)) record.handlers.set(event, []);
				record.handlers.get(event).push({ fn });
				late({ event });
			},
			sendMessage: (message, options) => {
				if (!this.initialized) throw new Error("sendMessage handler not initialized");
				tell("pi.sendMessage", about([message, typeof options === "boolean" ? { triggerTurn: options } : (options ?? {})]));
			},
			appendEntry: (...args) => {
				if (!this.initialized) throw new Error("appendEntry handler not initialized");
				tell("pi.appendEntry", about(args));
			},
			registerMessageRenderer: (type, fn) => (record.renderers.set(type, fn), late({ renderer: type })),
			registerCommand: (name, { description, handler }) => {
				record.commands.set(name, { name, description, handler });
				late({ command: { name, description } });
			},
			logger: { warn: (message, context) => tell("log", about(["warn", message, context])), error() {}, debug() {} },
		};
	}

	summary(result) {
		const hooks = result.hooks.map(({ hook, path, resolvedPath, handlers, commands, renderers }) => ({
			hook,
			path,
			resolvedPath,
			handlers: Object.fromEntries([...handlers].map(([event, list]) => [event, list.length])),
			commands: [...commands.values()].map(({ name, description }) => ({ name, description })),
			renderers: [...renderers.keys()],
		}));
		return { generation: result.generation, hooks, errors: result.errors, warnings: [] };
	}

	adopt(result) {
		this.hooks = result.hooks;
		this.generation = result.generation;
	}

	async read(record, emit, method, args) {
		return (await ask(method, { runner: this.name, hook: record.hook, emit, args })).value;
	}

	context(record, emit) {
		const about = (args) => ({ runner: this.name, hook: record.hook, emit, args });
		const call = async (method, ...args) => (await ask(method, about(args))).value;
		const dialog = async (method, args, options, fallback) => {
			if (!this.hasUI || options?.signal?.aborted) return fallback;
			let id;
			const params = about(options?.timeout ? [...args, { timeout: options.timeout }] : args);
			Object.defineProperty(params, "onId", { value: (given) => (id = given) });
			const answer = ask(method, params).then((result) => result.value ?? fallback);
			if (!options?.signal && !options?.timeout) return answer;
			return await new Promise((done, fail) => {
				const close = () => {
					tell("call.cancel", about([id]));
					done(fallback);
				};
				options.signal?.addEventListener("abort", close);
				if (options.timeout) setTimeout(close, options.timeout);
				answer.then(done, fail);
			});
		};
		const ui = {
			select: (title, options, opts) => dialog("ui.select", [title, options], opts),
			confirm: (title, message, opts) => dialog("ui.confirm", [title, message], opts, false),
			input: (title, placeholder, opts) => dialog("ui.input", [title, placeholder ?? null], opts),
			editor: (title, prefill, opts) => dialog("ui.editor", [title, prefill ?? null], opts),
			notify: (...args) => this.hasUI && tell("ui.notify", about(args)),
			setStatus: (key, text) => {
				if (text === undefined) this.statuses.delete(key);
				else this.statuses.set(key, text);
				if (this.hasUI) tell("ui.setStatus", about([key, text ?? null]));
			},
			setEditorText: (text) => this.hasUI && tell("ui.setEditorText", about([text])),
			custom: (factory) => this.custom(factory, about),
			theme: { fg: (color, text) => `${this.state.theme?.fg?.[color] ?? ""}${text}` },
		};
		// A real engine reads synchronously; here reads that are not in the mirror are promises.
		const mirrored = () => this.mirror ?? { entries: [], leafId: null };
		return {
			ui,
			hasUI: this.hasUI,
			cwd: this.cwd,
			model: this.state.model ?? undefined,
			isIdle: () => this.state.isIdle ?? true,
			hasQueuedMessages: () => this.state.hasQueuedMessages ?? false,
			abort: () => tell("ctx.abort", about([])),
			sessionManager: {
				getEntries: () => mirrored().entries,
				getLeafId: () => mirrored().leafId,
				getSessionFile: () => mirrored().session?.sessionFile,
				load: async () => {
					this.mirror ??= await ask("session.snapshot", about([]));
				},
				getUsageStatistics: () => call("session.getUsageStatistics"),
				putBlob: (bytes) => call("session.putBlob", { $bytes: Buffer.from(bytes).toString("base64") }),
			},
			modelRegistry: { getApiKey: (model) => call("models.getApiKey", model), getAll: () => call("models.getAll") },
			complete: (request) => call("ai.complete", request),
			waitForIdle: () => call("ctx.waitForIdle"),
			newSession: async ({ parentSession, setup } = {}) => {
				const entries = [];
				const add = (kind, fields) => entries.push({ id: `setup-${entries.length + 1}`, kind, ...fields }) && `setup-${entries.length}`;
				await setup?.({
					appendMessage: (message) => add("message", { message }),
					appendLabelChange: (targetId, label) => add("label", { targetId, label }),
				});
				return call("ctx.newSession", { parentSession, entries });
			},
			branch: (id) => call("ctx.branch", id),
			navigateTree: (id, options) => call("ctx.navigateTree", id, options),
		};
	}

	async custom(factory, about) {
		if (!this.hasUI) return undefined;
		const id = this.components.size + 1;
		let finish;
		let call;
		const finished = new Promise((done) => (finish = done));
		const tui = {
			requestRender: () => tell("ui.customRender", about([id])),
			start: () => tell("ui.customStart", about([id])),
			stop: () => tell("ui.customStop", about([id])),
			terminal: { columns: 80, rows: 24 },
		};
		const component = await factory(tui, { fg: (_color, text) => text }, (value) => {
			finish(value);
			if (call) tell("call.cancel", about([call]));
		});
		this.components.set(id, component);
		const params = about([id]);
		Object.defineProperty(params, "onId", { value: (given) => (call = given) });
		ask("ui.custom", params).then(() => finish(undefined), () => finish(undefined));
		const value = await finished;
		this.components.set(id, undefined);
		component.dispose?.();
		return value;
	}

	async emit(emit, kind, event) {
		const rule = RULES[event.type] ?? { fold: "none" };
		const controller = new AbortController();
		const shared = revive(event, controller);
		const state = { cancelled: false, abort: () => controller.abort(), cancel: undefined };
		const cancelled = new Promise((_, reject) => {
			state.cancel = () => {
				state.cancelled = true;
				reject(new Wire(-32013, "cancelled"));
			};
		});
		cancelled.catch(() => {});
		this.emits.set(emit, state);
		const before = JSON.stringify(event.input ?? event.messages);
		let result;
		try {
			outer: for (const record of this.hooks) {
				const list = record.handlers.get(event.type) ?? [];
				for (let i = 0; i < list.length; i++) {
					const seen = rule.fresh ? { ...shared } : shared;
					try {
						const value = await Promise.race([this.callHandler(record, list[i], emit, seen), cancelled]);
						if (rule.fold === "chain") shared.messages = value?.messages || seen.messages;
						else if (rule.fold === "first") {
							if (value?.message && !result) result = { message: value.message };
						} else if (rule.fold === "last" && value && typeof value === "object") {
							const ends = rule.stop && Boolean(value[rule.stop]);
							result = { ...value, ...(rule.stop in value ? { [rule.stop]: ends } : {}) };
							if (ends) break outer;
						}
					} catch (error) {
						if (state.cancelled) {
							if (rule.propagate) throw error;
							break outer;
						}
						const isError = error?.data?.thrown ? error.data.thrown.isError : error instanceof Error;
						const message = error instanceof Error ? error.message : String(error);
						tell("hooks.error", { runner: this.name, hook: record.hook, hookPath: record.path, event: event.type, error: message });
						if (rule.propagate) {
							const thrown = { isError, stack: error?.stack };
							throw new Wire(-32010, message, { hook: record.hook, hookPath: record.path, event: event.type, thrown });
						}
					}
				}
			}
		} finally {
			this.emits.delete(emit);
		}
		if (rule.fold === "chain") return before === JSON.stringify(shared.messages) ? {} : { result: shared.messages };
		const answer = result === undefined ? {} : { result };
		if (kind === "toolCall" && this.options.inputMutation === "apply" && JSON.stringify(shared.input) !== before) answer.input = shared.input;
		return answer;
	}

	async callHandler(record, handler, emit, event) {
		if (handler.fn) return await handler.fn(event, this.context(record, emit));
		const payload = { ...event, ...(event.signal ? { signal: { aborted: event.signal.aborted } } : {}) };
		const { generation, hook } = record;
		const answer = await ask("host.invoke", { runner: this.name, hook, generation, emit, event: event.type, index: handler.index, payload });
		if (answer.payload) {
			for (const key of Object.keys(event)) if (!(key in answer.payload)) delete event[key];
			Object.assign(event, answer.payload, event.signal ? { signal: event.signal } : {});
		}
		return answer.result;
	}

	find(kind, name, hook) {
		const record = this.hooks.find((candidate) => candidate[kind].has(name) && (hook === undefined || candidate.hook === hook));
		if (!record) throw new Wire(-32020, `no ${kind} ${name}`);
		return record;
	}
}

function revive(event, controller) {
	const shared = { ...event };
	if (event.signal) {
		if (event.signal.aborted) controller.abort();
		shared.signal = controller.signal;
	}
	const ops = event.preparation?.fileOps;
	if (ops) for (const key of Object.keys(ops)) ops[key] = new Set(ops[key]);
	return shared;
}

const methods = {
	initialize({ protocolVersion }) {
		if (fault === "version" || protocolVersion !== 1) {
			throw new Wire(-32002, `protocol version mismatch: host speaks ${protocolVersion}, engine speaks 9`, { supported: [9], hint: "update" });
		}
		if (fault === "garbage") faults.garbage();
		const limits = { maxLineBytes: 2 ** 26, maxQueuedBytes: 2 ** 25, syncReadMs: 5000 };
		return { protocolVersion: 1, server: { name: "fake", version: "0" }, engine: { name: "v8", version: "0" }, capabilities: [], limits };
	},
	"runner.create": (params) => (runners.set(params.runner, new Runner(params.runner, params)), {}),
	"runner.initialize": (params, runner) => {
		Object.assign(runner, { initialized: true, hasUI: params.hasUI });
		Object.assign(runner.state, params.state);
		return {};
	},
	"runner.dispose": (params) => (runners.delete(params.runner), {}),
	"hooks.load": async (params, runner) => {
		runner.entries = params.entries;
		const result = await runner.load(params.entries);
		runner.adopt(result);
		return runner.summary(result);
	},
	"hooks.discoverAndLoad": async (params, runner) => ({
		...(await methods["hooks.load"](params, runner)),
		discovery: { items: [], warnings: [], providers: [] },
	}),
	"hooks.reload": async (_params, runner) => {
		const result = await runner.load(runner.entries);
		const kept = result.errors.length > 0;
		if (!kept) runner.adopt(result);
		return { ...runner.summary(result), generation: runner.generation, kept, hooks: kept ? [] : runner.summary(result).hooks };
	},
	"hooks.emit": async (params, runner, id) => {
		if (fault === "die-in-emit") process.kill(process.pid, "SIGKILL");
		if (fault === "garbage") faults.garbage();
		return runner.emit(id, params.kind, params.event);
	},
	"commands.run": async (params, runner, id) => {
		const record = runner.find("commands", params.name, params.hook);
		try {
			await record.commands.get(params.name).handler(params.args, runner.context(record, id));
		} catch (error) {
			throw new Wire(-32010, error.message, { thrown: { isError: true } });
		}
		return {};
	},
	"renderers.render": (params, runner) => {
		const record = runner.find("renderers", params.customType);
		const drawn = record.renderers.get(params.customType)(params.message, params.options, { fg: (_color, text) => text });
		return drawn ? { lines: drawn.render(params.width) } : {};
	},
	"component.render": (params, runner) => {
		const component = runner.components.get(params.component);
		if (!component) throw new Wire(-32020, `component ${params.component} is not open`);
		return { lines: component.render(params.width) };
	},
	"component.input": (params, runner) => runner.components.get(params.component)?.handleInput?.(params.data),
	"component.invalidate": (params, runner) => runner.components.get(params.component)?.invalidate?.(),
	"statusLine.render": (params, runner) => ({
		line: [...runner.statuses].sort().map(([, text]) => text).join(" ").slice(0, params.width),
	}),
	"mirror.set": (params, runner) => {
		Object.assign(runner.state, params.state);
		if (params.state.session && runner.mirror) runner.mirror.session = { ...runner.mirror.session, ...params.state.session };
	},
	"mirror.snapshot": (params, runner) => void (runner.mirror = params),
	"mirror.append": (params, runner) => {
		runner.mirror?.entries.push(...params.entries);
		if (runner.mirror) runner.mirror.leafId = params.leafId;
	},
	"signal.abort": (params, runner) => runner.emits.get(params.emit)?.abort(),
	"emit.cancel": (params, runner) => runner.emits.get(params.emit)?.cancel(),
	"host.register": (params, runner) => {
		const record = runner.hooks.find((candidate) => candidate.hook === params.hook);
		if (!record || !params.event) return;
		const list = record.handlers.get(params.event) ?? [];
		record.handlers.set(params.event, list);
		list.push({ index: list.length });
	},
	shutdown: () => (setTimeout(() => process.exit(0), 20), {}),
};

async function take(line) {
	const message = JSON.parse(line);
	if (!message.method) {
		const call = open.get(message.id);
		open.delete(message.id);
		if (message.error) call?.reject(new Wire(message.error.code, message.error.message, message.error.data));
		else call?.resolve(message.result);
		return;
	}
	try {
		const method = methods[message.method];
		if (!method) throw new Wire(-32601, `unknown method ${message.method}`);
		const name = message.params?.runner;
		if (name !== undefined && message.method !== "runner.create" && !runners.has(name)) throw new Wire(-32003, `unknown runner ${name}`);
		const result = await method(message.params ?? {}, runners.get(name), message.id);
		if (message.id !== undefined) write({ id: message.id, result: result ?? {} });
	} catch (error) {
		const { code = -32603, data } = error;
		if (message.id !== undefined) write({ id: message.id, error: { code, message: error.message, data } });
	}
}

if (fault === "no-start") process.exit(3);
if (fault === "orphan") spawn("sleep", ["30"], { stdio: ["ignore", "inherit", "inherit"] });
console.log = console.error;
createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })
	.on("line", take)
	.on("close", () => process.exit(0));
