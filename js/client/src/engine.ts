import { type ChildProcess, spawn } from "node:child_process";
import { agentRoots, findBinary } from "./binary.js";
import { Code, HookrtError, messageOf } from "./errors.js";
import { type Id, type InitializeResult, PROTOCOL_VERSION, toText } from "./messages.js";
import { Peer, type Sent } from "./peer.js";

export interface ClientLogger {
	error(message: string, context?: unknown): void;
	warn(message: string, context?: unknown): void;
	info?(message: string, context?: unknown): void;
	debug?(message: string, context?: unknown): void;
}

export interface EngineOptions {
	/** The binary; default: `HOOKRT_BIN`, `PATH`, this package. */
	binary?: string;
	/** Arguments before `serve`, and after it. */
	args?: string[];
	env?: NodeJS.ProcessEnv;
	/** Who is the host, for the engine's log. */
	client?: { name: string; version: string };
	/** The agent's installation; default: found from the running program. */
	packageRoots?: string[];
	/** Gets `pi.logger` of hooks, the engine's stderr and oddities of the connection. Default: nothing. */
	logger?: ClientLogger;
	/** Modules that host factories get as `pi.typebox` and `pi.pi`. */
	modules?: { typebox?: unknown; pi?: unknown };
}

/** A runner as the engine knows it: gets what concerns it. */
export interface RunnerPeer {
	call(method: string, params: Record<string, unknown>, id: Id): Promise<Record<string, unknown>> | Record<string, unknown>;
	tell(method: string, params: Record<string, unknown>): void;
	died(error: HookrtError): void;
}

let options: EngineOptions = {};
let current: Promise<Engine> | undefined;

/** Sets how the engine is started; what runs already goes on. Call it before the first `loadHooks`. */
export function configureEngine(chosen: EngineOptions): void {
	options = { ...options, ...chosen };
}

export function engineOptions(): EngineOptions {
	return options;
}

/** The running engine, or a new one. */
export function sharedEngine(): Promise<Engine> {
	if (!current) {
		const starting: Promise<Engine> = Engine.start(options, () => {
			if (current === starting) current = undefined;
		});
		current = starting;
		starting.catch(() => {
			if (current === starting) current = undefined;
		});
	}
	return current;
}

/** Ends the running engine, if there is one; the next `loadHooks` starts another. */
export async function shutdownEngine(): Promise<void> {
	const running = await current?.catch(() => undefined);
	await running?.shutdown();
}

/** One `hookrt serve` process, with its runners. */
export class Engine {
	readonly #child: ChildProcess;
	readonly #peer: Peer;
	readonly #runners = new Map<string, RunnerPeer>();
	readonly #logger: ClientLogger | undefined;
	readonly #onGone: () => void;
	readonly exited: Promise<void>;
	#stderr = "";
	#gone: HookrtError | undefined;
	#ending = false;
	#held: boolean | undefined;
	info: InitializeResult = { protocolVersion: PROTOCOL_VERSION };

	private constructor(child: ChildProcess, logger: ClientLogger | undefined, onGone: () => void) {
		this.#child = child;
		this.#logger = logger;
		this.#onGone = onGone;
		const { stdin, stdout, stderr } = child;
		if (!stdin || !stdout || !stderr) throw new HookrtError("the engine has no pipes", Code.engineGone);
		this.#peer = new Peer(
			{
				write: (line) => (stdin.writable ? stdin.write(line) : true),
				drained: () => new Promise((resolve) => {
					stdin.once("drain", resolve);
					stdin.once("close", resolve);
				}),
			},
			{
				request: (method, params, id) => this.#route(params).call(method, params, id),
				notification: (method, params) => this.#notification(method, params),
				oddity: (what) => logger?.warn(`hookrt: ${what}`),
				pending: (count) => this.#hold(count > 0),
			},
		);
		stdin.on("error", () => {}); // a dead engine is noticed by its exit
		stdout.on("data", (chunk: Uint8Array) => this.#peer.push(chunk));
		stderr.on("data", (chunk: Uint8Array) => {
			const text = Buffer.from(chunk).toString();
			this.#stderr = (this.#stderr + text).slice(-4096);
			logger?.debug?.(text.trimEnd());
		});
		this.exited = new Promise((resolve) => {
			child.on("error", (error) => {
				this.#die(`the engine could not be started: ${messageOf(error)}`);
				resolve();
			});
			const ended = (code: number | null, signal: string | null): void => {
				this.#die(signal ? `the engine was ended by ${signal}` : `the engine ended with code ${code}`);
				resolve();
			};
			// "close" comes after the last line of stdout was read, but not while a child of a hook still holds the pipe.
			child.on("close", ended);
			child.on("exit", (code, signal) => setTimeout(ended, 100, code, signal));
		});
		this.#hold(false);
	}

