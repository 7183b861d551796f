import { CURSOR_MARKER, fitLine } from "./component.js";
import { applyEditKey, InputSplitter } from "./edit_keys.js";
import { clusterEnd, clusterWidth, splitClusters } from "./graphemes.js";
import { getKeybindings } from "./keybindings.js";
import { TextBuffer } from "./text_buffer.js";
import { columns, padding } from "./width.js";

const PROMPT = "> ";

/** One line of editable text behind a prompt; it scrolls sideways to keep the cursor in view. */
export class Input {
  #buffer = new TextBuffer({ singleLine: true });
  #splitter = new InputSplitter();
  focused = false;
  /** @type {((value: string) => void) | undefined} */
  onSubmit = undefined;
  /** @type {(() => void) | undefined} */
  onEscape = undefined;

  getValue() {
    return this.#buffer.text;
  }

  /** Replaces the text; the cursor keeps its place as far as the new text reaches. */
  setValue(value) {
    const { col } = this.#buffer;
    this.#buffer.setText(value);
    this.#buffer.moveTo(0, Math.min(col, this.#buffer.current.length));
  }

  handleInput(data) {
    this.#splitter.feed(data, {
      key: (key) => this.#key(key),
      paste: (text) => this.#buffer.insert(text.replace(/[\r\n]+/g, "")),
    });
  }

  invalidate() {}

  render(width) {
    const whole = columns(width);
    const prompt = whole > PROMPT.length ? PROMPT : "";
    const room = whole - prompt.length;
    if (room === 0) return [""];
    const { before, at, after, used } = this.#visiblePart(room);
    const mark = this.focused ? CURSOR_MARKER : "";
    return [fitLine(`${prompt}${before}${mark}\x1b[7m${at}\x1b[27m${after}${padding(room - used)}`, whole)];
  }

  #key(data) {
    const keys = getKeybindings();
    if (keys.matches(data, "tui.select.cancel")) this.onEscape?.();
    else if (keys.matches(data, "tui.input.submit") || data === "\n") this.onSubmit?.(this.getValue());
    else applyEditKey(this.#buffer, data);
  }

  /** The clusters around the cursor that fit; the cursor itself always does. */
  #visiblePart(room) {
    const { current, col } = this.#buffer;
    const end = col < current.length ? clusterEnd(current, col) : col;
    let at = col < current.length ? current.slice(col, end) : " ";
    let used = clusterWidth(at);
    if (used > room) {
      at = " ";
      used = 1;
    }
    const left = splitClusters(current.slice(0, col));
    const right = splitClusters(current.slice(end));
    let before = "";
    let after = "";
    const total = [...left, ...right].reduce((sum, cluster) => sum + clusterWidth(cluster), used);
    // Everything fits, or the text scrolls so that a third of the room stays behind the cursor.
    const rightShare = total <= room ? room : Math.floor((room - used) / 3);
    const reserved = Math.min(rightShare, widthOf(right, rightShare));
    while (left.length > 0 && used + clusterWidth(left[left.length - 1]) + reserved <= room) {
      const cluster = left.pop();
      before = cluster + before;
      used += clusterWidth(cluster);
    }
    for (const cluster of right) {
      if (used + clusterWidth(cluster) > room) break;
      after += cluster;
      used += clusterWidth(cluster);
    }
    return { before, at, after, used };
  }
}

function widthOf(clusters, atMost) {
  let sum = 0;
  for (const cluster of clusters) {
    sum += clusterWidth(cluster);
    if (sum >= atMost) return atMost;
  }
  return sum;
}
