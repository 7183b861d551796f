import type { ErrorObject } from "./messages.js";

/** Error codes of the protocol (`docs/protocol.md` §15) that the client itself uses. */
export const Code = {
	parse: -32700,
	invalidRequest: -32600,
	unknownMethod: -32601,
	host: -32000,
	versionMismatch: -32002,
	unknownRunner: -32003,
	lineTooLong: -32005,
	hookThrew: -32010,
	cancelled: -32013,
	/** The client's own: the engine is gone or could not be started. */
	engineGone: -32099,
} as const;

/** A failed call of the engine. `code` is one of the protocol's, `hint` says what a person can do. */
export class HookrtError extends Error {
	readonly code: number;
	readonly data: Record<string, unknown> | undefined;
	readonly hint: string | undefined;

	constructor(message: string, code: number, data?: Record<string, unknown>) {
		super(message);
		this.name = "HookrtError";
		this.code = code;
		this.data = data;
		this.hint = typeof data?.["hint"] === "string" ? data["hint"] : undefined;
	}
}

export function errorFromWire(error: ErrorObject): HookrtError {
	return new HookrtError(error.message, error.code, error.data);
}

/**
 * What a handler threw, as a host in the same process would have caught it: an `Error` with the hook's own message and stack, or the
 * text of a thrown non-Error.
 */
export function thrownByHook(error: unknown): unknown {
	if (!(error instanceof HookrtError) || error.code !== Code.hookThrew) return error;
	const thrown = error.data?.["thrown"] as { isError?: boolean; stack?: string } | undefined;
	if (thrown?.isError === false) return error.message;
	const same = new Error(error.message);
	if (typeof thrown?.stack === "string") same.stack = thrown.stack;
	return same;
}

export function messageOf(error: unknown): string {
	try {
		return error instanceof Error ? String(error.message) : String(error);
	} catch {
		return "unprintable error";
	}
}
