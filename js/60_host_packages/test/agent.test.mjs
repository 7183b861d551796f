import assert from "node:assert/strict";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, describe, test } from "node:test";
import { load, testHost } from "./host.mjs";

const agent = await load("pi-coding-agent.js");
const ai = await load("pi-ai.js");
const utils = await load("pi-utils.js");
beforeEach(() => Object.assign(testHost, { calls: [], answer: () => undefined, cancelled: 0 }));

test("guards", () => {
  assert.equal(agent.isBashToolResult({ toolName: "bash" }), true);
  assert.equal(agent.isReadToolResult({ toolName: "bash" }), false);
  assert.equal(agent.isToolCallEventType("my_tool", { toolName: "my_tool" }), true);
  assert.equal(agent.isToolCallEventType("bash", undefined), false);
});

describe("messages", () => {
  const assistant = {
    role: "assistant",
    content: [
      { type: "thinking", thinking: "hm" },
      { type: "text", text: "Hello" },
      { type: "toolCall", id: "1", name: "read", arguments: { path: "a", limit: 2 } },
    ],
  };
  test("convertToLlm", () => {
    const user = { role: "user", content: "hi", timestamp: 1 };
    const converted = agent.convertToLlm([
      user,
      assistant,
      { role: "custom", customType: "x", content: "note", attribution: "agent", timestamp: 2 },
      { role: "hookMessage", content: [{ type: "image", data: "", mimeType: "image/png" }], timestamp: 3 },
      { role: "bashExecution", command: "ls", output: "a.txt", exitCode: 2, timestamp: 4 },
      { role: "bashExecution", command: "secret", output: "", excludeFromContext: true, timestamp: 5 },
      { role: "pythonExecution", code: "1+1", output: "", exitCode: 0, timestamp: 6 },
      { role: "compactionSummary", summary: "SUM", timestamp: 7 },
      { role: "branchSummary", summary: "BR", timestamp: 8 },
      { role: "fileMention", files: [{ path: "f.txt", content: "body", image: { type: "image", data: "", mimeType: "image/png" } }], timestamp: 9 },
      { role: "somethingNew", content: "?" },
    ]);
    assert.equal(converted[0], user);
    assert.equal(converted[1], assistant);
    assert.deepEqual(converted[2], { role: "user", content: [{ type: "text", text: "note" }], attribution: "agent", timestamp: 2 });
    assert.deepEqual(converted.map((message) => message.timestamp), [1, undefined, 2, 3, 4, 6, 7, 8, 9]);
    assert.match(converted[4].content[0].text, /`ls`[^]*a\.txt[^]*2/);
    assert.match(converted[6].content[0].text, /SUM/);
    assert.equal(converted[8].content.length, 2);
  });
  test("serializeConversation", () => {
    const text = agent.serializeConversation([
      { role: "user", content: [{ type: "text", text: "Do it" }, { type: "image" }] },
      assistant,
      { role: "toolResult", content: [{ type: "text", text: "done" }] },
      { role: "user", content: "" },
      { role: "custom", content: "left out" },
    ]);
    assert.equal(
      text,
      '[User]: Do it\n\n[Assistant thinking]: hm\n\n[Assistant]: Hello\n\n[Assistant tool calls]: read(path="a", limit=2)\n\n[Tool result]: done',
    );
    assert.equal(agent.serializeConversation([]), "");
  });
  test("tokens", () => {
    assert.equal(agent.estimateTokens({ role: "user", content: "12345" }), 2);
    assert.equal(agent.estimateTokens({ role: "bashExecution", command: "1234", output: "5678" }), 2);
    assert.equal(agent.calculateContextTokens({ totalTokens: 0, input: 1, output: 2, cacheRead: 3, cacheWrite: 4 }), 10);
    const usage = { totalTokens: 5 };
    const entry = (stopReason) => ({ type: "message", message: { role: "assistant", stopReason, usage } });
    assert.equal(agent.getLastAssistantUsage([entry("stop"), entry("error")]), usage);
    assert.equal(agent.getLastAssistantUsage([entry("aborted")]), undefined);
    assert.equal(agent.shouldCompact(90, 100, { enabled: true, reserveTokens: 20 }), true);
  });
});

