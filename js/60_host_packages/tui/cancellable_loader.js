import { getKeybindings } from "./keybindings.js";
import { Loader } from "./loader.js";

/** A loader with an abort signal that fires when the person presses escape. */
export class CancellableLoader extends Loader {
  #controller = new AbortController();
  /** @type {(() => void) | undefined} */
  onAbort = undefined;

  get signal() {
    return this.#controller.signal;
  }

  get aborted() {
    return this.#controller.signal.aborted;
  }

  handleInput(data) {
    if (this.aborted || !getKeybindings().matches(data, "tui.select.cancel")) return;
    this.#controller.abort();
    this.onAbort?.();
  }
}
