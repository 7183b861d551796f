// A host that loads a hook, emits once and has nothing more to do.
import { readdirSync, readFileSync } from "node:fs";
import { configureEngine, loadHooks } from "../dist/index.js";
import { Agent } from "./agent.mjs";
import { hook } from "./setup.mjs";

configureEngine({ binary: process.argv[2], logger: undefined });
const loaded = await loadHooks([hook("guard")], "/project");
const agent = new Agent(loaded);
await agent.runner.emitToolCall({ type: "tool_call", toolName: "bash", toolCallId: "t", input: { command: "ls" } });
const own = readdirSync("/proc").find((pid) => {
	try {
		return /^\d+$/.test(pid) && Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ")[1]) === process.pid
			&& readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("\0serve");
	} catch {
		return false;
	}
});
console.log(`engine ${own}`);
console.log(`loaded ${loaded.hooks.length}`);
