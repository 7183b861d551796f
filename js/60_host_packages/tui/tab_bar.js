import { fitLine } from "./component.js";
import { getKeybindings } from "./keybindings.js";
import { matchesKey } from "./keys.js";
import { columns, visibleWidth } from "./width.js";

const same = (text) => text;

/** A row of tabs; the keys tab, shift+tab and the arrows change the active one. */
export class TabBar {
  #label;
  #tabs;
  #theme;
  #active;
  onTabChange = undefined;

  /**
   * @param {string} label
   * @param {{ id: string, label: string }[]} tabs
   * @param {object} theme functions `label activeTab inactiveTab hint`
   * @param {number} [initialIndex]
   */
  constructor(label, tabs, theme = {}, initialIndex = 0) {
    this.#label = label;
    this.#tabs = tabs;
    this.#theme = theme;
    this.#active = Math.max(0, Math.min(initialIndex, tabs.length - 1));
  }

  getActiveTab() {
    return this.#tabs[this.#active];
  }

  getActiveIndex() {
    return this.#active;
  }

  setActiveIndex(index) {
    const target = Math.max(0, Math.min(columns(index), this.#tabs.length - 1));
    if (target === this.#active) return;
    this.#active = target;
    this.onTabChange?.(this.#tabs[target], target);
  }

  nextTab() {
    this.setActiveIndex((this.#active + 1) % Math.max(1, this.#tabs.length));
  }

  prevTab() {
    this.setActiveIndex((this.#active + this.#tabs.length - 1) % Math.max(1, this.#tabs.length));
  }

  /** @returns {boolean} whether the key was one of the bar's */
  handleInput(data) {
    const keys = getKeybindings();
    if (keys.matches(data, "tui.input.tab") || matchesKey(data, "right")) this.nextTab();
    else if (matchesKey(data, "shift+tab") || matchesKey(data, "left")) this.prevTab();
    else return false;
    return true;
  }

  invalidate() {}

  render(width) {
    const whole = columns(width);
    const style = (name, text) => (this.#theme[name] ?? same)(text);
    const parts = this.#tabs.map((tab, index) =>
      style(index === this.#active ? "activeTab" : "inactiveTab", ` ${String(tab.label).replace(/[\r\n\t]+/g, " ")} `),
    );
    const lines = [];
    let line = this.#label ? style("label", `${this.#label}: `) : "";
    for (const part of [...parts, style("hint", " (tab to cycle)")]) {
      if (line !== "" && visibleWidth(line) + visibleWidth(part) > whole) {
        lines.push(line);
        line = "";
      }
      line += part;
    }
    return [...lines, line].map((full) => fitLine(full, whole));
  }
}
