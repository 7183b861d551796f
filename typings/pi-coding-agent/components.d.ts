/** Components of the agent that hooks use. */
declare module "@f5-sales-demo/xcsh" {
	import type { Component, EditorOptions, EditorTheme, KeybindingsManager, TUI } from "@f5-sales-demo/pi-tui";
	import { Container, Editor } from "@f5-sales-demo/pi-tui";

	/** A framed spinner that Escape aborts. */
	export class BorderedLoader extends Container {
		constructor(tui: Pick<TUI, "requestRender">, theme: Theme, message: string, options?: { cancellable?: boolean });
		/** Fires on Escape. */
		get signal(): AbortSignal;
		get aborted(): boolean;
		get onAbort(): (() => void) | undefined;
		set onAbort(callback: (() => void) | undefined);
		setMessage(message: string): void;
		handleInput(data: string): void;
		dispose(): void;
	}

	/** A horizontal line as wide as its space. */
	export class DynamicBorder implements Component {
		constructor(color?: (text: string) => string);
		render(width: number): string[];
		invalidate(): void;
	}

	/** A dialog to choose one of several texts. */
	export class ExtensionSelectorComponent extends Container {
		constructor(title: string, options: string[], onSelect: (option: string) => void, onCancel: () => void);
		handleInput(data: string): void;
		dispose(): void;
	}
	export { ExtensionSelectorComponent as HookSelectorComponent };

	/** A dialog to type one line. */
	export class ExtensionInputComponent extends Container {
		constructor(title: string, placeholder: string | undefined, onSubmit: (value: string) => void, onCancel: () => void);
		handleInput(data: string): void;
		dispose(): void;
	}
	export { ExtensionInputComponent as HookInputComponent };

	/** The editor with actions of the agent on keys. */
	export class CustomEditor extends Editor {
		constructor(tui: TUI, theme: EditorTheme, keybindings?: KeybindingsManager, options?: EditorOptions);
		actionHandlers: Map<string, () => void>;
		onEscape: (() => void) | undefined;
		onCtrlD: (() => void) | undefined;
		onExtensionShortcut: ((data: string) => boolean) | undefined;
		onAction(action: string, handler: () => void): void;
	}
}
