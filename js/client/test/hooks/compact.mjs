export default function (pi) {
	pi.on("session_before_compact", async (event) => {
		const kinds = [event.signal instanceof AbortSignal, event.preparation.fileOps.read instanceof Set];
		const aborted = await new Promise((done) => {
			if (event.signal.aborted) return done(true);
			event.signal.addEventListener("abort", () => done(true));
			setTimeout(() => done(false), 2000);
		});
		return { cancel: aborted, compaction: { summary: JSON.stringify(kinds), firstKeptEntryId: "e1", tokensBefore: 1 } };
	});
	pi.on("session.compacting", () => ({ context: ["remember"], preserveData: { a: 1 } }));
}
