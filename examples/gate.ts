import type { HookAPI } from "@oh-my-pi/pi-coding-agent/hooks";

const DANGEROUS = /\brm\s+-[a-z]*[rf]|\bmkfs\b|>\s*\/dev\/sd/;

export default function (pi: HookAPI) {
	pi.on("tool_call", async (event, ctx) => {
		if (event.toolName !== "bash" || !DANGEROUS.test(String(event.input.command))) return;
		if (!ctx.hasUI) return { block: true, reason: "dangerous command, and nobody here to ask" };
		if (!(await ctx.ui.confirm("Dangerous command", String(event.input.command)))) return { block: true, reason: "refused by the user" };
	});
}
