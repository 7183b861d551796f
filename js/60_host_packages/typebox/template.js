// Template literal types: strings by a pattern made of other types.

import { bigint, boolean, integer, literal, number, string, union } from "./build.js";
import { create, exact, Kind, PatternBoolean, PatternNumber, PatternString, TypeBoxError } from "./symbols.js";

const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const NAMES = { string, number, integer, boolean, bigint };

/**
 * @param {string | object[]} parts types, or text such as `"v${number}.${'a' | 'b'}"`
 * @param {object} [options]
 */
export function templateLiteral(parts, options) {
  const kinds = typeof parts === "string" ? parseSyntax(parts) : parts;
  return create("TemplateLiteral", { type: "string", pattern: exact(kinds.map(patternOf).join("")) }, options);
}

function patternOf(type) {
  switch (type[Kind]) {
    case "TemplateLiteral":
      return type.pattern.slice(1, -1);
    case "Union":
      return `(${type.anyOf.map(patternOf).join("|")})`;
    case "Number":
    case "Integer":
    case "BigInt":
      return PatternNumber;
    case "String":
      return PatternString;
    case "Boolean":
      return PatternBoolean;
    case "Literal":
      return escape(String(type.const));
    default:
      throw new TypeBoxError(`Unexpected Kind '${type[Kind]}'`);
  }
}

function parseSyntax(text) {
  const out = [];
  let at = 0;
  for (const match of text.matchAll(/\$\{([^}]*)\}/g)) {
    if (match.index > at) out.push(literal(text.slice(at, match.index)));
    out.push(union(match[1].split("|").map((name) => parseName(name.trim()))));
    at = match.index + match[0].length;
  }
  if (at < text.length) out.push(literal(text.slice(at)));
  return out;
}

function parseName(name) {
  const quoted = /^(["'])(.*)\1$/.exec(name);
  if (quoted) return literal(quoted[2]);
  return Object.hasOwn(NAMES, name) ? NAMES[name]() : literal(name);
}

/** Changes the case of literals, through unions; other types stay as they are. */
function intrinsic(change) {
  const apply = (type) => {
    if (type[Kind] === "Union") return union(type.anyOf.map(apply));
    return type[Kind] === "Literal" && typeof type.const === "string" ? literal(change(type.const)) : type;
  };
  return (type, options) => ({ ...options, ...apply(type) });
}

export const capitalize = intrinsic((text) => text.slice(0, 1).toUpperCase() + text.slice(1));
export const uncapitalize = intrinsic((text) => text.slice(0, 1).toLowerCase() + text.slice(1));
export const uppercase = intrinsic((text) => text.toUpperCase());
export const lowercase = intrinsic((text) => text.toLowerCase());
