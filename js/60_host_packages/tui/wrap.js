// Word wrap that keeps styles: every line switches on what it needs and off again at its end.

import { AnsiState } from "./ansi.js";
import { TAB_WIDTH } from "./graphemes.js";
import { columns, scan } from "./width.js";

/**
 * Wraps a text at a width. Lines break at spaces and beside wide characters, a word longer than the width
 * anywhere; spaces at a break vanish, indentation stays, tabs become spaces. A character wider than the
 * whole width is left out.
 *
 * @param {string} text may hold line breaks and escape sequences
 * @param {number} width columns
 * @returns {string[]} at least one line, none wider than `width`, not padded
 */
export function wrapTextWithAnsi(text, width) {
  const limit = columns(width);
  const string = String(text ?? "").replaceAll("\t", " ".repeat(TAB_WIDTH));
  const state = new AnsiState();
  const lines = [];
  for (const paragraph of string.split(/\r\n|\n|\r/)) {
    if (limit === 0) lines.push("");
    else wrapParagraph(paragraph, limit, state, lines);
  }
  return lines;
}

function wrapParagraph(paragraph, limit, state, lines) {
  const writer = new LineWriter(limit, state, lines);
  for (const run of runsOf(paragraph)) {
    if (run.space) writer.space(run);
    else writer.word(run);
  }
  writer.finish();
}

/**
 * Cuts a paragraph into runs of spaces and of other text; a wide character is a run of its own.
 * A run is `{ space, width, items }`, an item `{ text, width }`, escape sequences with width -1.
 */
function runsOf(paragraph) {
  const runs = [];
  let run = null;
  const start = (space) => {
    run = { space, width: 0, items: [] };
    runs.push(run);
  };
  let closed = true;
  scan(
    paragraph,
    (text, width) => {
      const space = text === " ";
      const wide = width > 1;
      if (run === null || closed || wide || run.space !== space) start(space);
      run.items.push({ text, width });
      run.width += width;
      closed = wide;
    },
    (text) => {
      if (run === null) {
        start(false);
        closed = false;
      }
      run.items.push({ text, width: -1 });
    },
  );
  return runs;
}

class LineWriter {
  #line;
  #width = 0;
  #pending = [];
  #pendingWidth = 0;
  #limit;
  #state;
  #lines;
  #fresh = true;

  constructor(limit, state, lines) {
    this.#limit = limit;
    this.#state = state;
    this.#lines = lines;
    this.#line = state.open();
  }

  space(run) {
    this.#pending.push(...run.items);
    this.#pendingWidth += run.width;
  }

  word(run) {
    if (this.#width + this.#pendingWidth + run.width > this.#limit && run.width > 0) {
      const indentation = this.#fresh && this.#pendingWidth < this.#limit;
      if (indentation) this.#flushPending();
      if (this.#width > 0 || this.#pendingWidth > 0) {
        const onlyIndentation = this.#fresh && indentation && run.width > this.#limit;
        if (!onlyIndentation) this.#break();
      }
    } else {
      this.#flushPending();
    }
    for (const item of run.items) this.#put(item);
    if (run.width > 0) this.#fresh = false;
  }

  finish() {
    this.#flushPending();
    this.#lines.push(this.#line + this.#state.close());
  }

  #put(item) {
    if (item.width < 0) {
      this.#state.apply(item.text);
      this.#line += item.text;
      return;
    }
    if (item.width > this.#limit) return;
    if (this.#width + item.width > this.#limit) this.#break();
    this.#line += item.text;
    this.#width += item.width;
  }

  /** Writes the waiting spaces as far as they fit on this line. */
  #flushPending() {
    for (const item of this.#pending) {
      if (item.width < 0 || this.#width + item.width <= this.#limit) this.#put(item);
    }
    this.#pending = [];
    this.#pendingWidth = 0;
  }

  #break() {
    const escapes = this.#pending.filter((item) => item.width < 0);
    this.#pending = [];
    this.#pendingWidth = 0;
    this.#lines.push(this.#line + this.#state.close());
    for (const item of escapes) this.#state.apply(item.text);
    this.#line = this.#state.open();
    this.#width = 0;
    this.#fresh = false;
  }
}
