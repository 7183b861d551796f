// What becomes of edits that `tool_call` handlers make to `event.input` (decision 6).
import { primordials } from "ext:core/mod.js";
import { toText } from "./07_values.js";

const { JSONParse, ObjectDefineProperty, ObjectFreeze, TypeError } = primordials;

/**
 * Watches `event.input`: nothing is compared until a handler looks at it, and then only its JSON text. Under "ignore" an edit is undone
 * after the handler and told; under "apply" edits accumulate (decision 6). Every handler gets an object of its own, and only while it runs:
 * what code does that an earlier handler left behind changes nothing for a later gate.
 */
export class InputGuard {
  #value;
  #text;
  /** A handler that is over may still hold the object. */
  #lent = false;
  touched = false;
  changed = false;
  /** The last edit cannot be marshalled. */
  unfit = false;

  /** @param isRunning whether the code that asks belongs to the handler that runs now */
  constructor(event, isRunning) {
    this.#value = event.input;
    const guard = this;
    ObjectDefineProperty(event, "input", {
      __proto__: null,
      // Neither deleted nor defined anew: a later gate always sees what will run.
      configurable: false,
      enumerable: true,
      get() {
        if (!isRunning()) return ObjectFreeze(JSONParse(guard.#textNow()));
        guard.#touch();
        return guard.#value;
      },
      set(value) {
        if (!isRunning()) throw new TypeError("event.input cannot be edited by a handler that is over");
        guard.#touch();
        guard.#value = value;
      },
    });
  }

  #textNow() {
    return this.#text ??= toText(this.#value);
  }

  #touch() {
    this.#textNow();
    if (this.#lent) this.#value = JSONParse(this.#text);
    this.#lent = false;
    this.touched = true;
  }

  /** Called after each handler; true when that handler edited the input. */
  settle(mutation, failed) {
    if (!this.touched) return false;
    this.touched = false;
    this.#lent = true;
    let text;
    try {
      text = toText(this.#value);
    } catch {
      text = undefined;
    }
    this.unfit = text === undefined;
    if (text === this.#text) return false;
    if (mutation === "apply" && !failed && text !== undefined) {
      this.#text = text;
      this.changed = true;
    }
    return true;
  }

  /** The input from now on: an edit by a handler's result. */
  replace(value) {
    const text = toText(value);
    if (text === undefined) throw new TypeError("it returned an input that has no JSON form");
    if (text === this.#textNow()) return;
    this.#text = text;
    this.#lent = true;
    this.changed = true;
  }

  get text() {
    return this.#text;
  }
}
