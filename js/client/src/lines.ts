import { MAX_LINE_BYTES } from "./messages.js";

const NEWLINE = 10;

/** Cuts a byte stream into lines. Chunks of an unfinished line are kept apart, so a line of many chunks is joined once. */
export class LineReader {
	#chunks: Uint8Array[] = [];
	#size = 0;
	#skipping = false;
	readonly #onLine: (line: string) => void;
	readonly #onTooLong: () => void;
	readonly #limit: number;
	readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });

	constructor(onLine: (line: string) => void, onTooLong: () => void, limit: number = MAX_LINE_BYTES) {
		this.#onLine = onLine;
		this.#onTooLong = onTooLong;
		this.#limit = limit;
	}

	push(chunk: Uint8Array): void {
		let start = 0;
		for (;;) {
			const end = chunk.indexOf(NEWLINE, start);
			if (end < 0) break;
			this.#add(chunk.subarray(start, end));
			this.#finish();
			start = end + 1;
		}
		if (start < chunk.length) this.#add(chunk.subarray(start));
	}

	#add(part: Uint8Array): void {
		if (this.#skipping || part.length === 0) return;
		if (this.#size + part.length > this.#limit) {
			this.#skipping = true;
			this.#chunks = [];
			this.#size = 0;
			this.#onTooLong();
			return;
		}
		this.#chunks.push(part);
		this.#size += part.length;
	}

	#finish(): void {
		const chunks = this.#chunks;
		const size = this.#size;
		const skipped = this.#skipping;
		this.#chunks = [];
		this.#size = 0;
		this.#skipping = false;
		if (skipped || size === 0) return;
		if (chunks.length === 1) {
			this.#onLine(this.#decoder.decode(chunks[0]));
			return;
		}
		const whole = new Uint8Array(size);
		let at = 0;
		for (const part of chunks) {
			whole.set(part, at);
			at += part.length;
		}
		this.#onLine(this.#decoder.decode(whole));
	}
}
