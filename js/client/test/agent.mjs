// A small agent: session, models, tools, user interface and the loop that emits, as the real ones do.
import { HookRunner, HookToolWrapper } from "../dist/index.js";

export class Session {
	constructor(id = "s1") {
		this.start(id);
	}

	start(id) {
		this.id = id;
		this.entries = [];
		this.leafId = null;
		this.reads = 0;
	}

	add(entry) {
		const made = { id: `${this.id}-e${this.entries.length + 1}`, parentId: this.leafId, timestamp: "2026-11-30T12:00:00.000Z", ...entry };
		this.entries.push(made);
		this.leafId = made.id;
		return made.id;
	}

	appendMessage = (message) => this.add({ type: "message", message });
	appendCustomEntry = (customType, data) => this.add({ type: "custom", customType, data });
	appendLabelChange = (targetId, label) => this.add({ type: "label", targetId, label });
	getSessionId = () => this.id;
	getSessionFile = () => `/sessions/${this.id}.jsonl`;
	getSessionDir = () => "/sessions";
	getCwd = () => "/project";
	getLeafId = () => this.leafId;
	getHeader = () => ({ type: "session", id: this.id, timestamp: "2026-11-30T12:00:00.000Z", cwd: "/project" });
	getEntries = () => {
		this.reads++;
		return [...this.entries];
	};
	getUsageStatistics = () => ({ input: 10, output: 5, cacheRead: 0, cacheWrite: 0, cost: 0.5 });
	putBlob = async (bytes) => ({ hash: [...bytes].join("-"), path: "/blobs/x" });

	/** Data of the last custom entry of that type. */
	last(customType) {
		return this.entries.findLast((entry) => entry.type === "custom" && entry.customType === customType)?.data;
	}
}

const MODEL = { id: "m-1", provider: "test", name: "Test" };
export const models = {
	getAll: () => [MODEL],
	getAvailable: () => [MODEL],
	find: (provider, id) => (provider === MODEL.provider && id === MODEL.id ? MODEL : undefined),
	getApiKey: async (model) => (model === MODEL ? "secret" : undefined),
	getApiKeyForProvider: async () => undefined,
};

/** A person that gives prepared answers; dialogs without one stay open until they are aborted. */
export class Person {
	answers = [];
	log = [];
	screen = undefined;

	#ask = (kind, title, options) => {
		this.log.push([kind, title]);
		if (this.answers.length > 0) return Promise.resolve(this.answers.shift());
		return new Promise((resolve) => {
			options?.signal?.addEventListener("abort", () => {
				this.log.push(["closed", title]);
				resolve(undefined);
			});
		});
	};

	ui = {
		select: (title, _options, opts) => this.#ask("select", title, opts),
		confirm: (title, _message, opts) => this.#ask("confirm", title, opts),
		input: (title, _placeholder, opts) => this.#ask("input", title, opts),
		editor: (title, _prefill, opts) => this.#ask("editor", title, opts),
		notify: (message, level) => this.log.push(["notify", message, level]),
		setStatus: (key, text) => this.log.push(["status", key, text]),
		setEditorText: (text) => this.log.push(["editor text", text]),
		getEditorText: () => "typed",
		theme: { getFgAnsi: (name) => `<${name}>`, getBgAnsi: () => "", fg: (_name, text) => text },
		custom: (factory) =>
			new Promise((resolve, reject) => {
				const tui = { requestRender: () => this.draw(), terminal: { columns: 20, rows: 10 }, start() {}, stop() {} };
				Promise.resolve(factory(tui, this.ui.theme, resolve)).then((component) => {
					this.component = component;
					this.draw();
				}, reject);
			}).finally(() => {
				this.component = undefined;
				this.screen = undefined;
			}),
	};

	draw() {
		this.screen = this.component?.render(20);
	}
}

export class Agent {
	constructor(loaded, { hasUI = true } = {}) {
		this.session = new Session();
		this.person = new Person();
		this.errors = [];
		this.sent = [];
		this.idle = true;
		this.tools = new Map();
		this.runner = new HookRunner(loaded.hooks, "/project", this.session, models);
		this.runner.onError((error) => this.errors.push(error));
		this.runner.initialize({
			getModel: () => MODEL,
			sendMessageHandler: (message, options) => this.sent.push([message, options]),
			appendEntryHandler: (customType, data) => this.session.appendCustomEntry(customType, data),
			newSessionHandler: (options) => this.newSession(options),
			isIdle: () => this.idle,
			waitForIdle: async () => {},
			hasQueuedMessages: () => false,
			abort: () => this.sent.push(["abort"]),
			complete: async ({ context }) => ({ role: "assistant", content: [{ type: "text", text: `echo ${context.messages.length}` }] }),
			uiContext: this.person.ui,
			hasUI,
		});
	}

	/** Emits while the hook's command waits for it. */
	async newSession(options) {
		const previous = this.session.getSessionFile();
		const before = await this.runner.emit({ type: "session_before_switch", reason: "new" });
		if (before?.cancel) return { cancelled: true };
		this.session.start("s2");
		await options?.setup?.(this.session);
		await this.runner.emit({ type: "session_switch", reason: "new", previousSessionFile: previous });
		return { cancelled: false };
	}

	tool(name, execute) {
		const tool = new HookToolWrapper({ name, label: name, description: name, parameters: {}, execute }, this.runner);
		this.tools.set(name, tool);
		return tool;
	}

	/** One prompt: the model calls each tool of `calls` and then stops. */
	async prompt(text, calls = []) {
		this.idle = false;
		const injected = await this.runner.emitBeforeAgentStart(text);
		this.session.appendMessage({ role: "user", content: text, timestamp: 1 });
		if (injected?.message) this.session.add({ type: "custom_message", ...injected.message });
		await this.runner.emit({ type: "agent_start" });
		const results = [];
		let turnIndex = 0;
		for (const [name, input] of calls) {
			await this.runner.emit({ type: "turn_start", turnIndex, timestamp: 1 });
			const messages = this.session.entries.filter((entry) => entry.type === "message").map((entry) => entry.message);
			this.context = await this.runner.emitContext(structuredClone(messages));
			try {
				results.push(await this.tools.get(name).execute(`t${turnIndex}`, input));
			} catch (error) {
				results.push({ error });
			}
			await this.runner.emit({ type: "turn_end", turnIndex, message: messages[0], toolResults: [] });
			turnIndex++;
		}
		await this.runner.emit({ type: "agent_end", messages: [] });
		this.idle = true;
		return results;
	}

	command(name, args = "") {
		return this.runner.getCommand(name).handler(args, this.runner.createCommandContext());
	}
}

export const text = (result) => result.content.map((part) => part.text).join("");
