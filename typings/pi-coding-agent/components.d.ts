/** Components of the agent that hooks use. */
declare module "@f5-sales-demo/xcsh" {
	import type { Component, TUI } from "@f5-sales-demo/pi-tui";
	import { Container } from "@f5-sales-demo/pi-tui";

	/** A framed spinner that Escape aborts. */
	export class BorderedLoader extends Container {
		constructor(tui: TUI, theme: Theme, message: string);
		/** Fires on Escape. */
		readonly signal: AbortSignal;
		onAbort: (() => void) | undefined;
		dispose(): void;
	}

	/** A horizontal line as wide as its space. */
	export class DynamicBorder implements Component {
		constructor(color?: (text: string) => string);
		render(width: number): string[];
		invalidate(): void;
	}
}
