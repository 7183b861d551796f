// The byte sequences terminals send for keys that are not plain characters.

export const SHIFT = 1;
export const ALT = 2;
export const CTRL = 4;
export const SUPER = 8;
export const LOCKS = 64 | 128; // caps lock and num lock say nothing about the key

/** Final letter of `CSI letter`, `CSI 1;mod letter` and `SS3 letter`. */
export const BY_LETTER = {
  A: "up", B: "down", C: "right", D: "left", E: "clear", F: "end", H: "home", P: "f1", Q: "f2", R: "f3", S: "f4",
  M: "enter",
};

/** Number of `CSI number ~`. */
export const BY_NUMBER = {
  1: "home", 2: "insert", 3: "delete", 4: "end", 5: "pageUp", 6: "pageDown", 7: "home", 8: "end",
  11: "f1", 12: "f2", 13: "f3", 14: "f4", 15: "f5", 17: "f6", 18: "f7", 19: "f8", 20: "f9", 21: "f10", 23: "f11",
  24: "f12",
};

/** Code points of the Kitty keyboard protocol that stand for keys; the keypad is read as the plain key. */
export const BY_CODE = {
  9: "tab", 13: "enter", 27: "escape", 32: "space", 127: "backspace", 8: "backspace",
  57399: "0", 57400: "1", 57401: "2", 57402: "3", 57403: "4", 57404: "5", 57405: "6", 57406: "7", 57407: "8",
  57408: "9", 57409: ".", 57410: "/", 57411: "*", 57412: "-", 57413: "+", 57414: "enter", 57415: "=", 57416: ",",
  57417: "left", 57418: "right", 57419: "up", 57420: "down", 57421: "pageUp", 57422: "pageDown", 57423: "home",
  57424: "end", 57425: "insert", 57426: "delete", 57427: "clear",
};

/** Sequences outside the regular forms: rxvt's shifted and controlled arrows, the Linux console's function keys. */
export const IRREGULAR = {
  "\x1b[Z": [["tab", SHIFT]],
  "\x1b[a": [["up", SHIFT]], "\x1b[b": [["down", SHIFT]], "\x1b[c": [["right", SHIFT]], "\x1b[d": [["left", SHIFT]],
  "\x1b[e": [["clear", SHIFT]],
  "\x1bOa": [["up", CTRL]], "\x1bOb": [["down", CTRL]], "\x1bOc": [["right", CTRL]], "\x1bOd": [["left", CTRL]],
  "\x1bOe": [["clear", CTRL]],
  "\x1b[[A": [["f1", 0]], "\x1b[[B": [["f2", 0]], "\x1b[[C": [["f3", 0]], "\x1b[[D": [["f4", 0]], "\x1b[[E": [["f5", 0]],
};

/**
 * One byte, several readings: the first one is what the key is called, the others match too.
 * Enter and shift+enter are settled in `keys.js` because they depend on the protocol in use.
 */
export const CONTROL_BYTES = {
  "\x00": [["space", CTRL], ["@", CTRL]],
  "\x08": [["backspace", 0], ["h", CTRL]],
  "\t": [["tab", 0], ["i", CTRL]],
  "\r": [["enter", 0], ["m", CTRL]],
  "\x1b": [["escape", 0], ["[", CTRL]],
  "\x1c": [["\\", CTRL]],
  "\x1d": [["]", CTRL]],
  "\x1e": [["^", CTRL]],
  "\x1f": [["-", CTRL], ["_", CTRL], ["/", CTRL]],
  "\x7f": [["backspace", 0]],
};

/** What readline users' terminals send for alt with an arrow. */
export const ALT_WORDS = { b: "left", f: "right", p: "up", n: "down" };
