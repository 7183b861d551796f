// Fields of every event, and that a field of another event is an error.
import type { HookAPI, HookEvent, HookEventMap, HookEventName } from "@f5-sales-demo/xcsh/hooks";
import { isBashToolResult, isToolCallEventType } from "@f5-sales-demo/xcsh";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_equal: Equal<A, B>): void {}

// The map's key and the event's `type` agree, for all 25.
type Mismatch = { [K in HookEventName]: HookEventMap[K]["event"]["type"] extends K ? never : K }[HookEventName];
same<Mismatch, never>(true);
same<HookEvent["type"], HookEventName>(true);

export default function (pi: HookAPI): void {
	pi.on("session_start", (event) => same<typeof event.type, "session_start">(true));
	pi.on("session_before_switch", (event) => {
		same<typeof event.reason, "new" | "resume" | "fork">(true);
		same<typeof event.targetSessionFile, string | undefined>(true);
		// @ts-expect-error not a field of this event
		event.previousSessionFile;
	});
	pi.on("session_switch", (event) => same<typeof event.previousSessionFile, string | undefined>(true));
	pi.on("session_before_branch", (event) => same<typeof event.entryId, string>(true));
	pi.on("session_branch", (event) => same<typeof event.previousSessionFile, string | undefined>(true));
	pi.on("session_before_compact", (event) => {
		same<typeof event.signal, AbortSignal>(true);
		same<typeof event.preparation.fileOps.read, Set<string>>(true);
		event.branchEntries.map((entry) => entry.parentId);
		event.preparation.recentMessages.length;
		event.customInstructions?.length;
	});
	pi.on("session.compacting", (event) => void [event.sessionId.length, event.messages.length]);
	pi.on("session_compact", (event) => {
		same<typeof event.fromExtension, boolean>(true);
		event.compactionEntry.firstKeptEntryId.length;
	});
	pi.on("session_before_tree", (event) => {
		same<typeof event.preparation.oldLeafId, string | null>(true);
		same<typeof event.preparation.userWantsSummary, boolean>(true);
		event.signal.aborted;
	});
	pi.on("session_tree", (event) => {
		same<typeof event.newLeafId, string | null>(true);
		event.summaryEntry?.fromId;
	});
	pi.on("session_shutdown", (event) => same<typeof event.type, "session_shutdown">(true));
	pi.on("context", (event) => {
		for (const message of event.messages) {
			if (message.role === "assistant") same<typeof message.stopReason, "stop" | "length" | "toolUse" | "error" | "aborted">(true);
			if (message.role === "custom") message.customType.length;
			if (message.role === "fileMention") message.files.length;
			same<typeof message.timestamp, number>(true);
		}
	});
	pi.on("before_agent_start", (event) => {
		same<typeof event.prompt, string>(true);
		event.images?.[0]?.mimeType;
	});
	pi.on("agent_start", () => {});
	pi.on("agent_end", (event) => void event.messages.length);
	pi.on("turn_start", (event) => void (event.turnIndex + event.timestamp));
	pi.on("turn_end", (event) => {
		event.message.role;
		event.toolResults.map((result) => result.toolCallId);
	});
	pi.on("auto_compaction_start", (event) => {
		same<typeof event.reason, "threshold" | "overflow" | "idle">(true);
		same<typeof event.action, "context-full" | "handoff">(true);
	});
	pi.on("auto_compaction_end", (event) => {
		same<typeof event.aborted, boolean>(true);
		event.result?.summary;
		event.skipped;
	});
	pi.on("auto_retry_start", (event) => void (event.delayMs + event.attempt + event.maxAttempts + event.errorMessage.length));
	pi.on("auto_retry_end", (event) => void [event.success, event.attempt, event.finalError]);
	pi.on("ttsr_triggered", (event) => void event.rules.map((rule) => rule.name));
	pi.on("todo_reminder", (event) => void event.todos.map((todo) => todo.content));
	pi.on("tool_call", (event) => {
		same<typeof event.input, Record<string, unknown>>(true);
		if (isToolCallEventType("bash", event)) same<typeof event.input.command, string>(true);
		if (isToolCallEventType<"mine", { size: number }>("mine", event)) same<typeof event.input.size, number>(true);
		// @ts-expect-error only after the tool ran
		event.content;
	});
	pi.on("tool_result", (event) => {
		if (isBashToolResult(event)) event.details?.fullOutputPath;
		for (const block of event.content) if (block.type === "image") block.mimeType.length;
		same<typeof event.isWarning, boolean | undefined>(true);
	});

	// Several events at once, and events of newer agents.
	for (const name of ["turn_start", "turn_end"] as const) pi.on(name, (event) => void event.turnIndex);
	pi.on("something_new", (event) => void event.whatever);
	// @ts-expect-error a handler written for another event
	pi.on("tool_call", (event: HookEventMap["turn_start"]["event"]) => void event);
}
