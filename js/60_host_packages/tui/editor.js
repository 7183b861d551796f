import { CURSOR_MARKER, fitLine } from "./component.js";
import { applyEditKey, InputSplitter } from "./edit_keys.js";
import { columnOf, indexAtColumn, layoutRows, rowOfCursor } from "./editor_layout.js";
import { clusterEnd } from "./graphemes.js";
import { getKeybindings } from "./keybindings.js";
import { sideMargin } from "./text.js";
import { TextBuffer } from "./text_buffer.js";
import { columns, padding, truncateToWidth, visibleWidth } from "./width.js";

const HISTORY_LIMIT = 100;
const MIN_ROWS = 5;
const DEFAULT_TERMINAL_ROWS = 24;
const same = (text) => text;
const isTheme = (value) => typeof value?.borderColor === "function";

/**
 * Text of several lines between two rules. Enter submits, shift+enter and a backslash before enter break
 * the line, up and down on the first and last row walk through the history.
 */
export class Editor {
  #buffer = new TextBuffer();
  #splitter = new InputSplitter();
  #theme;
  #paddingX;
  #scroll = 0;
  #width = 80;
  #wantedColumn;
  #history = [];
  #historyAt = -1;
  #draft = "";
  focused = false;
  disableSubmit = false;
  /** @type {((text: string) => void) | undefined} */
  onSubmit = undefined;
  /** @type {((text: string) => void) | undefined} */
  onChange = undefined;

  /**
   * @param {object} tui its `terminal.rows` bounds the height and `requestRender` draws; may be left out
   * @param {{ borderColor: (text: string) => string, selectList?: object }} theme
   * @param {{ paddingX?: number }} [options]
   */
  constructor(tui, theme, options = {}) {
    const shifted = isTheme(tui) && !isTheme(theme);
    this.tui = shifted ? undefined : tui;
    this.#theme = shifted ? tui : (theme ?? {});
    this.#paddingX = columns((shifted ? theme : options)?.paddingX);
    /** May be replaced at any time, e.g. to show a mode by colour. */
    this.borderColor = this.#theme.borderColor ?? same;
  }

  getText() {
    return this.#buffer.text;
  }

  /** The text with pastes written out; pastes are never folded here, so it is the text. */
  getExpandedText() {
    return this.#buffer.text;
  }

