// Terminal escape sequences: where one ends, and which styles are on after it.

const ESC = 0x1b;
const STRING_STARTS = "]P_^X"; // OSC, DCS, APC, PM, SOS: they run to BEL or ST

/**
 * End of the escape sequence that starts at `start`, or `start` when none starts there. An unfinished
 * sequence counts as far as the text goes, so that its bytes are never taken for visible text.
 *
 * @param {string} text
 * @param {number} start
 * @returns {number} index after the sequence
 */
export function escapeEnd(text, start) {
  if (text.charCodeAt(start) !== ESC) return start;
  const kind = text[start + 1];
  if (kind === undefined) return start + 1;
  if (kind === "[") return csiEnd(text, start + 2);
  if (STRING_STARTS.includes(kind)) return stringEnd(text, start + 2);
  let at = start + 1;
  while (inRange(text.charCodeAt(at), 0x20, 0x2f)) at += 1;
  return inRange(text.charCodeAt(at), 0x30, 0x7e) ? at + 1 : at;
}

function csiEnd(text, from) {
  let at = from;
  while (inRange(text.charCodeAt(at), 0x20, 0x3f)) at += 1;
  return inRange(text.charCodeAt(at), 0x40, 0x7e) ? at + 1 : at;
}

function stringEnd(text, from) {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x07 || code === 0x9c) return at + 1;
    if (code === ESC) return text[at + 1] === "\\" ? at + 2 : at;
    if (code === 0x0a) return at; // a forgotten terminator must not swallow the following lines
  }
  return text.length;
}

function inRange(code, low, high) {
  return code >= low && code <= high;
}

/** The text without any escape sequence. */
export function stripAnsi(text) {
  if (!text.includes("\x1b")) return text;
  let out = "";
  for (let at = 0; at < text.length; ) {
    const end = escapeEnd(text, at);
    if (end > at) at = end;
    else out += text[at++];
  }
  return out;
}

const LINK_END = /(?:\x07|\x9c|\x1b\\)$/;
const OFF = {
  weight: "22", italic: "23", underline: "24", blink: "25", inverse: "27", hidden: "28", strike: "29",
  foreground: "39", background: "49", overline: "55", underlineColor: "59",
};
const ON = new Map([
  ["3", "italic"], ["4", "underline"], ["21", "underline"], ["5", "blink"], ["6", "blink"], ["7", "inverse"],
  ["8", "hidden"], ["9", "strike"], ["53", "overline"],
]);
const OFF_BY_CODE = new Map(Object.entries(OFF).map(([name, code]) => [code, name]));
const EXTENDED = { 38: "foreground", 48: "background", 58: "underlineColor" };

/**
 * The styles that are on at one point of a text: colours, attributes and the hyperlink. `open()` switches
 * them on again (at the start of a continued line), `close()` switches off exactly these and nothing of the
 * surroundings, so a background put around the line survives.
 */
export class AnsiState {
  #styles = new Map();
  #link = "";

  /** @param {string} sequence one escape sequence; others than SGR and OSC 8 change nothing */
  apply(sequence) {
    if (sequence.startsWith("\x1b]8;")) {
      // One that is not finished would take what follows for a part of the address.
      if (!LINK_END.test(sequence)) return;
      const target = sequence.replace(LINK_END, "").slice(4);
      this.#link = target.slice(target.indexOf(";") + 1) === "" ? "" : sequence;
    } else if (sequence.startsWith("\x1b[") && sequence.endsWith("m") && !/[<=>?]/.test(sequence)) {
      this.#applySgr(sequence.slice(2, -1).split(";"));
    }
  }

  get active() {
    return this.#styles.size > 0 || this.#link !== "";
  }

  open() {
    const codes = [...this.#styles.values()].flat();
    return (codes.length ? `\x1b[${codes.join(";")}m` : "") + this.#link;
  }

  close() {
    const codes = [...this.#styles.keys()].map((name) => OFF[name]);
    return (this.#link ? "\x1b]8;;\x1b\\" : "") + (codes.length ? `\x1b[${codes.join(";")}m` : "");
  }

  clone() {
    const copy = new AnsiState();
    copy.#styles = new Map(this.#styles);
    copy.#link = this.#link;
    return copy;
  }

  #applySgr(codes) {
    for (let i = 0; i < codes.length; i += 1) {
      const code = codes[i];
      const [head] = code.split(":");
      const number = Number(head || "0");
      if (number === 0) this.#styles.clear();
      else if (number === 1 || number === 2) this.#weight(head);
      else if (code === "4:0") this.#styles.delete("underline");
      else if (OFF_BY_CODE.has(head)) this.#styles.delete(OFF_BY_CODE.get(head));
      else if (ON.has(head)) this.#styles.set(ON.get(head), [code]);
      else if (EXTENDED[number]) i += this.#extended(EXTENDED[number], codes, i);
      else if (inRange(number, 30, 37) || inRange(number, 90, 97)) this.#styles.set("foreground", [code]);
      else if (inRange(number, 40, 47) || inRange(number, 100, 107)) this.#styles.set("background", [code]);
    }
  }

  /** Bold and dim can be on together and go off together. */
  #weight(code) {
    const now = this.#styles.get("weight") ?? [];
    if (!now.includes(code)) this.#styles.set("weight", [...now, code]);
  }

  /** @returns {number} how many of the following codes belong to this colour */
  #extended(name, codes, at) {
    if (codes[at].includes(":")) {
      this.#styles.set(name, [codes[at]]);
      return 0;
    }
    const length = codes[at + 1] === "5" ? 2 : codes[at + 1] === "2" ? 4 : 0;
    if (length > 0) this.#styles.set(name, [codes.slice(at, at + length + 1).join(";")]);
    return length;
  }
}