describe("sessions", () => {
  const entry = (id, parentId, fields) => ({ id, parentId, timestamp: "2026-01-01T00:00:00.000Z", ...fields });
  const message = (id, parentId, text) => entry(id, parentId, { type: "message", message: { role: "user", content: text } });
  test("parse", () => {
    assert.deepEqual(agent.parseSessionEntries('{"type":"session"}\n\nnot json\n{"id":"a"}\n3\n'), [{ type: "session" }, { id: "a" }]);
  });
  test("context follows the branch and honours a compaction", () => {
    const entries = [
      message("a", null, "1"), message("b", "a", "2"), message("other", "a", "x"), message("c", "b", "3"),
      entry("k", "c", { type: "compaction", summary: "S", firstKeptEntryId: "c", tokensBefore: 9 }),
      entry("m", "k", { type: "model_change", provider: "p", modelId: "q" }),
      entry("d", "m", { type: "custom_message", customType: "t", content: "4", display: true }),
      entry("t", "d", { type: "thinking_level_change", thinkingLevel: "high" }),
    ];
    const context = agent.buildSessionContext(entries);
    assert.deepEqual(context.messages.map((each) => each.summary ?? each.content), ["S", "3", "4"]);
    assert.deepEqual([context.model, context.thinkingLevel], [{ provider: "p", modelId: "q" }, "high"]);
    assert.deepEqual(agent.buildSessionContext(entries, "other").messages.map((each) => each.content), ["1", "x"]);
    assert.deepEqual(agent.buildSessionContext(entries, null).messages, []);
    assert.equal(agent.getLatestCompactionEntry(entries).id, "k");
    assert.equal(agent.getLatestCompactionEntry([]), null);
  });
  test("a loop of parents ends", () => {
    assert.equal(agent.buildSessionContext([message("a", "b", "1"), message("b", "a", "2")]).messages.length, 2);
  });
});

describe("truncation", () => {
  test("sizes", () => assert.deepEqual([0, 1023, 1536, 5 * 1024 * 1024].map(agent.formatSize), ["0B", "1023B", "1.5KB", "5.0MB"]));
  test("head", () => {
    assert.equal(agent.truncateHead("a\nb").truncated, false);
    const { content, truncatedBy, outputLines, totalLines } = agent.truncateHead("a\nb\nc", { maxLines: 2 });
    assert.deepEqual([content, truncatedBy, outputLines, totalLines], ["a\nb", "lines", 2, 3]);
    const bytes = agent.truncateHead("ää\nb\nc", { maxBytes: 6 });
    assert.deepEqual([bytes.content, bytes.truncatedBy, bytes.outputBytes, bytes.totalBytes], ["ää\nb", "bytes", 6, 8]);
    const first = agent.truncateHead("äää\nb", { maxBytes: 5 });
    assert.deepEqual([first.content, first.firstLineExceedsLimit], ["", true]);
  });
  test("tail", () => {
    const { content, truncatedBy } = agent.truncateTail("a\nb\nc", { maxLines: 2 });
    assert.deepEqual([content, truncatedBy], ["b\nc", "lines"]);
    const partial = agent.truncateTail("x\n中文字", { maxBytes: 7 });
    assert.deepEqual([partial.content, partial.lastLinePartial, partial.outputBytes], ["文字", true, 6]);
    assert.equal(agent.truncateTail("x\n😀😀", { maxBytes: 5 }).content, "😀");
  });
  test("byte counts are those of UTF-8", () => {
    for (const text of ["a", "ä", "中", "😀", "\ud800x", "x\udc00", "e\u0301😀ü"]) {
      assert.equal(agent.truncateHead(text).totalBytes, Buffer.byteLength(text), JSON.stringify(text));
    }
  });
  test("lines", () => {
    assert.deepEqual(agent.truncateLine("abc", 3), { text: "abc", wasTruncated: false });
    assert.deepEqual(agent.truncateLine("ab😀", 3), { text: "ab... [truncated]", wasTruncated: true });
    assert.deepEqual(agent.truncateToVisualLines("a b c d", 2, 1), { visualLines: ["c", "d"], skippedCount: 2 });
    assert.deepEqual(agent.truncateToVisualLines("", 2, 10), { visualLines: [], skippedCount: 0 });
  });
});

