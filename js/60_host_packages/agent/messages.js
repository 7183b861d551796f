// From the messages of a session to those a model understands, and to plain text.

const text = (value) => ({ type: "text", text: value });
const blocks = (content) => (typeof content === "string" ? [text(content)] : (content ?? []));
const joined = (content) =>
  blocks(content)
    .filter((block) => block.type === "text")
    .map((block) => block.text)
    .join("");

function userMessage(message, content) {
  const out = { role: "user", content, timestamp: message.timestamp };
  if (message.attribution !== undefined) out.attribution = message.attribution;
  return out;
}

function executionText(title, message) {
  const output = message.output ? `Output:\n\`\`\`\n${message.output}\n\`\`\`` : "No output.";
  const notes = [];
  if (message.cancelled) notes.push("It was cancelled.");
  else if (message.exitCode) notes.push(`Exit code: ${message.exitCode}`);
  if (message.truncated && message.fullOutputPath) notes.push(`The output is cut; all of it: ${message.fullOutputPath}`);
  return [`${title}\n${output}`, ...notes].join("\n\n");
}

const CONVERSIONS = {
  user: (message) => message,
  developer: (message) => message,
  assistant: (message) => message,
  toolResult: (message) => message,
  custom: (message) => userMessage(message, blocks(message.content)),
  hookMessage: (message) => userMessage(message, blocks(message.content)),
  bashExecution(message) {
    if (message.excludeFromContext) return undefined;
    return userMessage(message, [text(executionText(`The user ran the command \`${message.command}\`.`, message))]);
  },
  pythonExecution(message) {
    if (message.excludeFromContext) return undefined;
    const title = `The user ran this Python code:\n\`\`\`python\n${message.code}\n\`\`\``;
    return userMessage(message, [text(executionText(title, message))]);
  },
  branchSummary: (message) =>
    userMessage(message, [text(`Summary of a branch of this conversation that was left:\n\n<summary>\n${message.summary}\n</summary>`)]),
  compactionSummary: (message) =>
    userMessage(message, [text(`Summary of the conversation up to here:\n\n<summary>\n${message.summary}\n</summary>`)]),
  fileMention(message) {
    const files = message.files.map((file) => `<file path="${file.path}">\n${file.content ?? ""}\n</file>`);
    const images = message.files.flatMap((file) => (file.image ? [file.image] : []));
    return userMessage(message, [text(files.join("\n\n")), ...images]);
  },
};

/**
 * Messages of a session as messages for a model. Those only the agent understands become user messages or are
 * left out (commands the user kept from the model, roles nobody knows).
 *
 * @param {object[]} messages
 * @returns {object[]}
 */
export function convertToLlm(messages) {
  return messages.flatMap((message) => {
    const convert = Object.hasOwn(CONVERSIONS, message?.role) ? CONVERSIONS[message.role] : undefined;
    const converted = convert?.(message);
    return converted === undefined ? [] : [converted];
  });
}

/**
 * The conversation as plain text, for a model that is to read it and not to go on with it. Messages of roles a
 * model does not know are left out: call {@link convertToLlm} first.
 *
 * @param {object[]} messages
 * @returns {string}
 */
export function serializeConversation(messages) {
  return messages.flatMap(paragraphs).join("\n\n");
}

function paragraphs(message) {
  const line = (label, body) => (body ? [`[${label}]: ${body}`] : []);
  switch (message.role) {
    case "user":
      return line("User", joined(message.content));
    case "toolResult":
      return line("Tool result", joined(message.content));
    case "assistant": {
      const of = (type) => blocks(message.content).filter((block) => block.type === type);
      const calls = of("toolCall").map((call) => `${call.name}(${callArguments(call.arguments)})`);
      return [
        ...line("Assistant thinking", of("thinking").map((block) => block.thinking).join("\n")),
        ...line("Assistant", of("text").map((block) => block.text).join("\n")),
        ...line("Assistant tool calls", calls.join("; ")),
      ];
    }
    default:
      return [];
  }
}

function callArguments(args) {
  return Object.entries(args ?? {})
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(", ");
}
