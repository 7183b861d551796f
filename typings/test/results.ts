// What handlers may return: every wrong result here must be an error of the compiler.
import type { HookAPI } from "@f5-sales-demo/xcsh/hooks";

export default function (pi: HookAPI): void {
	pi.on("tool_call", () => ({ block: true, reason: "no" }));
	pi.on("tool_call", async () => {
		if (Math.random() > 0.5) return;
		return { block: true };
	});
	pi.on("tool_call", () => undefined);
	// @ts-expect-error a result of another event
	pi.on("tool_call", () => ({ cancel: true }));
	// @ts-expect-error wrong type of a known field
	pi.on("tool_call", () => ({ block: "yes" }));
	// @ts-expect-error the same from an async handler
	pi.on("tool_call", async () => ({ block: true, reason: 7 }));
	// @ts-expect-error null is no result
	pi.on("tool_call", () => null);
	// @ts-expect-error a number is no result
	pi.on("tool_call", () => 1);

	pi.on("tool_result", (event) => ({ content: event.content, details: { any: 1 }, isError: false, isWarning: true }));
	// @ts-expect-error content is a list of blocks
	pi.on("tool_result", () => ({ content: "text" }));
	// @ts-expect-error unknown kind of block
	pi.on("tool_result", () => ({ content: [{ type: "video", data: "" }] }));

	pi.on("context", (event) => ({ messages: event.messages.filter((message) => message.role !== "custom") }));
	// @ts-expect-error messages is a list
	pi.on("context", () => ({ messages: "none" }));

	pi.on("before_agent_start", () => ({ message: { customType: "note", content: "x", display: true } }));
	pi.on("before_agent_start", () => ({
		message: { customType: "note", content: [{ type: "text", text: "x" }], display: true, details: { a: 1 }, attribution: "agent" },
	}));
	// @ts-expect-error display is missing
	pi.on("before_agent_start", () => ({ message: { customType: "note", content: "x" } }));

	pi.on("session_before_switch", () => ({ cancel: true }));
	// @ts-expect-error only before a branch
	pi.on("session_before_switch", () => ({ skipConversationRestore: true }));
	pi.on("session_before_branch", () => ({ cancel: false, skipConversationRestore: true }));
	pi.on("session_before_compact", (event) => ({
		compaction: { summary: "s", firstKeptEntryId: event.preparation.firstKeptEntryId, tokensBefore: event.preparation.tokensBefore },
	}));
	// @ts-expect-error a compaction needs to say what is kept
	pi.on("session_before_compact", () => ({ compaction: { summary: "s" } }));
	pi.on("session.compacting", () => ({ context: ["a"], prompt: "p", preserveData: { k: 1 } }));
	// @ts-expect-error context is a list of texts
	pi.on("session.compacting", () => ({ context: "a" }));
	pi.on("session_before_tree", () => ({ summary: { summary: "s", details: 1 } }));
	// @ts-expect-error summary is an object here
	pi.on("session_before_tree", () => ({ summary: "s" }));

	// Events without a result.
	pi.on("session_start", () => {});
	pi.on("turn_end", async () => {});
	// @ts-expect-error nothing can be blocked here
	pi.on("session_start", () => ({ block: true }));
	// @ts-expect-error nor cancelled here
	pi.on("session_switch", async () => ({ cancel: true }));
}