	static async start(chosen: EngineOptions, onGone: () => void): Promise<Engine> {
		const binary = chosen.binary ?? findBinary(chosen.env ?? process.env);
		const child = spawn(binary, ["serve", ...(chosen.args ?? [])], {
			stdio: ["pipe", "pipe", "pipe"],
			env: chosen.env ?? process.env,
			windowsHide: true,
		});
		const engine = new Engine(child, chosen.logger, onGone);
		try {
			const { result } = engine.request<InitializeResult>("initialize", {
				protocolVersion: PROTOCOL_VERSION,
				client: chosen.client ?? { name: "hookrt-client", version: "0.1.0" },
				cwd: process.cwd(),
				packageRoots: chosen.packageRoots ?? agentRoots(),
				capabilities: ["ui", "session", "models", "ai", "custom", "hostHandlers"],
			});
			engine.info = await result;
			if (engine.info.protocolVersion !== PROTOCOL_VERSION) {
				throw new HookrtError(
					`protocol version mismatch: client speaks ${PROTOCOL_VERSION}, engine speaks ${engine.info.protocolVersion}`,
					Code.versionMismatch,
					{ hint: "install a hookrt binary and a hookrt client of the same release" },
				);
			}
		} catch (error) {
			child.kill();
			throw error;
		}
		return engine;
	}

	get pid(): number | undefined {
		return this.#child.pid;
	}

	get gone(): HookrtError | undefined {
		return this.#gone;
	}

	request<T = Record<string, unknown>>(method: string, params: Record<string, unknown>): Sent<T> {
		return this.#peer.request<T>(method, toText(params));
	}

	/** The same with params that are JSON text already. */
	requestText<T = Record<string, unknown>>(method: string, params: string): Sent<T> {
		return this.#peer.request<T>(method, params);
	}

	notify(method: string, params: Record<string, unknown>): void {
		this.#peer.notify(method, params);
	}

	attach(runner: string, peer: RunnerPeer): void {
		this.#runners.set(runner, peer);
	}

	detach(runner: string): void {
		this.#runners.delete(runner);
	}

	async shutdown(): Promise<void> {
		if (this.#gone) return;
		this.#ending = true;
		this.#hold(true);
		const patience = setTimeout(() => this.#child.kill("SIGKILL"), 5000);
		await this.request("shutdown", {}).result.catch(() => {});
		this.#child.stdin?.end();
		await this.exited;
		clearTimeout(patience);
	}

	#route(params: Record<string, unknown>): RunnerPeer {
		const runner = this.#runners.get(String(params["runner"]));
		if (!runner) throw new HookrtError(`unknown runner ${String(params["runner"])}`, Code.unknownRunner);
		return runner;
	}

	#notification(method: string, params: Record<string, unknown>): void {
		if (method === "log" && params["runner"] === undefined) {
			const [level, message, context] = (params["args"] ?? []) as [string, string, unknown];
			this.#logger?.[level === "error" || level === "warn" ? level : "debug"]?.(String(message), context);
			return;
		}
		this.#runners.get(String(params["runner"]))?.tell(method, params);
	}

	/** Keeps the host's process alive while something is asked for, and only then. */
	#hold(wanted: boolean): void {
		const held = wanted || this.#ending;
		if (held === this.#held) return;
		this.#held = held;
		const verb = held ? "ref" : "unref";
		const parts: unknown[] = [this.#child, this.#child.stdin, this.#child.stdout, this.#child.stderr];
		for (const part of parts) (part as { [verb]?: () => void } | null)?.[verb]?.();
	}

	#die(why: string): void {
		if (this.#gone) return;
		const tail = this.#stderr.trim();
		this.#gone = new HookrtError(this.#ending ? "the engine was shut down" : why, Code.engineGone, {
			hint: tail ? `last words of the engine: ${tail.slice(-500)}` : "load the hooks again to start a new engine",
		});
		this.#onGone();
		this.#peer.close(this.#gone);
		for (const runner of this.#runners.values()) runner.died(this.#gone);
		this.#runners.clear();
	}
}
