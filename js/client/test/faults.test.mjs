// What goes wrong between host and engine: death, garbage, versions, a missing binary, a host that ends.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { after, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { configureEngine, findBinary, HookrtError, loadHooks, shutdownEngine } from "../dist/index.js";
import { Agent } from "./agent.mjs";
import { engine, fakeEngine, hook, log, until, useEngine } from "./setup.mjs";

beforeEach(async () => {
	await shutdownEngine();
	useEngine();
	log.length = 0;
});
after(() => shutdownEngine());

const call = (agent, input) => agent.runner.emitToolCall({ type: "tool_call", toolName: "bash", toolCallId: "t", input });

/** Pids of running engines that this process started. */
async function engines() {
	const { readdirSync, readFileSync } = await import("node:fs");
	return readdirSync("/proc").filter((pid) => {
		try {
			return /^\d+$/.test(pid) && Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ")[1]) === process.pid
				&& readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("\0serve");
		} catch {
			return false;
		}
	}).map(Number);
}

test("kill -9 during an emit: the tool is refused, the hooks come back with the next use, the next load works", async () => {
	const agent = new Agent(await loadHooks([hook("throws"), hook("guard")], "/project"));
	const tool = agent.tool("bash", async () => ({ content: [{ type: "text", text: "ran" }] }));
	const refused = assert.rejects(tool.execute("t", { hang: true }), (error) => error instanceof HookrtError && /SIGKILL/.test(error.message));
	const [pid] = await until(async () => (await engines()).length && engines(), "the engine's pid");
	await new Promise((done) => setTimeout(done, 100));
	process.kill(pid, "SIGKILL");
	await refused;
	const again = await tool.execute("t", {});
	assert.equal(again.content[0].text, "ran");
	agent.person.answers = [false];
	await assert.rejects(tool.execute("t", { command: "rm -rf x" }), { message: "user denied command" });
	const fresh = await loadHooks([hook("guard")], "/project");
	assert.equal(fresh.hooks.length, 1);
	assert.notDeepEqual(await engines(), [pid]);
});

test("an engine that dies again and again is given up: closed, until reload", async () => {
	useEngine(fakeEngine, { FAKE_FAULT: "die-in-emit" });
	const agent = new Agent(await loadHooks([hook("guard"), hook("redact"), hook("context")], "/project"));
	const tool = agent.tool("bash", async () => assert.fail("the tool ran"));
	for (let i = 0; i < 4; i++) await assert.rejects(tool.execute("t", { command: "ls" }), /SIGKILL/);
	await assert.rejects(tool.execute("t", { command: "ls" }), /is not started again/);
	// Events that cannot block report and go on.
	const messages = [{ role: "user", content: "x", timestamp: 1 }];
	assert.equal(await agent.runner.emitContext(messages), messages);
	assert.match(agent.errors.at(-1).error, /is not started again/);
	useEngine(fakeEngine);
	assert.deepEqual((await agent.runner.reload()).errors, []);
	assert.equal(await call(agent, { command: "ls" }), undefined);
});

test("a hook that does not load again after a death leaves the gate shut", async () => {
	const { mkdtempSync, rmSync, writeFileSync } = await import("node:fs");
	const folder = mkdtempSync("/tmp/hookrt-gate-");
	writeFileSync(`${folder}/gate.mjs`, `export default (pi) => pi.on("tool_call", () => ({ block: true, reason: "gate" }));`);
	const agent = new Agent(await loadHooks([`${folder}/gate.mjs`], "/project"));
	assert.equal((await call(agent, {})).reason, "gate");
	rmSync(folder, { recursive: true });
	for (const pid of await engines()) process.kill(pid, "SIGKILL");
	await until(async () => (await engines()).length === 0, "the engine to be gone");
	await new Promise((done) => setTimeout(done, 150));
	await assert.rejects(call(agent, {}), /hooks that did not load again: .*gate\.mjs/);
	await assert.rejects(call(agent, {}), /did not load again/);
});

test("while hooks load again after a death, nothing passes their gate", async () => {
	const slow = async (pi) => {
		await new Promise((done) => setTimeout(done, 150));
		pi.on("tool_call", () => ({ block: true, reason: "slow gate" }));
	};
	const agent = new Agent(await loadHooks([slow], "/project"));
	for (const pid of await engines()) process.kill(pid, "SIGKILL");
	await until(async () => (await engines()).length === 0, "the engine to be gone");
	await new Promise((done) => setTimeout(done, 150));
	const first = call(agent, {});
	await new Promise((done) => setTimeout(done, 100));
	const answers = await Promise.all([first, call(agent, {})]);
	assert.deepEqual(answers.map((answer) => answer.reason), ["slow gate", "slow gate"]);
});

