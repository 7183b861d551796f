// Markdown tables inside a width.

import { padding, visibleWidth } from "./width.js";
import { wrapTextWithAnsi } from "./wrap.js";

const FRAME_PER_COLUMN = 3; // "│ " and one space

/**
 * @param {{ align: string[], header: string[], rows: string[][] }} table cells already styled
 * @param {number} width columns
 * @returns {string[] | undefined} nothing when the table cannot fit at all
 */
export function renderTable({ align, header, rows }, width) {
  const room = width - FRAME_PER_COLUMN * header.length - 1;
  if (room < header.length) return undefined;
  const widths = columnWidths([header, ...rows], room);
  const rule = (left, middle, right) => left + widths.map((size) => "─".repeat(size + 2)).join(middle) + right;
  const body = rows.flatMap((row, index) => [
    ...(index > 0 ? [rule("├", "┼", "┤")] : []),
    ...tableRow(row, widths, align),
  ]);
  return [
    rule("┌", "┬", "┐"),
    ...tableRow(header, widths, align),
    rule("├", "┼", "┤"),
    ...body,
    rule("└", "┴", "┘"),
  ];
}

/** Natural widths when they fit; else the widest columns give way first. */
function columnWidths(rows, room) {
  const widths = rows[0].map((_, column) => Math.max(1, ...rows.map((row) => visibleWidth(row[column]))));
  let excess = widths.reduce((sum, size) => sum + size, 0) - room;
  while (excess > 0) {
    const widest = Math.max(...widths);
    const second = Math.max(1, ...widths.filter((size) => size < widest));
    const group = widths.flatMap((size, column) => (size === widest ? [column] : []));
    const step = Math.max(1, Math.min(widest - second, Math.floor(excess / group.length)));
    for (const column of group) {
      if (excess <= 0) break;
      const cut = Math.min(step, excess);
      widths[column] -= cut;
      excess -= cut;
    }
  }
  return widths;
}

function tableRow(row, widths, align) {
  const wrapped = row.map((cell, column) => wrapTextWithAnsi(cell, widths[column]));
  const height = Math.max(...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) => {
    const cells = wrapped.map((lines, column) => aligned(lines[line] ?? "", widths[column], align[column]));
    return `│ ${cells.join(" │ ")} │`;
  });
}

function aligned(text, width, align) {
  const free = width - visibleWidth(text);
  const left = align === "right" ? free : align === "center" ? Math.floor(free / 2) : 0;
  return padding(left) + text + padding(free - left);
}
