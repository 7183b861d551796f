// Editable text with a cursor, undo and a kill ring. `Input` and `Editor` draw it.

import { clusterEnd, previousBoundary } from "./graphemes.js";

const UNDO_LIMIT = 200;
const KILL_LIMIT = 20;
const isSpace = (text) => /^\s/.test(text);
const isPunctuation = (text) => /^[(){}[\]<>.,;:'"!?+\-=*/\\|&%^$#@~`]/.test(text);

export class TextBuffer {
  lines = [""];
  line = 0;
  /** Index into the current line in UTF-16 units, always on a cluster boundary. */
  col = 0;
  #singleLine;
  #undo = [];
  #kills = [];
  #killAt = 0;
  #yanked;
  #lastAction = "";

  /** @param {{ singleLine?: boolean }} [options] a single line swallows line breaks */
  constructor({ singleLine = false } = {}) {
    this.#singleLine = singleLine;
  }

  get text() {
    return this.lines.join("\n");
  }

  get current() {
    return this.lines[this.line];
  }

  /** Replaces everything; the cursor goes to the end. */
  setText(text) {
    this.#snapshot("set");
    this.#load(this.#clean(text));
  }

  /** Inserts at the cursor. Typing one character after the other is undone word by word. */
  insert(text, action = "insert") {
    const clean = this.#clean(text);
    if (clean === "") return;
    if (action !== "type" || this.#lastAction !== "type" || isSpace(clean)) this.#snapshot(action);
    this.#lastAction = action;
    this.#insertRaw(clean);
  }

  newLine() {
    if (!this.#singleLine) this.insert("\n", "newline");
  }

  left() {
    this.#lastAction = "move";
    if (this.col > 0) this.col = previousBoundary(this.current, this.col);
    else if (this.line > 0) this.#goTo(this.line - 1, Infinity);
  }

  right() {
    this.#lastAction = "move";
    if (this.col < this.current.length) this.col = clusterEnd(this.current, this.col);
    else if (this.line < this.lines.length - 1) this.#goTo(this.line + 1, 0);
  }

  wordLeft() {
    this.#lastAction = "move";
    if (this.col === 0) this.left();
    else this.col = this.#wordStart();
  }

  wordRight() {
    this.#lastAction = "move";
    if (this.col === this.current.length) this.right();
    else this.col = this.#wordEnd();
  }

  lineStart() {
    this.#lastAction = "move";
    this.col = 0;
  }

  lineEnd() {
    this.#lastAction = "move";
    this.col = this.current.length;
  }

  /** Moves to a place; the column lands on the cluster boundary at or before it. */
  moveTo(line, col) {
    this.#lastAction = "move";
    this.#goTo(line, col);
  }

  deleteBackward() {
    if (this.col > 0) this.#cut(previousBoundary(this.current, this.col), this.col, "delete");
    else this.#joinWithPrevious(this.line, "delete");
  }

  deleteForward() {
    if (this.col < this.current.length) this.#cut(this.col, clusterEnd(this.current, this.col), "delete");
    else this.#joinWithPrevious(this.line + 1, "delete");
  }

  deleteWordBackward() {
    if (this.col > 0) this.#kill(this.#wordStart(), this.col, true);
    else this.#joinWithPrevious(this.line, "delete");
  }

  deleteWordForward() {
    if (this.col < this.current.length) this.#kill(this.col, this.#wordEnd(), false);
    else this.#joinWithPrevious(this.line + 1, "delete");
  }

  deleteToLineStart() {
    if (this.col > 0) this.#kill(0, this.col, true);
    else this.#joinWithPrevious(this.line, "delete");
  }

  deleteToLineEnd() {
    if (this.col < this.current.length) this.#kill(this.col, this.current.length, false);
    else this.#joinWithPrevious(this.line + 1, "delete");
  }

  /** Inserts the text deleted last. */
  yank() {
    if (this.#kills.length === 0) return;
    this.#killAt = this.#kills.length - 1;
    this.#insertKill();
  }

  /** Right after a yank: replaces it with what was deleted before that. */
  yankPop() {
    if (this.#lastAction !== "yank" || this.#kills.length < 2) return;
    const { line, col } = this.#yanked;
    const rest = this.current.slice(this.col);
    this.lines.splice(line, this.line - line + 1, this.lines[line].slice(0, col) + rest);
    this.line = line;
    this.col = col;
    this.#killAt = (this.#killAt + this.#kills.length - 1) % this.#kills.length;
    this.#insertKill();
  }

  undo() {
    const before = this.#undo.pop();
    if (!before) return;
    this.lines = before.lines;
    this.line = before.line;
    this.col = before.col;
    this.#lastAction = "undo";
  }

  #clean(text) {
    const lines = String(text ?? "").replace(/\r\n?/g, "\n");
    const flat = this.#singleLine ? lines.replace(/\n+/g, " ") : lines;
    return flat.replaceAll("\t", "    ").replace(/[\x00-\x09\x0b-\x1f\x7f]/g, "");
  }

  #load(text) {
    this.lines = text.split("\n");
    this.#goTo(this.lines.length - 1, Infinity);
  }

  #goTo(line, col) {
    this.line = Math.max(0, Math.min(line, this.lines.length - 1));
    const text = this.current;
    if (col >= text.length) this.col = text.length;
    else this.col = col <= 0 ? 0 : previousBoundary(text, col + 1);
  }

  #snapshot(action) {
    this.#undo.push({ lines: [...this.lines], line: this.line, col: this.col });
    if (this.#undo.length > UNDO_LIMIT) this.#undo.shift();
    this.#lastAction = action;
  }

  #insertRaw(text) {
    const parts = text.split("\n");
    const head = this.current.slice(0, this.col);
    const tail = this.current.slice(this.col);
    const last = parts.length === 1 ? head + parts[0] : parts[parts.length - 1];
    const inserted = parts.length === 1 ? [] : [head + parts[0], ...parts.slice(1, -1)];
    this.lines.splice(this.line, 1, ...inserted, last + tail);
    this.line += parts.length - 1;
    this.col = last.length;
  }

  #cut(from, to, action) {
    this.#snapshot(action);
    const text = this.current;
    this.lines[this.line] = text.slice(0, from) + text.slice(to);
    this.col = from;
    return text.slice(from, to);
  }

  #joinWithPrevious(line, action) {
    if (line < 1 || line >= this.lines.length) return;
    this.#snapshot(action);
    const above = this.lines[line - 1];
    this.lines.splice(line - 1, 2, above + this.lines[line]);
    this.line = line - 1;
    this.col = above.length;
  }

  /** Deletes into the kill ring; deletions in a row make one entry. */
  #kill(from, to, backward) {
    const goesOn = this.#lastAction === "kill";
    const text = this.#cut(from, to, "kill");
    if (goesOn && this.#kills.length > 0) {
      const before = this.#kills.pop();
      this.#kills.push(backward ? text + before : before + text);
    } else {
      this.#kills.push(text);
      if (this.#kills.length > KILL_LIMIT) this.#kills.shift();
    }
  }

  #insertKill() {
    this.#snapshot("yank");
    this.#yanked = { line: this.line, col: this.col };
    this.#insertRaw(this.#kills[this.#killAt]);
  }

  #wordStart() {
    const text = this.current;
    let at = this.col;
    const back = (test) => {
      while (at > 0) {
        const before = previousBoundary(text, at);
        if (!test(text.slice(before, at))) return;
        at = before;
      }
    };
    back(isSpace);
    if (at > 0 && isPunctuation(text.slice(previousBoundary(text, at), at))) back(isPunctuation);
    else back((cluster) => !isSpace(cluster) && !isPunctuation(cluster));
    return at;
  }

  #wordEnd() {
    const text = this.current;
    let at = this.col;
    const forward = (test) => {
      while (at < text.length) {
        const next = clusterEnd(text, at);
        if (!test(text.slice(at, next))) return;
        at = next;
      }
    };
    forward(isSpace);
    if (at < text.length && isPunctuation(text.slice(at))) forward(isPunctuation);
    else forward((cluster) => !isSpace(cluster) && !isPunctuation(cluster));
    return at;
  }
}
