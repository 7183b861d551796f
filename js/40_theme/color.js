// Colours as escape sequences.

const LEVELS = [0, 95, 135, 175, 215, 255];

/** @typedef {"truecolor" | "256color" | "none"} ColorMode */

/**
 * What the terminal can show, from the variables terminals set. `NO_COLOR` wins over all.
 *
 * @param {Record<string, string | undefined>} env
 * @returns {ColorMode}
 */
export function detectColorMode(env) {
  if (env.NO_COLOR) return "none";
  const { COLORTERM = "", TERM = "", WT_SESSION } = env;
  if (/^(truecolor|24bit)$/i.test(COLORTERM) || WT_SESSION || TERM.endsWith("-direct")) return "truecolor";
  return "256color";
}

function parseHex(color) {
  const short = /^#([\da-f])([\da-f])([\da-f])$/i.exec(color);
  if (short) return short.slice(1).map((digit) => parseInt(digit + digit, 16));
  const long = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(color);
  return long ? long.slice(1).map((pair) => parseInt(pair, 16)) : undefined;
}

function distance(a, b) {
  return a.reduce((sum, value, i) => sum + (value - b[i]) ** 2, 0);
}

/** The closest colour of the 6×6×6 cube or the grey ramp. */
function nearest256(rgb) {
  const steps = rgb.map((value) =>
    LEVELS.reduce((best, level, i) => (Math.abs(level - value) < Math.abs(LEVELS[best] - value) ? i : best), 0),
  );
  const cube = { index: 16 + 36 * steps[0] + 6 * steps[1] + steps[2], rgb: steps.map((step) => LEVELS[step]) };
  const average = (rgb[0] + rgb[1] + rgb[2]) / 3;
  const shade = Math.max(0, Math.min(23, Math.round((average - 8) / 10)));
  const grey = { index: 232 + shade, rgb: [8 + shade * 10, 8 + shade * 10, 8 + shade * 10] };
  return distance(rgb, grey.rgb) < distance(rgb, cube.rgb) ? grey.index : cube.index;
}

/**
 * @param {string | number} color `#rrggbb`, `#rgb`, an index 0–255, or `""` for the terminal's own
 * @param {ColorMode} mode
 * @param {"fg" | "bg"} layer
 * @returns {string} the sequence that switches the colour on; empty in mode `none`
 */
export function colorSequence(color, mode, layer) {
  const [start, reset] = layer === "fg" ? [38, 39] : [48, 49];
  const rgb = typeof color === "string" ? parseHex(color) : undefined;
  const index = typeof color === "number" && Number.isInteger(color) && color >= 0 && color <= 255;
  if (color !== "" && !rgb && !index) throw new Error(`Invalid color value: ${color}`);
  if (mode === "none") return "";
  if (color === "") return `\x1b[${reset}m`;
  if (index) return `\x1b[${start};5;${color}m`;
  return mode === "truecolor" ? `\x1b[${start};2;${rgb.join(";")}m` : `\x1b[${start};5;${nearest256(rgb)}m`;
}
