import { columns } from "./width.js";

/** Empty lines. */
export class Spacer {
  #lines;

  constructor(lines = 1) {
    this.#lines = columns(lines);
  }

  setLines(lines) {
    this.#lines = columns(lines);
  }

  invalidate() {}

  render() {
    return Array.from({ length: this.#lines }, () => "");
  }
}
