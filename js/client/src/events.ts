import { type Id, toText } from "./messages.js";

/** The four kinds of emit (§6). */
export type EmitKind = "emit" | "toolCall" | "context" | "beforeAgentStart";

export interface EmitResult {
	result?: any;
	/** The edited tool input, with `inputMutation: "apply"`. */
	input?: Record<string, unknown>;
}

interface LiveEvent {
	type: string;
	signal?: unknown;
	preparation?: { fileOps?: Record<string, unknown> };
}

const FILE_OPS = ["read", "written", "edited"] as const;

/** An event as JSON text. A live signal and the sets of `preparation.fileOps` are written as the protocol says; the rest as it is. */
export function eventText(event: LiveEvent): string {
	const signal = event.signal;
	const ops = event.preparation?.fileOps;
	if (!(signal instanceof AbortSignal) && !ops) return toText(event);
	const plain: Record<string, unknown> = { ...event };
	if (signal instanceof AbortSignal) plain["signal"] = { aborted: signal.aborted };
	if (ops) plain["preparation"] = { ...event.preparation, fileOps: mapOps(ops, (set) => (set instanceof Set ? [...set] : set)) };
	return toText(plain);
}

/** The opposite, for handlers that run in the host. */
export function reviveEvent(event: Record<string, any>, signal: AbortSignal | undefined): Record<string, any> {
	if (event["signal"] !== undefined && signal) event["signal"] = signal;
	const ops = event["preparation"]?.fileOps;
	if (ops) event["preparation"].fileOps = mapOps(ops, (list) => (Array.isArray(list) ? new Set(list) : list));
	return event;
}

function mapOps(ops: Record<string, unknown>, change: (value: unknown) => unknown): Record<string, unknown> {
	const changed = { ...ops };
	for (const name of FILE_OPS) if (name in changed) changed[name] = change(changed[name]);
	return changed;
}

/** Makes `target` equal to `source` in place: whoever holds the object sees the edit. */
export function replaceFields(target: Record<string, unknown>, source: Record<string, unknown>): void {
	for (const key of Object.keys(target)) if (!(key in source)) delete target[key];
	Object.assign(target, source);
}

const RESULT_FIELDS: Record<string, readonly string[]> = {
	tool_call: ["block", "reason"],
	tool_result: ["content", "details", "isError", "isWarning"],
	context: ["messages"],
	before_agent_start: ["message"],
	session_before_switch: ["cancel"],
	session_before_branch: ["cancel", "skipConversationRestore"],
	session_before_compact: ["cancel", "compaction"],
	session_before_tree: ["cancel", "summary"],
	"session.compacting": ["context", "prompt", "preserveData"],
};

/**
 * What a host handler gave, ready to cross: contract fields are read as properties, so that inherited ones and getters count as they
 * would in one process; decisions become booleans by truthiness.
 */
export function resultToWire(event: string, value: unknown): unknown {
	if (typeof value === "function" || typeof value === "symbol" || typeof value === "bigint") return undefined;
	if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
	const source = value as Record<string, unknown>;
	const out: Record<string, unknown> = {};
	for (const field of RESULT_FIELDS[event] ?? []) {
		const inner = source[field];
		if (inner === undefined) continue;
		out[field] = field === "block" || field === "cancel" ? Boolean(inner) : inner;
	}
	for (const key of Object.keys(source)) if (!(key in out)) out[key] = source[key];
	return out;
}

/** Signals of open emits by the id of their request. */
export class OpenSignals {
	readonly #signals = new Map<Id, AbortSignal>();

	get(emit: Id | undefined): AbortSignal | undefined {
		return emit === undefined ? undefined : this.#signals.get(emit);
	}

	/** Calls `onAbort` when the signal fires while the emit is open. Gives what ends that. */
	watch(emit: Id, signal: AbortSignal, onAbort: () => void): () => void {
		this.#signals.set(emit, signal);
		signal.addEventListener("abort", onAbort, { once: true });
		return () => {
			this.#signals.delete(emit);
			signal.removeEventListener("abort", onAbort);
		};
	}
}
