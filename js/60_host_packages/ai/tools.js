// Schemas of tools and the arguments models give them.

import { Type } from "../typebox.js";
import { Value } from "../typebox-value.js";

/**
 * An enum of strings as providers without `anyOf` take it: `{type: "string", enum: values}`.
 *
 * @param {readonly string[]} values
 * @param {{ description?: string, default?: string }} [options]
 */
export function StringEnum(values, options = {}) {
  return Type.Unsafe({ type: "string", enum: [...values], ...options });
}

/** The arguments of a call as the tool's schema wants them: plain types converted, then checked. */
export function validateToolArguments(tool, toolCall) {
  const converted = Value.Convert(tool.parameters, Value.Clone(toolCall.arguments ?? {}));
  if (Value.Check(tool.parameters, converted)) return converted;
  const lines = [...Value.Errors(tool.parameters, converted)].map((error) => `  - ${error.path || "/"}: ${error.message}`);
  throw new Error(`The arguments of tool "${toolCall.name}" do not fit:\n${lines.join("\n")}`);
}

/** {@link validateToolArguments} for the tool of that name. */
export function validateToolCall(tools, toolCall) {
  const tool = tools.find((candidate) => candidate.name === toolCall.name);
  if (!tool) throw new Error(`There is no tool "${toolCall.name}"`);
  return validateToolArguments(tool, toolCall);
}
