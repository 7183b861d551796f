// The symbols by preset. Each entry is [unicode, nerd font, ascii]; a missing nerd font glyph is the unicode one.

const SYMBOLS = {
  status: {
    success: ["✓", "\uf00c", "[ok]"], error: ["✗", "\uf00d", "[x]"], warning: ["⚠", "\uf071", "[!]"],
    info: ["ℹ", "\uf05a", "[i]"], pending: ["○", "\uf252", "[..]"], disabled: ["⊘", "\uf05e", "[-]"],
    enabled: ["●", "\uf058", "[on]"], running: ["◐", "\uf110", "[~]"], shadowed: ["◌", "\uf070", "[=]"],
    aborted: ["■", "\uf28d", "[#]"],
  },
  nav: {
    cursor: ["›", "\uf054", ">"], selected: ["▶", "\uf04b", "=>"], expand: ["▸", "\uf0da", "+"],
    collapse: ["▾", "\uf0d7", "-"], back: ["←", "\uf060", "<-"],
  },
  tree: {
    branch: ["├─", null, "+-"], last: ["╰─", null, "`-"], vertical: ["│", null, "|"], horizontal: ["─", null, "-"],
    hook: ["╰", null, "`"],
  },
  boxRound: {
    topLeft: ["╭", null, "+"], topRight: ["╮", null, "+"], bottomLeft: ["╰", null, "+"],
    bottomRight: ["╯", null, "+"], horizontal: ["─", null, "-"], vertical: ["│", null, "|"],
  },
  boxSharp: {
    topLeft: ["┌", null, "+"], topRight: ["┐", null, "+"], bottomLeft: ["└", null, "+"],
    bottomRight: ["┘", null, "+"], horizontal: ["─", null, "-"], vertical: ["│", null, "|"], cross: ["┼", null, "+"],
    teeDown: ["┬", null, "+"], teeUp: ["┴", null, "+"], teeRight: ["├", null, "+"], teeLeft: ["┤", null, "+"],
  },
  sep: {
    powerline: ["▐", "\ue0b0", ">"], powerlineThin: ["│", "\ue0b1", ">"], powerlineLeft: ["▶", "\ue0b0", ">"],
    powerlineRight: ["◀", "\ue0b2", "<"], powerlineThinLeft: ["›", "\ue0b1", ">"],
    powerlineThinRight: ["‹", "\ue0b3", "<"], block: ["█", null, "#"], space: [" ", null, " "],
    asciiLeft: [">", null, ">"], asciiRight: ["<", null, "<"], dot: [" · ", null, " . "], slash: [" / ", null, " / "],
    pipe: [" │ ", null, " | "],
  },
  icon: {
    model: ["◆", "\uf544", "model:"], plan: ["▤", "\uf0ae", "plan:"], folder: ["▣", "\uf07b", "dir:"],
    file: ["▢", "\uf15b", "file:"], git: ["±", "\uf1d3", "git:"], branch: ["⎇", "\ue725", "br:"],
    tokens: ["∑", "\uf51e", "tok:"], context: ["◧", "\uf2db", "ctx:"], cost: ["$", "\uf155", "$"],
    time: ["◷", "\uf017", "t:"], pi: ["π", null, "pi"], agents: ["☷", "\uf0c0", "agents:"],
    cache: ["▦", "\uf1c0", "cache:"], input: ["↓", "\uf063", "in:"], output: ["↑", "\uf062", "out:"],
    host: ["⌂", "\uf108", "host:"], session: ["§", "\uf292", "id:"], package: ["▩", "\uf466", "pkg:"],
    warning: ["⚠", "\uf071", "!"], rewind: ["↺", "\uf0e2", "<<"], auto: ["⟳", "\uf021", "auto"],
    extensionSkill: ["✦", "\uf0eb", "skill"], extensionTool: ["⚒", "\uf0ad", "tool"],
    extensionSlashCommand: ["⌘", "\uf120", "cmd"], extensionMcp: ["⚯", "\uf1e6", "mcp"],
    extensionRule: ["⚖", "\uf24e", "rule"], extensionHook: ["⚓", "\uf13d", "hook"],
    extensionPrompt: ["✎", "\uf044", "prompt"], extensionContextFile: ["❏", "\uf0c6", "ctx"],
    extensionInstruction: ["☰", "\uf0ca", "instr"], mic: ["◉", "\uf130", "mic"],
  },
  thinking: {
    minimal: ["◔ min", "\uf10c min", "(1) min"], low: ["◑ low", "\uf042 low", "(2) low"],
    medium: ["◕ med", "\uf192 med", "(3) med"], high: ["● high", "\uf111 high", "(4) high"],
    xhigh: ["◉ xhigh", "\uf06d xhigh", "(5) xhigh"],
  },
  checkbox: {
    checked: ["☑", "\uf046", "[x]"], unchecked: ["☐", "\uf096", "[ ]"],
  },
  radio: {
    selected: ["◉", "\uf192", "(o)"], unselected: ["○", "\uf10c", "( )"],
  },
  format: {
    bullet: ["•", null, "*"], dash: ["–", null, "-"], bracketLeft: ["⟨", null, "["], bracketRight: ["⟩", null, "]"],
  },
  md: {
    quoteBorder: ["│", null, "|"], hrChar: ["─", null, "-"], bullet: ["•", null, "*"],
  },
  lang: {
    default: ["·", "\uf15b", "code"], typescript: ["ts", "\ue628", "ts"], javascript: ["js", "\ue74e", "js"],
    python: ["py", "\ue73c", "py"], rust: ["rs", "\ue7a8", "rs"], go: ["go", "\ue627", "go"],
    java: ["java", "\ue738", "java"], c: ["c", "\ue61e", "c"], cpp: ["c++", "\ue61d", "cpp"],
    csharp: ["c#", "\uf81a", "cs"], ruby: ["rb", "\ue739", "rb"], php: ["php", "\ue73d", "php"],
    swift: ["swift", "\ue755", "swift"], kotlin: ["kt", "\ue634", "kt"], shell: ["sh", "\uf489", "sh"],
    html: ["html", "\ue736", "html"], css: ["css", "\ue749", "css"], json: ["json", "\ue60b", "json"],
    yaml: ["yaml", "\ue6a8", "yaml"], markdown: ["md", "\ue73e", "md"], sql: ["sql", "\uf1c0", "sql"],
    docker: ["dock", "\uf308", "docker"], lua: ["lua", "\ue620", "lua"], text: ["txt", "\uf15c", "txt"],
    env: ["env", "\uf462", "env"], toml: ["toml", "\ue6b2", "toml"], xml: ["xml", "\uf121", "xml"],
    ini: ["ini", "\uf013", "ini"], conf: ["conf", "\uf013", "conf"], log: ["log", "\uf18d", "log"],
    csv: ["csv", "\uf0ce", "csv"], tsv: ["tsv", "\uf0ce", "tsv"], image: ["img", "\uf1c5", "img"],
    pdf: ["pdf", "\uf1c1", "pdf"], archive: ["zip", "\uf1c6", "zip"], binary: ["bin", "\uf471", "bin"],
  },
  tab: {
    display: ["◫", "\uf108", "display"], agent: ["◆", "\uf544", "agent"], input: ["⌨", "\uf11c", "input"],
    tools: ["⚒", "\uf0ad", "tools"], config: ["⚙", "\uf013", "config"], services: ["☁", "\uf0c2", "services"],
    bash: ["$", "\uf120", "bash"], lsp: ["λ", "\uf0d0", "lsp"], ttsr: ["◷", "\uf017", "ttsr"],
    status: ["▤", "\uf080", "status"],
  },
};

