// The part of YAML that people write in front matter: maps, lists, scalars, quoted and block texts, flow
// collections, comments. No anchors, tags or several documents.

export class YamlError extends Error {}

const NUMBER = /^[-+]?(?:\d[\d_]*)(?:\.\d*)?(?:[eE][-+]?\d+)?$|^[-+]?\.\d+$/;
const HEX = /^0x[\da-fA-F]+$|^0o[0-7]+$/;
const WORDS = new Map([
  ...["null", "Null", "NULL", "~", ""].map((word) => [word, null]),
  ...["true", "True", "TRUE"].map((word) => [word, true]),
  ...["false", "False", "FALSE"].map((word) => [word, false]),
  [".inf", Infinity],
  ["-.inf", -Infinity],
  [".nan", NaN],
]);
const ESCAPES = { n: "\n", t: "\t", r: "\r", 0: "\0", a: "\x07", b: "\b", e: "\x1b", f: "\f", v: "\v", " ": " ", "/": "/", '"': '"', "\\": "\\" };

/**
 * @param {string} text
 * @returns {unknown} objects, arrays, strings, numbers, booleans, null
 * @throws {YamlError} with the line (counted from 1) of what cannot be read
 */
export function parseYaml(text) {
  return new Parser(text).document();
}

/** A mapping key and what follows its colon. */
const ENTRY = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#"'[\]{},&*!|>%@`-][^#]*?|-[^\s#][^#]*?|[^\s"'[\]{},][^:#]*?)\s*:(?:\s+(.*)|)$/;

class Parser {
  #lines;
  #at = 0;

  constructor(text) {
    this.#lines = text.replace(/\r\n?/g, "\n").split("\n");
  }

  document() {
    const line = this.#peek();
    if (!line) return null;
    const value = this.#block(line.indent);
    if (this.#peek()) this.#fail("unexpected indentation");
    return value;
  }

  #fail(message) {
    throw new YamlError(`${message} at line ${this.#at + 1}`);
  }

  /** The next line with something on it. */
  #peek() {
    for (; this.#at < this.#lines.length; this.#at += 1) {
      const line = this.#lines[this.#at];
      const text = line.trim();
      if (text === "" || text.startsWith("#") || text === "---") continue;
      if (/^ *\t/.test(line)) this.#fail("a tab cannot indent");
      return { indent: line.length - line.trimStart().length, text: withoutComment(line.trimStart()) };
    }
    return undefined;
  }

  #block(indent) {
    const { text } = this.#peek();
    if (text === "-" || text.startsWith("- ")) return this.#list(indent);
    return ENTRY.test(text) && !/^[[{]/.test(text) ? this.#map(indent) : this.#scalarLines(indent);
  }

  #list(indent) {
    const items = [];
    for (let line = this.#peek(); line?.indent === indent && /^-(\s|$)/.test(line.text); line = this.#peek()) {
      const rest = line.text.slice(1).trimStart();
      if (rest === "") {
        this.#at += 1;
        items.push(this.#nested(indent));
      } else if (isEntry(rest) || /^-(\s|$)/.test(rest)) {
        // What follows the dash is a block of its own, indented by the dash.
        const inner = indent + line.text.length - rest.length;
        this.#lines[this.#at] = " ".repeat(inner) + this.#lines[this.#at].trimStart().slice(1).trimStart();
        items.push(this.#block(inner));
      } else {
        items.push(this.#value(rest, indent));
      }
    }
    return items;
  }

  #map(indent) {
    const map = {};
    for (let line = this.#peek(); line?.indent === indent; line = this.#peek()) {
      const entry = ENTRY.exec(line.text);
      if (!entry) this.#fail("expected a key");
      const key = String(scalar(entry[1]) ?? entry[1]);
      const rest = (entry[2] ?? "").trim();
      let value;
      if (rest === "") {
        this.#at += 1;
        value = this.#nested(indent, true);
      } else {
        value = this.#value(rest, indent);
      }
      // `__proto__` must become a property like any other.
      Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
    }
    return map;
  }

  /** The block below a key or a dash; a list may stand at the indentation of its key. */
  #nested(indent, belowKey = false) {
    const line = this.#peek();
    if (!line) return null;
    if (line.indent > indent) return this.#block(line.indent);
    return belowKey && line.indent === indent && /^-(\s|$)/.test(line.text) ? this.#list(indent) : null;
  }

  #value(text, indent) {
    const block = /^([|>])([-+]?)(\d?)([-+]?)$/.exec(text);
    if (block) return this.#blockText(block[1] === ">", block[2] || block[4], Number(block[3]), indent);
    if (/^[[{]/.test(text)) return this.#flow(text);
    this.#at += 1;
    let all = text;
    if (!isQuoted(text)) {
      for (let line = this.#peek(); line && line.indent > indent && !/^["']/.test(all); line = this.#peek()) {
        if (isEntry(line.text)) this.#fail("a key inside a plain text");
        all += ` ${line.text}`;
        this.#at += 1;
      }
    }
    return scalar(all);
  }

  #scalarLines(indent) {
    const { text } = this.#peek();
    return this.#value(text, indent - 1);
  }

  /** A literal (`|`) or folded (`>`) text with its own rule for the line breaks at its end. */
  #blockText(folded, chomp, explicit, indent) {
    this.#at += 1;
    const body = [];
    let width = explicit > 0 ? indent + explicit : 0;
    for (; this.#at < this.#lines.length; this.#at += 1) {
      const line = this.#lines[this.#at];
      const own = line.length - line.trimStart().length;
      if (line.trim() === "") {
        body.push("");
        continue;
      }
      if (width === 0) width = own;
      if (own < width || width <= indent) break;
      body.push(line.slice(width));
    }
    let text = folded ? fold(body) : body.join("\n");
    if (chomp !== "+") text = text.replace(/\n+$/, "");
    return chomp === "-" || text === "" ? text : chomp === "+" ? `${text}\n` : `${text}\n`;
  }

  #flow(text) {
    let all = text;
    this.#at += 1;
    while (!balanced(all)) {
      const line = this.#peek();
      if (!line) this.#fail("a bracket is not closed");
      all += ` ${line.text}`;
      this.#at += 1;
    }
    const [value, end] = flowValue(all, 0);
    if (all.slice(end).trim() !== "") this.#fail("text after a closed bracket");
    return value;
  }
}

