export default function (pi) {
	pi.on("tool_call", (event) => {
		event.input.command = "echo SAFE";
		delete event.input.cwd;
		event.input.extra = { deep: [1] };
	});
}
