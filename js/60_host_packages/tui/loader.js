import { Text } from "./text.js";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const INTERVAL_MS = 80;

/** A spinner with a message. It turns from its creation until `stop()` or `dispose()`. */
export class Loader extends Text {
  #ui;
  #spinnerColor;
  #messageColor;
  #message;
  #frames = FRAMES;
  #intervalMs = INTERVAL_MS;
  #frame = 0;
  #timer;

  /**
   * @param {{ requestRender?: () => void }} ui asked to draw again at each step
   * @param {(text: string) => string} [spinnerColorFn]
   * @param {(text: string) => string} [messageColorFn]
   * @param {string} [message]
   * @param {{ frames?: string[], intervalMs?: number } | string[]} [indicator] no frames: no spinner
   */
  constructor(ui, spinnerColorFn, messageColorFn, message = "Loading...", indicator) {
    super("", 1, 0);
    this.#ui = ui;
    this.#spinnerColor = spinnerColorFn ?? ((text) => text);
    this.#messageColor = messageColorFn ?? ((text) => text);
    this.#message = String(message);
    this.#useIndicator(indicator);
    this.#update();
    this.start();
  }

  start() {
    this.stop();
    if (this.#frames.length < 2) return;
    this.#timer = setInterval(() => {
      this.#frame = (this.#frame + 1) % this.#frames.length;
      this.#update();
    }, this.#intervalMs);
    // A forgotten spinner must not keep anything alive.
    this.#timer?.unref?.();
  }

  stop() {
    if (this.#timer !== undefined) clearInterval(this.#timer);
    this.#timer = undefined;
  }

  dispose() {
    this.stop();
  }

  setMessage(message) {
    this.#message = String(message);
    this.#update();
  }

  setIndicator(indicator) {
    this.#useIndicator(indicator);
    this.#frame = 0;
    this.#update();
    this.start();
  }

  render(width) {
    return ["", ...super.render(width)];
  }

  #useIndicator(indicator) {
    const { frames, intervalMs } = Array.isArray(indicator) ? { frames: indicator } : (indicator ?? {});
    this.#frames = frames ? [...frames] : FRAMES;
    this.#intervalMs = intervalMs > 0 ? intervalMs : INTERVAL_MS;
  }

  #update() {
    const frame = this.#frames[this.#frame] ?? "";
    const spinner = frame === "" ? "" : `${this.#spinnerColor(frame)} `;
    this.setText(spinner + this.#messageColor(this.#message));
    this.#ui?.requestRender?.();
  }
}
