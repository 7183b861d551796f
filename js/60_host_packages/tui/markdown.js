import { fitLine } from "./component.js";
import { parseBlocks } from "./markdown_blocks.js";
import { parseInline } from "./markdown_inline.js";
import { renderTable } from "./markdown_table.js";
import { sideMargin } from "./text.js";
import { columns, padding, visibleWidth } from "./width.js";
import { wrapTextWithAnsi } from "./wrap.js";

const RULE_COLUMNS = 80;
const same = (text) => text;

/**
 * Markdown as terminal text.
 *
 * The theme is an object of functions from text to text: `heading link linkUrl code codeBlock codeBlockBorder
 * quote quoteBorder hr listBullet bold italic strikethrough underline`, and optionally
 * `highlightCode(code, lang) → lines` and the string `codeBlockIndent`.
 */
export class Markdown {
  #text;
  #paddingX;
  #paddingY;
  #theme;
  #style;
  #cache;

  /**
   * @param {string} text
   * @param {number} [paddingX] columns left and right
   * @param {number} [paddingY] lines above and below
   * @param {object} [theme]
   * @param {object} [defaultTextStyle] `color`, `bgColor` functions; `bold italic strikethrough underline` flags
   */
  constructor(text, paddingX = 0, paddingY = 0, theme = {}, defaultTextStyle = undefined) {
    this.#text = String(text ?? "");
    this.#paddingX = columns(paddingX);
    this.#paddingY = columns(paddingY);
    this.#theme = theme ?? {};
    this.#style = defaultTextStyle;
  }

  setText(text) {
    this.#text = String(text ?? "");
    this.#cache = undefined;
  }

  invalidate() {
    this.#cache = undefined;
  }

  render(width) {
    if (this.#cache?.width !== width) this.#cache = { width, lines: this.#lay(columns(width)) };
    return [...this.#cache.lines];
  }

  #lay(width) {
    if (this.#text.trim() === "") return [];
    const margin = sideMargin(this.#paddingX, width);
    const content = this.#blocks(parseBlocks(this.#text), width - 2 * margin, (text) => this.#plain(text));
    const edge = Array.from({ length: this.#paddingY }, () => "");
    const background = this.#style?.bgColor;
    return [...edge, ...content.map((line) => padding(margin) + line), ...edge].map((line) => {
      const full = fitLine(line + padding(width - visibleWidth(line)), width);
      return background ? background(full) : full;
    });
  }

  #apply(name, text) {
    return (this.#theme[name] ?? same)(text);
  }

  #plain(text) {
    const style = this.#style;
    if (!style) return text;
    let out = style.color ? style.color(text) : text;
    for (const [flag, name] of [["bold", "bold"], ["italic", "italic"], ["strikethrough", "strikethrough"], ["underline", "underline"]]) {
      if (style[flag]) out = this.#apply(name, out);
    }
    return out;
  }

  /** Blocks below each other with one empty line between them. */
  #blocks(blocks, width, plain) {
    return blocks.flatMap((block, index) => [...(index > 0 ? [""] : []), ...this.#block(block, width, plain)]);
  }

  #block(block, width, plain) {
    switch (block.type) {
      case "heading":
        return this.#heading(block, width);
      case "code":
        return this.#code(block, width);
      case "rule":
        return [this.#apply("hr", "─".repeat(Math.min(width, RULE_COLUMNS)))];
      case "quote":
        return this.#quote(block, width);
      case "list":
        return this.#list(block, width, plain);
      case "table":
        return this.#table(block, width, plain);
      default:
        return wrapTextWithAnsi(this.#inline(block.text, plain), width);
    }
  }

  #heading({ level, text }, width) {
    const style = (part) => {
      const bold = this.#apply("bold", part);
      return this.#apply("heading", level === 1 ? this.#apply("underline", bold) : bold);
    };
    const prefix = level > 2 ? style(`${"#".repeat(level)} `) : "";
    return wrapTextWithAnsi(prefix + this.#inline(text, style), width);
  }

  #code({ lang, lines }, width) {
    const indent = this.#theme.codeBlockIndent ?? "  ";
    const code = lines.join("\n");
    const styled = this.#theme.highlightCode?.(code, lang || undefined) ?? lines.map((line) => this.#apply("codeBlock", line));
    const body = styled.flatMap((line) =>
      wrapTextWithAnsi(line, width - visibleWidth(indent)).map((part) => indent + part),
    );
    return [this.#apply("codeBlockBorder", `\`\`\`${lang}`), ...body, this.#apply("codeBlockBorder", "```")];
  }

  #quote({ blocks }, width) {
    const style = (text) => this.#apply("quote", this.#apply("italic", text));
    const border = this.#apply("quoteBorder", "│ ");
    return this.#blocks(blocks, Math.max(0, width - 2), style).map((line) => border + line);
  }

  #list({ ordered, start, loose, items }, width, plain) {
    return items.flatMap((item, index) => {
      const marker = ordered ? `${start + index}. ` : "- ";
      const task = item.task === undefined ? "" : item.task === "done" ? "[x] " : "[ ] ";
      const indent = visibleWidth(marker);
      const inner = item.blocks.flatMap((block, at) => {
        const apart = at > 0 && (loose || (block.type !== "list" && block.type !== "paragraph"));
        return [...(apart ? [""] : []), ...this.#block(block, Math.max(0, width - indent), plain)];
      });
      if (inner.length === 0) inner.push("");
      const lines = inner.map((line, row) => {
        if (row === 0) return this.#apply("listBullet", marker) + task + line;
        return line === "" ? "" : padding(indent) + line;
      });
      return loose && index > 0 ? ["", ...lines] : lines;
    });
  }

  #table(block, width, plain) {
    const cell = (text) => this.#inline(text, plain);
    const header = block.header.map((text) => this.#apply("bold", cell(text)));
    const table = renderTable({ align: block.align, header, rows: block.rows.map((row) => row.map(cell)) }, width);
    if (table) return table;
    const source = [block.header, ...block.rows].map((row) => `| ${row.join(" | ")} |`);
    return source.flatMap((line) => wrapTextWithAnsi(plain(line), width));
  }

  #inline(text, plain) {
    return this.#nodes(parseInline(text), plain);
  }

  #nodes(nodes, plain) {
    return nodes.map((node) => this.#node(node, plain)).join("");
  }

  #node(node, plain) {
    switch (node.type) {
      case "code":
        return this.#apply("code", node.text);
      case "break":
        return "\n";
      case "strong":
        return this.#nodes(node.children, (text) => this.#apply("bold", plain(text)));
      case "em":
        return this.#nodes(node.children, (text) => this.#apply("italic", plain(text)));
      case "del":
        return this.#nodes(node.children, (text) => this.#apply("strikethrough", plain(text)));
      case "link":
      case "image":
        return this.#link(node);
      default:
        return plain(node.text);
    }
  }

  /** The address is written behind the text unless it says the same. */
  #link({ href, children }) {
    const label = this.#nodes(children, (text) => this.#apply("link", this.#apply("underline", text)));
    const plainLabel = this.#nodes(children, same);
    const shown = href.replace(/^mailto:/, "");
    if (plainLabel === href || plainLabel === shown || `http://${plainLabel}` === href || shown === "") return label;
    return `${label}${this.#apply("linkUrl", ` (${href})`)}`;
  }
}
