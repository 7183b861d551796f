import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { load } from "./host.mjs";

const { sliceByColumn, sliceWithWidth, truncateToWidth, visibleWidth, wrapTextWithAnsi } = await load("pi-tui.js");
const RED = "\x1b[31m";
const OFF = "\x1b[39m";
const LINK = "\x1b]8;;https://x.y\x1b\\";
const END = "\x1b]8;;\x1b\\";

describe("visibleWidth", () => {
  const cases = {
    "": 0, abc: 3, "中文字": 6, "ｆｕｌｌ": 8, "ｱｲ": 2, "한국": 4, "각": 2, "é": 1, "e\u0301": 1, "o\u0308\u0323": 1, "\u0301": 0,
    "😀": 2, "👨‍👩‍👧‍👦": 2, "👍🏽": 2, "🇩🇪": 2, "🇩🇪🇫🇷": 4, "❤": 1, "❤️": 2, "1️⃣": 2, "#️⃣": 2, "⌚": 2, "☑": 1, "🏴󠁧󠁢󠁥󠁮󠁧󠁿": 2, "🧑🏿‍💻": 2,
    "a\u200bb": 2, "\ufeffx": 1, "สวัสดี": 4, "a\tb": 5, "a\nb": 2, "\x07": 0,
    [`${RED}x${OFF}`]: 1, [`${LINK}go${END}`]: 2, "\x1b]0;title\x07x": 1, "\x1b_Gpayload\x1b\\x": 1, "\x1b[38;2;1;2;3mx\x1b[0m": 1,
    "\x1b[?25lx": 1, "x\x1b[": 1, "x\x1b": 1, "\x1b(Bx": 1,
  };
  for (const [text, width] of Object.entries(cases)) {
    test(JSON.stringify(text), () => assert.equal(visibleWidth(text), width));
  }
  test("what is no string", () => {
    assert.equal(visibleWidth(undefined), 0);
    assert.equal(visibleWidth(12), 2);
  });
});

describe("truncateToWidth", () => {
  test("leaves what fits", () => {
    assert.equal(truncateToWidth("abc", 3), "abc");
    assert.equal(truncateToWidth(`${RED}abc${OFF}`, 3), `${RED}abc${OFF}`);
  });
  test("cuts with an ellipsis", () => {
    assert.equal(truncateToWidth("abcdef", 4), "abc…");
    assert.equal(truncateToWidth("abcdef", 5, "..."), "ab...");
    assert.equal(truncateToWidth("abcdef", 4, ""), "abcd");
    assert.equal(truncateToWidth("abcdef", 4, null), "abc…");
    assert.equal(truncateToWidth("abcdef", 4, 2), "abcd", "the member Omit");
    assert.equal(truncateToWidth("abcdef", 2, "..."), "..");
  });
  test("never cuts a wide character in two", () => {
    assert.equal(truncateToWidth("中文字", 4), "中…");
    assert.equal(truncateToWidth("中文字", 4, "…", true), "中… ");
    assert.equal(truncateToWidth("👨‍👩‍👧x", 2, ""), "👨‍👩‍👧");
    assert.equal(truncateToWidth("中", 1), "…");
  });
  test("closes the styles that are on and nothing else", () => {
    assert.equal(truncateToWidth(`${RED}hello world${OFF}`, 6), `${RED}hello…${OFF}`);
    assert.equal(truncateToWidth(`\x1b[1;4mhello`, 3), "\x1b[1;4mhe…\x1b[22;24m");
    assert.equal(truncateToWidth(`${LINK}hello${END}`, 3), `${LINK}he…${END}`);
  });
  test("width 0, 1 and odd widths", () => {
    assert.equal(truncateToWidth("abc", 0), "");
    assert.equal(truncateToWidth("abc", 1), "…");
    assert.equal(truncateToWidth("abc", -5), "");
    assert.equal(truncateToWidth("abc", NaN), "");
    assert.equal(truncateToWidth("abcd", 3.9), "ab…");
  });
  test("padding", () => assert.equal(truncateToWidth("ab", 4, "…", true), "ab  "));
});

describe("slices", () => {
  test("by column, with the styles in force", () => {
    assert.equal(sliceByColumn("abcdef", 2, 3), "cde");
    assert.equal(sliceByColumn(`${RED}abcdef`, 2, 2), `${RED}cd${OFF}`);
    assert.deepEqual(sliceWithWidth("a中b", 1, 1), { text: "中", width: 2 });
    assert.deepEqual(sliceWithWidth("a中b", 1, 1, true), { text: "", width: 0 });
    assert.equal(sliceByColumn("a中b", 2, 2), "b");
    assert.equal(sliceByColumn("abc", 9, 2), "");
  });
});

describe("wrapTextWithAnsi", () => {
  const wrap = wrapTextWithAnsi;
  test("words", () => {
    assert.deepEqual(wrap("hello world foo", 11), ["hello world", "foo"]);
    assert.deepEqual(wrap("hello   world", 6), ["hello", "world"]);
    assert.deepEqual(wrap("a\n\nb\r\nc", 5), ["a", "", "b", "c"]);
    assert.deepEqual(wrap("", 5), [""]);
  });
  test("long words and indentation", () => {
    assert.deepEqual(wrap("x abcdefgh", 3), ["x", "abc", "def", "gh"]);
    assert.deepEqual(wrap("  indented text", 10), ["  indented", "text"]);
    assert.deepEqual(wrap("\tx", 10), ["   x"]);
  });
  test("wide characters break anywhere", () => {
    assert.deepEqual(wrap("中文字符 abc", 5), ["中文", "字符", "abc"]);
    assert.deepEqual(wrap("👨‍👩‍👧👨‍👩‍👧", 3), ["👨‍👩‍👧", "👨‍👩‍👧"]);
  });
  test("styles go on in the next line and end at each line's end", () => {
    assert.deepEqual(wrap(`${RED}hello world${OFF} x`, 5), [`${RED}hello${OFF}`, `${RED}world${OFF}`, "x"]);
    assert.deepEqual(wrap(`${LINK}one two${END}`, 3), [`${LINK}one${END}`, `${LINK}two${END}`]);
    assert.deepEqual(wrap("\x1b[38;5;9maa bb\x1b[0m", 2), ["\x1b[38;5;9maa\x1b[39m", "\x1b[38;5;9mbb\x1b[0m"]);
  });
  test("no line is ever too wide, and every character that can be shown is", () => {
    const text = `${RED}The 中文 quick\tbrown ${LINK}fox jumps${END} 👨‍👩‍👧 over${OFF}\n  e\u0301e\u0301 🇩🇪🇫🇷 ❤️ supercalifragilistic`;
    const bare = (string) => string.replace(/\x1b\[[\d;]*m|\x1b\]8;[^\x1b]*\x1b\\|\s/g, "");
    for (let width = 0; width <= 40; width += 1) {
      const lines = wrap(text, width);
      for (const line of lines) assert.ok(visibleWidth(line) <= width, `${width}: ${JSON.stringify(line)}`);
      if (width >= 2) assert.equal(bare(lines.join("")), bare(text));
    }
    assert.deepEqual(wrap("中a", 1).join(""), "a");
    assert.deepEqual(wrap("abc", 0), [""]);
  });
  test("an unfinished sequence does not swallow the next line", () => {
    assert.deepEqual(wrap("\x1b]8;;http://x\nnext", 10).map(visibleWidth), [0, 4]);
  });
});
