// Chained: each handler gets what the one before gave.
export default function (pi) {
	pi.on("context", (event) => ({ messages: [...event.messages, { role: "user", content: `one after ${event.messages.length}`, timestamp: 1 }] }));
	pi.on("context", (event) => {
		event.messages.push({ role: "user", content: `two after ${event.messages.length}`, timestamp: 2 });
		throw new Error("after an edit in place");
	});
	pi.on("before_agent_start", (event) => {
		if (event.prompt === "quiet") return;
		return { message: { customType: "note", content: `about ${event.prompt}`, display: true, details: { n: 1 } } };
	});
}
