// Cutting long tool output by lines and bytes.

export const DEFAULT_MAX_LINES = 2000;
/** Bytes of UTF-8. */
export const DEFAULT_MAX_BYTES = 50 * 1024;
const DEFAULT_LINE_CHARACTERS = 500;

const encoder = new TextEncoder();

/** Bytes the text takes in UTF-8. */
function byteLength(text) {
  let length = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0x80) length += code >= 0x800 ? 2 : 1;
    // A pair is four bytes: two units, and two more for the first of them.
    if (code >= 0xd800 && code <= 0xdbff && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) at += 1;
  }
  return length;
}

/** `512B`, `1.5KB`, `2.0MB`. */
export function formatSize(bytes) {
  const kilobytes = bytes / 1024;
  if (bytes < 1024) return `${bytes}B`;
  return kilobytes < 1024 ? `${kilobytes.toFixed(1)}KB` : `${(kilobytes / 1024).toFixed(1)}MB`;
}

/**
 * @typedef {object} TruncationResult
 * @property {string} content
 * @property {boolean} truncated
 * @property {"lines" | "bytes" | null} truncatedBy the limit that was met
 * @property {number} totalLines
 * @property {number} totalBytes
 * @property {number} outputLines
 * @property {number} outputBytes
 * @property {boolean} lastLinePartial only the end of the last line is there (`truncateTail`)
 * @property {boolean} firstLineExceedsLimit the first line alone is too long (`truncateHead`)
 * @property {number} maxLines
 * @property {number} maxBytes
 */

/** Keeps whole lines from the start. @returns {TruncationResult} */
export function truncateHead(content, options = {}) {
  const job = start(content, options);
  if (job.fits) return job.result({ content, lines: job.lines.length, by: null });
  if (byteLength(job.lines[0]) > job.maxBytes) {
    return job.result({ content: "", lines: 0, by: "bytes", firstLineExceedsLimit: true });
  }
  const { kept, by } = collect(job.lines, job.maxLines, job.maxBytes);
  return job.result({ content: kept.join("\n"), lines: kept.length, by });
}

/** Keeps whole lines from the end; of a last line longer than the limit its end. @returns {TruncationResult} */
export function truncateTail(content, options = {}) {
  const job = start(content, options);
  if (job.fits) return job.result({ content, lines: job.lines.length, by: null });
  const { kept, by } = collect([...job.lines].reverse(), job.maxLines, job.maxBytes);
  if (kept.length === 0 && job.maxLines > 0) {
    const end = lastBytes(job.lines[job.lines.length - 1], job.maxBytes);
    return job.result({ content: end, lines: 1, by: "bytes", lastLinePartial: true });
  }
  return job.result({ content: kept.reverse().join("\n"), lines: kept.length, by });
}

function start(content, { maxLines = DEFAULT_MAX_LINES, maxBytes = DEFAULT_MAX_BYTES }) {
  const lines = content.split("\n");
  const totalBytes = byteLength(content);
  return {
    lines,
    maxLines,
    maxBytes,
    fits: lines.length <= maxLines && totalBytes <= maxBytes,
    result: ({ content: kept, lines: outputLines, by, lastLinePartial = false, firstLineExceedsLimit = false }) => ({
      content: kept,
      truncated: by !== null,
      truncatedBy: by,
      totalLines: lines.length,
      totalBytes,
      outputLines,
      outputBytes: byteLength(kept),
      lastLinePartial,
      firstLineExceedsLimit,
      maxLines,
      maxBytes,
    }),
  };
}

function collect(lines, maxLines, maxBytes) {
  const kept = [];
  let used = 0;
  for (const line of lines) {
    if (kept.length >= maxLines) return { kept, by: "lines" };
    used += byteLength(line) + (kept.length > 0 ? 1 : 0);
    if (used > maxBytes) return { kept, by: "bytes" };
    kept.push(line);
  }
  return { kept, by: "lines" };
}

/** The longest end of the text that takes at most `limit` bytes and starts with a whole character. */
function lastBytes(text, limit) {
  const bytes = encoder.encode(text);
  let from = Math.max(0, bytes.length - limit);
  while (from < bytes.length && (bytes[from] & 0xc0) === 0x80) from += 1;
  return new TextDecoder().decode(bytes.subarray(from));
}

/** @returns {{ text: string, wasTruncated: boolean }} */
export function truncateLine(line, maxChars = DEFAULT_LINE_CHARACTERS) {
  if (line.length <= maxChars) return { text: line, wasTruncated: false };
  const cut = (line.charCodeAt(maxChars - 1) & 0xfc00) === 0xd800 ? maxChars - 1 : maxChars;
  return { text: `${line.slice(0, cut)}... [truncated]`, wasTruncated: true };
}
