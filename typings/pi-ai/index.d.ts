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

	export interface AssistantMessageEventStream extends AsyncIterable<AssistantMessageEvent> {
		result(): Promise<AssistantMessage>;
	}

	export function complete(model: Model, context: Context, options?: StreamOptions): Promise<AssistantMessage>;
	export function completeSimple(model: Model, context: Context, options?: SimpleStreamOptions): Promise<AssistantMessage>;
	export function stream(model: Model, context: Context, options?: StreamOptions): AssistantMessageEventStream;
	export function streamSimple(model: Model, context: Context, options?: SimpleStreamOptions): AssistantMessageEventStream;

	/** The host's model of that provider and id; throws when it has none. */
	export function getModel(provider: string, modelId: string): Model;
	export function getModels(provider?: string): Model[];
	export function getProviders(): string[];

	/** An enum schema that providers without `anyOf` accept: `{type: "string", enum: values}`. */
	export function StringEnum<const T extends readonly string[]>(
		values: T,
		options?: { description?: string; default?: T[number] },
	): TUnsafe<T[number]>;
}