describe("front matter", () => {
  test("the YAML people write", () => {
    const { frontmatter, body } = agent.parseFrontmatter(`---
name: my-skill # comment
description: "quoted: with \\u00fc and \\"marks\\""
count: 3
ratio: -1.5e2
on: true
nothing:
tags: [a, "b, c", 3]
url: http://example.com/#anchor
nested:
  deep:
    - one
    - key: v
      other: w
  map: {x: 1, y: [2]}
list:
- same level
-   - inner
single: 'it''s'
text: |
  line 1
    indented

  line 3
folded: >-
  joined
  words

  para
plain text key: spans
  two lines
---

# Body
`);
    assert.deepEqual(frontmatter, {
      name: "my-skill", description: 'quoted: with ü and "marks"', count: 3, ratio: -150, on: true, nothing: null, tags: ["a", "b, c", 3],
      url: "http://example.com/#anchor", nested: { deep: ["one", { key: "v", other: "w" }], map: { x: 1, y: [2] } }, list: ["same level", ["inner"]],
      single: "it's", text: "line 1\n  indented\n\nline 3\n", folded: "joined words\npara", "plain text key": "spans two lines",
    });
    assert.equal(body, "# Body");
  });
  test("none, empty, unclosed, CRLF, BOM", () => {
    assert.deepEqual(agent.parseFrontmatter("text"), { frontmatter: {}, body: "text" });
    assert.deepEqual(agent.parseFrontmatter("---\n---\nx"), { frontmatter: {}, body: "x" });
    assert.deepEqual(agent.parseFrontmatter("---\na: 1\nx"), { frontmatter: {}, body: "---\na: 1\nx" });
    assert.deepEqual(agent.parseFrontmatter("\ufeff---\r\na: 1\r\n---\r\nx"), { frontmatter: { a: 1 }, body: "x" });
    assert.equal(agent.stripFrontmatter("---\na: b\n---\nrest"), "rest");
    assert.deepEqual(Object.keys(agent.parseFrontmatter("---\n__proto__: 1\n---\n").frontmatter), ["__proto__"]);
  });
  test("what cannot be read is told with its line", () => {
    assert.throws(() => agent.parseFrontmatter("---\na: 1\n  b: 2\n c: 3\n---\n"), /line \d/);
    assert.throws(() => agent.parseFrontmatter("---\na: [1, 2\n---\n"), /not closed/);
  });
});