const isEntry = (text) => !/^[[{]/.test(text) && ENTRY.test(text);
const isQuoted = (text) => /^"(?:[^"\\]|\\.)*"$|^'(?:[^']|'')*'$/.test(text);

function withoutComment(text) {
  let quote = "";
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i];
    if (quote === '"' && character === "\\") i += 1;
    else if (quote) quote = character === quote ? "" : quote;
    else if ((character === '"' || character === "'") && (i === 0 || /[\s[{,:]/.test(text[i - 1]))) quote = character;
    else if (character === "#" && /\s/.test(text[i - 1] ?? " ")) return text.slice(0, i).trimEnd();
  }
  return text.trimEnd();
}

function scalar(text) {
  const trimmed = text.trim();
  if (isQuoted(trimmed)) return unquote(trimmed);
  if (WORDS.has(trimmed)) return WORDS.get(trimmed);
  if (NUMBER.test(trimmed)) return Number(trimmed.replaceAll("_", ""));
  return HEX.test(trimmed) ? Number(trimmed) : trimmed;
}

function unquote(text) {
  const inner = text.slice(1, -1);
  if (text[0] === "'") return inner.replaceAll("''", "'");
  return inner.replace(/\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|(.))/g, (_, two, four, one) => {
    const hex = two ?? four;
    return hex ? String.fromCharCode(parseInt(hex, 16)) : (ESCAPES[one] ?? one);
  });
}

/** Lines of a folded text: a single break is a space, unless a line is indented further. */
function fold(lines) {
  return lines.reduce((text, line, i) => {
    const previous = lines[i - 1];
    if (i === 0) return line;
    if (line === "") return `${text}\n`;
    if (previous === "") return text + line;
    return line.startsWith(" ") || previous.startsWith(" ") ? `${text}\n${line}` : `${text} ${line}`;
  }, "");
}

function balanced(text) {
  let depth = 0;
  let quote = "";
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i];
    if (quote === '"' && character === "\\") i += 1;
    else if (quote) quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (/[[{]/.test(character)) depth += 1;
    else if (/[\]}]/.test(character)) depth -= 1;
  }
  return depth <= 0;
}

/** @returns {[unknown, number]} the value and the index after it */
function flowValue(text, from) {
  let at = skipSpace(text, from);
  if (text[at] === "[") {
    const list = [];
    for (at = skipSpace(text, at + 1); at < text.length && text[at] !== "]"; at = skipComma(text, at)) {
      const [item, end] = flowValue(text, at);
      list.push(item);
      at = end;
    }
    return [list, at + 1];
  }
  if (text[at] === "{") {
    const map = {};
    for (at = skipSpace(text, at + 1); at < text.length && text[at] !== "}"; at = skipComma(text, at)) {
      const [key, end] = flowScalar(text, at, /[:,}\]]/);
      at = skipSpace(text, end);
      let value = null;
      if (text[at] === ":") [value, at] = flowValue(text, at + 1);
      Object.defineProperty(map, String(key), { value, enumerable: true, configurable: true, writable: true });
    }
    return [map, at + 1];
  }
  return flowScalar(text, at, /[,\]}]/);
}

function flowScalar(text, at, stop) {
  const quoted = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/.exec(text.slice(at));
  if (quoted) return [unquote(quoted[0]), at + quoted[0].length];
  let end = at;
  while (end < text.length && !stop.test(text[end])) end += 1;
  return [scalar(text.slice(at, end)), end];
}

function skipSpace(text, at) {
  let next = at;
  while (/\s/.test(text[next] ?? "")) next += 1;
  return next;
}

function skipComma(text, at) {
  const next = skipSpace(text, at);
  return text[next] === "," ? skipSpace(text, next + 1) : Math.max(next, at);
}
