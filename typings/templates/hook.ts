import type { HookAPI } from "@f5-sales-demo/xcsh/hooks";

/** Asks before a command that deletes recursively; refuses it where nobody can be asked. */
export default function (pi: HookAPI): void {
	pi.on("tool_call", async (event, ctx) => {
		if (event.toolName !== "bash") return;
		const command = String(event.input.command ?? "");
		if (!/\brm\s+(-\w*r|--recursive)/.test(command)) return;

		if (!ctx.hasUI) return { block: true, reason: "recursive delete refused: nobody to ask" };
		const allowed = await ctx.ui.confirm("Recursive delete", `Allow: ${command}`);
		if (!allowed) return { block: true, reason: "the user refused the command" };
	});
}
