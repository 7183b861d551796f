import { fitLine } from "./component.js";
import { getKeybindings } from "./keybindings.js";
import { columns, padding, truncateToWidth, visibleWidth } from "./width.js";

const GAP = 2;
const PRIMARY_COLUMNS = 32;
const DESCRIPTION_MIN_COLUMNS = 10;
const same = (text) => text;
const oneLine = (text) => String(text ?? "").replace(/[\r\n\t]+/g, " ").trim();

/**
 * A list to choose from.
 * @typedef {{ value: string, label?: string, description?: string }} SelectItem
 */
export class SelectList {
  #items;
  #shown;
  #selected = 0;
  #maxVisible;
  #theme;
  #layout;
  onSelect = undefined;
  onCancel = undefined;
  onSelectionChange = undefined;

  /**
   * @param {SelectItem[]} items
   * @param {number} maxVisible rows
   * @param {object} theme functions `selectedPrefix selectedText description scrollInfo noMatch`
   * @param {object} [layout] `minPrimaryColumnWidth`, `maxPrimaryColumnWidth`, `truncatePrimary`
   */
  constructor(items, maxVisible = 10, theme = {}, layout = {}) {
    this.#items = items;
    this.#shown = items;
    this.#maxVisible = Math.max(1, columns(maxVisible));
    this.#theme = theme;
    this.#layout = layout;
  }

  /** Keeps the items whose value, or else label, starts with the filter (upper and lower case alike). */
  setFilter(filter) {
    const start = String(filter).toLowerCase();
    this.#shown = this.#items.filter((item) =>
      [item.value, item.label].some((text) => String(text ?? "").toLowerCase().startsWith(start)),
    );
    this.#selected = 0;
  }

  setSelectedIndex(index) {
    this.#selected = Math.max(0, Math.min(columns(index), this.#shown.length - 1));
  }

  /** @returns {SelectItem | null} */
  getSelectedItem() {
    return this.#shown[this.#selected] ?? null;
  }

  invalidate() {}

  render(width) {
    const whole = columns(width);
    if (this.#shown.length === 0) return [this.#style("noMatch", fitLine("  nothing matches", whole))];
    const rows = Math.min(this.#maxVisible, this.#shown.length);
    const top = Math.max(0, Math.min(this.#selected - Math.floor(rows / 2), this.#shown.length - rows));
    const primary = this.#primaryColumns();
    const lines = this.#shown
      .slice(top, top + rows)
      .map((item, row) => this.#row(item, top + row === this.#selected, whole, primary));
    if (rows < this.#shown.length) {
      const position = `  (${this.#selected + 1}/${this.#shown.length})`;
      lines.push(this.#style("scrollInfo", fitLine(position, whole)));
    }
    return lines;
  }

  handleInput(data) {
    const keys = getKeybindings();
    if (keys.matches(data, "tui.select.cancel")) this.onCancel?.();
    else if (this.#shown.length === 0) return;
    else if (keys.matches(data, "tui.select.up")) this.#move(-1, true);
    else if (keys.matches(data, "tui.select.down")) this.#move(1, true);
    else if (keys.matches(data, "tui.select.pageUp")) this.#move(-this.#maxVisible, false);
    else if (keys.matches(data, "tui.select.pageDown")) this.#move(this.#maxVisible, false);
    else if (keys.matches(data, "tui.select.confirm")) this.onSelect?.(this.#shown[this.#selected]);
  }

  #move(by, wrapsAround) {
    const count = this.#shown.length;
    const target = this.#selected + by;
    this.#selected = wrapsAround ? (target + count) % count : Math.max(0, Math.min(target, count - 1));
    this.onSelectionChange?.(this.#shown[this.#selected]);
  }

  #style(name, text) {
    return (this.#theme[name] ?? same)(text);
  }

  #primaryColumns() {
    const { minPrimaryColumnWidth, maxPrimaryColumnWidth } = this.#layout;
    const most = maxPrimaryColumnWidth ?? minPrimaryColumnWidth ?? PRIMARY_COLUMNS;
    const least = Math.min(minPrimaryColumnWidth ?? most, most);
    const widest = Math.max(...this.#shown.map((item) => visibleWidth(label(item))));
    return Math.max(least, Math.min(widest + GAP, most));
  }

  #row(item, selected, width, primaryColumns) {
    const prefix = selected ? "→ " : "  ";
    const description = oneLine(item.description);
    const room = width - visibleWidth(prefix);
    let left = this.#truncate(item, selected, Math.max(0, room), room);
    let right = "";
    const rest = room - primaryColumns;
    if (description && rest >= DESCRIPTION_MIN_COLUMNS) {
      const primary = this.#truncate(item, selected, Math.max(1, primaryColumns - GAP), primaryColumns);
      left = primary + padding(primaryColumns - visibleWidth(primary));
      right = truncateToWidth(description, rest, "…");
    }
    if (selected) return fitLine(this.#style("selectedText", prefix + left + right), width);
    return fitLine(prefix + left + (right && this.#style("description", right)), width);
  }

  #truncate(item, isSelected, maxWidth, columnWidth) {
    const text = label(item);
    const own = this.#layout.truncatePrimary?.({ text, maxWidth, columnWidth, item, isSelected });
    return truncateToWidth(own ?? text, maxWidth, "");
  }
}

function label(item) {
  return oneLine(item.label || item.value);
}
