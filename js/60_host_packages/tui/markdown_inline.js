// Inline Markdown: emphasis, code, links, line breaks.

/**
 * @typedef {{ type: "text" | "code", text: string } | { type: "break" }
 *   | { type: "strong" | "em" | "del", children: InlineNode[] }
 *   | { type: "link" | "image", href: string, children: InlineNode[] }} InlineNode
 */

const ESCAPABLE = /^\\([!-/:-@[-`{-~])/;
const AUTOLINK = /^<((?:https?|ftp|mailto):[^\s<>]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)>/i;
const BARE_URL = /^(?:https?:\/\/|www\.)[^\s<]+/i;
const ENTITY = /^&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/i;
const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };
const MARKERS = ["**", "__", "~~", "*", "_"];
const KIND = { "**": "strong", __: "strong", "~~": "del", "*": "em", _: "em" };
const MAX_DEPTH = 20;

/**
 * @param {string} text the lines of one block
 * @returns {InlineNode[]}
 */
export function parseInline(text, depth = 0) {
  const nodes = [];
  const emit = (string) => {
    const last = nodes[nodes.length - 1];
    if (last?.type === "text") last.text += string;
    else nodes.push({ type: "text", text: string });
  };
  for (let at = 0; at < text.length; ) {
    const found = depth < MAX_DEPTH ? parseAt(text, at, depth) : undefined;
    if (found) {
      if (found.node) nodes.push(found.node);
      else emit(found.text);
      at = found.end;
    } else {
      emit(text[at]);
      at += 1;
    }
  }
  return nodes;
}

function parseAt(text, at, depth) {
  const rest = () => text.slice(at);
  switch (text[at]) {
    case "\\":
      return parseEscape(rest(), at);
    case "\n":
      return { node: { type: "break" }, end: at + 1 };
    case "`":
      return parseCode(text, at);
    case "!":
      return text[at + 1] === "[" ? parseLink(text, at + 1, "image", depth) : undefined;
    case "[":
      return parseLink(text, at, "link", depth);
    case "<":
      return parseAngle(rest(), at);
    case "&":
      return parseEntity(rest(), at);
    case "*":
    case "_":
    case "~":
      return parseEmphasis(text, at, depth);
    case "h":
    case "H":
    case "w":
    case "W":
      return parseBareUrl(text, at);
    default:
      return undefined;
  }
}

function parseEscape(rest, at) {
  if (rest.startsWith("\\\n")) return { node: { type: "break" }, end: at + 2 };
  const match = ESCAPABLE.exec(rest);
  return match ? { text: match[1], end: at + 2 } : undefined;
}

function parseEntity(rest, at) {
  const match = ENTITY.exec(rest);
  if (!match) return undefined;
  const code = match[1] ? Number(match[1]) : match[2] ? parseInt(match[2], 16) : undefined;
  if (code === undefined) return { text: ENTITIES[match[3].toLowerCase()], end: at + match[0].length };
  const valid = code >= 0x20 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return { text: valid ? String.fromCodePoint(code) : "\ufffd", end: at + match[0].length };
}

function parseCode(text, at) {
  const fence = /^`+/.exec(text.slice(at))[0];
  for (let from = at + fence.length; ; ) {
    const close = text.indexOf(fence, from);
    if (close < 0) return { text: fence, end: at + fence.length };
    let end = close + fence.length;
    if (text[end] !== "`" && text[close - 1] !== "`") {
      let code = text.slice(at + fence.length, close).replaceAll("\n", " ");
      if (/^ .* $/.test(code) && code.trim() !== "") code = code.slice(1, -1);
      return { node: { type: "code", text: code }, end };
    }
    while (text[end] === "`") end += 1;
    from = end;
  }
}

function parseAngle(rest, at) {
  const link = AUTOLINK.exec(rest);
  if (link) {
    const href = /^[a-z]+:/i.test(link[1]) ? link[1] : `mailto:${link[1]}`;
    return { node: { type: "link", href, children: [{ type: "text", text: link[1] }] }, end: at + link[0].length };
  }
  const lineBreak = /^<br\s*\/?>/i.exec(rest);
  return lineBreak ? { node: { type: "break" }, end: at + lineBreak[0].length } : undefined;
}

function parseBareUrl(text, at) {
  if (at > 0 && /[\w/]/.test(text[at - 1])) return undefined;
  if (!["http", "www."].includes(text.slice(at, at + 4).toLowerCase())) return undefined;
  const match = BARE_URL.exec(text.slice(at));
  if (!match) return undefined;
  let url = match[0].replace(/[?!.,:;*_~'"]+$/, "");
  while (url.endsWith(")") && url.split(")").length > url.split("(").length) url = url.slice(0, -1);
  const href = /^www\./i.test(url) ? `http://${url}` : url;
  return { node: { type: "link", href, children: [{ type: "text", text: url }] }, end: at + url.length };
}

function parseLink(text, at, type, depth) {
  const labelEnd = matching(text, at, "[", "]");
  if (labelEnd < 0 || text[labelEnd + 1] !== "(") return undefined;
  const close = matching(text, labelEnd + 1, "(", ")");
  if (close < 0) return undefined;
  const inside = text.slice(labelEnd + 2, close).trim();
  const target = /^<([^>\n]*)>|^\S*/.exec(inside);
  const href = target[1] ?? target[0];
  const children = parseInline(text.slice(at + 1, labelEnd), depth + 1);
  return { node: { type, href, children }, end: close + 1 };
}

function matching(text, at, open, close) {
  let depth = 0;
  for (let i = at; i < text.length; i += 1) {
    if (text[i] === "\\") i += 1;
    else if (text[i] === open) depth += 1;
    else if (text[i] === close && --depth === 0) return i;
    else if (text[i] === "\n" && text[i + 1] === "\n") return -1;
  }
  return -1;
}

function parseEmphasis(text, at, depth) {
  const marker = MARKERS.find((candidate) => text.startsWith(candidate, at));
  if (!marker) return undefined;
  const from = at + marker.length;
  const inWord = marker[0] === "_" && at > 0 && /\w/.test(text[at - 1]);
  const close = /\s/.test(text[from] ?? " ") || inWord ? -1 : closingMarker(text, from, marker);
  // An opening mark without its end is plain text, and so is what it could hide: `a ** b`.
  if (close < 0) return { text: marker, end: from };
  const children = parseInline(text.slice(from, close), depth + 1);
  return { node: { type: KIND[marker], children }, end: close + marker.length };
}

function closingMarker(text, from, marker) {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "\\") {
      at += 1;
    } else if (text[at] === "`") {
      const code = parseCode(text, at);
      at = code.end - 1;
    } else if (text.startsWith(marker, at)) {
      const run = runLength(text, at, marker[0]);
      const after = text[at + marker.length] ?? " ";
      const wordGoesOn = marker[0] === "_" && /\w/.test(after);
      // A single star never closes on a double one, which belongs to something inside.
      const fits = marker.length === 2 ? run >= 2 : run !== 2;
      if (fits && at > from && !/\s/.test(text[at - 1]) && !wordGoesOn) {
        return marker.length === 2 && run > 2 ? at + run - 2 : at;
      }
      at += Math.max(run, marker.length) - 1;
    }
  }
  return -1;
}

function runLength(text, at, character) {
  let end = at;
  while (text[end] === character) end += 1;
  return end - at;
}
