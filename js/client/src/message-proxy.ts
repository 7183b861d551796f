import type { Component, HookMessage } from "./hook-types.js";

/** Asks the engine to draw one message; undefined: the hook leaves it to the host. */
export type RenderMessage = (message: HookMessage, expanded: boolean, width: number) => Promise<string[] | undefined>;

/**
 * A message that a hook in the engine draws. Until its lines have arrived, and when the hook leaves it to the host, it shows the text of
 * the message.
 */
export class RemoteMessage implements Component {
	#lines: string[] | undefined;
	#width = 0;

	constructor(
		private readonly message: HookMessage,
		private readonly expanded: boolean,
		private readonly draw: RenderMessage,
		private readonly arrived: () => void,
	) {}

	render(width: number): string[] {
		if (width !== this.#width) {
			this.#width = width;
			void this.#ask(width);
		}
		return this.#lines ?? plainLines(this.message, width);
	}

	invalidate(): void {
		this.#width = 0;
	}

	async #ask(width: number): Promise<void> {
		try {
			const lines = await this.draw(this.message, this.expanded, width);
			if (width !== this.#width || lines === undefined) return;
			this.#lines = lines;
			this.arrived();
		} catch {
			// the plain text stays; the failure was reported to the error listeners
		}
	}
}

function plainLines(message: HookMessage, width: number): string[] {
	const text =
		typeof message.content === "string"
			? message.content
			: message.content.map((part) => (part.type === "text" ? part.text : `[${part.mimeType}]`)).join("\n");
	const lines: string[] = [];
	for (const line of text.split(/\r?\n/)) {
		for (let at = 0; at === 0 || at < line.length; at += Math.max(1, width)) lines.push(line.slice(at, at + Math.max(1, width)));
	}
	return lines;
}
