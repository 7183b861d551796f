// The two built-in palettes. The names are the ones themes of the agents have; the colours are our own.
// A palette is a few base colours and what each name takes from them; "" is the terminal's own colour.

const BASE = {
  dark: {
    blue: "#6ea8fe", cyan: "#4fd1c5", green: "#8fce7a", red: "#f07178", yellow: "#e5c76b", orange: "#e8a35c",
    violet: "#b79af2", pink: "#e48ac0", soft: "#9aa4b2", faint: "#6b7480", line: "#4a525e",
    selected: "#2f3a4d", user: "#2b303b", custom: "#302b40", pending: "#262b36", done: "#233329", failed: "#3b2629",
    bar: "#1e232c",
  },
  light: {
    blue: "#2563b0", cyan: "#0f766e", green: "#2f7d32", red: "#b3261e", yellow: "#8a6100", orange: "#a14a00",
    violet: "#6b4fbb", pink: "#a8327d", soft: "#59616e", faint: "#7b8390", line: "#b4bac4",
    selected: "#d6e2f5", user: "#eceff4", custom: "#efe9fb", pending: "#eef1f6", done: "#e5f3e6", failed: "#fae6e4",
    bar: "#e4e8ee",
  },
};

const FOREGROUND = {
  accent: "cyan", border: "blue", borderAccent: "cyan", borderMuted: "line",
  success: "green", error: "red", warning: "yellow", muted: "soft", dim: "faint", text: "", thinkingText: "soft",
  userMessageText: "", customMessageText: "", customMessageLabel: "violet",
  toolTitle: "", toolOutput: "soft", toolDiffAdded: "green", toolDiffRemoved: "red", toolDiffContext: "soft",
  mdHeading: "yellow", mdLink: "blue", mdLinkUrl: "faint", mdCode: "cyan", mdCodeBlock: "green",
  mdCodeBlockBorder: "faint", mdQuote: "soft", mdQuoteBorder: "faint", mdHr: "faint", mdListBullet: "cyan",
  syntaxComment: "faint", syntaxKeyword: "violet", syntaxFunction: "blue", syntaxVariable: "orange",
  syntaxString: "green", syntaxNumber: "yellow", syntaxType: "cyan", syntaxOperator: "soft", syntaxPunctuation: "soft",
  thinkingOff: "line", thinkingMinimal: "faint", thinkingLow: "blue", thinkingMedium: "cyan", thinkingHigh: "violet",
  thinkingXhigh: "pink",
  bashMode: "green", pythonMode: "yellow",
  statusLineSep: "line", statusLineModel: "violet", statusLinePath: "cyan", statusLineGitClean: "green",
  statusLineGitDirty: "yellow", statusLineContext: "soft", statusLineSpend: "cyan", statusLineStaged: "green",
  statusLineDirty: "yellow", statusLineUntracked: "blue", statusLineOutput: "pink", statusLineCost: "orange",
  statusLineSubagents: "blue",
};

const BACKGROUND = {
  selectedBg: "selected", userMessageBg: "user", customMessageBg: "custom", toolPendingBg: "pending",
  toolSuccessBg: "done", toolErrorBg: "failed", statusLineBg: "bar",
};

function resolve(names, base) {
  return Object.fromEntries(Object.entries(names).map(([name, color]) => [name, color === "" ? "" : base[color]]));
}

/**
 * @param {"dark" | "light"} mode
 * @returns {{ foreground: Record<string, string>, background: Record<string, string> }} colours as `#rrggbb` or `""`
 */
export function palette(mode) {
  const base = BASE[mode] ?? BASE.dark;
  return { foreground: resolve(FOREGROUND, base), background: resolve(BACKGROUND, base) };
}
