export default function (pi) {
	pi.on("tool_result", (event) => {
		if (event.isError) {
			pi.sendMessage({ customType: "failed", content: event.content[0].text, display: true });
			return { content: [{ type: "text", text: "never seen" }] };
		}
		return {
			content: event.content.map((part) =>
				part.type === "text" ? { ...part, text: part.text.replaceAll(/API_KEY=\S+/g, "API_KEY=[REDACTED]") } : part,
			),
		};
	});
}
