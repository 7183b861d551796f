/** Components that show something. */
declare module "@f5-sales-demo/pi-tui" {
	/** Wrapped text. */
	export class Text implements Component {
		constructor(text?: string, paddingX?: number, paddingY?: number, customBgFn?: (text: string) => string);
		setText(text: string): void;
		getText(): string;
		setCustomBgFn(customBgFn?: (text: string) => string): void;
		invalidate(): void;
		render(width: number): string[];
	}

	/** Its first line, cut to the width. */
	export class TruncatedText implements Component {
		constructor(text: string, paddingX?: number, paddingY?: number);
		setText(text: string): void;
		invalidate(): void;
		render(width: number): string[];
	}

	/** Empty lines. */
	export class Spacer implements Component {
		constructor(lines?: number);
		setLines(lines: number): void;
		invalidate(): void;
		render(width: number): string[];
	}

	export interface LoaderIndicatorOptions {
		frames?: string[];
		/** Milliseconds a frame. */
		intervalMs?: number;
	}

	/** A spinner with a message; runs until `stop`. */
	export class Loader extends Text {
		constructor(
			ui: Pick<TUI, "requestRender">,
			spinnerColorFn: (text: string) => string,
			messageColorFn: (text: string) => string,
			message?: string,
			indicator?: LoaderIndicatorOptions,
		);
		start(): void;
		stop(): void;
		setMessage(message: string): void;
		setIndicator(indicator?: LoaderIndicatorOptions): void;
		dispose(): void;
	}

	/** A spinner that Escape aborts. */
	export class CancellableLoader extends Loader {
		onAbort: (() => void) | undefined;
		get signal(): AbortSignal;
		get aborted(): boolean;
		handleInput(data: string): void;
	}

	export interface DefaultTextStyle {
		color?: (text: string) => string;
		bgColor?: (text: string) => string;
		bold?: boolean;
		italic?: boolean;
		strikethrough?: boolean;
		underline?: boolean;
	}

	export interface MarkdownTheme {
		heading(text: string): string;
		link(text: string): string;
		linkUrl(text: string): string;
		code(text: string): string;
		codeBlock(text: string): string;
		codeBlockBorder(text: string): string;
		quote(text: string): string;
		quoteBorder(text: string): string;
		hr(text: string): string;
		listBullet(text: string): string;
		bold(text: string): string;
		italic(text: string): string;
		strikethrough(text: string): string;
		underline(text: string): string;
		highlightCode?(code: string, lang?: string): string[];
		[field: string]: any;
	}

	export class Markdown implements Component {
		constructor(text: string, paddingX: number, paddingY: number, theme: MarkdownTheme, defaultTextStyle?: DefaultTextStyle);
		setText(text: string): void;
		invalidate(): void;
		render(width: number): string[];
	}

	export interface ImageTheme {
		fallbackColor(text: string): string;
	}

	export interface ImageOptions {
		/** Columns. */
		maxWidthCells?: number;
		/** Rows. */
		maxHeightCells?: number;
		filename?: string;
	}

	/** An image where the terminal can show one, else a line that describes it. */
	export class Image implements Component {
		constructor(
			base64Data: string,
			mimeType: string,
			theme: ImageTheme,
			options?: ImageOptions,
			dimensions?: { widthPx: number; heightPx: number },
		);
		invalidate(): void;
		render(width: number): string[];
	}
}
