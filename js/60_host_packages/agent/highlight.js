// Colours for code: comments, strings, numbers, keywords, types and calls, by the shape of words alone.

import { currentTheme } from "../../41_theme_instance.js";

const EXTENSIONS = {
  typescript: "ts tsx mts cts", javascript: "js jsx mjs cjs", python: "py pyi", ruby: "rb", rust: "rs", go: "go",
  java: "java", kotlin: "kt kts", swift: "swift", c: "c h", cpp: "cpp cc cxx hpp hxx", csharp: "cs", php: "php",
  bash: "sh bash zsh", fish: "fish", powershell: "ps1", sql: "sql", html: "html htm", css: "css", scss: "scss",
  sass: "sass", less: "less", json: "json jsonc", yaml: "yaml yml", toml: "toml", xml: "xml", markdown: "md markdown",
  dockerfile: "dockerfile", makefile: "makefile", cmake: "cmake", lua: "lua", perl: "pl pm perl", r: "r", scala: "scala",
  clojure: "clj", elixir: "ex exs", erlang: "erl", haskell: "hs", ocaml: "ml", vim: "vim", graphql: "graphql gql",
  protobuf: "proto", hcl: "tf hcl", zig: "zig", nix: "nix",
};

let languageByExtension;

/** @param {string} filePath @returns {string | undefined} the language, `undefined` for an unknown ending */
export function getLanguageFromPath(filePath) {
  languageByExtension ??= new Map(
    Object.entries(EXTENSIONS).flatMap(([language, endings]) => endings.split(" ").map((ending) => [ending, language])),
  );
  const name = String(filePath).split(/[\\/]/).pop().toLowerCase();
  return languageByExtension.get(name.split(".").pop());
}

const C_LIKE =
  "abstract as async await break case catch class const continue default delete do else enum export extends extern false final finally fn for " +
  "func function get goto if impl implements import in inline instanceof interface let loop match mod module mut namespace new nil null of operator " +
  "override package private protected pub public readonly return self set static struct super switch template this throw throws trait true try type " +
  "typedef typeof undefined union unsafe use using var virtual void where while with yield bool boolean char double float int long short string";
const SCRIPT =
  "and as assert async await begin break case class continue def defer del do done elif else elsif end ensure esac except export false False fi finally " +
  "for from function global if import in is lambda local module next nil None nonlocal not null or pass raise readonly redo require rescue return self " +
  "set super then true True try undef unless until when while with yield";
const SQL =
  "add all alter and as asc begin between by case column commit create cross default delete desc distinct drop else end exists false foreign from full " +
  "group having if in index inner insert into is join key left like limit not null on or order outer primary references right rollback select set table " +
  "then true union unique update values view when where with";

const words = (text) => new Set(text.split(" "));
const hashComments = { comment: /#.*/y, keywords: words(SCRIPT) };
const cComments = { comment: /\/\/.*|\/\*[^]*?(?:\*\/|$)/y, keywords: words(C_LIKE) };
const dashComments = { comment: /--.*/y, keywords: words(SCRIPT) };
const GRAMMARS = {
  python: hashComments, ruby: hashComments, bash: hashComments, fish: hashComments, perl: hashComments, r: hashComments,
  elixir: hashComments, yaml: hashComments, toml: hashComments, dockerfile: hashComments, makefile: hashComments,
  nix: hashComments, hcl: hashComments, powershell: hashComments, cmake: hashComments, graphql: hashComments,
  lua: dashComments, haskell: dashComments,
  sql: { comment: /--.*|\/\*[^]*?(?:\*\/|$)/y, keywords: words(SQL), ignoreCase: true },
};
const C_LANGUAGES = words("typescript javascript rust go java kotlin swift c cpp csharp php scala zig protobuf css scss less json");
const STRING = /"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`(?:[^`\\]|\\.)*`?/y;
const NUMBER = /0[xXbBoO][\da-fA-F_]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[\p{L}_$][\p{L}\d_$]*/uy;
const ALIASES = { ts: "typescript", js: "javascript", py: "python", rb: "ruby", rs: "rust", sh: "bash", shell: "bash", yml: "yaml", "c++": "cpp", "c#": "csharp" };

function grammarOf(language) {
  const name = String(language ?? "").toLowerCase();
  const full = ALIASES[name] ?? getLanguageFromPath(name) ?? name;
  return GRAMMARS[full] ?? (C_LANGUAGES.has(full) ? cComments : undefined);
}

/**
 * @param {string} code
 * @param {string} [lang] without a language it knows the code gets one colour
 * @returns {string[]} coloured lines, as many as the code has
 */
export function highlightCode(code, lang) {
  const theme = currentTheme();
  const grammar = grammarOf(lang);
  if (!grammar) return code.split("\n").map((line) => theme.fg("mdCodeBlock", line));
  let out = "";
  for (let at = 0; at < code.length; ) {
    const [text, color] = tokenAt(code, at, grammar);
    // A token over several lines is coloured line by line, so that each stands for itself.
    out += color ? text.split("\n").map((line) => line && theme.fg(color, line)).join("\n") : text;
    at += text.length;
  }
  return out.split("\n");
}

function tokenAt(code, at, grammar) {
  const read = (pattern) => {
    pattern.lastIndex = at;
    return pattern.exec(code)?.[0];
  };
  const comment = read(grammar.comment);
  if (comment) return [comment, "syntaxComment"];
  const string = read(STRING);
  if (string) return [string, "syntaxString"];
  const number = read(NUMBER);
  if (number) return [number, "syntaxNumber"];
  const word = read(WORD);
  if (word) return [word, wordColor(word, code[at + word.length], grammar)];
  const character = String.fromCodePoint(code.codePointAt(at));
  if (/\s/.test(character)) return [character, undefined];
  return [character, /[{}()[\];,.:]/.test(character) ? "syntaxPunctuation" : "syntaxOperator"];
}

function wordColor(word, next, { keywords, ignoreCase }) {
  if (keywords.has(ignoreCase ? word.toLowerCase() : word)) return "syntaxKeyword";
  if (next === "(") return "syntaxFunction";
  return /^\p{Lu}/u.test(word) ? "syntaxType" : "syntaxVariable";
}
