import { messageOf } from "./errors.js";
import type { ImageContent, TextContent } from "./hook-types.js";
import type { HookRunner } from "./runner.js";

export interface ToolResult<TDetails = unknown> {
	content: (TextContent | ImageContent)[];
	details?: TDetails;
}

/** What the wrapper needs of a tool; everything else of it is passed through. */
export interface WrappableTool<TDetails = any> {
	name: string;
	execute(toolCallId: string, params: any, signal?: AbortSignal, onUpdate?: any, context?: any): Promise<ToolResult<TDetails>>;
	[property: string]: any;
}

class Wrapper {
	constructor(tool: WrappableTool, runner: HookRunner) {
		const execute = (...args: Parameters<WrappableTool["execute"]>): Promise<ToolResult<any>> => executeWithHooks(tool, runner, ...args);
		return new Proxy(this, {
			get: (self, property) => {
				if (property === "execute") return execute;
				if (property === "constructor") return Reflect.get(self, property);
				return Reflect.get(tool, property, tool);
			},
			set: (_self, property, value) => Reflect.set(tool, property, value, tool),
			has: (_self, property) => property === "execute" || Reflect.has(tool, property),
			ownKeys: () => Reflect.ownKeys(tool),
			getOwnPropertyDescriptor: (_self, property) => {
				const own = Reflect.getOwnPropertyDescriptor(tool, property);
				return own && { ...own, configurable: true };
			},
		});
	}
}

/** A wrapped tool is of the tool's own type. */
export type HookToolWrapper<T extends WrappableTool = WrappableTool> = T;

/**
 * A tool that asks the hooks before it runs and shows them its result (`hooks.md` §5). All other properties are those of the tool,
 * live.
 */
export const HookToolWrapper = Wrapper as unknown as {
	new <T extends WrappableTool>(tool: T, runner: HookRunner): T;
	readonly prototype: WrappableTool;
};

async function executeWithHooks<TDetails>(
	tool: WrappableTool<TDetails>,
	runner: HookRunner,
	toolCallId: string,
	params: any,
	signal?: AbortSignal,
	onUpdate?: unknown,
	context?: unknown,
): Promise<ToolResult<TDetails>> {
	if (runner.hasHandlers("tool_call")) await ask(tool, runner, toolCallId, params, signal);

	const observed = runner.hasHandlers("tool_result");
	let result: ToolResult<TDetails>;
	try {
		result = await tool.execute(toolCallId, params, signal, onUpdate, context);
	} catch (error) {
		if (observed || runner.hasHandlers("tool_result")) {
			const content = [{ type: "text" as const, text: messageOf(error) }];
			await runner.emit({ type: "tool_result", toolName: tool.name, toolCallId, input: params, content, details: undefined, isError: true });
		}
		throw error;
	}
	if (!runner.hasHandlers("tool_result")) return result;
	const { content, details } = result;
	const changed = await runner.emit({ type: "tool_result", toolName: tool.name, toolCallId, input: params, content, details, isError: false });
	if (!changed) return result;
	return { content: changed.content ?? content, details: (changed.details ?? details) as TDetails };
}

/** Fails when a hook blocks or throws, and when nobody can tell: a slow or broken gate is no open gate. */
async function ask(tool: WrappableTool, runner: HookRunner, toolCallId: string, input: any, signal?: AbortSignal): Promise<void> {
	let blocked: string | undefined;
	try {
		const answer = await runner.emitToolCall({ type: "tool_call", toolName: tool.name, toolCallId, input }, signal);
		if (answer?.block) blocked = answer.reason || "Tool execution was blocked by a hook";
	} catch (error) {
		if (error instanceof Error) throw error;
		throw new Error(`Hook failed, blocking execution: ${messageOf(error)}`);
	}
	if (blocked !== undefined) throw new Error(blocked);
}
