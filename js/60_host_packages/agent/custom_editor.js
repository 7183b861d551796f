import { Editor } from "../tui/editor.js";
import { getKeybindings } from "../tui/keybindings.js";

/** The editor with actions of the agent on keys: escape, ctrl+d on an empty text, and any named action. */
export class CustomEditor extends Editor {
  /** @type {Map<string, () => void>} */
  actionHandlers = new Map();
  onEscape = undefined;
  onCtrlD = undefined;
  /** @type {((data: string) => boolean) | undefined} */
  onExtensionShortcut = undefined;
  #keybindings;

  /** @param {object} keybindings manager that knows the agent's actions; default the components' own */
  constructor(tui, theme, keybindings, options) {
    super(tui, theme, options);
    this.#keybindings = keybindings ?? getKeybindings();
  }

  onAction(action, handler) {
    this.actionHandlers.set(action, handler);
  }

  handleInput(data) {
    if (this.onExtensionShortcut?.(data)) return;
    const keys = this.#keybindings;
    const escape = this.onEscape ?? this.actionHandlers.get("app.interrupt");
    if (escape && getKeybindings().matches(data, "tui.select.cancel") && !getKeybindings().matches(data, "tui.input.copy")) {
      escape();
      return;
    }
    const exit = this.onCtrlD ?? this.actionHandlers.get("app.exit");
    if (exit && this.getText() === "" && data === "\x04") {
      exit();
      return;
    }
    for (const [action, handler] of this.actionHandlers) {
      if (action !== "app.interrupt" && action !== "app.exit" && keys.matches(data, action)) {
        handler();
        return;
      }
    }
    super.handleInput(data);
  }
}
