/** The messages of `docs/protocol.md` that the client sends and reads. */
export const PROTOCOL_VERSION = 1;
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

export type Id = number | string;

export interface ErrorObject {
	code: number;
	message: string;
	data?: Record<string, unknown>;
}

/** Any line. Which fields are there tells a request from a notification from a response. */
export interface Incoming {
	id?: Id | null;
	method?: string;
	params?: Record<string, unknown>;
	result?: Record<string, unknown>;
	error?: ErrorObject;
}

export interface InitializeResult {
	protocolVersion: number;
	server?: { name: string; version: string };
	engine?: { name: string; version: string };
	capabilities?: string[];
	limits?: { maxLineBytes?: number; maxQueuedBytes?: number; syncReadMs?: number };
}

export interface CommandInfo {
	name: string;
	description?: string;
}

export interface LoadedHookInfo {
	hook: number;
	path: string;
	resolvedPath: string;
	handlers: Record<string, number>;
	commands: CommandInfo[];
	renderers: string[];
}

export interface LoadResult {
	generation: number;
	hooks: LoadedHookInfo[];
	errors: { hook?: number; path: string; error: string; hint?: string }[];
	warnings?: string[];
	kept?: boolean;
	discovery?: Discovery;
}

export interface DiscoveredItem {
	path: string;
	name: string;
	type: string;
	tool: string;
	level: string;
	provider: string;
	state: string;
	why?: string;
}

export interface Discovery {
	items: DiscoveredItem[];
	warnings: string[];
	providers: string[];
}

/** What a host factory registered. */
export type Registrations = {
	handlers: Record<string, number>;
	commands: CommandInfo[];
	renderers: string[];
};

/** One registration after the load result was sent. */
export interface Registered {
	hook: number;
	generation: number;
	event?: string;
	command?: CommandInfo;
	renderer?: string;
}

/** A call of the engine (§11). */
export interface CallParams {
	runner: string;
	hook?: number;
	emit?: Id;
	args: unknown[];
}

export type SetupEntry = { id: string; kind: string; [field: string]: any };

/** JSON text of a value; what plain JSON cannot hold is written as the engine itself does (`docs/protocol.md` §6). */
export function toText(value: unknown): string {
	try {
		return JSON.stringify(value) ?? "null";
	} catch {
		const open: unknown[] = [];
		return (
			JSON.stringify(value, function (this: unknown, _key, inner) {
				if (typeof inner === "bigint") return inner.toString();
				if (typeof inner !== "object" || inner === null) return inner;
				while (open.length > 0 && open[open.length - 1] !== this) open.pop();
				if (open.includes(inner)) return "[Circular]";
				open.push(inner);
				return inner;
			}) ?? "null"
		);
	}
}
