import assert from "node:assert/strict";
import { test } from "node:test";
import { createTheme, Theme } from "../../40_theme.js";
import { colorSequence, detectColorMode } from "../color.js";

const full = { COLORTERM: "truecolor" };

test("colours on and off", () => {
  const theme = createTheme({ env: full });
  assert.match(theme.fg("accent", "x"), /^\x1b\[38;2;\d+;\d+;\d+mx\x1b\[39m$/);
  assert.match(theme.bg("selectedBg", "x"), /^\x1b\[48;2;\d+;\d+;\d+mx\x1b\[49m$/);
  assert.equal(theme.fg("text", "x"), "\x1b[39mx\x1b[39m");
  assert.equal(theme.getFgAnsi("error") + "x" + "\x1b[39m", theme.fg("error", "x"));
  assert.equal(theme.bold("b") + theme.italic("i") + theme.underline("u"), "\x1b[1mb\x1b[22m\x1b[3mi\x1b[23m\x1b[4mu\x1b[24m");
  assert.equal(theme.inverse("v") + theme.strikethrough("s"), "\x1b[7mv\x1b[27m\x1b[9ms\x1b[29m");
});

test("an unknown colour throws, also without colours", () => {
  for (const theme of [createTheme({ env: full }), createTheme({ noColor: true, env: full })]) {
    for (const name of ["nope", "selectedBg", "toString", "__proto__", undefined]) {
      assert.throws(() => theme.fg(name, "x"), { message: `Unknown theme color: ${name}` });
      assert.throws(() => theme.getFgAnsi(name), { message: `Unknown theme color: ${name}` });
    }
    for (const name of ["accent", "constructor"]) {
      assert.throws(() => theme.bg(name, "x"), { message: `Unknown theme background color: ${name}` });
      assert.throws(() => theme.getBgAnsi(name), { message: `Unknown theme background color: ${name}` });
    }
  }
});

test("how many colours", () => {
  assert.equal(detectColorMode(full), "truecolor");
  assert.equal(detectColorMode({ COLORTERM: "24bit" }), "truecolor");
  assert.equal(detectColorMode({ TERM: "xterm-256color" }), "256color");
  assert.equal(detectColorMode({ ...full, NO_COLOR: "1" }), "none");
  assert.equal(detectColorMode({ ...full, NO_COLOR: "" }), "truecolor");
  assert.match(createTheme({ env: {} }).fg("accent", "x"), /^\x1b\[38;5;\d+mx/);
  const plain = createTheme({ env: { NO_COLOR: "1" } });
  assert.deepEqual([plain.fg("accent", "x"), plain.bg("selectedBg", "x"), plain.getFgAnsi("accent"), plain.getColorMode()], ["x", "x", "", "none"]);
  assert.match(createTheme({ noColor: false, env: { NO_COLOR: "1" } }).fg("accent", "x"), /38;5/);
});

test("sequences", () => {
  assert.equal(colorSequence("#ff8000", "truecolor", "fg"), "\x1b[38;2;255;128;0m");
  assert.equal(colorSequence("#f80", "truecolor", "bg"), "\x1b[48;2;255;136;0m");
  assert.equal(colorSequence("#ff0000", "256color", "fg"), "\x1b[38;5;196m");
  assert.equal(colorSequence("#808080", "256color", "fg"), "\x1b[38;5;244m");
  assert.equal(colorSequence(7, "truecolor", "bg"), "\x1b[48;5;7m");
  for (const bad of ["red", "#12", 256, -1, 1.5, null]) assert.throws(() => colorSequence(bad, "truecolor", "fg"), /Invalid color value/);
});

test("both palettes know every name, with contrast between them", () => {
  const [dark, light] = ["dark", "light"].map((mode) => createTheme({ mode, env: full }));
  const names =
    "accent border borderAccent borderMuted success error warning muted dim text thinkingText userMessageText customMessageText customMessageLabel toolTitle " +
    "toolOutput mdHeading mdLink mdLinkUrl mdCode mdCodeBlock mdCodeBlockBorder mdQuote mdQuoteBorder mdHr mdListBullet toolDiffAdded toolDiffRemoved " +
    "toolDiffContext syntaxComment syntaxKeyword syntaxFunction syntaxVariable syntaxString syntaxNumber syntaxType syntaxOperator syntaxPunctuation " +
    "thinkingOff thinkingMinimal thinkingLow thinkingMedium thinkingHigh thinkingXhigh bashMode pythonMode statusLineSep statusLineModel statusLineCost";
  for (const name of names.split(" ")) assert.ok(dark.getFgAnsi(name) && light.getFgAnsi(name), name);
  for (const name of "selectedBg userMessageBg customMessageBg toolPendingBg toolSuccessBg toolErrorBg statusLineBg".split(" ")) {
    assert.notEqual(dark.getBgAnsi(name), light.getBgAnsi(name));
  }
});

test("symbols", () => {
  const presets = ["unicode", "nerd", "ascii"].map((symbols) => createTheme({ symbols, env: full }));
  for (const theme of presets) {
    for (const group of ["status", "nav", "tree", "boxRound", "boxSharp", "sep", "icon", "thinking", "checkbox", "radio", "format", "md", "lang", "tab"]) {
      assert.ok(Object.values(theme[group]).every((symbol) => typeof symbol === "string" && symbol !== ""), group);
    }
    assert.equal(theme.symbol("status.success"), theme.status.success);
    assert.equal(theme.symbol("no.such"), undefined);
    assert.equal(theme.symbol("toString"), undefined);
    assert.ok(theme.spinnerFrames.length > 1);
  }
  const [, , ascii] = presets;
  for (const group of ["status", "nav", "tree", "boxRound", "boxSharp", "sep", "icon", "checkbox", "radio", "format", "md", "lang", "tab", "thinking"]) {
    assert.match(Object.values(ascii[group]).join(""), /^[\x20-\x7e]*$/, group);
  }
  assert.equal(presets[0].getLangIcon("rs"), presets[0].symbol("lang.rust"));
  assert.equal(presets[0].getLangIcon(undefined), presets[0].symbol("lang.default"));
  assert.ok(presets[0].styledSymbol("status.error", "error").includes(presets[0].status.error));
});

test("a theme of one's own", () => {
  const theme = new Theme({ mine: "#000001", plain: "" }, { back: 4 }, "truecolor", "ascii", { "status.success": "OK", "not.known": "?" });
  assert.deepEqual([theme.status.success, theme.symbol("not.known"), theme.bg("back", "x")], ["OK", undefined, "\x1b[48;5;4mx\x1b[49m"]);
  assert.throws(() => new Theme({ bad: "blue" }, {}, "truecolor"), /Invalid color value: blue/);
  assert.equal(createTheme({ env: full }).getThinkingBorderColor("weird")("x"), createTheme({ env: full }).fg("thinkingOff", "x"));
});
