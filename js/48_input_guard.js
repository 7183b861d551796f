// What becomes of edits that `tool_call` handlers make to `event.input` (decision 6).
import { primordials } from "ext:core/mod.js";
import { toText } from "./07_values.js";

const { JSONParse, ObjectDefineProperty } = primordials;

/**
 * Watches `event.input`: nothing is compared until a handler looks at it, and then only its JSON text.
 * Under "ignore" an edit is undone after the handler and told; under "apply" edits accumulate (decision 6).
 */
export class InputGuard {
  #value;
  #text;
  touched = false;
  changed = false;

  constructor(event) {
    this.#value = event.input;
    const guard = this;
    ObjectDefineProperty(event, "input", {
      __proto__: null,
      // Neither deleted nor defined anew: a later gate always sees what will run.
      configurable: false,
      enumerable: true,
      get() {
        guard.#touch();
        return guard.#value;
      },
      set(value) {
        guard.#touch();
        guard.#value = value;
      },
    });
  }

  #touch() {
    this.#text ??= toText(this.#value);
    this.touched = true;
  }

  /** Called after each handler; true when that handler edited the input. */
  settle(mutation, failed) {
    if (!this.touched) return false;
    this.touched = false;
    let text;
    try {
      text = toText(this.#value);
    } catch {
      text = undefined;
    }
    if (text === this.#text) return false;
    if (mutation === "apply" && !failed && text !== undefined) {
      this.#text = text;
      this.changed = true;
    } else {
      this.#value = JSONParse(this.#text);
    }
    return true;
  }

  get text() {
    return this.#text;
  }
}
