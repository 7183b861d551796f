// The YAML block between `---` lines at the start of a Markdown file.

import { parseYaml } from "./yaml.js";

const BLOCK = /^---[ \t]*\n([^]*?)(?:\n---[ \t]*(?:\n|$)|(?<=\n)---[ \t]*(?:\n|$))/;

/**
 * @param {string} content
 * @returns {{ frontmatter: Record<string, unknown>, body: string }} an empty object where there is none
 */
export function parseFrontmatter(content) {
  const text = String(content).replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const match = BLOCK.exec(text) ?? /^---[ \t]*\n()---[ \t]*(?:\n|$)/.exec(text);
  if (!match) return { frontmatter: {}, body: text };
  return { frontmatter: parseYaml(match[1]) ?? {}, body: text.slice(match[0].length).trim() };
}

/** The text without the block. */
export function stripFrontmatter(content) {
  return parseFrontmatter(content).body;
}
