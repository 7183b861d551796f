/** Colours and symbols of the agent. */
declare module "@f5-sales-demo/xcsh" {
	import type { EditorTheme, MarkdownTheme, SelectListTheme, SettingsListTheme } from "@f5-sales-demo/pi-tui";

	export type ThemeColor =
		| "accent" | "border" | "borderAccent" | "borderMuted" | "success" | "error" | "warning" | "muted" | "dim" | "text"
		| "thinkingText" | "userMessageText" | "customMessageText" | "customMessageLabel" | "toolTitle" | "toolOutput"
		| "mdHeading" | "mdLink" | "mdLinkUrl" | "mdCode" | "mdCodeBlock" | "mdCodeBlockBorder" | "mdQuote" | "mdQuoteBorder" | "mdHr"
		| "mdListBullet" | "toolDiffAdded" | "toolDiffRemoved" | "toolDiffContext" | "syntaxComment" | "syntaxKeyword"
		| "syntaxFunction" | "syntaxVariable" | "syntaxString" | "syntaxNumber" | "syntaxType" | "syntaxOperator"
		| "syntaxPunctuation" | "thinkingOff" | "thinkingMinimal" | "thinkingLow" | "thinkingMedium" | "thinkingHigh"
		| "thinkingXhigh" | "bashMode" | "pythonMode" | "statusLineSep" | "statusLineModel" | "statusLinePath"
		| "statusLineGitClean" | "statusLineGitDirty" | "statusLineContext" | "statusLineSpend" | "statusLineStaged"
		| "statusLineDirty" | "statusLineUntracked" | "statusLineOutput" | "statusLineCost" | "statusLineSubagents";

	export type ThemeBg =
		| "selectedBg" | "userMessageBg" | "customMessageBg" | "toolPendingBg" | "toolSuccessBg" | "toolErrorBg" | "statusLineBg";

	export class Theme {
		private constructor();
		/** Throws `Unknown theme color: <name>` for a name the theme does not have. */
		fg(color: ThemeColor, text: string): string;
		bg(color: ThemeBg, text: string): string;
		bold(text: string): string;
		italic(text: string): string;
		underline(text: string): string;
		strikethrough(text: string): string;
		inverse(text: string): string;
		/** The opening escape sequence. */
		getFgAnsi(color: ThemeColor): string;
		getBgAnsi(color: ThemeBg): string;
		getColorMode(): string;
		getThinkingBorderColor(level: string): (text: string) => string;
		getBashModeBorderColor(): (text: string) => string;
		getPythonModeBorderColor(): (text: string) => string;
		/** A symbol by its full key, for example `status.success`. */
		symbol(key: string): string;
		styledSymbol(key: string, color: ThemeColor): string;
		getSymbolPreset(): "unicode" | "nerd" | "ascii";
		get spinnerFrames(): string[];
		getSpinnerFrames(type?: "status" | "activity"): string[];
		getLangIcon(language: string | undefined): string;
		readonly status: SymbolGroup<"success" | "error" | "warning" | "info" | "pending" | "disabled" | "enabled" | "running" | "shadowed" | "aborted">;
		readonly nav: SymbolGroup<"cursor" | "selected" | "expand" | "collapse" | "back">;
		readonly tree: SymbolGroup<"branch" | "last" | "vertical" | "horizontal" | "hook">;
		readonly boxRound: SymbolGroup<"topLeft" | "topRight" | "bottomLeft" | "bottomRight" | "horizontal" | "vertical">;
		readonly boxSharp: SymbolGroup<
			"topLeft" | "topRight" | "bottomLeft" | "bottomRight" | "horizontal" | "vertical" | "cross" | "teeDown" | "teeUp" | "teeRight" | "teeLeft"
		>;
		readonly sep: SymbolGroup<string>;
		readonly icon: SymbolGroup<string>;
		readonly checkbox: SymbolGroup<"checked" | "unchecked">;
		readonly radio: SymbolGroup<"selected" | "unselected">;
		readonly format: SymbolGroup<"bullet" | "dash" | "bracketLeft" | "bracketRight">;
		readonly md: SymbolGroup<"quoteBorder" | "hrChar" | "bullet">;
	}

	/** Symbols of one group by their short key. */
	export type SymbolGroup<K extends string> = Readonly<Record<K, string>>;

	export const theme: Theme;
	export function getMarkdownTheme(): MarkdownTheme;
	export function getSelectListTheme(): SelectListTheme;
	export function getSettingsListTheme(): SettingsListTheme;
	export function getEditorTheme(): EditorTheme;
}
