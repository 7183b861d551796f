// Drawing changes of files, and long text by lines on the screen.

import { currentTheme } from "../../41_theme_instance.js";
import { Text } from "../tui/text.js";

const LINE = /^([+\- ])(\s*\d*)\s(.*)$/;

/**
 * Colours a diff whose lines are sign, line number, text (`+12 text`). Where one line replaces one line, what
 * changed in it is inverted.
 *
 * @param {string} diffText
 * @returns {string}
 */
export function renderDiff(diffText) {
  const lines = diffText.split("\n").map(parse);
  const out = [];
  for (let at = 0; at < lines.length; ) {
    const removed = run(lines, at, "-");
    const added = run(lines, at + removed.length, "+");
    if (removed.length + added.length === 0) {
      out.push(currentTheme().fg("toolDiffContext", lines[at].text));
      at += 1;
      continue;
    }
    const bodies =
      removed.length === 1 && added.length === 1
        ? marked(removed[0].body, added[0].body)
        : [...removed, ...added].map((line) => line.body);
    [...removed, ...added].forEach((line, i) => {
      const color = line.sign === "-" ? "toolDiffRemoved" : "toolDiffAdded";
      out.push(currentTheme().fg(color, `${line.sign}${line.number} ${bodies[i]}`));
    });
    at += removed.length + added.length;
  }
  return out.join("\n");
}

function parse(raw) {
  const text = raw.replaceAll("\t", "   ");
  const match = LINE.exec(text);
  return match ? { text, sign: match[1], number: match[2], body: match[3] } : { text, sign: "" };
}

function run(lines, from, sign) {
  let end = from;
  while (lines[end]?.sign === sign) end += 1;
  return lines.slice(from, end);
}

/** Both lines with the part between their common start and end inverted, on word boundaries. */
function marked(before, after) {
  const [left, right] = [before, after].map((text) => text.match(/\s+|[\p{L}\p{N}_]+|[^]/gu) ?? []);
  let start = 0;
  while (start < left.length && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < Math.min(left.length, right.length) - start && left[left.length - 1 - end] === right[right.length - 1 - end]) end += 1;
  return [left, right].map((words) => {
    const middle = words.slice(start, words.length - end).join("");
    const inverted = middle.trim() === "" ? middle : currentTheme().inverse(middle);
    return words.slice(0, start).join("") + inverted + words.slice(words.length - end).join("");
  });
}

/**
 * The last lines of a text as they fall at a width.
 *
 * @returns {{ visualLines: string[], skippedCount: number }}
 */
export function truncateToVisualLines(text, maxVisualLines, width, paddingX = 0) {
  const lines = text ? new Text(text, paddingX, 0).render(width) : [];
  const skippedCount = Math.max(0, lines.length - maxVisualLines);
  return { visualLines: lines.slice(skippedCount), skippedCount };
}
