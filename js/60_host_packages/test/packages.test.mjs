import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { load } from "./host.mjs";

const root = new URL("../", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL("MANIFEST.json", root), "utf8"));

test("every package of the manifest is there and loads", async () => {
  const shipped = readdirSync(root).filter((name) => name.endsWith(".js"));
  assert.deepEqual(Object.values(manifest.packages).map(({ file }) => file).sort(), shipped.sort());
  for (const { file } of Object.values(manifest.packages)) assert.ok(Object.keys(await load(file)).length > 0, file);
});

test("the names hooks import are exported", async () => {
  const expected = {
    "pi-coding-agent.js":
      "isBashToolResult isReadToolResult isEditToolResult isWriteToolResult isGrepToolResult isFindToolResult isLsToolResult isToolCallEventType " +
      "convertToLlm serializeConversation BorderedLoader DynamicBorder getMarkdownTheme defineTool truncateHead truncateTail formatSize getAgentDir " +
      "CONFIG_DIR_NAME keyHint copyToClipboard parseFrontmatter highlightCode getLanguageFromPath withFileMutationQueue CustomEditor theme Theme StringEnum Type",
    "pi-tui.js":
      "Text Box Container Spacer TruncatedText SelectList SettingsList Input Editor Markdown Loader CancellableLoader Image Key matchesKey parseKey " +
      "isKeyRelease truncateToWidth visibleWidth wrapTextWithAnsi fuzzyFilter CURSOR_MARKER isCtrlC isEnter getKeybindings",
    "pi-ai.js": "complete stream completeSimple streamSimple getModel getModels getProviders StringEnum Type calculateCost",
    "pi-utils.js": "logger isEnoent untilAborted formatBytes isRecord",
    "typebox.js": "Type Kind OptionalKind FormatRegistry default",
    "typebox-value.js": "Value",
    "typebox-compiler.js": "TypeCompiler",
  };
  for (const [file, names] of Object.entries(expected)) {
    const module = await load(file);
    for (const name of names.split(" ")) assert.ok(module[name] !== undefined, `${name} of ${file}`);
  }
});

test("no file is long", () => {
  for (const entry of readdirSync(root, { recursive: true })) {
    if (!String(entry).endsWith(".js")) continue;
    const lines = readFileSync(new URL(String(entry), root), "utf8").split("\n").length;
    assert.ok(lines <= 400, `${entry}: ${lines} lines`);
  }
});
