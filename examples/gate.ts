import type { HookAPI } from "@f5-sales-demo/xcsh";

const DANGEROUS = /\brm\s+-[a-z]*[rf]|\bmkfs\b/;

export default function (pi: HookAPI) {
	pi.on("tool_call", async (event, ctx) => {
		if (event.toolName !== "bash" || !DANGEROUS.test(String(event.input.command))) return;
		if (await ctx.ui.confirm("Dangerous command", String(event.input.command))) return;
		return { block: true, reason: ctx.hasUI ? "refused by the user" : "dangerous command, and nobody here to ask" };
	});
}
