import type { Bindings } from "./bindings.js";
import { themeToWire } from "./theme.js";

type Send = (method: string, params: Record<string, unknown>) => void;

const SESSION_FIELDS = {
	cwd: "getCwd",
	sessionDir: "getSessionDir",
	sessionId: "getSessionId",
	sessionFile: "getSessionFile",
	sessionName: "getSessionName",
	artifactsDir: "getArtifactsDir",
} as const;

type AnyManager = Record<string, ((...args: unknown[]) => any) | undefined>;

/**
 * Keeps the engine's copy of the host's state fresh (§10). Sends differences only; entries only after a hook has read some. The checks
 * before an emit are comparisons of a few values, so that an emit without changes costs nothing.
 */
export class Mirror {
	readonly #bindings: Bindings;
	readonly #send: Send;
	readonly #sent = new Map<string, unknown>();
	#entriesWanted = false;
	#sessionKey = "";
	#leafId: unknown;
	#count = 0;
	#lastId: unknown;

	constructor(bindings: Bindings, send: Send) {
		this.#bindings = bindings;
		this.#send = send;
	}

	/** A new engine or generation knows nothing. */
	forget(): void {
		this.#sent.clear();
		this.#entriesWanted = false;
	}

	/** The state fields that changed since they were last sent. */
	changes(): Record<string, unknown> {
		const { isIdle, hasQueuedMessages, getModel, hasUI, uiContext } = this.#bindings;
		const state: Record<string, unknown> = {};
		this.#note(state, "isIdle", isIdle());
		this.#note(state, "hasQueuedMessages", hasQueuedMessages());
		this.#note(state, "model", getModel() ?? null);
		if (hasUI) {
			const theme = uiContext.theme;
			if (this.#sent.get("theme") !== theme) {
				this.#sent.set("theme", theme);
				const data = themeToWire(theme);
				if (data) state["theme"] = data;
			}
		}
		if (this.#entriesWanted) {
			const session = this.#session();
			const text = JSON.stringify(session);
			if (this.#sent.get("session") !== text) {
				this.#sent.set("session", text);
				state["session"] = session;
			}
		}
		return state;
	}

	/** Sends what changed. */
	push(): void {
		const state = this.changes();
		for (const _ in state) {
			this.#send("mirror.set", { state });
			break;
		}
		if (this.#entriesWanted) this.#pushEntries();
	}

	/** Sends everything again: the host rewrote entries in place. */
	refresh(): void {
		if (this.#entriesWanted) this.#send("mirror.snapshot", this.snapshot());
	}

	/** All entries; from now on appended ones are pushed. */
	snapshot(): Record<string, unknown> {
		const manager = this.#manager;
		const entries: any[] = manager["getEntries"]?.() ?? [];
		this.#entriesWanted = true;
		this.#remember(entries);
		const session = this.#session();
		this.#sent.set("session", JSON.stringify(session));
		return { header: manager["getHeader"]?.() ?? null, entries, leafId: this.#leafId ?? null, session };
	}

	get #manager(): AnyManager {
		return (this.#bindings.sessionManager ?? {}) as unknown as AnyManager;
	}

	#note(state: Record<string, unknown>, name: string, value: unknown): void {
		if (this.#sent.has(name) && this.#sent.get(name) === value) return;
		this.#sent.set(name, value);
		state[name] = value;
	}

	#session(): Record<string, unknown> {
		const session: Record<string, unknown> = {};
		for (const [field, getter] of Object.entries(SESSION_FIELDS)) {
			const value = this.#manager[getter]?.();
			if (value !== undefined) session[field] = value;
		}
		return session;
	}

	#key(): string {
		return `${this.#manager["getSessionId"]?.()}\n${this.#manager["getSessionFile"]?.()}`;
	}

	#remember(entries: any[]): void {
		this.#sessionKey = this.#key();
		this.#leafId = this.#manager["getLeafId"]?.();
		this.#count = entries.length;
		this.#lastId = entries[entries.length - 1]?.id;
	}

	#pushEntries(): void {
		const leafId = this.#manager["getLeafId"]?.();
		const sameSession = this.#key() === this.#sessionKey;
		if (sameSession && leafId === this.#leafId) return;
		const entries: any[] = this.#manager["getEntries"]?.() ?? [];
		const count = this.#count;
		const grown = sameSession && entries.length >= count && (count === 0 || entries[count - 1]?.id === this.#lastId);
		if (!grown) {
			this.#send("mirror.snapshot", this.snapshot());
			return;
		}
		this.#remember(entries);
		this.#send("mirror.append", { entries: entries.slice(count), leafId: leafId ?? null });
	}
}
