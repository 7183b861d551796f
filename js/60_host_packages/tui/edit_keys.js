// The keys that edit text, shared by `Input` and `Editor`, and bracketed paste.

import { getKeybindings } from "./keybindings.js";
import { isKeyRelease, typedCharacters } from "./keys.js";

const ACTIONS = [
  ["tui.editor.undo", "undo"],
  ["tui.editor.deleteWordBackward", "deleteWordBackward"],
  ["tui.editor.deleteWordForward", "deleteWordForward"],
  ["tui.editor.deleteToLineStart", "deleteToLineStart"],
  ["tui.editor.deleteToLineEnd", "deleteToLineEnd"],
  ["tui.editor.deleteCharBackward", "deleteBackward"],
  ["tui.editor.deleteCharForward", "deleteForward"],
  ["tui.editor.yank", "yank"],
  ["tui.editor.yankPop", "yankPop"],
  ["tui.editor.cursorLineStart", "lineStart"],
  ["tui.editor.cursorLineEnd", "lineEnd"],
  ["tui.editor.cursorWordLeft", "wordLeft"],
  ["tui.editor.cursorWordRight", "wordRight"],
  ["tui.editor.cursorLeft", "left"],
  ["tui.editor.cursorRight", "right"],
];

/**
 * Applies an editing key to the buffer.
 *
 * @param {import("./text_buffer.js").TextBuffer} buffer
 * @param {string} data
 * @returns {boolean} whether it was one
 */
export function applyEditKey(buffer, data) {
  const keys = getKeybindings();
  const action = ACTIONS.find(([binding]) => keys.matches(data, binding));
  if (action) {
    buffer[action[1]]();
    return true;
  }
  const text = typedCharacters(data);
  if (text === undefined) return false;
  buffer.insert(text, "type");
  return true;
}

const PASTE_START = "\x1b[200~";
const PASTE_END = "\x1b[201~";

/** Collects a bracketed paste that may arrive in pieces, and drops key releases. */
export class InputSplitter {
  #paste;

  /**
   * @param {string} data
   * @param {{ key: (data: string) => void, paste: (text: string) => void }} handlers
   */
  feed(data, handlers) {
    let rest = data;
    while (rest !== "") {
      if (this.#paste === undefined) {
        const start = rest.indexOf(PASTE_START);
        const keys = start < 0 ? rest : rest.slice(0, start);
        if (keys !== "" && !isKeyRelease(keys)) handlers.key(keys);
        if (start < 0) return;
        this.#paste = "";
        rest = rest.slice(start + PASTE_START.length);
      }
      // The end mark itself may be cut in two between pieces.
      const collected = this.#paste + rest;
      const end = collected.indexOf(PASTE_END);
      if (end < 0) {
        this.#paste = collected;
        return;
      }
      this.#paste = undefined;
      handlers.paste(collected.slice(0, end));
      rest = collected.slice(end + PASTE_END.length);
    }
  }
}
