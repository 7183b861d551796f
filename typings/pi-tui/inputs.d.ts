/** Components that take input. */
declare module "@f5-sales-demo/pi-tui" {
	export interface SelectItem {
		value: string;
		label: string;
		description?: string;
	}

	export interface SelectListTheme {
		selectedPrefix(text: string): string;
		selectedText(text: string): string;
		description(text: string): string;
		scrollInfo(text: string): string;
		noMatch(text: string): string;
		[field: string]: any;
	}

	export interface SelectListLayoutOptions {
		/** Columns. */
		minPrimaryColumnWidth?: number;
		/** Columns. */
		maxPrimaryColumnWidth?: number;
	}

	export class SelectList implements Component {
		constructor(items: readonly SelectItem[], maxVisible?: number, theme?: Partial<SelectListTheme>, layout?: SelectListLayoutOptions);
		onSelect: ((item: SelectItem) => void) | undefined;
		onCancel: (() => void) | undefined;
		onSelectionChange: ((item: SelectItem) => void) | undefined;
		setFilter(filter: string): void;
		setSelectedIndex(index: number): void;
		getSelectedItem(): SelectItem | null;
		invalidate(): void;
		render(width: number): string[];
		handleInput(data: string): void;
	}

	/** One line of text. */
	export class Input implements Component, Focusable {
		focused: boolean;
		onSubmit: ((value: string) => void) | undefined;
		onEscape: (() => void) | undefined;
		getValue(): string;
		setValue(value: string): void;
		invalidate(): void;
		render(width: number): string[];
		handleInput(data: string): void;
	}

	export interface EditorTheme {
		borderColor(text: string): string;
		selectList?: Partial<SelectListTheme>;
		[field: string]: any;
	}

	export interface EditorOptions {
		paddingX?: number;
		[option: string]: any;
	}

	/** Several lines of text. */
	export class Editor implements Component, Focusable {
		constructor(tui: TUI, theme: EditorTheme, options?: EditorOptions);
		focused: boolean;
		disableSubmit: boolean;
		onSubmit: ((text: string) => void) | undefined;
		onChange: ((text: string) => void) | undefined;
		getText(): string;
		getExpandedText(): string;
		getLines(): string[];
		getCursor(): { line: number; col: number };
		setText(text: string): void;
		insertTextAtCursor(text: string): void;
		getPaddingX(): number;
		setPaddingX(padding: number): void;
		addToHistory(text: string): void;
		isShowingAutocomplete(): boolean;
		invalidate(): void;
		render(width: number): string[];
		handleInput(data: string): void;
	}

	export interface SettingItem {
		id: string;
		label: string;
		description?: string;
		currentValue: string;
		/** Enter goes through these. */
		values?: string[];
		/** Enter opens this. */
		submenu?: (currentValue: string, done: (selectedValue?: string) => void) => Component;
	}

	export interface SettingsListTheme {
		label(text: string, selected: boolean): string;
		value(text: string, selected: boolean): string;
		description(text: string): string;
		cursor: string;
		hint(text: string): string;
		[field: string]: any;
	}

	export class SettingsList implements Component {
		constructor(
			items: SettingItem[],
			maxVisible: number,
			theme: SettingsListTheme,
			onChange: (id: string, newValue: string) => void,
			onCancel: () => void,
			options?: { enableSearch?: boolean },
		);
		updateValue(id: string, newValue: string): void;
		invalidate(): void;
		render(width: number): string[];
		handleInput(data: string): void;
	}

	export interface Tab {
		id: string;
		label: string;
	}

	export interface TabBarTheme {
		label(text: string): string;
		activeTab(text: string): string;
		inactiveTab(text: string): string;
		hint(text: string): string;
	}

	export class TabBar implements Component {
		constructor(label: string, tabs: Tab[], theme?: Partial<TabBarTheme>, initialIndex?: number);
		onTabChange: ((tab: Tab, index: number) => void) | undefined;
		getActiveTab(): Tab;
		getActiveIndex(): number;
		setActiveIndex(index: number): void;
		nextTab(): void;
		prevTab(): void;
		invalidate(): void;
		render(width: number): string[];
		handleInput(data: string): boolean;
	}
}
