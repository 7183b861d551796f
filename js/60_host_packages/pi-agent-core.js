// What hooks use of the agent core as values. Its loop and tools belong to the host and are absent.

/** Names of the thinking levels; `inherit` takes the session's. */
export const ThinkingLevel = Object.freeze({
  Inherit: "inherit",
  Off: "off",
  Minimal: "minimal",
  Low: "low",
  Medium: "medium",
  High: "high",
  XHigh: "xhigh",
  Max: "max",
});
