/** Components: what draws lines and takes keys. */
declare module "@f5-sales-demo/pi-tui" {
	export interface Component {
		/** One string a line, none wider than `width` columns. */
		render(width: number): string[];
		/** Raw terminal input, one key a call. */
		handleInput?(data: string): void;
		/** Also hear key releases. */
		wantsKeyRelease?: boolean;
		/** Forget cached lines: theme or content changed. */
		invalidate?(): void;
		dispose?(): void;
	}

	export interface Focusable {
		focused: boolean;
	}

	/** Where a component that is `Focusable` puts the terminal's cursor. */
	export const CURSOR_MARKER: string;
	export function isFocusable(component: Component | null): component is Component & Focusable;

	/** What a custom component may ask of the terminal. */
	export interface TUI {
		requestRender(force?: boolean): void;
		/** Takes the terminal back after `stop`. */
		start(): void;
		/** Leaves the terminal alone, for a program that needs it. */
		stop(): void;
		readonly terminal: { readonly columns: number; readonly rows: number };
	}

	export class Container implements Component {
		children: Component[];
		addChild(component: Component): void;
		removeChild(component: Component): void;
		clear(): void;
		invalidate(): void;
		render(width: number): string[];
		handleInput?(data: string): void;
		dispose?(): void;
	}

	/** A container with margins and a background. */
	export class Box implements Component {
		children: Component[];
		constructor(paddingX?: number, paddingY?: number, bgFn?: (text: string) => string);
		addChild(component: Component): void;
		removeChild(component: Component): void;
		clear(): void;
		setBgFn(bgFn?: (text: string) => string): void;
		invalidate(): void;
		render(width: number): string[];
	}
}
