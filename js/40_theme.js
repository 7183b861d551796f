// The theme hooks draw with: `ctx.ui.theme`, message renderers, custom components (hooks.md §7).

import { colorSequence, detectColorMode } from "./40_theme/color.js";
import { languageSymbol } from "./40_theme/languages.js";
import { palette } from "./40_theme/palettes.js";
import { spinnerFrames, SYMBOL_GROUPS, symbolsOf } from "./40_theme/symbols.js";

const style = (on, off) => (text) => `\x1b[${on}m${text}\x1b[${off}m`;
const bold = style(1, 22);
const italic = style(3, 23);
const underline = style(4, 24);
const inverse = style(7, 27);
const strikethrough = style(9, 29);
const LEVELS = ["off", "minimal", "low", "medium", "high", "xhigh"];

/**
 * Colours and symbols by name. Beside the methods it has one property per symbol group:
 * `theme.status.success` is `theme.symbol("status.success")`.
 */
export class Theme {
  #foreground;
  #background;
  #mode;
  #preset;
  #symbols;

  /**
   * @param {Record<string, string | number>} fgColors `#rrggbb`, 0–255 or `""` by name
   * @param {Record<string, string | number>} bgColors
   * @param {"truecolor" | "256color" | "none"} mode
   * @param {"unicode" | "nerd" | "ascii"} [symbolPreset]
   * @param {Record<string, string>} [symbolOverrides] keys no preset knows are ignored
   */
  constructor(fgColors, bgColors, mode, symbolPreset = "unicode", symbolOverrides = {}) {
    const sequences = (colors, layer) =>
      new Map(Object.entries(colors).map(([name, color]) => [name, colorSequence(color, mode, layer)]));
    this.#foreground = sequences(fgColors, "fg");
    this.#background = sequences(bgColors, "bg");
    this.#mode = mode;
    this.#preset = typeof symbolPreset === "string" ? symbolPreset : "unicode";
    this.#symbols = symbolsOf(this.#preset);
    for (const [key, symbol] of Object.entries(symbolOverrides)) {
      if (Object.hasOwn(this.#symbols, key)) this.#symbols[key] = symbol;
    }
    for (const group of SYMBOL_GROUPS) this[group] = this.#group(group);
  }

  /** @throws {Error} `Unknown theme color: <name>` */
  fg(color, text) {
    const ansi = this.getFgAnsi(color);
    return ansi === "" ? `${text}` : `${ansi}${text}\x1b[39m`;
  }

  /** @throws {Error} `Unknown theme background color: <name>` */
  bg(color, text) {
    const ansi = this.getBgAnsi(color);
    return ansi === "" ? `${text}` : `${ansi}${text}\x1b[49m`;
  }

  bold(text) {
    return bold(text);
  }

  italic(text) {
    return italic(text);
  }

  underline(text) {
    return underline(text);
  }

  inverse(text) {
    return inverse(text);
  }

  strikethrough(text) {
    return strikethrough(text);
  }

  /** The sequence that switches the colour on, empty without colours. */
  getFgAnsi(color) {
    const ansi = this.#foreground.get(color);
    if (ansi === undefined) throw new Error(`Unknown theme color: ${String(color)}`);
    return ansi;
  }

  getBgAnsi(color) {
    const ansi = this.#background.get(color);
    if (ansi === undefined) throw new Error(`Unknown theme background color: ${String(color)}`);
    return ansi;
  }

  getColorMode() {
    return this.#mode;
  }

  /** @param {string} level thinking level; an unknown one is drawn as `off` */
  getThinkingBorderColor(level) {
    const known = LEVELS.includes(level) ? level : "off";
    const color = `thinking${known[0].toUpperCase()}${known.slice(1)}`;
    return (text) => this.fg(color, text);
  }

  getBashModeBorderColor() {
    return (text) => this.fg("bashMode", text);
  }

  getPythonModeBorderColor() {
    return (text) => this.fg("pythonMode", text);
  }

  /** @returns {string | undefined} */
  symbol(key) {
    return Object.hasOwn(this.#symbols, key) ? this.#symbols[key] : undefined;
  }

  styledSymbol(key, color) {
    return this.fg(color, this.symbol(key));
  }

  getSymbolPreset() {
    return this.#preset;
  }

  get spinnerFrames() {
    return this.getSpinnerFrames();
  }

  /** @param {"status" | "activity"} [type] */
  getSpinnerFrames(type = "status") {
    return spinnerFrames(this.#preset, type);
  }

  getLangIcon(language) {
    return this.#symbols[languageSymbol(language)];
  }

  #group(group) {
    const start = `${group}.`;
    const entries = Object.entries(this.#symbols).filter(([key]) => key.startsWith(start));
    return Object.fromEntries(entries.map(([key, symbol]) => [key.slice(start.length), symbol]));
  }
}

/**
 * A built-in theme.
 *
 * @param {object} [options]
 * @param {"dark" | "light"} [options.mode] default `dark`
 * @param {"unicode" | "nerd" | "ascii"} [options.symbols] default `unicode`
 * @param {boolean} [options.noColor] no colour sequences at all; default: whether `NO_COLOR` is set
 * @param {"truecolor" | "256color"} [options.colors] default: what `COLORTERM` says
 * @param {Record<string, string | undefined>} [options.env] default: the process environment
 * @returns {Theme}
 */
export function createTheme({ mode = "dark", symbols = "unicode", noColor, colors, env } = {}) {
  const detected = detectColorMode(env ?? globalThis.process?.env ?? {});
  const plain = noColor ?? detected === "none";
  const colorful = colors ?? (detected === "none" ? "256color" : detected);
  const { foreground, background } = palette(mode);
  return new Theme(foreground, background, plain ? "none" : colorful, symbols);
}
