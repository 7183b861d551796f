// The theme as other packages want it, and hints for keys.

import { currentTheme } from "../../41_theme_instance.js";
import { getKeybindings } from "../tui/keybindings.js";
import { highlightCode } from "./highlight.js";

const MARKDOWN_COLORS = {
  heading: "mdHeading", link: "mdLink", linkUrl: "mdLinkUrl", code: "mdCode", codeBlock: "mdCodeBlock",
  codeBlockBorder: "mdCodeBlockBorder", quote: "mdQuote", quoteBorder: "mdQuoteBorder", hr: "mdHr",
  listBullet: "mdListBullet",
};

/** Paints with the theme in force at the time of drawing. */
const fg = (color) => (text) => currentTheme().fg(color, text);

/** The theme in force, whichever that is at the moment it is used. */
export const theme = new Proxy(
  {},
  {
    get(_target, key) {
      const now = currentTheme();
      const value = now[key];
      return typeof value === "function" ? value.bind(now) : value;
    },
    has: (_target, key) => key in currentTheme(),
  },
);

/** For `new Markdown(text, x, y, theme)`. */
export function getMarkdownTheme() {
  return {
    ...Object.fromEntries(Object.entries(MARKDOWN_COLORS).map(([part, color]) => [part, fg(color)])),
    bold: (text) => currentTheme().bold(text),
    italic: (text) => currentTheme().italic(text),
    underline: (text) => currentTheme().underline(text),
    strikethrough: (text) => currentTheme().strikethrough(text),
    highlightCode,
  };
}

export function getSelectListTheme() {
  return {
    selectedPrefix: fg("accent"),
    selectedText: fg("accent"),
    description: fg("muted"),
    scrollInfo: fg("muted"),
    noMatch: fg("muted"),
  };
}

export function getSettingsListTheme() {
  const selectedOr = (otherwise) => (text, selected) => (selected ? currentTheme().fg("accent", text) : otherwise(text));
  return {
    label: selectedOr((text) => text),
    value: selectedOr(fg("muted")),
    description: fg("dim"),
    get cursor() {
      return currentTheme().fg("accent", "→ ");
    },
    hint: fg("dim"),
  };
}

export function getEditorTheme() {
  return { borderColor: fg("borderMuted"), selectList: getSelectListTheme() };
}

/** The keys of an action, e.g. `escape/ctrl+c`. */
export function keyText(keybinding) {
  return getKeybindings().getKeys(keybinding).join("/");
}

/** The keys of an action with what they do, coloured. */
export function keyHint(keybinding, description) {
  return rawKeyHint(keyText(keybinding), description);
}

export function rawKeyHint(key, description) {
  return currentTheme().fg("dim", key) + currentTheme().fg("muted", ` ${description}`);
}
