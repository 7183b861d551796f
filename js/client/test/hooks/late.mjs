// Registers while an event runs: the handler still runs in it.
export default function (pi) {
	let added = false;
	pi.on("turn_start", () => {
		if (added) return;
		added = true;
		pi.on("turn_start", () => pi.appendEntry("late", "ran"));
		pi.on("agent_start", () => {});
	});
}
