import { fitLine } from "./component.js";
import { fuzzyFilter } from "./fuzzy.js";
import { Input } from "./input.js";
import { getKeybindings } from "./keybindings.js";
import { columns, padding, truncateToWidth, visibleWidth } from "./width.js";
import { wrapTextWithAnsi } from "./wrap.js";

const LABEL_COLUMNS = 30;
const same = (text) => text;
const oneLine = (text) => String(text ?? "").replace(/\s*[\r\n\t]+\s*/g, " ");

/**
 * Settings with their values: enter or space takes the next value or opens the item's submenu.
 *
 * @typedef {object} SettingItem
 * @property {string} id
 * @property {string} label
 * @property {string} [description] shown below the list while selected
 * @property {string} currentValue
 * @property {string[]} [values] what enter cycles through
 * @property {(currentValue: string, done: (value?: string) => void) => import("./component.js").Component} [submenu]
 */
export class SettingsList {
  #items;
  #shown;
  #maxVisible;
  #theme;
  #onChange;
  #onCancel;
  #selected = 0;
  #search;
  #submenu;

  /**
   * @param {SettingItem[]} items
   * @param {number} maxVisible rows
   * @param {object} theme `label value` (text, selected), `description hint` (text), `cursor` string
   * @param {(id: string, newValue: string) => void} onChange
   * @param {() => void} onCancel
   * @param {{ enableSearch?: boolean }} [options]
   */
  constructor(items, maxVisible, theme, onChange, onCancel, options = {}) {
    this.#items = items;
    this.#shown = items;
    this.#maxVisible = Math.max(1, columns(maxVisible));
    this.#theme = theme ?? {};
    this.#onChange = onChange;
    this.#onCancel = onCancel;
    if (options.enableSearch) this.#search = new Input();
  }

  updateValue(id, newValue) {
    const item = this.#items.find((candidate) => candidate.id === id);
    if (item) item.currentValue = newValue;
  }

  invalidate() {
    this.#submenu?.component.invalidate?.();
  }

  handleInput(data) {
    if (this.#submenu) {
      this.#submenu.component.handleInput?.(data);
      return;
    }
    const keys = getKeybindings();
    if (keys.matches(data, "tui.select.cancel")) this.#onCancel?.();
    else if (keys.matches(data, "tui.select.up")) this.#move(-1);
    else if (keys.matches(data, "tui.select.down")) this.#move(1);
    else if (keys.matches(data, "tui.select.confirm") || (data === " " && !this.#search?.getValue())) this.#activate();
    else if (this.#search) this.#type(data);
  }

  render(width) {
    const whole = columns(width);
    if (this.#submenu) return this.#submenu.component.render(whole);
    const lines = this.#search ? [...this.#search.render(whole), ""] : [];
    if (this.#shown.length === 0) lines.push(this.#style("hint", "  nothing matches"));
    else lines.push(...this.#rows(whole), ...this.#details(whole));
    const typing = this.#search ? "type to filter · " : "";
    lines.push("", this.#style("hint", `  ${typing}enter or space changes, escape closes`));
    return lines.map((line) => fitLine(line, whole));
  }

  #style(name, ...args) {
    return (this.#theme[name] ?? same)(...args);
  }

  #move(by) {
    const count = this.#shown.length;
    if (count > 0) this.#selected = (this.#selected + by + count) % count;
  }

  #type(data) {
    this.#search.handleInput(data === " " ? "" : data);
    this.#shown = fuzzyFilter(this.#items, this.#search.getValue(), (item) => item.label);
    this.#selected = 0;
  }

  #activate() {
    const item = this.#shown[this.#selected];
    if (!item) return;
    if (item.submenu) {
      const component = item.submenu(item.currentValue, (value) => {
        this.#submenu = undefined;
        if (value !== undefined) this.#set(item, value);
      });
      this.#submenu = { component };
    } else if (item.values?.length > 0) {
      const next = (item.values.indexOf(item.currentValue) + 1) % item.values.length;
      this.#set(item, item.values[next]);
    }
  }

  #set(item, value) {
    item.currentValue = value;
    this.#onChange?.(item.id, value);
  }

  #rows(width) {
    const count = this.#shown.length;
    const rows = Math.min(this.#maxVisible, count);
    const top = Math.max(0, Math.min(this.#selected - Math.floor(rows / 2), count - rows));
    const labelColumns = Math.min(LABEL_COLUMNS, Math.max(...this.#items.map((item) => visibleWidth(oneLine(item.label)))));
    const cursor = this.#theme.cursor ?? "→ ";
    const lines = this.#shown.slice(top, top + rows).map((item, index) => {
      const selected = top + index === this.#selected;
      const prefix = selected ? cursor : padding(visibleWidth(cursor));
      const label = truncateToWidth(oneLine(item.label), labelColumns, "…", true);
      const room = width - visibleWidth(prefix) - labelColumns - 2;
      const value = truncateToWidth(oneLine(item.currentValue), room, "");
      return `${prefix}${this.#style("label", label, selected)}  ${this.#style("value", value, selected)}`;
    });
    if (rows < count) lines.push(this.#style("hint", `  (${this.#selected + 1}/${count})`));
    return lines;
  }

  #details(width) {
    const description = this.#shown[this.#selected]?.description;
    if (!description) return [];
    const wrapped = wrapTextWithAnsi(description, Math.max(1, width - 4));
    return ["", ...wrapped.map((line) => this.#style("description", `  ${line}`))];
  }
}
