// From the lines of a text to the rows on the screen.

import { clusterEnd, clusterWidth } from "./graphemes.js";

/**
 * @typedef {{ line: number, start: number, end: number, last: boolean }} Row
 * a piece of a logical line; `last`: the line ends with it
 */

/**
 * Wraps at spaces where possible, a longer word anywhere.
 *
 * @param {string[]} lines
 * @param {number} width columns, at least 1
 * @returns {Row[]}
 */
export function layoutRows(lines, width) {
  return lines.flatMap((text, line) => {
    const rows = [];
    let start = 0;
    let used = 0;
    let breakAt = -1;
    for (let at = 0; at < text.length; ) {
      const end = clusterEnd(text, at);
      const columns = clusterWidth(text.slice(at, end));
      if (used + columns > width && at > start) {
        const cut = breakAt > start ? breakAt : at;
        rows.push({ line, start, end: cut, last: false });
        start = cut;
        breakAt = -1;
        used = 0;
        at = cut;
        continue;
      }
      used += columns;
      at = end;
      if (text[end - 1] === " ") breakAt = end;
    }
    rows.push({ line, start, end: text.length, last: true });
    return rows;
  });
}

/** The row the cursor is on; at a soft break it belongs to the start of the next row. */
export function rowOfCursor(rows, line, col) {
  const at = rows.findIndex((row) => row.line === line && col >= row.start && (row.last ? col <= row.end : col < row.end));
  return Math.max(0, at);
}

/** Columns between the start of the row and the index `col` of its line. */
export function columnOf(text, row, col) {
  let width = 0;
  for (let at = row.start; at < Math.min(col, row.end); ) {
    const end = clusterEnd(text, at);
    width += clusterWidth(text.slice(at, end));
    at = end;
  }
  return width;
}

/** The index in the line that lies at a column of the row (its last one when the row is shorter). */
export function indexAtColumn(text, row, column) {
  let width = 0;
  let at = row.start;
  while (at < row.end) {
    const end = clusterEnd(text, at);
    width += clusterWidth(text.slice(at, end));
    if (width > column || (end >= row.end && !row.last)) return at;
    at = end;
  }
  return at;
}
