// The small functions of `Bun`.

import { stripAnsi } from "../60_host_packages/tui/ansi.js";
import { visibleWidth } from "../60_host_packages/tui/width.js";

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };

export function escapeHTML(value) {
  return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character]);
}

/** @param {number | Date} duration milliseconds, or the time to wake up */
export function sleep(duration) {
  const ms = duration instanceof Date ? duration.getTime() - Date.now() : Number(duration);
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
}

/** Blocks the hook's thread. */
export function sleepSync(ms) {
  if (!(ms >= 0)) throw new TypeError("sleepSync expects milliseconds that are not negative");
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  } catch {
    // An engine that may not wait has to count.
    for (const end = Date.now() + ms; Date.now() < end; );
  }
}

/** Columns on a terminal; tabs and controls take none. */
export function stringWidth(text, options = {}) {
  const string = options.countAnsiEscapeCodes ? String(text).replaceAll("\x1b", "") : String(text);
  return visibleWidth(string.replaceAll("\t", ""));
}

export const stripANSI = (text) => stripAnsi(String(text));

/**
 * Structural equality. Not strict: properties that are undefined count as missing, and classes do not matter.
 *
 * @param {(name: string) => any} node
 */
export const createDeepEquals = (node) => (left, right, strict = false) =>
  strict ? node("util").isDeepStrictEqual(left, right) : sameShape(left, right, []);

function sameShape(left, right, seen) {
  if (Object.is(left, right)) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (seen.some(([a, b]) => a === left && b === right)) return true;
  const now = [...seen, [left, right]];
  const tag = (value) => Object.prototype.toString.call(value);
  if (tag(left) !== tag(right)) return false;
  if (left instanceof Date) return Object.is(left.getTime(), right.getTime());
  if (left instanceof RegExp) return String(left) === String(right);
  if (left instanceof Error && left.message !== right.message) return false;
  if (left instanceof Map || left instanceof Set) return sameMembers(left, right, now);
  if (Array.isArray(left) || ArrayBuffer.isView(left)) {
    return left.length === right.length && Array.from(left).every((item, i) => sameShape(item, right[i], now));
  }
  const keys = (object) => Reflect.ownKeys(object).filter((key) => object[key] !== undefined);
  const [mine, theirs] = [keys(left), keys(right)];
  return mine.length === theirs.length && mine.every((key) => sameShape(left[key], right[key], now));
}

function sameMembers(left, right, seen) {
  if (left.size !== right.size) return false;
  const others = [...right];
  return [...left].every((member) => {
    const at = others.findIndex((other) => sameShape(member, other, seen));
    if (at >= 0) others.splice(at, 1);
    return at >= 0;
  });
}

/** @param {(name: string) => any} node */
export function createWhich(node) {
  /**
   * The path of a program, null when there is none.
   *
   * @param {string} command
   * @param {{ PATH?: string, cwd?: string }} [options]
   */
  return function which(command, options = {}) {
    const path = node("path");
    const isProgram = (candidate) => {
      try {
        node("fs").accessSync(candidate, node("fs").constants.X_OK);
        return node("fs").statSync(candidate).isFile();
      } catch {
        return false;
      }
    };
    const name = String(command);
    if (name === "") return null;
    if (name.includes("/")) {
      const full = path.resolve(options.cwd ?? globalThis.process.cwd(), name);
      return isProgram(full) ? full : null;
    }
    const directories = (options.PATH ?? globalThis.process?.env?.PATH ?? "").split(path.delimiter).filter(Boolean);
    return directories.map((directory) => path.join(directory, name)).find(isProgram) ?? null;
  };
}
