import { sideMargin } from "./text.js";
import { columns, padding, truncateToWidth } from "./width.js";

/** The first line of a text, cut with `…` instead of wrapped and filled up to the width. */
export class TruncatedText {
  #text;
  #paddingX;
  #paddingY;

  constructor(text, paddingX = 0, paddingY = 0) {
    this.#text = String(text ?? "");
    this.#paddingX = columns(paddingX);
    this.#paddingY = columns(paddingY);
  }

  setText(text) {
    this.#text = String(text ?? "");
  }

  invalidate() {}

  render(width) {
    const whole = columns(width);
    const margin = sideMargin(this.#paddingX, whole);
    const [first] = this.#text.split(/\r\n|\n|\r/);
    const line = truncateToWidth(first.replaceAll("\t", "   "), whole - 2 * margin, "…", true);
    const edge = Array.from({ length: this.#paddingY }, () => padding(whole));
    return [...edge, padding(margin) + line + padding(margin), ...edge];
  }
}
