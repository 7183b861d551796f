// The global `Bun`: the part of it hooks use, over node's builtins. What is not here is undefined, so that a
// hook's own test for it works.

import { createFiles, streamReaders } from "./70_bun/file.js";
import { createShell } from "./70_bun/shell.js";
import { createSpawn } from "./70_bun/spawn.js";
import { createDeepEquals, createWhich, escapeHTML, sleep, sleepSync, stringWidth, stripANSI } from "./70_bun/tools.js";

/**
 * @param {{ node: (name: string) => any }} host gives a node builtin by its bare name when it is needed
 * @returns {object}
 */
export function createBun({ node }) {
  const { file, write, isFile } = createFiles(node);
  const which = createWhich(node);
  const { spawn, spawnSync } = createSpawn(node, which);
  const started = monotonic();
  return {
    ...streamReaders,
    $: createShell(node, isFile),
    file,
    write,
    spawn,
    spawnSync,
    which,
    sleep,
    sleepSync,
    stringWidth,
    stripANSI,
    escapeHTML,
    deepEquals: createDeepEquals(node),
    get env() {
      return globalThis.process.env;
    },
    get argv() {
      return globalThis.process.argv;
    },
    get inspect() {
      return node("util").inspect;
    },
    fileURLToPath: (url) => node("url").fileURLToPath(url),
    pathToFileURL: (path) => node("url").pathToFileURL(path),
    /** Nanoseconds since the engine started. */
    nanoseconds: () => Math.round((monotonic() - started) * 1e6),
  };
}

function monotonic() {
  return globalThis.performance?.now() ?? Date.now();
}
