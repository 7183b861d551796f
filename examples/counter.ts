import type { HookAPI } from "@f5-sales-demo/xcsh";

/** Hooks keep state between events: this one warns once a session has run many tools, and notes it in the session. */
export default function (pi: HookAPI) {
	let tools = 0;
	pi.on("session_start", () => {
		tools = 0;
	});
	pi.on("tool_result", (_event, ctx) => {
		tools += 1;
		if (tools === 2) ctx.ui.notify(`${tools} tools so far`, "warning");
	});
	pi.on("agent_end", () => pi.appendEntry("tool-count", { tools }));
}
