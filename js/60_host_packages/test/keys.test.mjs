import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { load } from "./host.mjs";

const tui = await load("pi-tui.js");
const { decodeKittyPrintable, isKeyRelease, isKeyRepeat, Key, matchesKey, parseKey, setKittyProtocolActive } = tui;
afterEach(() => setKittyProtocolActive(false));

describe("matchesKey", () => {
  const yes = [
    ["\x1b", "escape"], ["\x1b", "esc"], ["\r", "enter"], ["\r", "return"], ["\n", "enter"], ["\t", "tab"], [" ", "space"],
    ["\x7f", "backspace"], ["\x08", "backspace"], ["\x03", "ctrl+c"], ["\x03", "CTRL+C"], ["\x00", "ctrl+space"], ["\x1d", "ctrl+]"], ["\x1f", "ctrl+-"],
    ["a", "a"], ["A", "shift+a"], ["?", "?"], ["ä", "ä"], ["+", "+"],
    ["\x1b[A", "up"], ["\x1bOA", "up"], ["\x1b[1;2A", "shift+up"], ["\x1b[1;5D", "ctrl+left"], ["\x1b[1;6C", "shift+ctrl+right"], ["\x1b[1;6C", "ctrl+shift+right"],
    ["\x1b[H", "home"], ["\x1b[1~", "home"], ["\x1b[4~", "end"], ["\x1b[3~", "delete"], ["\x1b[5~", "pageUp"], ["\x1b[5~", "pageup"], ["\x1b[3;5~", "ctrl+delete"],
    ["\x1b[Z", "shift+tab"], ["\x1bOP", "f1"], ["\x1b[15~", "f5"], ["\x1b[1;5P", "ctrl+f1"], ["\x1b[24;2~", "shift+f12"],
    ["\x1ba", "alt+a"], ["\x1b\x7f", "alt+backspace"], ["\x1b\r", "alt+enter"], ["\x1b\x1b[A", "alt+up"], ["\x1bb", "alt+left"], ["\x1bb", "alt+b"],
    ["\x1b[27u", "escape"], ["\x1b[97;5u", "ctrl+a"], ["\x1b[13;2u", "shift+enter"], ["\x1b[9;2u", "shift+tab"], ["\x1b[97;2u", "shift+a"],
    ["\x1b[99;69u", "ctrl+c"], ["\x1b[1089::99;5u", "ctrl+c"], ["\x1b[47:63;2u", "?"], ["\x1b[57414u", "enter"], ["\x1b[57417u", "left"], ["\x1b[99;5:3u", "ctrl+c"],
    ["\x1b[1;9A", "super+up"], ["\x1b[43;5u", "ctrl++"], ["\x1b[27;5;99~", "ctrl+c"], ["\x1b[27;2;13~", "shift+enter"], ["\x1b[3$", "shift+delete"], ["\x1bOa", "ctrl+up"],
  ];
  for (const [data, key] of yes) test(`${JSON.stringify(data)} is ${key}`, () => assert.equal(matchesKey(data, key), true));
  const no = [
    ["A", "a"], ["a", "ctrl+a"], ["\x03", "c"], ["\x1b[A", "down"], ["\x1b[A", "shift+up"], ["\x1b", "alt+escape"], ["\x1b[97;5u", "a"], ["", "a"], ["ab", "a"],
    ["\x1b[200~x\x1b[201~", "x"], ["a", ""], ["a", "hyper+a"], ["\x1b[57441u", "shift"], ["\x1b[99999999u", "a"], ["\x1b[u", "u"],
  ];
  for (const [data, key] of no) test(`${JSON.stringify(data)} is not ${key}`, () => assert.equal(matchesKey(data, key), false));
  test("a bare line feed under the Kitty protocol is shift+enter", () => {
    setKittyProtocolActive(true);
    assert.equal(matchesKey("\n", "enter"), false);
    assert.equal(matchesKey("\n", "shift+enter"), true);
    assert.equal(matchesKey("\r", "enter"), true);
  });
  test("what is no string", () => assert.equal(matchesKey(undefined, "a"), false));
});

test("Key names and combinations", () => {
  assert.deepEqual([Key.escape, Key.pageUp, Key.slash, Key.ctrl("c"), Key.ctrlShift("p"), Key.shift(Key.tab)], ["escape", "pageUp", "/", "ctrl+c", "ctrl+shift+p", "shift+tab"]);
});

test("parseKey", () => {
  const cases = {
    a: "a", A: "A", "\x1b[A": "up", "\x03": "ctrl+c", "\x1b[1;6A": "shift+ctrl+up", "\x1b\x03": "ctrl+alt+c", "\x1b[65;2u": "shift+a", "\x1b[99;5:3u": "ctrl+c",
    "\x1b[13;2u": "shift+enter", "\x1b[200~x\x1b[201~": undefined, "\x1b[9999z": undefined, "": undefined,
  };
  for (const [data, key] of Object.entries(cases)) assert.equal(parseKey(data), key, JSON.stringify(data));
});

test("press, repeat and release", () => {
  assert.deepEqual(["\x1b[97u", "\x1b[97;1:1u", "\x1b[97;1:2u", "\x1b[97;1:3u", "\x1b[1;1:3A", "a"].map(isKeyRelease), [false, false, false, true, true, false]);
  assert.deepEqual(["\x1b[97;1:2u", "\x1b[97;1:3u"].map(isKeyRepeat), [true, false]);
});

test("text of Kitty sequences", () => {
  assert.equal(decodeKittyPrintable("\x1b[97u"), "a");
  assert.equal(decodeKittyPrintable("\x1b[97:65;2u"), "A");
  assert.equal(decodeKittyPrintable("\x1b[32u"), " ");
  assert.equal(decodeKittyPrintable("\x1b[57399u"), "0");
  assert.equal(decodeKittyPrintable("\x1b[97;5u"), undefined);
  assert.equal(decodeKittyPrintable("\x1b[97;1:3u"), undefined, "a release types nothing");
  assert.equal(decodeKittyPrintable("\x1b[13u"), undefined);
  assert.equal(decodeKittyPrintable("a"), undefined);
});

test("helpers of older versions", () => {
  assert.equal(tui.isCtrlC("\x03"), true);
  assert.equal(tui.isArrowUp("\x1b[A"), true);
  assert.equal(tui.isShiftTab("\x1b[Z"), true);
  assert.equal(tui.isEnter("x"), false);
});

test("keybindings", () => {
  const manager = new tui.KeybindingsManager(tui.TUI_KEYBINDINGS, { "tui.select.up": ["k", "up"], "tui.select.down": "k" });
  assert.equal(manager.matches("k", "tui.select.up"), true);
  assert.equal(manager.matches("\x1b[B", "tui.select.down"), false);
  assert.deepEqual(manager.getConflicts(), [{ key: "k", keybindings: ["tui.select.up", "tui.select.down"] }]);
  assert.deepEqual(manager.getKeys("tui.select.confirm"), ["enter"]);
  assert.deepEqual(manager.getKeys("no.such.action"), []);
});
