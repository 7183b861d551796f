// Block structure of Markdown: headings, paragraphs, code, quotes, lists, tables, rules.

/**
 * @typedef {{ type: "heading", level: number, text: string } | { type: "paragraph", text: string }
 *   | { type: "code", lang: string, lines: string[] } | { type: "rule" } | { type: "quote", blocks: Block[] }
 *   | { type: "list", ordered: boolean, start: number, loose: boolean, items: ListItem[] }
 *   | { type: "table", align: string[], header: string[], rows: string[][] }} Block
 * @typedef {{ blocks: Block[], task?: "done" | "open" }} ListItem
 */

const FENCE = /^( {0,3})(`{3,}|~{3,})\s*([^`]*)$/;
const HEADING = /^ {0,3}(#{1,6})(?:\s+(.*?))?(?:\s+#+)?\s*$/;
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])(?:( {1,4})(?=\S)|( +)(?=\S)|\s*$)/;
const UNDERLINE = /^ {0,3}(=+|-+)\s*$/;
const DELIMITER_ROW = /^ {0,3}\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;
const MAX_DEPTH = 12;
const blank = (line) => line.trim() === "";

/** @param {string} text @returns {Block[]} */
export function parseBlocks(text) {
  const lines = text.replace(/\r\n?/g, "\n").replaceAll("\t", "    ").split("\n");
  return parseLines(lines, 0);
}

function parseLines(lines, depth) {
  const blocks = [];
  let at = 0;
  const readers = [readFence, readHeading, readRule, readQuote, readList, readTable, readIndented, readParagraph];
  while (at < lines.length) {
    if (blank(lines[at])) {
      at += 1;
      continue;
    }
    for (const reader of readers) {
      const read = reader(lines, at, depth);
      if (!read) continue;
      blocks.push(read.block);
      at = read.next;
      break;
    }
  }
  return blocks;
}

function readFence(lines, at) {
  const open = FENCE.exec(lines[at]);
  if (!open || (open[2][0] === "`" && open[3].includes("`"))) return undefined;
  const close = new RegExp(`^ {0,3}${open[2][0] === "~" ? "~" : "`"}{${open[2].length},}\\s*$`);
  const body = [];
  let next = at + 1;
  while (next < lines.length && !close.test(lines[next])) {
    body.push(removeIndent(lines[next], open[1].length));
    next += 1;
  }
  return { block: { type: "code", lang: open[3].trim().split(/\s+/)[0], lines: body }, next: next + 1 };
}

function removeIndent(line, count) {
  let from = 0;
  while (from < count && line[from] === " ") from += 1;
  return line.slice(from);
}

function readHeading(lines, at) {
  const match = HEADING.exec(lines[at]);
  if (!match) return undefined;
  return { block: { type: "heading", level: match[1].length, text: match[2] ?? "" }, next: at + 1 };
}

function readRule(lines, at) {
  return RULE.test(lines[at]) ? { block: { type: "rule" }, next: at + 1 } : undefined;
}

function readQuote(lines, at, depth) {
  if (!QUOTE.test(lines[at]) || depth >= MAX_DEPTH) return undefined;
  const inner = [];
  let next = at;
  // A paragraph inside may go on without the mark.
  while (next < lines.length && (QUOTE.test(lines[next]) || (!blank(lines[next]) && !startsBlock(lines[next])))) {
    inner.push(lines[next].replace(QUOTE, ""));
    next += 1;
  }
  return { block: { type: "quote", blocks: parseLines(inner, depth + 1) }, next };
}

function startsBlock(line) {
  return [FENCE, HEADING, RULE, ITEM, QUOTE].some((pattern) => pattern.test(line));
}

function readList(lines, at, depth) {
  const first = ITEM.exec(lines[at]);
  if (!first || depth >= MAX_DEPTH) return undefined;
  const ordered = /\d/.test(first[2]);
  const kind = first[2].slice(-1);
  const items = [];
  let loose = false;
  let blankBefore = false;
  let next = at;
  while (next < lines.length) {
    const match = ITEM.exec(lines[next]);
    if (!match || match[2].slice(-1) !== kind || /\d/.test(match[2]) !== ordered || RULE.test(lines[next])) break;
    const read = readItem(lines, next, match, depth);
    items.push(read.item);
    loose ||= read.blankInside || blankBefore;
    blankBefore = read.blankAfter;
    next = read.next;
  }
  return { block: { type: "list", ordered, start: parseInt(first[2], 10) || 0, loose, items }, next };
}

function readItem(lines, at, match, depth) {
  const indent = match[1].length + match[2].length + (match[3]?.length ?? 1);
  const inner = [lines[at].slice(indent)];
  let next = at + 1;
  let blankInside = false;
  let blankAfter = false;
  for (; next < lines.length; next += 1) {
    const line = lines[next];
    const indented = line.length - line.trimStart().length;
    if (blank(line)) {
      blankAfter = true;
      inner.push("");
    } else if (indented >= indent || (indented >= 2 && ITEM.test(line.trimStart()) && indented > match[1].length)) {
      if (blankAfter) blankInside ||= !ITEM.test(line.trimStart());
      blankAfter = false;
      inner.push(removeIndent(line, Math.min(indented, indent)));
    } else if (!blankAfter && !startsBlock(line)) {
      inner.push(line.trimStart());
    } else {
      break;
    }
  }
  const task = /^\[([ xX])\]\s+/.exec(inner[0]);
  if (task) inner[0] = inner[0].slice(task[0].length);
  const item = { blocks: parseLines(inner, depth + 1) };
  if (task) item.task = task[1] === " " ? "open" : "done";
  return { item, next, blankInside, blankAfter };
}

function readTable(lines, at) {
  const delimiter = lines[at + 1];
  if (!lines[at].includes("|") || delimiter === undefined || !DELIMITER_ROW.test(delimiter)) return undefined;
  const header = cells(lines[at]);
  const align = cells(delimiter).map((cell) => {
    if (/^:.*:$/.test(cell)) return "center";
    return cell.endsWith(":") ? "right" : "left";
  });
  if (align.length !== header.length) return undefined;
  const rows = [];
  let next = at + 2;
  for (; next < lines.length && !blank(lines[next]) && !startsBlock(lines[next]); next += 1) {
    const row = cells(lines[next]);
    rows.push(header.map((_, column) => row[column] ?? ""));
  }
  return { block: { type: "table", align, header, rows }, next };
}

function cells(line) {
  const inner = line.trim().replace(/^\|/, "").replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function readIndented(lines, at) {
  if (!lines[at].startsWith("    ")) return undefined;
  let next = at;
  while (next < lines.length && (lines[next].startsWith("    ") || blank(lines[next]))) next += 1;
  while (blank(lines[next - 1])) next -= 1;
  return { block: { type: "code", lang: "", lines: lines.slice(at, next).map((line) => removeIndent(line, 4)) }, next };
}

function readParagraph(lines, at) {
  const body = [lines[at].trim()];
  for (let next = at + 1; ; next += 1) {
    const line = lines[next];
    const underline = line === undefined ? null : UNDERLINE.exec(line);
    if (underline) {
      const level = underline[1][0] === "=" ? 1 : 2;
      return { block: { type: "heading", level, text: body.join("\n") }, next: next + 1 };
    }
    if (line === undefined || blank(line) || startsBlock(line)) {
      return { block: { type: "paragraph", text: body.join("\n") }, next };
    }
    body.push(line.trim());
  }
}
