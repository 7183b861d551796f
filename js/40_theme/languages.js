// Languages by file name and by the names people give them.

const NAMES = {
  typescript: "ts tsx mts cts", javascript: "js jsx mjs cjs", python: "py pyi pyw", rust: "rs", go: "golang", java: "",
  c: "h", cpp: "c++ cc cxx hpp hxx hh", csharp: "cs c#", ruby: "rb rake", php: "", swift: "", kotlin: "kt kts",
  shell: "sh bash zsh fish ksh", html: "htm", css: "scss sass less", json: "json5 jsonc jsonl", yaml: "yml",
  markdown: "md mdx", sql: "", docker: "dockerfile", lua: "", text: "txt plain", env: "dotenv", toml: "", xml: "svg",
  ini: "", conf: "cfg config properties", log: "", csv: "", tsv: "",
  image: "img png jpg jpeg gif webp ico bmp tiff", pdf: "", archive: "zip tar gz tgz bz2 xz 7z",
  binary: "exe dll so dylib wasm bin",
};

let byName;

/** The symbol key (`lang.rust`) for a language or extension, `lang.default` for others. */
export function languageSymbol(name) {
  byName ??= new Map(
    Object.entries(NAMES).flatMap(([language, more]) => [language, ...more.split(" ")].map((alias) => [alias, language])),
  );
  const language = byName.get(String(name ?? "").toLowerCase());
  return name && language ? `lang.${language}` : "lang.default";
}
