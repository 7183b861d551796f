// Files and programs of the machine: the agent's directory, the shell, the clipboard, taking turns on a file.

import { builtin, environment } from "./builtins.js";

/** Name of the directory with the agent's settings, in a project and in the home directory. */
export const CONFIG_DIR_NAME = ".xcsh";

function expandHome(path) {
  return path === "~" || path.startsWith("~/") ? builtin("os").homedir() + path.slice(1) : path;
}

/** The user's directory of the agent: `PI_CODING_AGENT_DIR`, else `agent` in `PI_CONFIG_DIR` or `.xcsh` at home. */
export function getAgentDir() {
  const { PI_CODING_AGENT_DIR, PI_CONFIG_DIR } = environment();
  const path = builtin("path");
  if (PI_CODING_AGENT_DIR) return path.resolve(expandHome(PI_CODING_AGENT_DIR));
  return path.join(builtin("os").homedir(), PI_CONFIG_DIR || CONFIG_DIR_NAME, "agent");
}

/**
 * The shell for a command line.
 *
 * @param {string} [customShellPath]
 * @returns {{ shell: string, args: string[] }} the command line follows the arguments
 */
export function getShellConfig(customShellPath) {
  const { existsSync } = builtin("fs");
  if (customShellPath) {
    if (!existsSync(customShellPath)) throw new Error(`There is no shell at ${customShellPath}`);
    return { shell: customShellPath, args: ["-c"] };
  }
  const directories = (environment().PATH ?? "").split(builtin("path").delimiter).filter(Boolean);
  const candidates = ["/bin/bash", ...directories.map((directory) => builtin("path").join(directory, "bash"))];
  return { shell: candidates.find((candidate) => existsSync(candidate)) ?? "sh", args: ["-c"] };
}

const CLIPBOARDS = {
  darwin: [["pbcopy"]],
  win32: [["clip"]],
  linux: [["wl-copy"], ["xclip", "-selection", "clipboard"], ["xsel", "--clipboard", "--input"], ["termux-clipboard-set"]],
};

/**
 * Puts a text on the clipboard with the first program that takes it.
 *
 * @param {string} text
 * @throws {Error} when no program does
 */
export async function copyToClipboard(text) {
  const programs = CLIPBOARDS[globalThis.process?.platform] ?? CLIPBOARDS.linux;
  for (const [program, ...args] of programs) {
    if (await feed(program, args, String(text))) return;
  }
  throw new Error(`No clipboard program worked (tried ${programs.map(([program]) => program).join(", ")})`);
}

function feed(program, args, text) {
  return new Promise((resolve) => {
    try {
      const child = builtin("child_process").spawn(program, args, { stdio: ["pipe", "ignore", "ignore"] });
      child.on("error", () => resolve(false));
      child.on("close", (code) => resolve(code === 0));
      child.stdin.on("error", () => {});
      child.stdin.end(text);
    } catch {
      resolve(false);
    }
  });
}

const queues = new Map();

/**
 * Runs changes of one file one after the other, of different files side by side.
 *
 * @template T
 * @param {string} filePath names of the same file (through links) share a queue
 * @param {() => Promise<T>} change
 * @returns {Promise<T>}
 */
export async function withFileMutationQueue(filePath, change) {
  const key = realPath(filePath);
  const before = queues.get(key) ?? Promise.resolve();
  const turn = before.then(change);
  const settled = turn.then(
    () => {},
    () => {},
  );
  queues.set(key, settled);
  try {
    return await turn;
  } finally {
    if (queues.get(key) === settled) queues.delete(key);
  }
}

function realPath(filePath) {
  const full = builtin("path").resolve(filePath);
  try {
    return builtin("fs").realpathSync(full);
  } catch {
    return full;
  }
}