test("a disposed runner refuses", async () => {
	const agent = new Agent(await loadHooks([hook("guard")], "/project"));
	await agent.runner.dispose();
	await assert.rejects(call(agent, {}), /disposed/);
});

test("dialogs that were open when the engine died are closed", async () => {
	const agent = new Agent(await loadHooks([hook("guard")], "/project"));
	const refused = assert.rejects(call(agent, { command: "rm -rf x" }), /SIGKILL/);
	refused.catch(() => {});
	const asked = agent.runner.emitToolCall({ type: "tool_call", toolName: "bash", toolCallId: "t", input: { command: "rm -rf x" } });
	asked.catch(() => {});
	await until(() => agent.person.log.length === 2, "both dialogs");
	for (const pid of await engines()) process.kill(pid, "SIGKILL");
	await refused;
	await assert.rejects(asked);
	assert.equal(agent.person.log.filter(([kind]) => kind === "closed").length, 2);
});

test("garbage, unknown answers and unknown notifications disturb nothing", async () => {
	useEngine(fakeEngine, { FAKE_FAULT: "garbage" });
	const agent = new Agent(await loadHooks([hook("guard")], "/project"));
	assert.equal(await call(agent, { command: "ls" }), undefined);
	assert.ok(log.some(([line]) => /not JSON/.test(line)));
	assert.ok(log.some(([line]) => /answer to nothing/.test(line)));
});

test("an engine of another version is a clear error", async () => {
	useEngine(fakeEngine, { FAKE_FAULT: "version" });
	await assert.rejects(loadHooks([], "/project"), (error) => {
		assert.equal(error.code, -32002);
		assert.match(error.message, /host speaks 1, engine speaks 9/);
		assert.equal(error.hint, "update");
		return true;
	});
});

test("an engine that does not start, and one that is not there, are clear errors", async () => {
	useEngine(fakeEngine, { FAKE_FAULT: "no-start" });
	await assert.rejects(loadHooks([], "/project"), /the engine ended with code 3/);
	configureEngine({ binary: "/nowhere/hookrt" });
	await assert.rejects(loadHooks([], "/project"), /could not be started|ENOENT/);
	assert.throws(() => findBinary({ HOOKRT_BIN: "/nowhere" }), /HOOKRT_BIN names no program: \/nowhere/);
	assert.throws(() => findBinary({ PATH: "/nowhere" }), (error) => /HOOKRT_BIN/.test(error.hint));
	assert.equal(findBinary({ HOOKRT_BIN: fakeEngine }), fakeEngine);
});

test("a child that holds the dead engine's pipe does not hide its death", async () => {
	useEngine(fakeEngine, { FAKE_FAULT: "orphan" });
	const agent = new Agent(await loadHooks([hook("throws")], "/project"));
	const started = Date.now();
	await assert.rejects(call(agent, { die: true }), /SIGKILL/);
	assert.ok(Date.now() - started < 3000);
});

test("a message over the limit fails closed and disturbs nothing", async () => {
	const agent = new Agent(await loadHooks([hook("guard")], "/project"));
	await assert.rejects(call(agent, { command: "x".repeat(64 * 1024 * 1024) }), (error) => error.code === -32005);
	assert.equal(await call(agent, { command: "ls" }), undefined);
});

test("stray prints of hooks are not on the protocol's stream", async () => {
	const agent = new Agent(await loadHooks([hook("throws")], "/project"));
	await agent.runner.emit({ type: "agent_end", messages: [] });
	assert.equal(await call(agent, {}), undefined);
	await until(() => log.some((line) => JSON.stringify(line).includes("a stray print")), "the print in the log");
	assert.ok(!log.some(([line]) => /not JSON/.test(line)));
});

test("a host with nothing open ends by itself, and its engine with it", async () => {
	const script = fileURLToPath(new URL("./quiet-host.mjs", import.meta.url));
	const host = spawn(process.execPath, [script, engine], { stdio: ["ignore", "pipe", "inherit"] });
	let out = "";
	host.stdout.on("data", (chunk) => (out += chunk));
	const started = Date.now();
	const [code] = await once(host, "close");
	assert.equal(code, 0);
	assert.match(out, /loaded 1/);
	assert.ok(Date.now() - started < 8000);
	const pid = Number(/engine (\d+)/.exec(out)[1]);
	await until(() => {
		try {
			process.kill(pid, 0);
			return false;
		} catch {
			return true;
		}
	}, "the engine to follow its host");
});
