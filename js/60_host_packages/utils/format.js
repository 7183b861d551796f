// Numbers and texts for people.

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
];

/** `123ms`, `1.5s`, `30m15s`, `2h30m`, `3d2h`. */
export function formatDuration(ms) {
  if (!Number.isFinite(ms) || ms <= 0) return "0ms";
  if (ms < 1000) return `${Math.floor(ms)}ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)}s`;
  const at = UNITS.findIndex(([, size]) => ms >= size);
  const [[unit, size], [smaller, part]] = [UNITS[at], UNITS[at + 1]];
  const rest = Math.floor((ms % size) / part);
  return `${Math.floor(ms / size)}${unit}${rest > 0 ? `${rest}${smaller}` : ""}`;
}

/** `999`, `1.5K`, `25K`, `1M`, `1.5B`. */
export function formatNumber(count) {
  if (count < 1000) return String(count);
  const [unit, size] = count < 1e6 ? ["K", 1e3] : count < 1e9 ? ["M", 1e6] : ["B", 1e9];
  const value = count / size;
  return `${value < 10 ? value.toFixed(1).replace(/\.0$/, "") : Math.round(value)}${unit}`;
}

/** `512B`, `1.5KB`, `2.3MB`, `1.2GB`. */
export function formatBytes(bytes) {
  const units = ["B", "KB", "MB", "GB"];
  let value = bytes;
  let at = 0;
  for (; value >= 1024 && at < units.length - 1; at += 1) value /= 1024;
  return `${at === 0 ? value : value.toFixed(1)}${units[at]}`;
}

/** `3 files`, `1 error`. */
export function formatCount(label, count) {
  const safe = Number.isFinite(count) ? count : 0;
  return `${safe} ${pluralize(label, safe)}`;
}

/** `5m ago`, `2w ago`; empty without an age. */
export function formatAge(seconds) {
  if (!seconds) return "";
  const days = Math.floor(seconds / 86_400);
  const steps = [
    [Math.floor(days / 30), "mo"],
    [Math.floor(days / 7), "w"],
    [days, "d"],
    [Math.floor(seconds / 3600), "h"],
    [Math.floor(seconds / 60), "m"],
  ];
  const step = steps.find(([count]) => count > 0);
  return step ? `${step[0]}${step[1]} ago` : "just now";
}

export function formatPercent(ratio) {
  return `${(ratio * 100).toFixed(1)}%`;
}

/** The plural of an English noun, the noun itself for one. */
export function pluralize(label, count) {
  if (count === 1) return label;
  if (/(?:ch|sh|s|x|z)$/i.test(label)) return `${label}es`;
  return /[^aeiou]y$/i.test(label) ? `${label.slice(0, -1)}ies` : `${label}s`;
}

/** Cuts by characters (UTF-16 units); for columns see `truncateToWidth` of the TUI package. */
export function truncate(text, maxLength, ellipsis = "…") {
  return text.length <= maxLength ? text : text.slice(0, Math.max(0, maxLength - ellipsis.length)) + ellipsis;
}
