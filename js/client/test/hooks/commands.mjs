// Slash commands: session controls, dialogs, a custom component.
export default function (pi) {
	pi.registerCommand("handoff", {
		description: "Start over with a summary",
		handler: async (args, ctx) => {
			await ctx.waitForIdle();
			const before = ctx.isIdle();
			const { cancelled } = await ctx.newSession({
				parentSession: "/parent.jsonl",
				setup: async (manager) => {
					const id = manager.appendMessage({ role: "user", content: `summary: ${args}`, timestamp: 1 });
					manager.appendLabelChange(id, "start");
				},
			});
			pi.appendEntry("handoff", { cancelled, before });
		},
	});
	pi.on("session_before_switch", () => (globalThis.refuseSwitch ? { cancel: true } : undefined));
	pi.on("session_switch", (event, ctx) => ctx.ui.notify(`switched: ${event.reason}`, "info"));
	pi.registerCommand("refuse", { handler: async () => void (globalThis.refuseSwitch = true) });

	pi.registerCommand("dialogs", {
		handler: async (_args, ctx) => {
			const answers = [
				await ctx.ui.select("Pick", ["a", "b"]),
				await ctx.ui.input("Name", "nobody"),
				await ctx.ui.editor("Text", "before"),
				await ctx.ui.confirm("Sure", "really"),
				await ctx.ui.select("Cancelled", ["a"]),
			];
			ctx.ui.setStatus("dialogs", `${answers.length} answered`);
			ctx.ui.setEditorText("typed for you");
			pi.appendEntry("answers", answers.map((answer) => (answer === undefined ? "undefined" : answer)));
		},
	});

	pi.registerCommand("hurry", {
		handler: async (_args, ctx) => {
			const controller = new AbortController();
			setTimeout(() => controller.abort(), 150);
			const byTimeout = await ctx.ui.select("Slow", ["a"], { timeout: 30 });
			const bySignal = await ctx.ui.input("Slower", "x", { signal: controller.signal });
			pi.appendEntry("hurried", [byTimeout === undefined, bySignal === undefined]);
		},
	});

	pi.registerCommand("counter", {
		handler: async (_args, ctx) => {
			const value = await ctx.ui.custom((tui, theme, done) => {
				let count = 0;
				return {
					render: (width) => [theme.fg("accent", `count ${count}`), "-".repeat(width)],
					handleInput(data) {
						if (data === "+") count++;
						if (data === "q") done({ count });
						tui.requestRender();
					},
					invalidate() {},
				};
			});
			pi.appendEntry("counted", value ?? "closed");
		},
	});

	pi.registerCommand("fail", {
		handler: async () => {
			throw new Error("command failed");
		},
	});
	pi.registerMessageRenderer("note", (message, { expanded }) =>
		message.details?.plain ? undefined : { render: (width) => [`${expanded ? "v" : ">"} ${message.content}`.slice(0, width)], invalidate() {} },
	);
}
