// What a component is, and the plainest one: a list of others.

import { truncateToWidth, visibleWidth, columns } from "./width.js";

/**
 * @typedef {object} Component
 * @property {(width: number) => string[]} render lines of at most `width` columns
 * @property {(data: string) => void} [handleInput] one key or paste as the terminal sent it
 * @property {() => void} [invalidate] drop what was cached, e.g. after a change of theme
 * @property {boolean} [wantsKeyRelease]
 * @property {() => void} [dispose]
 */

/** Zero-width mark a focused component puts where the terminal's own cursor belongs. */
export const CURSOR_MARKER = "\x1b_pi:c\x07";

/** Whether the component takes the focus (has a `focused` property). */
export function isFocusable(component) {
  return component !== null && typeof component === "object" && "focused" in component;
}

/** A line cut to the width without any mark; the last resort of every component. */
export function fitLine(line, width) {
  return visibleWidth(line) > columns(width) ? truncateToWidth(line, width, "") : line;
}

/** Children one below the other. */
export class Container {
  children = [];

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

  invalidate() {
    for (const child of this.children) child.invalidate?.();
  }

  render(width) {
    return this.children.flatMap((child) => child.render(width) ?? []);
  }
}
