import { fitLine } from "./component.js";
import { getCapabilities, getImageDimensions, imageFallback, renderImage } from "./terminal_image.js";
import { columns } from "./width.js";

const MAX_CELLS = 60;

/** A picture, or one line of text that stands for it where the terminal draws none. */
export class Image {
  #data;
  #mimeType;
  #theme;
  #options;
  #dimensions;

  /**
   * @param {string} base64Data
   * @param {string} mimeType
   * @param {{ fallbackColor?: (text: string) => string }} [theme]
   * @param {{ maxWidthCells?: number, filename?: string, imageId?: number }} [options]
   * @param {{ widthPx: number, heightPx: number }} [dimensions] read from the data when left out
   */
  constructor(base64Data, mimeType, theme = {}, options = {}, dimensions = undefined) {
    this.#data = base64Data;
    this.#mimeType = mimeType;
    this.#theme = theme ?? {};
    this.#options = options ?? {};
    this.#dimensions = dimensions ?? getImageDimensions(base64Data, mimeType) ?? undefined;
  }

  getImageId() {
    return this.#options.imageId;
  }

  invalidate() {}

  render(width) {
    const whole = columns(width);
    const cells = Math.min(Math.max(1, whole - 2), this.#options.maxWidthCells ?? MAX_CELLS);
    const drawn =
      this.#dimensions && whole > 0 && getCapabilities().images
        ? renderImage(this.#data, this.#dimensions, { maxWidthCells: cells, imageId: this.#options.imageId })
        : null;
    if (!drawn) {
      const text = fitLine(imageFallback(this.#mimeType, this.#dimensions, this.#options.filename), whole);
      return [this.#theme.fallbackColor ? this.#theme.fallbackColor(text) : text];
    }
    // The rows below are reserved first, then the cursor goes back up to draw over them.
    const up = drawn.rows > 1 ? `\x1b[${drawn.rows - 1}A` : "";
    return [...Array.from({ length: drawn.rows - 1 }, () => ""), up + drawn.sequence];
  }
}