describe("theme and code", () => {
  test("languages", () => {
    const cases = { "a/b.ts": "typescript", "X.PY": "python", Dockerfile: "dockerfile", "a.unknown": undefined, noending: undefined };
    for (const [path, language] of Object.entries(cases)) assert.equal(agent.getLanguageFromPath(path), language, path);
  });
  test("highlighting keeps the text and its lines", () => {
    const code = 'const x = "a\\"b"; // 😀 note\n/* two\nlines */ fn(1.5e3) `t\n`';
    const lines = agent.highlightCode(code, "ts");
    assert.equal(lines.length, 4);
    assert.equal(lines.join("\n").replace(/\x1b\[[\d;]*m/g, ""), code);
    assert.ok(lines[0].startsWith(agent.theme.fg("syntaxKeyword", "const")));
    assert.deepEqual(agent.highlightCode("x", "no-such-language"), [agent.theme.fg("mdCodeBlock", "x")]);
    assert.equal(agent.highlightCode("x", undefined).length, 1);
  });
  test("hints and list themes", () => {
    assert.equal(agent.keyText("tui.select.cancel"), "escape/ctrl+c");
    assert.ok(agent.keyHint("tui.select.confirm", "choose").includes(" choose"));
    assert.equal(agent.getSettingsListTheme().label("x", false), "x");
    assert.ok(agent.getSelectListTheme().selectedText("x").includes("x"));
    assert.throws(() => agent.theme.fg("nope", "x"), { message: "Unknown theme color: nope" });
  });
  test("diffs", () => {
    const strip = (text) => text.replace(/\x1b\[[\d;]*m/g, "");
    const diff = " 1 same\n-2 old word\n+2 new word\n     ...";
    const drawn = agent.renderDiff(diff);
    assert.equal(strip(drawn), diff);
    assert.ok(drawn.includes("\x1b[7mold\x1b[27m") && drawn.includes("\x1b[7mnew\x1b[27m"));
  });
});

describe("the machine", () => {
  const dir = mkdtempSync(join(tmpdir(), "host-packages-"));
  after(() => rmSync(dir, { recursive: true, force: true }));
  test("directories", () => {
    const saved = { ...process.env };
    try {
      delete process.env.PI_CODING_AGENT_DIR;
      delete process.env.PI_CONFIG_DIR;
      assert.equal(agent.getAgentDir(), join(homedir(), ".xcsh", "agent"));
      process.env.PI_CONFIG_DIR = ".mine";
      assert.equal(agent.getAgentDir(), join(homedir(), ".mine", "agent"));
      process.env.PI_CODING_AGENT_DIR = "~/x";
      assert.equal(agent.getAgentDir(), join(homedir(), "x"));
    } finally {
      process.env = saved;
    }
  });
  test("shell", () => {
    assert.deepEqual(agent.getShellConfig().args, ["-c"]);
    assert.throws(() => agent.getShellConfig(join(dir, "none")), /no shell/);
  });
  test("changes of one file wait for each other, through links too", async () => {
    writeFileSync(join(dir, "f"), "");
    symlinkSync(join(dir, "f"), join(dir, "link"));
    const log = [];
    const step = (name, ms) => async () => {
      log.push(`${name} starts`);
      await new Promise((resolve) => setTimeout(resolve, ms));
      log.push(`${name} ends`);
      return name;
    };
    const failing = agent.withFileMutationQueue(join(dir, "f"), async () => {
      throw new Error("no");
    });
    const results = Promise.all([
      agent.withFileMutationQueue(join(dir, "f"), step("one", 20)),
      agent.withFileMutationQueue(join(dir, "link"), step("two", 1)),
      agent.withFileMutationQueue(join(dir, "other"), step("three", 1)),
    ]);
    await assert.rejects(failing, /no/);
    assert.deepEqual(await results, ["one", "two", "three"]);
    assert.ok(log.indexOf("two starts") > log.indexOf("one ends"));
    assert.ok(log.indexOf("three ends") < log.indexOf("one ends"));
  });
  test("logger and bus", async () => {
    agent.logger.warn("careful", { a: 1 });
    agent.logger.info("fine");
    assert.deepEqual(testHost.calls, [["log", "warn", "careful", { a: 1 }], ["log", "info", "fine"]]);
    const bus = agent.createEventBus();
    const seen = [];
    const off = bus.on("c", (data) => seen.push(data));
    bus.on("c", () => {
      throw new Error("broken");
    });
    bus.emit("c", 1);
    off();
    bus.emit("c", 2);
    await new Promise((resolve) => setTimeout(resolve, 0));
    assert.deepEqual(seen, [1]);
    assert.equal(testHost.calls.filter(([, level]) => level === "error").length, 2);
  });
});

describe("pi-ai", () => {
  const model = { id: "m", provider: "p", api: "x", cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 } };
  test("complete hands the request to the host and fills up its answer", async () => {
    testHost.answer = () => ({ content: [{ type: "text", text: "hi" }], usage: { input: 3 } });
    const context = { systemPrompt: "s", messages: [] };
    const answer = await ai.complete(model, context, { apiKey: "k", maxTokens: 5, onPayload: () => {} });
    assert.deepEqual(testHost.calls, [["ai.complete", { model, context, options: { apiKey: "k", maxTokens: 5 } }]]);
    assert.deepEqual([answer.role, answer.stopReason, answer.model, answer.usage.input, answer.usage.cost.total], ["assistant", "stop", "m", 3, 0]);
    testHost.answer = () => "text only";
    assert.deepEqual((await ai.completeSimple(model, context)).content, [{ type: "text", text: "text only" }]);
  });
  test("what the host rejects with passes through; no answer is an error", async () => {
    testHost.answer = () => {
      throw new Error("model calls are not offered");
    };
    await assert.rejects(ai.complete(model, { messages: [] }), /not offered/);
    testHost.answer = () => undefined;
    await assert.rejects(ai.complete(model, { messages: [] }), /no answer/);
  });
  test("abort", async () => {
    const controller = new AbortController();
    testHost.answer = () => new Promise(() => {});
    const running = ai.complete(model, { messages: [] }, { signal: controller.signal });
    controller.abort();
    assert.equal((await running).stopReason, "aborted");
    assert.equal(testHost.cancelled, 1);
    assert.equal((await ai.complete(model, { messages: [] }, { signal: controller.signal })).stopReason, "aborted");
    assert.equal(testHost.calls.length, 1, "an aborted call is not made");
  });
  test("stream", async () => {
    testHost.answer = () => ({
      content: [{ type: "thinking", thinking: "t" }, { type: "text", text: "a" }, { type: "toolCall", id: "1", name: "n", arguments: { k: 1 } }],
      stopReason: "toolUse",
    });
    const stream = ai.stream(model, { messages: [] });
    const types = [];
    for await (const event of stream) types.push(event.type);
    assert.deepEqual(types, [
      "start", "thinking_start", "thinking_delta", "thinking_end", "text_start", "text_delta", "text_end", "toolcall_start", "toolcall_delta", "toolcall_end", "done",
    ]);
    assert.equal((await stream.result()).stopReason, "toolUse");
    testHost.answer = () => {
      throw new Error("refused");
    };
    const failed = ai.streamSimple(model, { messages: [] });
    assert.equal((await failed.result()).errorMessage, "refused");
    let last;
    for await (const event of failed) last = event;
    assert.deepEqual([last.type, last.reason], ["error", "error"]);
  });
  test("models", () => {
    testHost.answer = (name, ...args) => (name === "models.find" ? (args[1] === "m" ? model : undefined) : [model, { id: "n", provider: "q" }]);
    assert.equal(ai.getModel("p", "m"), model);
    assert.equal(ai.getModel("p", "zzz"), undefined);
    assert.deepEqual(ai.getModels("q").map(({ id }) => id), ["n"]);
    assert.deepEqual(ai.getProviders(), ["p", "q"]);
    testHost.answer = () => undefined;
    assert.deepEqual(ai.getModels(), []);
    const usage = { input: 1e6, output: 5e5, cacheRead: 0, cacheWrite: 0 };
    assert.equal(ai.calculateCost(model, usage).total, 2);
    assert.deepEqual(ai.getSupportedThinkingLevels({ reasoning: true }), ["off", "minimal", "low", "medium", "high"]);
    assert.equal(ai.clampThinkingLevel({ reasoning: true }, "xhigh"), "high");
    assert.equal(ai.clampThinkingLevel({ reasoning: false }, "high"), "off");
    assert.equal(ai.modelsAreEqual(model, { ...model }), true);
  });
  test("StringEnum and tool arguments", () => {
    assert.deepEqual({ ...ai.StringEnum(["a", "b"], { description: "d" }) }.enum, ["a", "b"]);
    assert.equal(JSON.stringify(ai.StringEnum(["a"])), '{"type":"string","enum":["a"]}');
    const tool = { name: "t", parameters: ai.Type.Object({ n: ai.Type.Number(), e: ai.StringEnum(["x", "y"]) }) };
    assert.deepEqual(ai.validateToolArguments(tool, { name: "t", arguments: { n: "5", e: "x" } }), { n: 5, e: "x" });
    assert.throws(() => ai.validateToolArguments(tool, { name: "t", arguments: { n: 1, e: "z" } }), /\/e/);
    assert.throws(() => ai.validateToolCall([tool], { name: "other" }), /no tool "other"/);
  });
});

test("pi-utils", async () => {
  const missing = Object.assign(new Error("x"), { code: "ENOENT" });
  assert.deepEqual([utils.isEnoent(missing), utils.isEacces(missing), utils.isEnoent({ code: "ENOENT" })], [true, false, false]);
  assert.deepEqual([5, 1500, 90_000, 9_000_000, 266_400_000].map(utils.formatDuration), ["5ms", "1.5s", "1m30s", "2h30m", "3d2h"]);
  assert.deepEqual([999, 1000, 1500, 25_000, 1_500_000, 2.5e9].map(utils.formatNumber), ["999", "1K", "1.5K", "25K", "1.5M", "2.5B"]);
  assert.deepEqual([utils.formatBytes(1536), utils.formatCount("entry", 2), utils.formatCount("match", 1), utils.formatAge(7200)], ["1.5KB", "2 entries", "1 match", "2h ago"]);
  assert.equal(utils.truncate("abcdef", 4), "abc…");
  assert.equal(utils.tryParseJson("{"), null);
  const controller = new AbortController();
  const stopped = utils.untilAborted(controller.signal, () => new Promise(() => {}));
  controller.abort(new Error("why"));
  await assert.rejects(stopped, { name: "AbortError", message: "Aborted: why" });
  assert.equal(await utils.untilAborted(undefined, Promise.resolve(1)), 1);
  await assert.rejects(utils.withTimeout(new Promise(() => {}), 5, "late"), /late/);
  let calls = 0;
  const compute = utils.once(() => (calls += 1));
  assert.deepEqual([compute(), compute(), calls], [1, 1, 1]);
  assert.deepEqual(utils.structuredCloneJSON({ a: [1] }), { a: [1] });
});
