// Models and calls of models. Everything goes to the host.

export { complete, complete as completeSimple, stream, stream as streamSimple } from "./ai/complete.js";
export { AssistantMessageEventStream, createAssistantMessageEventStream, EventStream } from "./ai/event_stream.js";
export {
  calculateCost,
  clampThinkingLevel,
  getModel,
  getModels,
  getProviders,
  getSupportedThinkingLevels,
  modelsAreEqual,
} from "./ai/models.js";
export { StringEnum, validateToolArguments, validateToolCall } from "./ai/tools.js";
export { Type } from "./typebox.js";