const SPINNERS = {
  unicode: { status: ["◐", "◓", "◑", "◒"], activity: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] },
  ascii: { status: ["|", "/", "-", "\\"], activity: [".  ", ".. ", "...", " ..", "  .", "   "] },
};

const COLUMN = { unicode: 0, nerd: 1, ascii: 2 };

/** @typedef {"unicode" | "nerd" | "ascii"} SymbolPreset */

/** Names of the groups, e.g. `status` of `status.success`. */
export const SYMBOL_GROUPS = Object.keys(SYMBOLS);

/**
 * @param {SymbolPreset} preset
 * @returns {Record<string, string>} symbol by key, e.g. `"status.success"`
 */
export function symbolsOf(preset) {
  const column = COLUMN[preset] ?? COLUMN.unicode;
  const out = {};
  for (const [group, entries] of Object.entries(SYMBOLS)) {
    for (const [name, glyphs] of Object.entries(entries)) out[`${group}.${name}`] = glyphs[column] ?? glyphs[0];
  }
  return out;
}

/** @param {SymbolPreset} preset @param {"status" | "activity"} type @returns {string[]} */
export function spinnerFrames(preset, type) {
  const frames = SPINNERS[preset] ?? SPINNERS.unicode;
  return [...(frames[type] ?? frames.status)];
}
