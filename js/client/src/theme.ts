import type { Theme } from "./hook-types.js";

/** Colour names of the reference's themes, for reading a host's theme into data. */
const FG =
	"accent border borderAccent borderMuted success error warning muted dim text thinkingText userMessageText customMessageText customMessageLabel toolTitle toolOutput mdHeading mdLink mdLinkUrl mdCode mdCodeBlock mdCodeBlockBorder mdQuote mdQuoteBorder mdHr mdListBullet toolDiffAdded toolDiffRemoved toolDiffContext syntaxComment syntaxKeyword syntaxFunction syntaxVariable syntaxString syntaxNumber syntaxType syntaxOperator syntaxPunctuation thinkingOff thinkingMinimal thinkingLow thinkingMedium thinkingHigh thinkingXhigh bashMode pythonMode statusLineSep statusLineModel statusLinePath statusLineGitClean statusLineGitDirty statusLineContext statusLineSpend statusLineStaged statusLineDirty statusLineUntracked statusLineOutput statusLineCost statusLineSubagents".split(
		" ",
	);
const BG = "selectedBg userMessageBg customMessageBg toolPendingBg toolSuccessBg toolErrorBg statusLineBg".split(" ");
const GROUPS = "status nav tree boxRound boxSharp sep icon checkbox radio format md".split(" ");

type AnyTheme = Record<string, any>;

function read(names: string[], get: (name: string) => unknown): Record<string, string> {
	const found: Record<string, string> = {};
	for (const name of names) {
		try {
			const ansi = get(name);
			if (typeof ansi === "string") found[name] = ansi;
		} catch {
			// a colour this theme does not have
		}
	}
	return found;
}

/** A host's theme as the protocol's `Theme`; undefined when it cannot be read, the engine then uses its own. */
export function themeToWire(theme: unknown): Record<string, unknown> | undefined {
	const source = theme as AnyTheme | undefined;
	if (typeof source?.["getFgAnsi"] !== "function") return undefined;
	const symbols: Record<string, string> = {};
	for (const group of GROUPS) {
		const members = source[group];
		if (typeof members !== "object" || members === null) continue;
		for (const [key, value] of Object.entries(members)) if (typeof value === "string") symbols[`${group}.${key}`] = value;
	}
	return {
		...(typeof source["name"] === "string" ? { name: source["name"] } : {}),
		fg: read(FG, (name) => source["getFgAnsi"](name)),
		bg: typeof source["getBgAnsi"] === "function" ? read(BG, (name) => source["getBgAnsi"](name)) : {},
		symbols,
	};
}

/** The theme of host factories where the host has no user interface: it knows the names and adds no colour. */
export function plainTheme(): Theme {
	const known = (names: string[], what: string) => (name: string) => {
		if (!names.includes(name)) throw new Error(`Unknown theme ${what}: ${name}`);
	};
	const fg = known(FG, "color");
	const bg = known(BG, "background color");
	const same = (text: string): string => text;
	const theme: AnyTheme = {
		fg: (name: string, text: string) => (fg(name), text),
		bg: (name: string, text: string) => (bg(name), text),
		getFgAnsi: (name: string) => (fg(name), ""),
		getBgAnsi: (name: string) => (bg(name), ""),
		symbol: () => "",
	};
	for (const style of ["bold", "italic", "underline", "strikethrough", "inverse"]) theme[style] = same;
	for (const group of GROUPS) theme[group] = new Proxy({}, { get: () => "" });
	return theme as unknown as Theme;
}
