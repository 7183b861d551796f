import type { HookFactory } from "./hook-types.js";
import type { LoadedHook } from "./loaded-hook.js";
import type { Discovery } from "./messages.js";
import { type LoadPlan, Remote } from "./remote.js";

/** A hook by path, or a factory of the host's own, which runs in the host in its place in the order. */
export type HookSource = string | HookFactory | { path?: string; factory: HookFactory };

/** All of a kind, or the listed paths, `host` or `host:port`, programs, variables (`NAME_*` is a prefix), facts about the machine. */
export type PermissionList = Partial<Record<"read" | "write" | "net" | "run" | "env" | "sys", boolean | string[]>>;

/** What hooks may reach; a denial beats an allowance. What is denied throws an error named `NotCapable` in the hook. */
export interface Permissions {
	/** With a list only what it names is allowed. Default `"all"`. */
	allow?: "all" | PermissionList;
	deny?: PermissionList;
}

export interface LoadHooksOptions {
	/** What edits of `event.input` in `tool_call` do: nothing (with a warning) or reach the tool. Default `ignore`. */
	inputMutation?: "ignore" | "apply";
	/** A handler's own running time, in milliseconds. Default 5000. */
	cpuBudgetMs?: number;
	/** How long a handler may hold the engine's thread without running, in milliseconds. Default 30 000. */
	blockedLimitMs?: number;
	/** Limit of a child process that a hook waits for synchronously without a `timeout`, in milliseconds. Default 120 000. */
	syncChildTimeoutMs?: number;
	/** Wall-clock limit of a handler, in milliseconds. Default 0: none. */
	handlerTimeoutMs?: number;
	/** Limit of loading one hook, in milliseconds. Default 10 000. */
	loadTimeoutMs?: number;
	/** Heap limit of the runner, in MiB. Default 512. */
	heapLimitMb?: number;
	/** What hooks may reach of files, network, programs, environment and machine. Default: everything. */
	permissions?: Permissions;
	/** Loads edited hooks anew by itself. */
	watch?: boolean;
	/** Added to the hooks' `process.env`. */
	env?: Record<string, string>;
	/** Directories that serve the agent's packages to hooks, before those of the engine. */
	packageRoots?: string[];
}

export interface DiscoverOptions extends LoadHooksOptions {
	disabled?: { items?: string[]; providers?: string[] };
	/** Whether a project's own hook files run. Default true: the host decides what it loads. */
	trustProject?: boolean;
}

export interface LoadHooksResult {
	hooks: LoadedHook[];
	errors: Array<{ path: string; error: string; hint?: string }>;
	warnings: string[];
	/** What discovery found, with `discoverAndLoadHooks`. */
	discovery?: Discovery;
}

const remotes = new WeakMap<object, Remote>();

/** The runner that loaded these hooks, if they are all of one load. */
export function remoteOf(hooks: LoadedHook[]): Remote | undefined {
	const remote = remotes.get(hooks) ?? (hooks[0] && remotes.get(hooks[0]));
	if (!remote) {
		if (hooks.length === 0) return undefined;
		throw new Error("HookRunner needs hooks that loadHooks or discoverAndLoadHooks of this package gave");
	}
	const loaded: LoadedHook[] = remote.hooks;
	if (hooks !== loaded && (hooks.length !== loaded.length || hooks.some((hook, index) => hook !== loaded[index]))) {
		throw new Error("HookRunner needs the hooks of one loadHooks call, all of them and in their order: the engine runs them together");
	}
	return remote;
}

async function load(sources: HookSource[], cwd: string, options: DiscoverOptions, method: LoadPlan["method"]): Promise<LoadHooksResult> {
	const { packageRoots, disabled, trustProject, ...limits } = options;
	const factories = new Map<string, HookFactory>();
	const entries = sources.map((source, index) => {
		if (typeof source === "string") return { path: source };
		const factory = typeof source === "function" ? source : source.factory;
		const path = (typeof source === "function" ? undefined : source.path) ?? `<inline:${index}>`;
		factories.set(`f${index}`, factory);
		return { host: `f${index}`, path };
	});
	const remote = new Remote({
		method,
		entries,
		factories,
		cwd,
		create: { options: limits, ...(packageRoots ? { packageRoots } : {}) },
		discover: { ...(disabled ? { disabled } : {}), ...(trustProject === undefined ? {} : { trustProject }) },
	});
	const result = await remote.load();
	remotes.set(remote.hooks, remote);
	for (const hook of remote.hooks) remotes.set(hook, remote);
	return {
		hooks: remote.hooks,
		errors: result.errors.map(({ path, error, hint }) => (hint === undefined ? { path, error } : { path, error, hint })),
		warnings: result.warnings ?? [],
		...(result.discovery ? { discovery: result.discovery } : {}),
	};
}

/**
 * Loads hooks in order. A hook that fails ends in `errors` and stops no other; the call itself fails only when there is no engine.
 * Relative paths are resolved against `cwd`.
 */
export function loadHooks(paths: HookSource[], cwd: string, options: LoadHooksOptions = {}): Promise<LoadHooksResult> {
	return load(paths, cwd, options, "hooks.load");
}

/** Discovered hooks first, then the configured ones, each file once; then as `loadHooks`. */
export function discoverAndLoadHooks(configuredPaths: HookSource[], cwd: string, options: DiscoverOptions = {}): Promise<LoadHooksResult> {
	return load(configuredPaths, cwd, options, "hooks.discoverAndLoad");
}
