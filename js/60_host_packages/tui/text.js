import { fitLine } from "./component.js";
import { columns, padding, visibleWidth } from "./width.js";
import { wrapTextWithAnsi } from "./wrap.js";

/** Wrapped text with a margin around it, every line filled up to the width. Blank text takes no line. */
export class Text {
  #text;
  #paddingX;
  #paddingY;
  #background;
  #cache;

  /**
   * @param {string} [text] may hold line breaks and escape sequences
   * @param {number} [paddingX] columns left and right
   * @param {number} [paddingY] lines above and below
   * @param {(line: string) => string} [customBgFn] paints each full line
   */
  constructor(text = "", paddingX = 1, paddingY = 1, customBgFn) {
    this.#text = String(text ?? "");
    this.#paddingX = columns(paddingX);
    this.#paddingY = columns(paddingY);
    this.#background = customBgFn;
  }

  setText(text) {
    this.#text = String(text ?? "");
    this.#cache = undefined;
  }

  getText() {
    return this.#text;
  }

  setCustomBgFn(customBgFn) {
    this.#background = customBgFn;
    this.#cache = undefined;
  }

  invalidate() {
    this.#cache = undefined;
  }

  render(width) {
    if (this.#cache?.width !== width) this.#cache = { width, lines: this.#lay(columns(width)) };
    return [...this.#cache.lines];
  }

  #lay(width) {
    if (this.#text.trim() === "") return [];
    const margin = sideMargin(this.#paddingX, width);
    const blank = this.#paint("", width);
    const body = wrapTextWithAnsi(this.#text, width - 2 * margin).map((line) =>
      this.#paint(padding(margin) + line, width),
    );
    const edge = Array.from({ length: this.#paddingY }, () => blank);
    return [...edge, ...body, ...edge];
  }

  #paint(line, width) {
    const full = fitLine(line + padding(width - visibleWidth(line)), width);
    return this.#background ? this.#background(full) : full;
  }
}

/** The margin on each side that leaves at least one column for the content. */
export function sideMargin(wanted, width) {
  return Math.max(0, Math.min(wanted, Math.floor((width - 1) / 2)));
}
