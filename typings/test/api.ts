// `pi`, `ctx` and `ctx.ui`.
import type { HookAPI, HookCommandContext, HookContext, SessionEntry, SessionManager, Theme } from "@f5-sales-demo/xcsh/hooks";
import { BorderedLoader, DynamicBorder, convertToLlm, getMarkdownTheme, serializeConversation } from "@f5-sales-demo/xcsh";
import { Box, Container, Key, Markdown, SelectList, Spacer, Text, matchesKey, truncateToWidth } from "@f5-sales-demo/pi-tui";

export default async function (pi: HookAPI): Promise<void> {
	pi.sendMessage({ customType: "a", content: "b", display: true });
	pi.sendMessage({ customType: "a", content: [{ type: "text", text: "b" }], display: false, details: 1 }, { triggerTurn: true, deliverAs: "steer" });
	pi.sendMessage({ customType: "a", content: "b", display: true }, true);
	// @ts-expect-error no such way to deliver
	pi.sendMessage({ customType: "a", content: "b", display: true }, { deliverAs: "now" });
	pi.appendEntry("state", { a: 1 });
	pi.logger.warn("slow", { ms: 3 });
	const result = await pi.exec("git", ["status"], { timeout: 1000, cwd: "/" });
	const code: number = result.killed ? 137 : result.code;
	// @ts-expect-error the arguments are a list
	pi.exec("git", "status");
	const Type = pi.typebox.Type;
	Type.Object({ a: Type.Optional(Type.String()) }).properties.a.type;
	pi.pi.convertToLlm([]);

	pi.registerMessageRenderer<{ count: number }>("note", (message, { expanded }, theme) => {
		if (!expanded) return undefined;
		return new Text(theme.fg("accent", String(message.details?.count ?? code)));
	});
	// @ts-expect-error a renderer gives a component
	pi.registerMessageRenderer("note", () => "text");

	pi.registerCommand("go", {
		description: "d",
		handler: async (args: string, ctx: HookCommandContext) => {
			await ctx.waitForIdle();
			const { cancelled } = await ctx.newSession({
				parentSession: ctx.sessionManager.getSessionFile(),
				setup: async (manager: SessionManager) => {
					const id: string = manager.appendMessage({ role: "user", content: args, timestamp: Date.now() });
					manager.appendLabelChange(id, "start");
					manager.appendCustomMessageEntry("note", "text", true);
				},
			});
			if (!cancelled) await ctx.navigateTree("e1", { summarize: true });
			await ctx.branch("e1");
		},
	});

	pi.on("session_start", async (_event, ctx) => {
		await dialogs(ctx);
		// @ts-expect-error session controls are for commands
		ctx.newSession();
		// @ts-expect-error the manager of a context is read-only
		ctx.sessionManager.appendMessage;
	});
}

async function dialogs(ctx: HookContext): Promise<void> {
	const choice = await ctx.ui.select("title", ["a", "b"], { timeout: 10 });
	if (choice !== undefined) choice.length;
	// @ts-expect-error may be undefined
	(await ctx.ui.input("t", "p")).length;
	const sure: boolean = await ctx.ui.confirm("t", "m", { signal: AbortSignal.timeout(10) });
	const text = await ctx.ui.editor("t", "prefill");
	ctx.ui.notify(`${sure} ${text}`, "warning");
	// @ts-expect-error no such level
	ctx.ui.notify("x", "fatal");
	ctx.ui.setStatus("k", ctx.ui.theme.fg("success", ctx.ui.theme.status.success));
	ctx.ui.setStatus("k", undefined);
	ctx.ui.setEditorText(ctx.ui.getEditorText());
	const picked = await ctx.ui.custom<string | null>((tui, theme, done) => {
		const list = new SelectList([{ value: "a", label: "A" }], 5);
		list.onSelect = (item) => done(item.value);
		const box = new Container();
		box.addChild(new DynamicBorder((line) => theme.fg("border", line)));
		box.addChild(list);
		box.addChild(new Spacer(1));
		return {
			render: (width: number) => box.render(width).map((line) => truncateToWidth(line, width)),
			handleInput(data: string) {
				if (matchesKey(data, Key.escape) || matchesKey(data, Key.ctrl("c"))) done(null);
				list.handleInput(data);
				tui.requestRender();
			},
			invalidate() {},
		};
	});
	picked?.length;
	const loader = await ctx.ui.custom<string>((tui, theme, done) => {
		const shown = new BorderedLoader(tui, theme, "Working");
		shown.onAbort = () => done("");
		return shown;
	});
	loader.length;

	const entries: SessionEntry[] = ctx.sessionManager.getEntries();
	for (const entry of entries) if (entry.type === "custom") entry.customType.length;
	const leaf: string | null = ctx.sessionManager.getLeafId();
	ctx.sessionManager.getBranch(leaf ?? undefined).length;
	const messages = entries.flatMap((entry) => (entry.type === "message" ? [entry.message] : []));
	serializeConversation(convertToLlm(messages)).length;
	const key: string | undefined = ctx.model && (await ctx.modelRegistry.getApiKey(ctx.model));
	key?.length;
	const idle: boolean = ctx.isIdle() && !ctx.hasQueuedMessages();
	if (!idle) ctx.abort();
	new Box(1, 1).addChild(new Markdown("# a", 0, 0, getMarkdownTheme()));
	const theme: Theme = ctx.ui.theme;
	// @ts-expect-error no such colour
	theme.fg("pink", "x");
}
