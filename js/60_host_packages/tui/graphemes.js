// Grapheme clusters and their width in terminal cells. Written out instead of `Intl.Segmenter` so that both
// engines cut texts at the same places (one of them has no Intl).

import { isWide, isZeroWidth } from "./width_tables.js";

/** Columns a tab takes in components. */
export const TAB_WIDTH = 3;

const ZWJ = 0x200d;
const EMOJI_STYLE = 0xfe0f;
const KEYCAP = 0x20e3;
const pictographic = /^\p{Extended_Pictographic}/u;
const spacingMark = /^\p{Mc}/u;

const isPictographic = (cp) => cp > 0xa8 && pictographic.test(String.fromCodePoint(cp));
const isSpacingMark = (cp) => cp > 0x902 && spacingMark.test(String.fromCodePoint(cp));
const isRegional = (cp) => cp >= 0x1f1e6 && cp <= 0x1f1ff;
const isSkinTone = (cp) => cp >= 0x1f3fb && cp <= 0x1f3ff;
const isControl = (cp) => cp < 0x20 || (cp >= 0x7f && cp < 0xa0);
const size = (cp) => (cp > 0xffff ? 2 : 1);

/**
 * End of the cluster that starts at `start`: a base with its combining marks, variation selectors and skin
 * tone, emoji joined by ZWJ, a pair of regional indicators, CR LF.
 *
 * @param {string} text
 * @param {number} start index below `text.length`
 * @returns {number} index after the cluster
 */
export function clusterEnd(text, start) {
  const base = text.codePointAt(start);
  let at = start + size(base);
  if (isControl(base)) return base === 0x0d && text.charCodeAt(at) === 0x0a ? at + 1 : at;
  if (text.charCodeAt(at) < 0x80) return at;
  let previous = base;
  let pairOpen = isRegional(base);
  while (at < text.length) {
    const next = text.codePointAt(at);
    if (isRegional(next) && pairOpen && previous === base) pairOpen = false;
    else if (!extendsCluster(base, previous, next)) break;
    previous = next;
    at += size(next);
  }
  return at;
}

function extendsCluster(base, previous, next) {
  if (next < 0x300) return false;
  if (isZeroWidth(next) || isSpacingMark(next)) return true;
  if (isSkinTone(next)) return isPictographic(previous) || (previous === ZWJ && isPictographic(base));
  return previous === ZWJ && isPictographic(next) && isPictographic(base);
}

/**
 * @param {string} cluster one cluster as {@link clusterEnd} cuts it
 * @returns {number} terminal cells: 0, 1, 2, more only with spacing marks or for a tab
 */
export function clusterWidth(cluster) {
  const base = cluster.codePointAt(0);
  if (base === undefined) return 0;
  if (base === 0x09) return TAB_WIDTH;
  if (isControl(base)) return 0;
  const first = size(base);
  if (cluster.length === first) return baseWidth(base);
  let emoji = isRegional(base) && isRegional(cluster.codePointAt(first));
  let marks = 0;
  for (let at = first; at < cluster.length; ) {
    const cp = cluster.codePointAt(at);
    if (cp === EMOJI_STYLE && canBeEmoji(base)) emoji = true;
    else if (cp === KEYCAP && canBeEmoji(base)) emoji = true;
    else if (isSpacingMark(cp)) marks += 1;
    at += size(cp);
  }
  return emoji ? 2 : baseWidth(base) + marks;
}

function canBeEmoji(base) {
  return isPictographic(base) || base === 0x23 || base === 0x2a || (base >= 0x30 && base <= 0x39);
}

function baseWidth(cp) {
  if (isWide(cp)) return 2;
  return isZeroWidth(cp) ? 0 : 1;
}

/** @param {string} text without escape sequences @returns {string[]} its clusters in order */
export function splitClusters(text) {
  const out = [];
  for (let at = 0; at < text.length; ) {
    const end = clusterEnd(text, at);
    out.push(text.slice(at, end));
    at = end;
  }
  return out;
}

/** Start of the cluster before `index` (0 at the start of the text). */
export function previousBoundary(text, index) {
  let boundary = 0;
  // Clusters have no bounded look-behind; starting at the last plain ASCII character is always safe.
  let at = index - 1;
  while (at > 0 && text.charCodeAt(at) >= 0x80) at -= 1;
  for (at = Math.max(at, 0); at < index; ) {
    boundary = at;
    at = clusterEnd(text, at);
  }
  return boundary;
}
