import type { HookMessageRenderer, RegisteredCommand } from "./hook-types.js";
import type { AppendEntryHandler, SendMessageHandler } from "./handlers.js";

/** A handler as the reference keeps it. Those of hook files are stand-ins: the engine runs them, in its fold. */
export type HandlerFn = (...args: any[]) => unknown;

/** One loaded hook. The maps change when a hook registers later and when hooks are reloaded. */
export interface LoadedHook {
	/** As given to `loadHooks`. */
	path: string;
	/** Absolute. */
	resolvedPath: string;
	handlers: Map<string, HandlerFn[]>;
	messageRenderers: Map<string, HookMessageRenderer>;
	commands: Map<string, RegisteredCommand>;
	setSendMessageHandler(handler: SendMessageHandler): void;
	setAppendEntryHandler(handler: AppendEntryHandler): void;
}

/** The client's own view of a hook: its place in the load order and what the host set on it. */
export class HookRecord implements LoadedHook {
	readonly handlers = new Map<string, HandlerFn[]>();
	readonly messageRenderers = new Map<string, HookMessageRenderer>();
	readonly commands = new Map<string, RegisteredCommand>();
	sendMessage: SendMessageHandler | undefined;
	appendEntry: AppendEntryHandler | undefined;

	constructor(
		readonly index: number,
		public path: string,
		public resolvedPath: string,
		/** Whether its factory runs in the host. */
		readonly local: boolean,
	) {}

	setSendMessageHandler(handler: SendMessageHandler): void {
		this.sendMessage = handler;
	}

	setAppendEntryHandler(handler: AppendEntryHandler): void {
		this.appendEntry = handler;
	}

	addHandler(event: string, handler: HandlerFn): number {
		let list = this.handlers.get(event);
		if (!list) {
			list = [];
			this.handlers.set(event, list);
		}
		return list.push(handler) - 1;
	}
}

/** Stands for a handler that lives in the engine. */
export function remoteHandler(event: string, path: string): HandlerFn {
	return () => {
		throw new Error(`the "${event}" handler of ${path} runs in the engine; emit the event through HookRunner`);
	};
}
