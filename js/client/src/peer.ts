import { Code, errorFromWire, HookrtError, messageOf } from "./errors.js";
import { LineReader } from "./lines.js";
import { type ErrorObject, type Id, type Incoming, MAX_LINE_BYTES, toText } from "./messages.js";

/** Where lines go. `write` gives false when the pipe is full and `drained` then says when it is not. */
export interface LineSink {
	write(line: string): boolean;
	drained(): Promise<void>;
}

export interface PeerHandlers {
	/** Answers a request of the other side; a throw becomes an error response. */
	request(method: string, params: Record<string, unknown>, id: Id): Promise<Record<string, unknown>> | Record<string, unknown>;
	notification(method: string, params: Record<string, unknown>): void;
	/** Something that is no message of the protocol; the connection goes on. */
	oddity(what: string): void;
	/** How many requests are open: the process may end when there are none. */
	pending(count: number): void;
}

interface Pending {
	resolve(result: Record<string, unknown>): void;
	reject(error: unknown): void;
}

/** A sent request. `id` is what `emit.cancel` and `signal.abort` name. */
export interface Sent<T> {
	id: Id;
	result: Promise<T>;
}

/** One JSON-RPC peer over lines. Knows nothing of processes or hooks. */
export class Peer {
	readonly #sink: LineSink;
	readonly #handlers: PeerHandlers;
	readonly #pending = new Map<Id, Pending>();
	readonly #reader: LineReader;
	#nextId = 1;
	#full: Promise<void> | undefined;
	#closed: HookrtError | undefined;

	constructor(sink: LineSink, handlers: PeerHandlers) {
		this.#sink = sink;
		this.#handlers = handlers;
		this.#reader = new LineReader(
			(line) => this.#line(line),
			() => handlers.oddity(`a line over ${MAX_LINE_BYTES} bytes was skipped`),
		);
	}

	push(chunk: Uint8Array): void {
		this.#reader.push(chunk);
	}

	/** Sends a request; `paramsText` is its params as JSON text. Waits with sending while the pipe is full. */
	request<T = Record<string, unknown>>(method: string, paramsText: string): Sent<T> {
		const id = this.#nextId++;
		const result = this.#send(id, `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${paramsText}}`);
		return { id, result: result as Promise<T> };
	}

	async #send(id: Id, line: string): Promise<Record<string, unknown>> {
		while (this.#full && !this.#closed) await this.#full;
		if (this.#closed) throw this.#closed;
		if (line.length > MAX_LINE_BYTES / 3 && Buffer.byteLength(line) > MAX_LINE_BYTES) {
			throw new HookrtError(`message of over ${MAX_LINE_BYTES} bytes`, Code.lineTooLong);
		}
		return new Promise((resolve, reject) => {
			this.#pending.set(id, { resolve, reject });
			this.#handlers.pending(this.#pending.size);
			this.#write(line);
		});
	}

	/** Notifications are not held back by a full pipe: their order to the requests matters and they are small. */
	notify(method: string, params: Record<string, unknown>): void {
		if (!this.#closed) this.#write(`{"jsonrpc":"2.0","method":"${method}","params":${toText(params)}}`);
	}

	/** Fails everything open; nothing is sent any more. */
	close(error: HookrtError): void {
		if (this.#closed) return;
		this.#closed = error;
		const open = [...this.#pending.values()];
		this.#pending.clear();
		this.#handlers.pending(0);
		for (const pending of open) pending.reject(error);
	}

	#write(line: string): void {
		if (this.#sink.write(`${line}\n`) || this.#full) return;
		this.#full = this.#sink.drained().finally(() => {
			this.#full = undefined;
		});
	}

	#line(line: string): void {
		let message: Incoming;
		try {
			message = JSON.parse(line);
		} catch {
			this.#handlers.oddity(`not JSON: ${line.slice(0, 200)}`);
			return;
		}
		if (typeof message !== "object" || message === null || Array.isArray(message)) {
			this.#handlers.oddity(`not a message: ${line.slice(0, 200)}`);
		} else if (typeof message.method === "string") {
			this.#incoming(message.method, message.params ?? {}, message.id);
		} else {
			this.#response(message);
		}
	}

	#incoming(method: string, params: Record<string, unknown>, id: Id | null | undefined): void {
		if (id === undefined || id === null) {
			try {
				this.#handlers.notification(method, params);
			} catch (error) {
				this.#handlers.oddity(`${method}: ${messageOf(error)}`);
			}
			return;
		}
		let answer: Promise<Record<string, unknown>> | Record<string, unknown>;
		try {
			answer = this.#handlers.request(method, params, id);
		} catch (error) {
			this.#reply(id, undefined, error);
			return;
		}
		// A read the isolate waits for is answered in this turn; only what takes time takes another.
		if (answer instanceof Promise) {
			answer.then(
				(result) => this.#reply(id, result),
				(error) => this.#reply(id, undefined, error),
			);
		} else {
			this.#reply(id, answer);
		}
	}

	#reply(id: Id, result: Record<string, unknown> | undefined, error?: unknown): void {
		if (this.#closed) return;
		const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},`;
		if (result === undefined) {
			this.#write(`${head}"error":${toText(errorToWire(error))}}`);
			return;
		}
		let text: string;
		try {
			text = toText(result);
		} catch (failure) {
			this.#write(`${head}"error":${toText(errorToWire(failure))}}`);
			return;
		}
		this.#write(`${head}"result":${text}}`);
	}

	#response(message: Incoming): void {
		const id = message.id;
		const pending = id === undefined || id === null ? undefined : this.#pending.get(id);
		if (id === undefined || id === null || !pending) {
			const why = message.error ? `: ${message.error.message}` : "";
			this.#handlers.oddity(`an answer to nothing that is open (id ${String(id)})${why}`);
			return;
		}
		this.#pending.delete(id);
		this.#handlers.pending(this.#pending.size);
		if (message.error) pending.reject(errorFromWire(message.error));
		else pending.resolve(message.result ?? {});
	}
}

function errorToWire(error: unknown): ErrorObject {
	if (error instanceof HookrtError) {
		return error.data ? { code: error.code, message: error.message, data: error.data } : { code: error.code, message: error.message };
	}
	const name = error instanceof Error && error.name !== "Error" ? { data: { name: error.name } } : {};
	return { code: Code.host, message: messageOf(error), ...name };
}
