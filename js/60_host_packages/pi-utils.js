// Small helpers of the agents.

import { environment } from "./agent/builtins.js";
import { parseFrontmatter as parse } from "./agent/frontmatter.js";

export { logger } from "./agent/logger.js";
export { CONFIG_DIR_NAME, getAgentDir } from "./agent/system.js";
export * from "./utils/errors.js";
export * from "./utils/format.js";

/** The directory the agent works in. */
export function getProjectDir() {
  return globalThis.process.cwd();
}

/** The first of these environment variables that is set and not empty. */
export function $pickenv(...names) {
  return names.map((name) => environment()[name]).find((value) => value?.trim());
}

/** The value of JSON text, null when it is none. */
export function tryParseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A deep copy of anything JSON can hold. */
export function structuredCloneJSON(value) {
  if (value === null || typeof value !== "object") return value;
  try {
    return structuredClone(value);
  } catch {
    return JSON.parse(JSON.stringify(value));
  }
}

/** @returns {{ frontmatter: Record<string, unknown>, body: string }} */
export function parseFrontmatter(content) {
  return parse(content);
}
