import type { Component, HookUIContext, TUI } from "./hook-types.js";

/** How a component of the engine is reached. */
export interface ComponentLink {
	render(component: number, width: number, rows: number | undefined): Promise<string[]>;
	input(component: number, data: string): void;
	invalidate(component: number): void;
}

/**
 * A component whose lines are drawn in the engine. `render` is synchronous, so it gives the lines it has and asks for fresh ones; when
 * they arrive it has the screen drawn again. One question is open at a time, however often it is asked to render.
 */
export class RemoteComponent implements Component {
	#lines: string[] = [];
	#width = 0;
	#stale = true;
	#asking = false;
	#open = true;

	constructor(
		private readonly link: ComponentLink,
		private readonly id: number,
		private readonly tui: Partial<TUI>,
	) {}

	render(width: number): string[] {
		if (width !== this.#width) this.#stale = true;
		this.#width = width;
		if (this.#stale) void this.refresh();
		return this.#lines;
	}

	handleInput(data: string): void {
		this.link.input(this.id, data);
		this.changed();
	}

	invalidate(): void {
		this.link.invalidate(this.id);
		this.changed();
	}

	/** The engine says its lines changed. */
	changed(): void {
		this.#stale = true;
		void this.refresh();
	}

	close(): void {
		this.#open = false;
	}

	/** Gets lines until they are fresh. */
	async refresh(width: number = this.#width): Promise<void> {
		if (width > 0) this.#width = width;
		if (this.#asking || !this.#open || this.#width <= 0) return;
		this.#asking = true;
		try {
			while (this.#stale && this.#open) {
				this.#stale = false;
				this.#lines = await this.link.render(this.id, this.#width, this.tui.terminal?.rows);
				if (this.#open) this.tui.requestRender?.();
			}
		} catch {
			this.#open = false; // closed on the other side; the call that showed it ends by itself
		} finally {
			this.#asking = false;
		}
	}
}

/**
 * Shows component `id` with the host's own `ui.custom` until the host closes it or `signal` fires. `shown` hears of the proxy, for
 * re-renders the engine asks for.
 */
export async function showRemote(
	ui: HookUIContext,
	link: ComponentLink,
	id: number,
	signal: AbortSignal,
	shown: (proxy: RemoteComponent, tui: Partial<TUI>) => void,
): Promise<void> {
	let proxy: RemoteComponent | undefined;
	if (signal.aborted) return;
	try {
		await ui.custom<undefined>(async (tui, _theme, ...rest: unknown[]) => {
			// Newer agents hand their keybindings over before `done`.
			const done = rest.at(-1) as (result: undefined) => void;
			proxy = new RemoteComponent(link, id, tui);
			shown(proxy, tui);
			const finish = (): void => done(undefined);
			if (signal.aborted) queueMicrotask(finish);
			else signal.addEventListener("abort", finish, { once: true });
			// The first lines come before the component is on the screen, so that it does not appear empty.
			await proxy.refresh(tui.terminal?.columns ?? 80);
			return proxy;
		});
	} finally {
		proxy?.close();
	}
}
