import type { HookAPI } from "@f5-sales-demo/xcsh";

const SECRET = /\b(sk|ghp|xoxb)[-_][A-Za-z0-9-]{8,}/g;

/** Keeps secrets out of the conversation: the model sees the text this hook returns. */
export default function (pi: HookAPI) {
	pi.on("tool_result", (event) => {
		let found = 0;
		const content = event.content.map((part) =>
			part.type === "text" ? { ...part, text: part.text.replace(SECRET, () => `[secret ${++found}]`) } : part,
		);
		if (found > 0) return { content };
	});
}
