/** Models and model calls. Calls go to the host; where it offers none they reject with an error that says so. */
declare module "@f5-sales-demo/pi-ai" {
	import type { TSchema, TUnsafe } from "@sinclair/typebox";

	export type Api = string;
	export type Provider = string;
	export type ThinkingLevel = "off" | "minimal" | "low" | "medium" | "high" | "xhigh";

	export interface Model<TApi extends Api = any> {
		id: string;
		name: string;
		api: TApi;
		provider: Provider;
		baseUrl: string;
		reasoning: boolean;
		input: ("text" | "image")[];
		/** US dollars for a million tokens. */
		cost: { input: number; output: number; cacheRead: number; cacheWrite: number };
		/** Tokens. */
		contextWindow: number;
		/** Tokens. */
		maxTokens: number;
		headers?: Record<string, string>;
		[field: string]: any;
	}

	export interface Tool<TParameters extends TSchema = TSchema> {
		name: string;
		description: string;
		parameters: TParameters;
	}

	export interface Context {
		systemPrompt?: string;
		messages: Message[];
		tools?: Tool[];
	}

	export interface StreamOptions {
		temperature?: number;
		/** Tokens. */
		maxTokens?: number;
		signal?: AbortSignal;
		apiKey?: string;
		[option: string]: any;
	}

	export interface SimpleStreamOptions extends StreamOptions {
		reasoning?: ThinkingLevel;
	}

	export type AssistantMessageEvent =
		| { type: "start"; partial: AssistantMessage }
		| { type: "text_start" | "thinking_start" | "toolcall_start"; contentIndex: number; partial: AssistantMessage }
		| { type: "text_delta" | "thinking_delta" | "toolcall_delta"; contentIndex: number; delta: string; partial: AssistantMessage }
		| { type: "text_end" | "thinking_end"; contentIndex: number; content: string; partial: AssistantMessage }
		| { type: "toolcall_end"; contentIndex: number; toolCall: ToolCall; partial: AssistantMessage }
		| { type: "done"; reason: "stop" | "length" | "toolUse"; message: AssistantMessage }
		| { type: "error"; reason: "aborted" | "error"; error: AssistantMessage };

	/** Events to read with `for await`, and the promise of what they end in. */
	export class EventStream<T, R = T> implements AsyncIterable<T> {
		constructor(isComplete: (event: T) => boolean, extractResult: (event: T) => R);
		push(event: T): void;
		end(result?: R): void;
		result(): Promise<R>;
		[Symbol.asyncIterator](): AsyncIterator<T>;
	}

	export class AssistantMessageEventStream extends EventStream<AssistantMessageEvent, AssistantMessage> {
		constructor();
	}

	export function createAssistantMessageEventStream(): AssistantMessageEventStream;

	export function complete(model: Model, context: Context, options?: StreamOptions): Promise<AssistantMessage>;
	export function completeSimple(model: Model, context: Context, options?: SimpleStreamOptions): Promise<AssistantMessage>;
	export function stream(model: Model, context: Context, options?: StreamOptions): AssistantMessageEventStream;
	export function streamSimple(model: Model, context: Context, options?: SimpleStreamOptions): AssistantMessageEventStream;

	/** `undefined` when the host has no such model. */
	export function getModel(provider: string, modelId: string): Model | undefined;
	export function getModels(provider?: string): Model[];
	export function getProviders(): string[];

	/** Writes what a call cost into `usage.cost`, in US dollars, and returns it. */
	export function calculateCost(model: Model, usage: Usage): Usage["cost"];
	export function modelsAreEqual(a: Model | null | undefined, b: Model | null | undefined): boolean;
	export function getSupportedThinkingLevels(model: Model): ThinkingLevel[];
	export function clampThinkingLevel(model: Model, level: ThinkingLevel): ThinkingLevel;

	/** The arguments of a call as the tool's schema wants them; throws when they cannot be. */
	export function validateToolArguments(tool: Tool, toolCall: ToolCall): any;
	export function validateToolCall(tools: Tool[], toolCall: ToolCall): any;

	export { Type } from "@sinclair/typebox";
	export type { Static, TSchema } from "@sinclair/typebox";

	/** An enum schema that providers without `anyOf` accept: `{type: "string", enum: values}`. */
	export function StringEnum<const T extends readonly string[]>(
		values: T,
		options?: { description?: string; default?: T[number] },
	): TUnsafe<T[number]>;
}
