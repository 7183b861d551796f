// Pictures in a terminal: sizes from the file headers, the two inline protocols, the text instead.

import { columns } from "./width.js";

let cell = { widthPx: 9, heightPx: 18 };
let capabilities;

/**
 * What the terminal can draw. The engine does not own the terminal, so nothing is assumed until the host (or
 * a test) says otherwise.
 *
 * @returns {{ images: "kitty" | "iterm2" | null, trueColor: boolean, hyperlinks: boolean }}
 */
export function getCapabilities() {
  capabilities ??= { images: null, trueColor: true, hyperlinks: false };
  return capabilities;
}

export function setCapabilities(next) {
  capabilities = { ...getCapabilities(), ...next };
}

export function resetCapabilitiesCache() {
  capabilities = undefined;
}

/** Size of one terminal cell in pixels. */
export function getCellDimensions() {
  return cell;
}

export function setCellDimensions(dimensions) {
  cell = dimensions;
}

/** The first bytes of base64 data; headers never need more. */
function headerBytes(base64, limit = 262144) {
  try {
    const text = atob(String(base64).slice(0, Math.ceil(limit / 3) * 4).replace(/[^A-Za-z0-9+/]/g, ""));
    return Uint8Array.from(text, (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

const u16 = (bytes, at) => (bytes[at] << 8) | bytes[at + 1];
const u16le = (bytes, at) => bytes[at] | (bytes[at + 1] << 8);
const u24le = (bytes, at) => u16le(bytes, at) | (bytes[at + 2] << 16);
const ascii = (bytes, at, length) => String.fromCharCode(...bytes.slice(at, at + length));
const size = (widthPx, heightPx) => (widthPx > 0 && heightPx > 0 ? { widthPx, heightPx } : null);

/** @returns {{ widthPx: number, heightPx: number } | null} */
export function getPngDimensions(base64Data) {
  const bytes = headerBytes(base64Data, 64);
  if (bytes.length < 24 || ascii(bytes, 1, 3) !== "PNG") return null;
  return size(u16(bytes, 16) * 65536 + u16(bytes, 18), u16(bytes, 20) * 65536 + u16(bytes, 22));
}

export function getGifDimensions(base64Data) {
  const bytes = headerBytes(base64Data, 64);
  return bytes.length < 10 || ascii(bytes, 0, 3) !== "GIF" ? null : size(u16le(bytes, 6), u16le(bytes, 8));
}

export function getJpegDimensions(base64Data) {
  const bytes = headerBytes(base64Data);
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return null;
  for (let at = 2; at + 8 < bytes.length; ) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1];
    const frame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (frame) return size(u16(bytes, at + 7), u16(bytes, at + 5));
    at += marker === 0xff ? 1 : 2 + u16(bytes, at + 2);
  }
  return null;
}

export function getWebpDimensions(base64Data) {
  const bytes = headerBytes(base64Data, 64);
  if (bytes.length < 30 || ascii(bytes, 0, 4) !== "RIFF" || ascii(bytes, 8, 4) !== "WEBP") return null;
  switch (ascii(bytes, 12, 4)) {
    case "VP8 ":
      return size(u16le(bytes, 26) & 0x3fff, u16le(bytes, 28) & 0x3fff);
    case "VP8L":
      return size((u16le(bytes, 21) & 0x3fff) + 1, ((u24le(bytes, 22) >> 6) & 0x3fff) + 1);
    case "VP8X":
      return size(u24le(bytes, 24) + 1, u24le(bytes, 27) + 1);
    default:
      return null;
  }
}

const READERS = {
  "image/png": getPngDimensions,
  "image/jpeg": getJpegDimensions,
  "image/gif": getGifDimensions,
  "image/webp": getWebpDimensions,
};

export function getImageDimensions(base64Data, mimeType) {
  return READERS[mimeType]?.(base64Data) ?? null;
}

/** Rows the picture takes when it is `targetWidthCells` wide. */
export function calculateImageRows(imageDimensions, targetWidthCells, cellDimensions = getCellDimensions()) {
  const scale = (targetWidthCells * cellDimensions.widthPx) / imageDimensions.widthPx;
  return Math.max(1, Math.ceil((imageDimensions.heightPx * scale) / cellDimensions.heightPx));
}

const KITTY_CHUNK = 4096;

/** @param {{ columns?: number, rows?: number, imageId?: number }} [options] */
export function encodeKitty(base64Data, options = {}) {
  const keys = ["a=T", "f=100", "q=2"];
  if (options.columns) keys.push(`c=${options.columns}`);
  if (options.rows) keys.push(`r=${options.rows}`);
  if (options.imageId) keys.push(`i=${options.imageId}`);
  let out = "";
  for (let at = 0; at === 0 || at < base64Data.length; at += KITTY_CHUNK) {
    const more = at + KITTY_CHUNK < base64Data.length ? 1 : 0;
    const head = at === 0 ? `${keys.join(",")},m=${more}` : `m=${more}`;
    out += `\x1b_G${head};${base64Data.slice(at, at + KITTY_CHUNK)}\x1b\\`;
  }
  return out;
}

/** @param {{ width?: number | string, height?: number | string, name?: string, preserveAspectRatio?: boolean }} [options] */
export function encodeITerm2(base64Data, options = {}) {
  const keys = ["inline=1"];
  if (options.width !== undefined) keys.push(`width=${options.width}`);
  if (options.height !== undefined) keys.push(`height=${options.height}`);
  if (options.preserveAspectRatio === false) keys.push("preserveAspectRatio=0");
  return `\x1b]1337;File=${keys.join(";")}:${base64Data}\x07`;
}

/**
 * @param {{ maxWidthCells?: number, imageId?: number }} [options]
 * @returns {{ sequence: string, rows: number, imageId?: number } | null} null when the terminal draws no pictures
 */
export function renderImage(base64Data, imageDimensions, options = {}) {
  const protocol = getCapabilities().images;
  if (!protocol) return null;
  const width = Math.max(1, columns(options.maxWidthCells ?? 80));
  const rows = calculateImageRows(imageDimensions, width);
  const sequence =
    protocol === "kitty"
      ? encodeKitty(base64Data, { columns: width, rows, imageId: options.imageId })
      : encodeITerm2(base64Data, { width, height: "auto" });
  return { sequence, rows, imageId: options.imageId };
}

/** What stands for a picture in text. */
export function imageFallback(mimeType, dimensions, filename) {
  const parts = [filename, `[${mimeType}]`, dimensions && `${dimensions.widthPx}x${dimensions.heightPx}`];
  return `[Image: ${parts.filter(Boolean).join(" ")}]`;
}

/** The text as a terminal hyperlink. */
export function hyperlink(text, url) {
  return `\x1b]8;;${String(url).replace(/[\x00-\x1f\x7f]/g, "")}\x1b\\${text}\x1b]8;;\x1b\\`;
}
