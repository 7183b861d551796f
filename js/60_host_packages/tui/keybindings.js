// Named actions and the keys that trigger them.

import { matchesKey } from "./keys.js";

const define = (description, ...defaultKeys) => Object.freeze({ defaultKeys, description });

/** The actions of the components here. A manager may know more (the agent's own actions). */
export const TUI_KEYBINDINGS = Object.freeze({
  "tui.editor.cursorUp": define("Cursor up", "up"),
  "tui.editor.cursorDown": define("Cursor down", "down"),
  "tui.editor.cursorLeft": define("Cursor left", "left", "ctrl+b"),
  "tui.editor.cursorRight": define("Cursor right", "right", "ctrl+f"),
  "tui.editor.cursorWordLeft": define("Cursor one word left", "alt+left", "ctrl+left", "alt+b"),
  "tui.editor.cursorWordRight": define("Cursor one word right", "alt+right", "ctrl+right", "alt+f"),
  "tui.editor.cursorLineStart": define("Start of line", "home", "ctrl+a"),
  "tui.editor.cursorLineEnd": define("End of line", "end", "ctrl+e"),
  "tui.editor.pageUp": define("Page up", "pageUp"),
  "tui.editor.pageDown": define("Page down", "pageDown"),
  "tui.editor.deleteCharBackward": define("Delete before the cursor", "backspace"),
  "tui.editor.deleteCharForward": define("Delete at the cursor", "delete", "ctrl+d"),
  "tui.editor.deleteWordBackward": define("Delete the word before", "ctrl+w", "alt+backspace"),
  "tui.editor.deleteWordForward": define("Delete the word after", "alt+d", "alt+delete"),
  "tui.editor.deleteToLineStart": define("Delete to start of line", "ctrl+u"),
  "tui.editor.deleteToLineEnd": define("Delete to end of line", "ctrl+k"),
  "tui.editor.yank": define("Insert what was deleted", "ctrl+y"),
  "tui.editor.yankPop": define("Insert what was deleted earlier", "alt+y"),
  "tui.editor.undo": define("Undo", "ctrl+-"),
  "tui.input.newLine": define("New line", "shift+enter"),
  "tui.input.submit": define("Submit", "enter"),
  "tui.input.tab": define("Complete", "tab"),
  "tui.input.copy": define("Copy", "ctrl+c"),
  "tui.select.up": define("Selection up", "up"),
  "tui.select.down": define("Selection down", "down"),
  "tui.select.pageUp": define("Selection one page up", "pageUp"),
  "tui.select.pageDown": define("Selection one page down", "pageDown"),
  "tui.select.confirm": define("Choose", "enter"),
  "tui.select.cancel": define("Cancel", "escape", "ctrl+c"),
});

const list = (keys) => (keys === undefined ? [] : Array.isArray(keys) ? [...keys] : [keys]);

export class KeybindingsManager {
  #definitions;
  #user;

  /**
   * @param {Record<string, { defaultKeys: string | string[], description?: string }>} definitions
   * @param {Record<string, string | string[] | undefined>} [userBindings] replace the default keys of an action
   */
  constructor(definitions = TUI_KEYBINDINGS, userBindings = {}) {
    this.#definitions = definitions;
    this.#user = { ...userBindings };
  }

  matches(data, keybinding) {
    return this.getKeys(keybinding).some((key) => matchesKey(data, key));
  }

  /** Keys of the action, none for an unknown one. */
  getKeys(keybinding) {
    const own = this.#user[keybinding];
    return own === undefined ? list(this.#definitions[keybinding]?.defaultKeys) : list(own);
  }

  getDefinition(keybinding) {
    return this.#definitions[keybinding];
  }

  /** Keys the user gave to more than one action. */
  getConflicts() {
    const actions = new Map();
    for (const [action, keys] of Object.entries(this.#user)) {
      for (const key of list(keys)) actions.set(key, [...(actions.get(key) ?? []), action]);
    }
    return [...actions].filter(([, names]) => names.length > 1).map(([key, keybindings]) => ({ key, keybindings }));
  }

  setUserBindings(userBindings) {
    this.#user = { ...userBindings };
  }

  getUserBindings() {
    return { ...this.#user };
  }

  /** Every action with its keys in force. */
  getResolvedBindings() {
    return Object.fromEntries(Object.keys(this.#definitions).map((action) => [action, this.getKeys(action)]));
  }
}

let current;

/** The manager all components ask. */
export function getKeybindings() {
  current ??= new KeybindingsManager(TUI_KEYBINDINGS);
  return current;
}

export function setKeybindings(keybindings) {
  current = keybindings;
}
