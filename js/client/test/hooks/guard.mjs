// A gate that asks: refuses without a person.
export default function (pi) {
	pi.on("tool_call", async (event, ctx) => {
		const command = String(event.input.command ?? "");
		if (event.toolName !== "bash" || !command.includes("rm -rf")) return;
		if (!ctx.hasUI) return { block: true, reason: "rm -rf blocked (no UI)" };
		const allowed = await ctx.ui.confirm("Dangerous command", `Allow: ${command}`);
		if (!allowed) return { block: true, reason: "user denied command" };
	});
}
