import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { load, testHost } from "./host.mjs";

const tui = await load("pi-tui.js");
const agent = await load("pi-coding-agent.js");
const { Box, CancellableLoader, Container, Editor, Image, Input, Loader, Markdown, SelectList, SettingsList, Spacer, TabBar, Text, TruncatedText } = tui;
const { visibleWidth } = tui;
const plain = {};
const type = (component, text) => [...text].forEach((key) => component.handleInput(key));
const strip = (line) => line.replace(/\x1b\[[\d;]*m|\x1b_[^\x07]*\x07/g, "");
const screen = { requestRender() {}, terminal: { columns: 80, rows: 24 } };

test("no component is ever wider than its width", () => {
  const text = "wide 中文字 👨‍👩‍👧 \x1b[31mred\x1b[39m supercalifragilistic e\u0301\tx\nsecond";
  const select = () => new SelectList([{ value: "a", label: text, description: text }, { value: "b" }, { value: "c" }], 2, plain);
  const editor = () => {
    const made = new Editor(screen, { borderColor: (line) => line }, { paddingX: 1 });
    made.setText(text);
    made.focused = true;
    return made;
  };
  const input = () => {
    const made = new Input();
    made.setValue(text);
    made.focused = true;
    return made;
  };
  const boxed = () => {
    const box = new Box(2, 1);
    box.addChild(new Text(text));
    return box;
  };
  const settings = () => new SettingsList([{ id: "a", label: text, currentValue: text, description: text }], 3, plain, () => {}, () => {}, { enableSearch: true });
  const markdown = `# ${text}\n\n- ${text}\n  - nested\n\n> ${text}\n\n| a | ${text.replaceAll("\n", " ")} |\n|--|--|\n| 1 | 2 |\n\n\`\`\`js\n${text}\n\`\`\`\n\n---\n\n1. [l](http://example.com/very/long)`;
  const make = {
    Text: () => new Text(text, 3, 1), Box: boxed, TruncatedText: () => new TruncatedText(text, 2, 1), Spacer: () => new Spacer(2), SelectList: select,
    Editor: editor, Input: input, SettingsList: settings, Markdown: () => new Markdown(markdown, 1, 1, agent.getMarkdownTheme()),
    TabBar: () => new TabBar("Tabs", [{ id: "1", label: text }, { id: "2", label: "two" }], plain),
    Image: () => new Image("AAAA", "image/png", plain), DynamicBorder: () => new agent.DynamicBorder(),
    ExtensionSelector: () => new agent.ExtensionSelectorComponent(text, [text, "b"], () => {}, () => {}),
    ExtensionInput: () => new agent.ExtensionInputComponent(text, text, () => {}, () => {}),
    BorderedLoader: () => {
      const loader = new agent.BorderedLoader(screen, agent.theme, text);
      loader.dispose();
      return loader;
    },
  };
  for (const [name, create] of Object.entries(make)) {
    for (const width of [0, 1, 2, 3, 5, 8, 13, 40, 100]) {
      const component = create();
      for (const line of component.render(width)) {
        assert.ok(visibleWidth(line) <= width, `${name} at ${width}: ${JSON.stringify(line)}`);
        assert.ok(!line.includes("\n"), `${name} at ${width} has a line break in a line`);
      }
      component.invalidate();
    }
  }
});

describe("text and boxes", () => {
  test("Text fills its lines and paints them whole", () => {
    assert.deepEqual(new Text("hello wide world", 1, 1).render(8), ["        ", " hello  ", " wide   ", " world  ", "        "]);
    assert.deepEqual(new Text("hi", 0, 0, (line) => `[${line}]`).render(4), ["[hi  ]"]);
    assert.deepEqual(new Text("   ").render(10), []);
    const text = new Text("a", 0, 0);
    text.render(3);
    text.setText("b");
    assert.deepEqual(text.render(3), ["b  "]);
    text.render(3).push("not kept");
    assert.equal(text.render(3).length, 1);
  });
  test("Box, Container, Spacer, TruncatedText", () => {
    const box = new Box(2, 1, (line) => `[${line}]`);
    assert.deepEqual(box.render(8), []);
    const child = new Text("hi", 0, 0);
    box.addChild(child);
    assert.deepEqual(box.render(8), ["[        ]", "[  hi    ]", "[        ]"]);
    box.removeChild(child);
    assert.deepEqual(box.render(8), []);
    const container = new Container();
    container.addChild(new Spacer(2));
    container.addChild({ render: () => ["x"] });
    container.invalidate();
    assert.deepEqual(container.render(9), ["", "", "x"]);
    assert.deepEqual(new TruncatedText("hello world\nmore", 1).render(8), [" hello… "]);
  });
});

describe("loaders", () => {
  test("turns, and stops", async (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    let renders = 0;
    const loader = new Loader({ requestRender: () => (renders += 1) }, (s) => `<${s}>`, (s) => s, "Working", { frames: ["a", "b"], intervalMs: 10 });
    assert.deepEqual(loader.render(20).map((line) => line.trim()), ["", "<a> Working"]);
    t.mock.timers.tick(10);
    assert.equal(loader.render(20)[1].trim(), "<b> Working");
    loader.setMessage("Done");
    loader.stop();
    const before = renders;
    t.mock.timers.tick(100);
    assert.equal(renders, before);
    assert.equal(loader.render(20)[1].trim(), "<b> Done");
  });
  test("escape aborts once", () => {
    const loader = new CancellableLoader(undefined, undefined, undefined, "x");
    let aborts = 0;
    loader.onAbort = () => (aborts += 1);
    loader.handleInput("q");
    assert.equal(loader.aborted, false);
    loader.handleInput("\x1b");
    loader.handleInput("\x1b");
    loader.dispose();
    assert.deepEqual([loader.signal.aborted, aborts], [true, 1]);
  });
  test("BorderedLoader", () => {
    const loader = new agent.BorderedLoader(screen, agent.theme, "Asking…");
    const lines = loader.render(20).map(strip);
    assert.equal(lines[0], "─".repeat(20));
    assert.ok(lines.some((line) => line.includes("Asking…")));
    let aborted = false;
    loader.onAbort = () => (aborted = true);
    loader.handleInput("\x1b");
    assert.ok(aborted && loader.signal.aborted);
    loader.dispose();
    const fixed = new agent.BorderedLoader(screen, agent.theme, "x", { cancellable: false });
    fixed.handleInput("\x1b");
    assert.equal(fixed.signal.aborted, false);
    fixed.dispose();
  });
});

describe("SelectList", () => {
  const items = [{ value: "alpha", label: "Alpha", description: "the first\nletter" }, { value: "beta" }, { value: "gamma", label: "" }];
  test("moves, wraps around, chooses, cancels", () => {
    const list = new SelectList(items, 5, plain);
    const log = [];
    list.onSelect = (item) => log.push(`select ${item.value}`);
    list.onCancel = () => log.push("cancel");
    list.onSelectionChange = (item) => log.push(item.value);
    for (const key of ["\x1b[B", "\x1b[A", "\x1b[A", "\r", "\x1b"]) list.handleInput(key);
    assert.deepEqual(log, ["beta", "alpha", "gamma", "select gamma", "cancel"]);
    assert.equal(list.getSelectedItem().value, "gamma");
  });
  test("draws the selection, descriptions and the position", () => {
    const list = new SelectList(items, 2, plain, { minPrimaryColumnWidth: 10, maxPrimaryColumnWidth: 10 });
    assert.deepEqual(list.render(30), ["→ Alpha     the first letter", "  beta", "  (1/3)"]);
    list.setSelectedIndex(99);
    assert.deepEqual(list.render(30), ["  beta", "→ gamma", "  (3/3)"]);
  });
  test("a filter that nothing meets", () => {
    const list = new SelectList(items, 2, plain);
    list.setFilter("zzz");
    assert.equal(list.getSelectedItem(), null);
    list.handleInput("\r");
    assert.equal(list.render(40).length, 1);
    list.setFilter("BE");
    assert.equal(list.getSelectedItem().value, "beta");
  });
});

test("SettingsList cycles values and opens submenus", () => {
  const log = [];
  const settings = new SettingsList(
    [
      { id: "mode", label: "Mode", currentValue: "on", values: ["on", "off"] },
      { id: "sub", label: "Sub", currentValue: "x", submenu: (value, done) => ({ render: () => [`menu ${value}`], handleInput: () => done("y") }) },
    ],
    5, plain, (id, value) => log.push(`${id}=${value}`), () => log.push("cancel"),
  );
  settings.handleInput("\r");
  settings.handleInput(" ");
  settings.handleInput("\x1b[B");
  settings.handleInput("\r");
  assert.deepEqual(settings.render(20), ["menu x"]);
  settings.handleInput("any");
  settings.handleInput("\x1b");
  assert.deepEqual(log, ["mode=off", "mode=on", "sub=y", "cancel"]);
  settings.updateValue("mode", "new");
  assert.ok(settings.render(40)[0].includes("new"));
});

describe("Input", () => {
  test("edits by clusters and words", () => {
    const input = new Input();
    type(input, "foo bar");
    input.handleInput("\x17");
    assert.equal(input.getValue(), "foo ");
    input.handleInput("\x19");
    assert.equal(input.getValue(), "foo bar");
    input.handleInput("\x01");
    input.handleInput("\x1b[3~");
    assert.equal(input.getValue(), "oo bar");
    input.handleInput("\x1f");
    assert.equal(input.getValue(), "foo bar");
    const emoji = new Input();
    emoji.handleInput("a");
    emoji.handleInput("👨‍👩‍👧");
    emoji.handleInput("\x7f");
    assert.equal(emoji.getValue(), "a", "one key deletes the whole emoji");
    emoji.handleInput("e\u0301");
    emoji.handleInput("\x1b[D");
    emoji.handleInput("\x1b[D");
    emoji.handleInput("\x1b[C");
    emoji.handleInput("x");
    assert.equal(emoji.getValue(), "axe\u0301");
  });
  test("paste, also in pieces, and Kitty keys", () => {
    const input = new Input();
    input.handleInput("\x1b[200~one\ntw");
    input.handleInput("o\x1b[20");
    input.handleInput("1~!");
    assert.equal(input.getValue(), "onetwo!");
    input.handleInput("\x1b[97u");
    input.handleInput("\x1b[97;1:3u");
    input.handleInput("\x1b[97:65;2u");
    assert.equal(input.getValue(), "onetwo!aA");
  });
  test("submit, escape, scrolling", () => {
    const input = new Input();
    const log = [];
    input.onSubmit = (value) => log.push(value);
    input.onEscape = () => log.push("escape");
    type(input, "hello 中文");
    input.handleInput("\r");
    input.handleInput("\x1b");
    assert.deepEqual(log, ["hello 中文", "escape"]);
    assert.deepEqual(input.render(8).map(strip), [">  中文 "]);
    input.handleInput("\x01");
    assert.deepEqual(input.render(8).map(strip), ["> hello "]);
    input.focused = true;
    assert.ok(input.render(8)[0].includes(tui.CURSOR_MARKER));
  });
});

describe("Editor", () => {
  const make = () => new Editor(screen, { borderColor: (line) => line });
  test("lines, submit, change", () => {
    const editor = make();
    const log = [];
    editor.onChange = (text) => log.push(text);
    editor.onSubmit = (text) => log.push(`submit ${JSON.stringify(text)}`);
    editor.handleInput("a");
    editor.handleInput("\x1b[13;2u");
    editor.handleInput("b");
    assert.deepEqual(editor.getLines(), ["a", "b"]);
    editor.handleInput("\x7f");
    editor.handleInput("\x7f");
    editor.handleInput("\\");
    editor.handleInput("\r");
    editor.handleInput("c");
    editor.handleInput("\r");
    assert.equal(log[log.length - 1], 'submit "a\\nc"');
    assert.equal(editor.getText(), "");
    editor.disableSubmit = true;
    type(editor, "x");
    editor.handleInput("\r");
    assert.equal(editor.getText(), "x");
  });
  test("the cursor keeps its column through shorter rows", () => {
    const editor = make();
    editor.setText("longer\nab\nlonger");
    editor.handleInput("\x1b[A");
    assert.deepEqual(editor.getCursor(), { line: 1, col: 2 });
    editor.handleInput("\x1b[A");
    assert.deepEqual(editor.getCursor(), { line: 0, col: 6 });
    editor.handleInput("\x1b[A");
    assert.deepEqual(editor.getCursor(), { line: 0, col: 0 });
  });
  test("wraps, scrolls and says what is hidden", () => {
    const editor = make();
    editor.setText(Array.from({ length: 12 }, (_, i) => `line ${i}`).join("\n"));
    const lines = editor.render(24).map(strip);
    assert.match(lines[0], /↑ 5 more/);
    assert.equal(lines.length, 9);
    assert.match(lines[lines.length - 2], /line 11/);
    editor.setText("wrap this text");
    assert.deepEqual(editor.render(8).map(strip), ["────────", "wrap    ", "this    ", "text    ", "────────"]);
  });
  test("history only from an empty text", () => {
    const editor = make();
    editor.addToHistory("one");
    editor.addToHistory("two");
    editor.addToHistory("two");
    const seen = ["\x1b[A", "\x1b[A", "\x1b[A", "\x1b[B", "\x1b[B"].map((key) => (editor.handleInput(key), editor.getText()));
    assert.deepEqual(seen, ["two", "one", "one", "two", ""]);
    type(editor, "draft");
    editor.handleInput("\x1b[A");
    assert.equal(editor.getText(), "draft");
  });
  test("kill ring and undo", () => {
    const editor = make();
    type(editor, "one two");
    editor.handleInput("\x15");
    type(editor, "x");
    editor.handleInput("\x15");
    editor.handleInput("\x19");
    assert.equal(editor.getText(), "x");
    editor.handleInput("\x1by");
    assert.equal(editor.getText(), "one two");
    editor.insertTextAtCursor("\nnew\tline");
    assert.equal(editor.getText(), "one two\nnew    line");
    editor.handleInput("\x1f");
    assert.equal(editor.getText(), "one two");
  });
  test("takes the theme alone, as older versions had it", () => {
    const editor = new Editor({ borderColor: (line) => `<${line}>` });
    assert.ok(editor.render(4)[0].startsWith("<"));
  });
  test("CustomEditor actions", () => {
    const editor = new agent.CustomEditor(screen, { borderColor: (line) => line }, new tui.KeybindingsManager({ "app.clear": { defaultKeys: "ctrl+l" } }));
    const log = [];
    editor.onAction("app.clear", () => log.push("clear"));
    editor.onEscape = () => log.push("escape");
    editor.onCtrlD = () => log.push("exit");
    for (const key of ["\x0c", "\x1b", "\x04", "a", "\x04"]) editor.handleInput(key);
    assert.deepEqual([log, editor.getText()], [["clear", "escape", "exit"], "a"]);
  });
});

describe("Markdown", () => {
  const mark = Object.fromEntries(["bold", "italic", "code", "strikethrough", "link", "heading"].map((name) => [name, (text) => `<${name[0]}>${text}</${name[0]}>`]));
  const render = (text, width = 60, theme = mark) => new Markdown(text, 0, 0, theme).render(width).map((line) => line.trimEnd());
  test("inline", () => {
    assert.deepEqual(render("**b** _i_ `c` ~~s~~ [l](http://x)"), ["<b>b</b> <i>i</i> <c>c</c> <s>s</s> <l>l</l> (http://x)"]);
    assert.deepEqual(render("a snake_case_name 2 * 3 * 4 **open"), ["a snake_case_name 2 * 3 * 4 **open"]);
    assert.deepEqual(render("***both*** **a *b* c**"), ["<i><b>both</b></i> <b>a </b><i><b>b</b></i><b> c</b>"]);
    assert.deepEqual(render("`` a`b `` \\*x\\* &lt;y&gt;"), ["<c>a`b</c> *x* <y>"]);
    assert.deepEqual(render("see https://a.b/c."), ["see <l>https://a.b/c</l>."]);
    assert.deepEqual(render("one\ntwo"), ["one", "two"]);
  });
  test("blocks", () => {
    assert.deepEqual(render("# T\n\npara\n- a\n  - b\n- [x] c\n\n2. x\n3. y", 40, plain), ["T", "", "para", "", "- a", "  - b", "- [x] c", "", "2. x", "3. y"]);
    assert.deepEqual(render("> q\n> r", 40, plain), ["│ q", "│ r"]);
    assert.deepEqual(render("```js\nif (a) {}\n```", 40, plain), ["```js", "  if (a) {}", "```"]);
    assert.deepEqual(render("```\nnever closed", 40, plain), ["```", "  never closed", "```"]);
    assert.deepEqual(render("a|b\n-|-:\n中|2", 40, plain), ["┌────┬───┐", "│ a  │ b │", "├────┼───┤", "│ 中 │ 2 │", "└────┴───┘"]);
    assert.deepEqual(render("Title\n===\n\n***", 10, plain), ["Title", "", "──────────"]);
  });
  test("a wrapped style goes on", () => {
    const lines = new Markdown("**bold words here**", 0, 0, { bold: (text) => `\x1b[1m${text}\x1b[22m` }).render(6);
    assert.deepEqual(lines, ["\x1b[1mbold\x1b[22m  ", "\x1b[1mwords\x1b[22m ", "\x1b[1mhere\x1b[22m  "]);
  });
  test("odd and hostile texts end", () => {
    for (const text of ["[".repeat(3000), "*".repeat(3000), "`".repeat(3001), "> ".repeat(500), `${"- ".repeat(300)}x`, "_a".repeat(2000), "|".repeat(1000)]) {
      const start = Date.now();
      render(text, 40, plain);
      assert.ok(Date.now() - start < 3000, text.slice(0, 5));
    }
  });
  test("the theme of the agent", () => {
    const lines = new Markdown("# H\n\n```ts\nconst a = 1;\n```", 0, 0, agent.getMarkdownTheme()).render(30);
    assert.ok(lines[0].includes(agent.theme.getFgAnsi("mdHeading")));
    assert.ok(lines.some((line) => line.includes(agent.theme.getFgAnsi("syntaxKeyword"))));
  });
});

test("Image stands for itself in text, or is drawn where that is known to work", () => {
  const png = "iVBORw0KGgoAAAANSUhEUgAAAAoAAAAUCAYAAAC07w7bAAAA";
  assert.deepEqual(tui.getImageDimensions(png, "image/png"), { widthPx: 10, heightPx: 20 });
  assert.deepEqual(new Image(png, "image/png", plain).render(60), ["[Image: [image/png] 10x20]"]);
  assert.equal(tui.getImageDimensions("AAAA", "image/png"), null);
  assert.equal(tui.getImageDimensions("!!", "image/gif"), null);
  tui.setCapabilities({ images: "kitty" });
  tui.setCellDimensions({ widthPx: 5, heightPx: 10 });
  const lines = new Image(png, "image/png", plain, { maxWidthCells: 4 }).render(60);
  assert.equal(lines.length, 4);
  assert.ok(lines[3].includes("\x1b_G") && visibleWidth(lines[3]) === 0);
  tui.resetCapabilitiesCache();
});

test("TabBar", () => {
  const bar = new TabBar("Settings", [{ id: "a", label: "A" }, { id: "b", label: "B" }], plain);
  let changed;
  bar.onTabChange = (tab) => (changed = tab.id);
  assert.equal(bar.handleInput("\t"), true);
  assert.equal(bar.handleInput("x"), false);
  assert.deepEqual([changed, bar.getActiveIndex()], ["b", 1]);
});

test("fuzzy search", () => {
  assert.deepEqual(tui.fuzzyFilter(["src/main.rs", "readme", "src/model.rs"], "mrs"), ["src/main.rs", "src/model.rs"]);
  assert.deepEqual(tui.fuzzyFilter(["a", "b"], " "), ["a", "b"]);
  assert.equal(tui.fuzzyMatch("xyz", "abc").matches, false);
});

test("nothing of all this went to the host", () => assert.deepEqual(testHost.calls, []));
