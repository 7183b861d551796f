// Measuring and cutting text by terminal columns. Escape sequences take no column.

import { AnsiState, escapeEnd } from "./ansi.js";
import { clusterEnd, clusterWidth } from "./graphemes.js";

const PLAIN = /^[\x20-\x7e]*$/;

/** Endings for {@link truncateToWidth} under the names and numbers that hooks of the sibling agents pass. */
export const Ellipsis = Object.freeze({ Unicode: 0, Ascii: 1, Omit: 2 });

/**
 * Calls back for each piece of the text in order.
 *
 * @param {string} text
 * @param {(cluster: string, width: number) => boolean | void} onCluster returning false stops
 * @param {(sequence: string) => void} [onEscape]
 */
export function scan(text, onCluster, onEscape) {
  for (let at = 0; at < text.length; ) {
    let end = escapeEnd(text, at);
    if (end > at) {
      onEscape?.(text.slice(at, end));
    } else {
      end = clusterEnd(text, at);
      const cluster = text.slice(at, end);
      if (onCluster(cluster, clusterWidth(cluster)) === false) return;
    }
    at = end;
  }
}

/** Columns the text takes on a terminal; a tab counts as three, line breaks and controls as none. */
export function visibleWidth(text) {
  const string = String(text ?? "");
  if (PLAIN.test(string)) return string.length;
  let width = 0;
  scan(string, (_, columns) => {
    width += columns;
  });
  return width;
}

/** `count` spaces, none for a negative or missing count. */
export function padding(count) {
  return count > 0 ? " ".repeat(count) : "";
}

/** The width as a whole number of columns that is never negative. */
export function columns(width) {
  const whole = Math.floor(Number(width));
  return whole > 0 && Number.isFinite(whole) ? whole : 0;
}

function ellipsisText(ellipsis) {
  if (typeof ellipsis === "string") return ellipsis;
  if (ellipsis === Ellipsis.Ascii) return "...";
  return ellipsis === Ellipsis.Omit ? "" : "…";
}

/**
 * Cuts the text to a width. A cut text ends with the ellipsis, a wide character that would stick out is left
 * out whole, and styles still on are switched off.
 *
 * @param {string} text one line; may hold escape sequences
 * @param {number} maxWidth columns
 * @param {string | number | null} [ellipsis] text or a member of {@link Ellipsis}; default `…`
 * @param {boolean} [pad] fill up with spaces to the width
 * @returns {string}
 */
export function truncateToWidth(text, maxWidth, ellipsis, pad = false) {
  const string = String(text ?? "");
  const limit = columns(maxWidth);
  const width = visibleWidth(string);
  if (width <= limit) return pad ? string + padding(limit - width) : string;
  const ending = takeColumns(ellipsisText(ellipsis), limit);
  const head = takeColumns(string, limit - ending.width);
  const out = head.text + ending.text + head.close;
  return pad ? out + padding(limit - head.width - ending.width) : out;
}

/** The longest start of the text that fits, its width, and what closes its styles. */
function takeColumns(text, limit) {
  const state = new AnsiState();
  let out = "";
  let width = 0;
  scan(
    text,
    (cluster, columns) => {
      if (width + columns > limit) return false;
      out += cluster;
      width += columns;
      return true;
    },
    (sequence) => {
      state.apply(sequence);
      out += sequence;
    },
  );
  return { text: out, width, close: state.close() };
}

/**
 * The part of a line between two columns, with the styles that are on there. A wide character cut by the
 * left edge is left out; one cut by the right edge is left out when `strict`.
 *
 * @param {string} line
 * @param {number} startColumn
 * @param {number} length columns
 * @param {boolean} [strict]
 * @returns {{ text: string, width: number }}
 */
export function sliceWithWidth(line, startColumn, length, strict = false) {
  const end = startColumn + length;
  const state = new AnsiState();
  let text = "";
  let width = 0;
  let column = 0;
  let started = false;
  scan(
    String(line ?? ""),
    (cluster, columns) => {
      const from = column;
      column += columns;
      if (from >= end) return false;
      if (from < startColumn || (strict && column > end)) return true;
      if (!started) text += state.open();
      started = true;
      text += cluster;
      width += columns;
      return true;
    },
    (sequence) => {
      state.apply(sequence);
      if (started) text += sequence;
    },
  );
  return { text: started ? text + state.close() : "", width };
}

/** {@link sliceWithWidth} without the width. */
export function sliceByColumn(line, startColumn, length, strict = false) {
  return sliceWithWidth(line, startColumn, length, strict).text;
}

/** Pads a line to the width with spaces and paints the whole with `paint`. */
export function applyBackgroundToLine(line, width, paint) {
  return paint(line + padding(width - visibleWidth(line)));
}
