// Recognising keys: legacy sequences, xterm's modifyOtherKeys and the Kitty keyboard protocol.

import { ALT, ALT_WORDS, BY_CODE, BY_LETTER, BY_NUMBER, CONTROL_BYTES, CTRL, IRREGULAR, LOCKS, SHIFT, SUPER } from "./key_tables.js";
import { clusterEnd } from "./graphemes.js";

const NAMED = ["escape", "esc", "enter", "return", "tab", "space", "backspace", "delete", "insert", "clear", "home",
  "end", "pageUp", "pageDown", "up", "down", "left", "right",
  ...Array.from({ length: 12 }, (_, i) => `f${i + 1}`)];
const SYMBOLS = {
  backtick: "`", hyphen: "-", equals: "=", leftbracket: "[", rightbracket: "]", backslash: "\\", semicolon: ";",
  quote: "'", comma: ",", period: ".", slash: "/", exclamation: "!", at: "@", hash: "#", dollar: "$", percent: "%",
  caret: "^", ampersand: "&", asterisk: "*", leftparen: "(", rightparen: ")", underscore: "_", plus: "+", pipe: "|",
  tilde: "~", leftbrace: "{", rightbrace: "}", colon: ":", lessthan: "<", greaterthan: ">", question: "?",
};
const COMBINATIONS = {
  ctrl: "ctrl", shift: "shift", alt: "alt", super: "super", ctrlShift: "ctrl+shift", shiftCtrl: "shift+ctrl",
  ctrlAlt: "ctrl+alt", altCtrl: "alt+ctrl", shiftAlt: "shift+alt", altShift: "alt+shift", ctrlSuper: "ctrl+super",
  superCtrl: "super+ctrl", shiftSuper: "shift+super", superShift: "super+shift", altSuper: "alt+super",
  superAlt: "super+alt", ctrlShiftAlt: "ctrl+shift+alt", ctrlShiftSuper: "ctrl+shift+super",
};

/** Key names for {@link matchesKey}: `Key.escape`, `Key.ctrl("c")`, `Key.ctrlShift("p")`. */
export const Key = Object.freeze({
  ...Object.fromEntries(NAMED.map((name) => [name, name])),
  ...SYMBOLS,
  ...Object.fromEntries(Object.entries(COMBINATIONS).map(([name, prefix]) => [name, (key) => `${prefix}+${key}`])),
});

let kittyActive = false;

/** Tells whether the terminal speaks the Kitty keyboard protocol; it settles what a bare line feed means. */
export function setKittyProtocolActive(active) {
  kittyActive = Boolean(active);
}

export function isKittyProtocolActive() {
  return kittyActive;
}

