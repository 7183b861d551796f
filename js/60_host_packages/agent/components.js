// Components of the agent that hooks use.

import { currentTheme } from "../../41_theme_instance.js";
import { CancellableLoader } from "../tui/cancellable_loader.js";
import { Container, fitLine } from "../tui/component.js";
import { Input } from "../tui/input.js";
import { Loader } from "../tui/loader.js";
import { SelectList } from "../tui/select_list.js";
import { Spacer } from "../tui/spacer.js";
import { Text } from "../tui/text.js";
import { columns } from "../tui/width.js";
import { getSelectListTheme, keyHint } from "./theming.js";

/** A line across the whole width. */
export class DynamicBorder {
  #color;

  /** @param {(text: string) => string} [color] default: the theme's border colour */
  constructor(color = (text) => currentTheme().fg("border", text)) {
    this.#color = color;
  }

  invalidate() {}

  render(width) {
    return [this.#color("─".repeat(columns(width)))];
  }
}

/** A loader between two lines; escape aborts it. */
export class BorderedLoader extends Container {
  #loader;
  #controller = new AbortController();

  /**
   * @param {{ requestRender?: () => void }} tui
   * @param {object} theme
   * @param {string} message
   * @param {{ cancellable?: boolean }} [options] default true
   */
  constructor(tui, theme, message, options = {}) {
    super();
    const border = () => new DynamicBorder((text) => theme.fg("border", text));
    const colors = [(text) => theme.fg("accent", text), (text) => theme.fg("muted", text)];
    const cancellable = options?.cancellable ?? true;
    this.#loader = cancellable ? new CancellableLoader(tui, ...colors, message) : new Loader(tui, ...colors, message);
    this.addChild(border());
    this.addChild(this.#loader);
    if (cancellable) {
      this.addChild(new Spacer(1));
      this.addChild(new Text(keyHint("tui.select.cancel", "cancel"), 1, 0));
    }
    this.addChild(new Spacer(1));
    this.addChild(border());
  }

  /** Fires when the person cancels. */
  get signal() {
    return this.#loader.signal ?? this.#controller.signal;
  }

  get aborted() {
    return this.signal.aborted;
  }

  /** @param {(() => void) | undefined} callback */
  set onAbort(callback) {
    this.#loader.onAbort = callback;
  }

  get onAbort() {
    return this.#loader.onAbort;
  }

  setMessage(message) {
    this.#loader.setMessage(message);
  }

  handleInput(data) {
    this.#loader.handleInput?.(data);
  }

  dispose() {
    this.#loader.dispose();
  }
}

/** A dialog to choose one of several texts. */
export class ExtensionSelectorComponent extends Container {
  #list;

  /**
   * @param {string} title
   * @param {string[]} options
   * @param {(option: string) => void} onSelect
   * @param {() => void} onCancel
   */
  constructor(title, options, onSelect, onCancel) {
    super();
    const theme = currentTheme();
    this.#list = new SelectList(options.map((value) => ({ value, label: value })), 10, getSelectListTheme());
    this.#list.onSelect = (item) => onSelect(item.value);
    this.#list.onCancel = onCancel;
    this.addChild(new DynamicBorder());
    this.addChild(new Text(theme.fg("accent", theme.bold(title)), 1, 0));
    this.addChild(new Spacer(1));
    this.addChild(this.#list);
    this.addChild(new Spacer(1));
    this.addChild(new DynamicBorder());
  }

  handleInput(data) {
    this.#list.handleInput(data);
  }

  dispose() {}
}

/** A dialog to type one line. */
export class ExtensionInputComponent extends Container {
  #input = new Input();

  /**
   * @param {string} title
   * @param {string | undefined} placeholder shown while nothing is typed
   * @param {(value: string) => void} onSubmit
   * @param {() => void} onCancel
   */
  constructor(title, placeholder, onSubmit, onCancel) {
    super();
    const theme = currentTheme();
    this.#input.focused = true;
    this.#input.onSubmit = onSubmit;
    this.#input.onEscape = onCancel;
    this.addChild(new DynamicBorder());
    this.addChild(new Text(theme.fg("accent", theme.bold(title)), 1, 0));
    this.addChild(new Spacer(1));
    this.addChild(this.#input);
    this.addChild(new Placeholder(placeholder, this.#input));
    this.addChild(new DynamicBorder());
  }

  handleInput(data) {
    this.#input.handleInput(data);
  }

  dispose() {}
}

class Placeholder {
  #text;
  #input;

  constructor(text, input) {
    this.#text = String(text ?? "").replace(/\s+/g, " ");
    this.#input = input;
  }

  invalidate() {}

  render(width) {
    if (!this.#text || this.#input.getValue() !== "") return [""];
    return [fitLine(currentTheme().fg("dim", `  ${this.#text}`), width)];
  }
}
