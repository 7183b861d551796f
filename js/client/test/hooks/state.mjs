// Reads of state: mirrored and asked.
export default function (pi) {
	pi.on("turn_end", async (event, ctx) => {
		await ctx.sessionManager.load?.(); // the test's stand-in engine cannot block
		const usage = await ctx.sessionManager.getUsageStatistics();
		const blob = await ctx.sessionManager.putBlob(new Uint8Array([1, 2, 3]));
		const key = ctx.model && (await ctx.modelRegistry.getApiKey(ctx.model));
		const models = await ctx.modelRegistry.getAll();
		pi.appendEntry("seen", {
			turn: event.turnIndex,
			entries: ctx.sessionManager.getEntries().map((entry) => entry.id),
			leaf: ctx.sessionManager.getLeafId(),
			file: ctx.sessionManager.getSessionFile(),
			model: ctx.model?.id,
			idle: ctx.isIdle(),
			queued: ctx.hasQueuedMessages(),
			usage,
			blob,
			key,
			models: models.length,
		});
	});
}