const CSI = /^\x1b\[(\d*)(?::(\d*))?(?::(\d*))?(?:;(\d*)(?::(\d+))?)?(?:;([\d:]*))?([A-Za-z~^$@])$/;

/**
 * @typedef {{ readings: [string, number][], event: "press" | "repeat" | "release", text?: string }} DecodedKey
 * `readings`: key name and modifier bits, the most usual first; `text`: what the key types.
 */

/** @param {string} data one key as the terminal sent it @returns {DecodedKey | undefined} */
export function decodeKey(data) {
  if (typeof data !== "string" || data === "") return undefined;
  if (data === "\n") return press([["enter", kittyActive ? SHIFT : 0], ["j", CTRL]]);
  const fixed = CONTROL_BYTES[data] ?? IRREGULAR[data];
  if (fixed) return press(fixed);
  const code = data.charCodeAt(0);
  if (data.length === 1 && code < 0x1b) return press([[String.fromCharCode(code + 0x60), CTRL]]);
  if (code !== 0x1b) return clusterEnd(data, 0) === data.length ? press([plain(data)], data) : undefined;
  return decodeEscape(data);
}

function press(readings, text) {
  return { readings, event: "press", text };
}

function plain(character) {
  if (character === " ") return ["space", 0];
  return /^[A-Z]$/.test(character) ? [character.toLowerCase(), SHIFT] : [character, 0];
}

function decodeEscape(data) {
  const csi = CSI.exec(data);
  if (csi) return decodeCsi(csi);
  const rest = data.slice(1);
  if (rest.length === 2 && rest[0] === "O" && BY_LETTER[rest[1]]) return press([[BY_LETTER[rest[1]], 0]]);
  if (rest === "\x1b") return press([["[", CTRL | ALT], ["escape", ALT]]);
  const inner = rest.length === 1 || rest.startsWith("\x1b") ? decodeKey(rest) : undefined;
  if (!inner) return undefined;
  const readings = inner.readings.map(([key, modifiers]) => [key, modifiers | ALT]);
  const arrow = ALT_WORDS[rest];
  return { readings: arrow ? [[arrow, ALT], ...readings] : readings, event: inner.event };
}

function decodeCsi([, first, shifted, base, modifierText, eventText, third, final]) {
  const modifiers = (Math.max(Number(modifierText || 1), 1) - 1) & ~LOCKS;
  const event = eventText === "3" ? "release" : eventText === "2" ? "repeat" : "press";
  if (final === "u") return decodeCodePoint(Number(first), Number(shifted), Number(base), modifiers, event);
  if (final === "~" && first === "27" && third) return decodeCodePoint(Number(third), 0, 0, modifiers, event);
  if (final === "~" && BY_NUMBER[first]) return { readings: [[BY_NUMBER[first], modifiers]], event };
  const rxvt = { $: SHIFT, "^": CTRL, "@": CTRL | SHIFT }[final];
  if (rxvt && BY_NUMBER[first] && !modifierText) return { readings: [[BY_NUMBER[first], rxvt]], event };
  if (BY_LETTER[final] && final !== "M" && (first === "" || first === "1")) {
    return { readings: [[BY_LETTER[final], modifiers]], event };
  }
  return undefined;
}

const isPrivate = (code) => code >= 57344 && code <= 63743;

function decodeCodePoint(code, shifted, base, modifiers, event) {
  const named = BY_CODE[code];
  if ((!named && isPrivate(code)) || !(code > 0 && code <= 0x10ffff)) return undefined;
  const character = named ?? String.fromCodePoint(code);
  const readings = [[/^[A-Z]$/.test(character) ? character.toLowerCase() : character, modifiers]];
  // A layout without Latin letters reports the key that sits in that place on a PC keyboard.
  if (base > 0x20 && base < 0x7f && code > 0x7f) readings.unshift([String.fromCodePoint(base), modifiers]);
  const produced = shifted > 0x20 ? String.fromCodePoint(shifted) : undefined;
  const symbol = produced ?? character;
  if (modifiers & SHIFT && [...symbol].length === 1 && symbol.toLowerCase() === symbol.toUpperCase()) {
    readings.push([symbol, modifiers & ~SHIFT]);
  }
  return { readings, event, text: typedText(named, character, produced, modifiers) };
}

function typedText(named, character, produced, modifiers) {
  if (modifiers & ~SHIFT) return undefined;
  if (named === "space") return " ";
  if (named !== undefined) return named.length === 1 ? named : undefined;
  return modifiers & SHIFT ? (produced ?? character.toUpperCase()) : character;
}

const MODIFIERS = { shift: SHIFT, alt: ALT, ctrl: CTRL, super: SUPER };
const ALIASES = { esc: "escape", return: "enter" };

/** @returns {[string, number] | undefined} the key in lower case and its modifier bits */
function parseKeyId(keyId) {
  const id = String(keyId).toLowerCase();
  // The key itself may be a plus: "+", "ctrl++".
  const plus = id.endsWith("+") ? id.length - 1 : id.lastIndexOf("+") + 1;
  let modifiers = 0;
  for (const name of id.slice(0, plus).split("+").filter(Boolean)) {
    if (!MODIFIERS[name]) return undefined;
    modifiers |= MODIFIERS[name];
  }
  const key = id.slice(plus);
  return key === "" ? undefined : [ALIASES[key] ?? key, modifiers];
}

/**
 * Whether the input is this key. Names are those of {@link Key}, modifiers in any order and any case; a
 * release counts as the key too (see {@link isKeyRelease}).
 *
 * @param {string} data what `handleInput` got
 * @param {string} keyId e.g. `"enter"`, `"ctrl+c"`, `"shift+tab"`, `"q"`
 */
export function matchesKey(data, keyId) {
  const wanted = parseKeyId(keyId);
  const decoded = wanted && decodeKey(data);
  if (!decoded) return false;
  return decoded.readings.some(([key, modifiers]) => key.toLowerCase() === wanted[0] && modifiers === wanted[1]);
}

/** The name of the key with its modifiers, `undefined` for anything that is no single key. */
export function parseKey(data) {
  const decoded = decodeKey(data);
  if (!decoded) return undefined;
  const [key, modifiers] = decoded.readings[0];
  // A capital typed without a protocol is named by itself, as hooks compare it with the letter.
  if (modifiers === SHIFT && data.length === 1) return data;
  const names = ["shift", "ctrl", "alt", "super"].filter((name) => modifiers & MODIFIERS[name]);
  return [...names, key].join("+");
}

/** Whether a key was let go (only terminals with the Kitty protocol say so). */
export function isKeyRelease(data) {
  return decodeKey(data)?.event === "release";
}

/** Whether the key is held down and repeats (Kitty protocol only). */
export function isKeyRepeat(data) {
  return decodeKey(data)?.event === "repeat";
}

/** The text a Kitty key sequence types, `undefined` when it types none or is no such sequence. */
export function decodeKittyPrintable(data) {
  if (typeof data !== "string" || !data.startsWith("\x1b[")) return undefined;
  const decoded = decodeKey(data);
  return decoded?.event === "release" ? undefined : decoded?.text;
}

/** The text an input types, in whatever form the terminal sent it; `undefined` for control keys. */
export function typedCharacters(data) {
  if (typeof data !== "string" || data === "") return undefined;
  if (data.startsWith("\x1b")) return decodeKittyPrintable(data);
  return /[\x00-\x1f\x7f-\x9f]/.test(data) ? undefined : data;
}
