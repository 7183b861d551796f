// What an agent writes against the client must compile, and what is wrong must not.
import {
	discoverAndLoadHooks,
	execCommand,
	type HookAPI,
	type HookError,
	type HookFactory,
	HookRunner,
	HookToolWrapper,
	type HookUIContext,
	type LoadedHook,
	type LoadHooksResult,
	loadHooks,
	type ModelRegistry,
	type ReadonlySessionManager,
	type ToolCallEvent,
} from "../dist/index.js";

interface AgentTool<P, D = unknown> {
	name: string;
	label: string;
	execute(
		id: string,
		params: P,
		signal?: AbortSignal,
		onUpdate?: (partial: unknown) => void,
	): Promise<{ content: { type: "text"; text: string }[]; details?: D }>;
}

export async function agent(sessions: ReadonlySessionManager, registry: ModelRegistry, ui: HookUIContext): Promise<void> {
	const bash: AgentTool<{ command: string }, number> = {
		name: "bash",
		label: "Bash",
		execute: async (_id, params) => ({ content: [{ type: "text", text: params.command }], details: 1 }),
	};
	const inline: HookFactory = (pi: HookAPI) => {
		pi.on("tool_call", (event) => ({ block: event.toolName === "bash" }));
		// @ts-expect-error a wrong result
		pi.on("tool_call", () => ({ block: "yes" }));
	};
	const loaded: LoadHooksResult = await loadHooks(["./a.ts", inline, { path: "b.ts", factory: inline }], "/", { inputMutation: "apply" });
	await discoverAndLoadHooks(["~/x.ts"], "/", { disabled: { providers: ["codex"] } });
	// @ts-expect-error not a mode
	await loadHooks([], "/", { inputMutation: "always" });

	const runner = new HookRunner(loaded.hooks, "/", sessions, registry);
	// @ts-expect-error three functions are required
	runner.initialize({ uiContext: ui });
	runner.initialize({
		getModel: () => undefined,
		sendMessageHandler: (message, options) => void [message.customType, options?.triggerTurn],
		appendEntryHandler: (customType, data) => void [customType, data],
		newSessionHandler: async (options) => {
			await options?.setup?.(undefined as never);
			return { cancelled: false };
		},
		uiContext: ui,
		hasUI: true,
	});
	const unsubscribe: () => void = runner.onError((error: HookError) => void error.hookPath);
	const event: ToolCallEvent = { type: "tool_call", toolName: "bash", toolCallId: "1", input: {} };
	const verdict = await runner.emitToolCall(event);
	if (verdict?.block) verdict.reason?.length;
	const before = await runner.emit({ type: "session_before_branch", entryId: "e" });
	if (before?.cancel || before?.skipConversationRestore) unsubscribe();
	const changed = await runner.emit({ type: "tool_result", toolName: "x", toolCallId: "1", input: {}, content: [], details: 1 });
	changed?.content?.map((part) => part.type);
	(await runner.emitContext([{ role: "user", content: "x", timestamp: 1 }])).length;
	(await runner.emitBeforeAgentStart("prompt"))?.message?.content;
	await runner.emit({ type: "something_new", anything: 1 });

	const wrapped = new HookToolWrapper(bash, runner);
	const result: number | undefined = (await wrapped.execute("1", { command: "ls" })).details;
	// @ts-expect-error the tool's own parameters are checked
	await wrapped.execute("1", { cmd: "ls" });
	const hook: LoadedHook | undefined = loaded.hooks[0];
	await hook?.commands.get("x")?.handler("", runner.createCommandContext());
	runner.getMessageRenderer("note")?.({ role: "custom", customType: "note", content: "", display: true, timestamp: 1 }, { expanded: false }, ui.theme);
	void [result, (await execCommand("ls", [], "/", { timeout: 3 })).code];
}
