import { fitLine } from "./component.js";
import { sideMargin } from "./text.js";
import { columns, padding, visibleWidth } from "./width.js";

/** Children with a margin and a common background. Without anything to show it takes no line. */
export class Box {
  children = [];
  #paddingX;
  #paddingY;
  #background;

  /**
   * @param {number} [paddingX] columns left and right
   * @param {number} [paddingY] lines above and below
   * @param {(line: string) => string} [bgFn] paints each full line
   */
  constructor(paddingX = 1, paddingY = 1, bgFn) {
    this.#paddingX = columns(paddingX);
    this.#paddingY = columns(paddingY);
    this.#background = bgFn;
  }

  addChild(component) {
    this.children.push(component);
  }

  removeChild(component) {
    const at = this.children.indexOf(component);
    if (at >= 0) this.children.splice(at, 1);
  }

  clear() {
    this.children = [];
  }

  setBgFn(bgFn) {
    this.#background = bgFn;
  }

  invalidate() {
    for (const child of this.children) child.invalidate?.();
  }

  render(width) {
    const whole = columns(width);
    const margin = sideMargin(this.#paddingX, whole);
    const content = this.children.flatMap((child) => child.render(whole - 2 * margin) ?? []);
    if (content.length === 0) return [];
    const edge = Array.from({ length: this.#paddingY }, () => "");
    const inner = content.map((line) => padding(margin) + line);
    return [...edge, ...inner, ...edge].map((line) => {
      const full = fitLine(line + padding(whole - visibleWidth(line)), whole);
      return this.#background ? this.#background(full) : full;
    });
  }
}
