// Calls of a model. The host makes them: it has the keys, and it may refuse.

import { hostAsk, NO_HOOK } from "../../05_host.js";
import { AssistantMessageEventStream } from "./event_stream.js";

const NO_USAGE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 };
const NO_COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };

/**
 * Asks a model and waits for its answer.
 *
 * @param {object} model
 * @param {{ systemPrompt?: string, messages: object[], tools?: object[] }} context
 * @param {object} [options] `signal`: a call aborted by it gives a message with `stopReason: "aborted"`
 * @returns {Promise<object>} the assistant message
 * @throws {Error} what the host rejects with, e.g. when it offers no model calls
 */
export async function complete(model, context, options = {}) {
  const { signal, ...rest } = options ?? {};
  if (signal?.aborted) return message(model, { stopReason: "aborted", errorMessage: "Request was aborted" });
  const request = { model, context, options: plainOptions(rest) };
  const asked = hostAsk(NO_HOOK, 0, "ai.complete", [request]);
  const answer = asked.answer.then((value) => assistantMessage(model, value));
  return signal ? Promise.race([answer, aborted(model, signal, answer, asked.cancel)]) : answer;
}

/** The options a host can understand: functions stay here. */
function plainOptions(options) {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => typeof value !== "function"));
}

function aborted(model, signal, answer, cancel) {
  return new Promise((resolve) => {
    const onAbort = () => {
      resolve(message(model, { stopReason: "aborted", errorMessage: "Request was aborted" }));
      cancel();
    };
    signal.addEventListener("abort", onAbort, { once: true });
    const forget = () => signal.removeEventListener("abort", onAbort);
    answer.then(forget, forget);
  });
}

function assistantMessage(model, value) {
  if (typeof value === "string") return message(model, { content: [{ type: "text", text: value }] });
  if (value === null || typeof value !== "object") throw new Error("The host gave no answer to the model call");
  const content = typeof value.content === "string" ? [{ type: "text", text: value.content }] : (value.content ?? []);
  return message(model, { ...value, content });
}

/** An assistant message with every field hooks read. */
function message(model, fields) {
  return {
    role: "assistant",
    content: [],
    api: model?.api,
    provider: model?.provider,
    model: model?.id,
    stopReason: "stop",
    timestamp: Date.now(),
    ...fields,
    usage: { ...NO_USAGE, ...fields.usage, cost: { ...NO_COST, ...fields.usage?.cost } },
  };
}

/**
 * Asks a model; the answer comes as events. The host answers at once, so there is one delta for each part.
 * Errors are events too: the stream then ends with `error`.
 *
 * @returns {AssistantMessageEventStream}
 */
export function stream(model, context, options = {}) {
  const events = new AssistantMessageEventStream();
  complete(model, context, options).then(
    (answer) => tell(events, answer),
    (error) => tell(events, message(model, { stopReason: "error", errorMessage: String(error?.message ?? error) })),
  );
  return events;
}

const PARTS = {
  text: ["text", (block) => block.text],
  thinking: ["thinking", (block) => block.thinking],
  toolCall: ["toolcall", (block) => JSON.stringify(block.arguments ?? {})],
};

function tell(events, answer) {
  const { stopReason } = answer;
  const partial = { ...answer, content: [] };
  events.push({ type: "start", partial });
  answer.content.forEach((block, contentIndex) => {
    partial.content.push(block);
    if (!Object.hasOwn(PARTS, block.type)) return;
    const [name, textOf] = PARTS[block.type];
    const end = name === "toolcall" ? { toolCall: block } : { content: textOf(block) };
    events.push({ type: `${name}_start`, contentIndex, partial });
    events.push({ type: `${name}_delta`, contentIndex, delta: textOf(block), partial });
    events.push({ type: `${name}_end`, contentIndex, ...end, partial });
  });
  if (stopReason === "aborted" || stopReason === "error") events.push({ type: "error", reason: stopReason, error: answer });
  else events.push({ type: "done", reason: stopReason, message: answer });
}
