export default function (pi) {
	pi.on("tool_call", (event) => {
		if (event.input.throw === "error") throw new TypeError("policy bug");
		if (event.input.throw === "string") throw "boom";
		if (event.input.throw === "nothing") throw undefined;
		if (event.input.hang) return new Promise((done) => setTimeout(done, 20_000));
		if (event.input.die) process.kill(process.pid, "SIGKILL");
	});
	pi.on("turn_start", () => {
		throw new Error("turn bug");
	});
	pi.on("agent_end", () => {
		console.log("a stray print");
		process.stdout.write?.call(process.stderr, "another\n");
	});
}