  getLines() {
    return [...this.#buffer.lines];
  }

  /** @returns {{ line: number, col: number }} `col` in UTF-16 units */
  getCursor() {
    return { line: this.#buffer.line, col: this.#buffer.col };
  }

  setText(text) {
    this.#historyAt = -1;
    this.#edit(() => this.#buffer.setText(text));
  }

  insertTextAtCursor(text) {
    this.#edit(() => this.#buffer.insert(text));
  }

  getPaddingX() {
    return this.#paddingX;
  }

  setPaddingX(padding) {
    this.#paddingX = columns(padding);
    this.tui?.requestRender?.();
  }

  /** Remembers a submitted text for the up key; blank ones and repetitions are not kept. */
  addToHistory(text) {
    const trimmed = String(text).trim();
    if (trimmed === "" || this.#history[0] === trimmed) return;
    this.#history.unshift(trimmed);
    this.#history.length = Math.min(this.#history.length, HISTORY_LIMIT);
  }

  isShowingAutocomplete() {
    return false;
  }

  invalidate() {}

  handleInput(data) {
    this.#splitter.feed(data, {
      key: (key) => this.#key(key),
      paste: (text) => this.insertTextAtCursor(text),
    });
  }

  render(width) {
    const whole = columns(width);
    this.#width = whole;
    if (whole === 0) return ["", "", ""];
    const { rows, margin, room } = this.#layout();
    const cursorRow = rowOfCursor(rows, this.#buffer.line, this.#buffer.col);
    const height = this.#visibleRows();
    this.#scroll = Math.max(Math.min(this.#scroll, cursorRow), cursorRow - height + 1);
    this.#scroll = Math.max(0, Math.min(this.#scroll, rows.length - height));
    const shown = rows.slice(this.#scroll, this.#scroll + height);
    const body = shown.map((row, index) => {
      const text = this.#drawRow(row, this.#scroll + index === cursorRow, room);
      return fitLine(padding(margin) + text + padding(margin), whole);
    });
    const below = rows.length - this.#scroll - shown.length;
    return [this.#rule(whole, "↑", this.#scroll), ...body, this.#rule(whole, "↓", below)];
  }

  #rule(width, arrow, hidden) {
    const text = hidden > 0 ? `─── ${arrow} ${hidden} more ` : "";
    const line = text + "─".repeat(Math.max(0, width - visibleWidth(text)));
    return this.borderColor(truncateToWidth(line, width, ""));
  }

  /** One column stays free for the cursor behind the last character, as far as there is room. */
  #layout() {
    const margin = sideMargin(this.#paddingX, this.#width);
    const room = Math.max(1, this.#width - 2 * margin);
    return { rows: layoutRows(this.#buffer.lines, Math.max(1, room - 1)), margin, room };
  }

  #visibleRows() {
    const rows = this.tui?.terminal?.rows;
    return Math.max(MIN_ROWS, Math.floor((rows > 0 ? rows : DEFAULT_TERMINAL_ROWS) * 0.3));
  }

  #drawRow(row, hasCursor, room) {
    const line = this.#buffer.lines[row.line];
    const text = line.slice(row.start, row.end);
    if (!hasCursor) return truncateToWidth(text, room, "", true);
    const { col } = this.#buffer;
    const end = col < row.end ? clusterEnd(line, col) : col;
    const under = col < row.end ? line.slice(col, end) : " ";
    const mark = this.focused ? CURSOR_MARKER : "";
    const drawn = `${line.slice(row.start, col)}${mark}\x1b[7m${under}\x1b[27m${line.slice(end, row.end)}`;
    return truncateToWidth(drawn, room, "", true);
  }

  #key(data) {
    const keys = getKeybindings();
    const is = (name) => keys.matches(data, name);
    if (is("tui.input.copy")) return;
    if (is("tui.input.newLine") || data === "\x1b\r") this.#edit(() => this.#buffer.newLine());
    else if (is("tui.input.submit")) this.#enter();
    else if (is("tui.editor.cursorUp")) this.#vertical(-1, true);
    else if (is("tui.editor.cursorDown")) this.#vertical(1, true);
    else if (is("tui.editor.pageUp")) this.#vertical(-this.#visibleRows(), false);
    else if (is("tui.editor.pageDown")) this.#vertical(this.#visibleRows(), false);
    else if (is("tui.input.tab")) return;
    else this.#edit(() => applyEditKey(this.#buffer, data));
  }

  #enter() {
    const { current, col } = this.#buffer;
    if (current[col - 1] === "\\") {
      this.#edit(() => {
        this.#buffer.deleteBackward();
        this.#buffer.newLine();
      });
      return;
    }
    if (this.disableSubmit) return;
    const text = this.getText().trim();
    this.#buffer = new TextBuffer();
    this.#historyAt = -1;
    this.#scroll = 0;
    this.#wantedColumn = undefined;
    this.onChange?.("");
    this.onSubmit?.(text);
  }

  #edit(change) {
    const before = this.getText();
    change();
    this.#wantedColumn = undefined;
    const after = this.getText();
    if (after !== before) this.onChange?.(after);
  }

  #vertical(by, withHistory) {
    const { rows } = this.#layout();
    const at = rowOfCursor(rows, this.#buffer.line, this.#buffer.col);
    const target = Math.max(0, Math.min(at + by, rows.length - 1));
    if (target === at) {
      if (withHistory && this.#walkHistory(by < 0 ? 1 : -1)) return;
      if (by < 0) this.#buffer.lineStart();
      else this.#buffer.lineEnd();
      return;
    }
    const lineOf = (row) => this.#buffer.lines[row.line];
    this.#wantedColumn ??= columnOf(lineOf(rows[at]), rows[at], this.#buffer.col);
    const row = rows[target];
    this.#buffer.moveTo(row.line, indexAtColumn(lineOf(row), row, this.#wantedColumn));
  }

  /** Only from an empty editor or while already in the history: a text being written is not thrown away. */
  #walkHistory(by) {
    const walking = this.#historyAt >= 0;
    const next = this.#historyAt + by;
    if ((!walking && (by < 0 || this.getText() !== "")) || next >= this.#history.length) return walking;
    if (!walking) this.#draft = this.getText();
    this.#historyAt = Math.max(-1, next);
    const text = this.#historyAt < 0 ? this.#draft : this.#history[this.#historyAt];
    this.#edit(() => this.#buffer.setText(text));
    return true;
  }
}
