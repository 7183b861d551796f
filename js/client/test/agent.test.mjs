// The mini agent over the engine: what an agent needs of its hooks.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { discoverAndLoadHooks, execCommand, HookRunner, HookToolWrapper, loadHooks, shutdownEngine } from "../dist/index.js";
import { Agent, models, Session, text } from "./agent.mjs";
import { engine, hook, isFake, until, useEngine } from "./setup.mjs";

before(() => {
	console.error(`engine: ${engine}`);
	useEngine();
});
after(() => shutdownEngine());

async function agentWith(names, options, loadOptions) {
	const loaded = await loadHooks(names.map((name) => (typeof name === "string" ? hook(name) : name)), "/project", loadOptions);
	assert.deepEqual(loaded.errors, []);
	return new Agent(loaded, options);
}

test("load result: hooks in order, errors beside them", async () => {
	const result = await loadHooks([hook("guard"), hook("bad"), hook("missing"), hook("commands")], "/project");
	assert.deepEqual(result.hooks.map((loaded) => loaded.path), [hook("guard"), hook("commands")]);
	assert.deepEqual(result.errors.map((error) => error.path), [hook("bad"), hook("missing")]);
	assert.equal(result.errors[0].error, "Hook must export a default function");
	assert.match(result.errors[1].error, /^Failed to load hook: /);
	const runner = new HookRunner(result.hooks, "/project", new Session(), models);
	assert.equal(runner.hasHandlers("tool_call"), true);
	assert.equal(runner.hasHandlers("tool_result"), false);
	assert.equal(runner.getHasUI(), false);
	assert.deepEqual(runner.getHookPaths(), [hook("guard"), hook("commands")]);
	assert.equal(runner.getCommand("handoff").description, "Start over with a summary");
	assert.equal(runner.getCommand("nope"), undefined);
	assert.deepEqual(runner.getRegisteredCommands().map((command) => command.name).slice(0, 2), ["handoff", "refuse"]);
	assert.equal(await runner.getUIContext().confirm("a", "b"), false);
	assert.throws(() => new HookRunner([result.hooks[1]], "/project", new Session(), models), /all of them and in their order/);
	await runner.dispose();
});

test("a dialog decides whether a tool runs", async () => {
	const agent = await agentWith(["guard"]);
	const ran = [];
	agent.tool("bash", async (_id, { command }) => (ran.push(command), { content: [{ type: "text", text: "done" }] }));
	agent.person.answers = [false, true];
	const [denied, allowed, harmless] = await agent.prompt("go", [
		["bash", { command: "rm -rf a" }],
		["bash", { command: "rm -rf b" }],
		["bash", { command: "ls" }],
	]);
	assert.equal(denied.error.message, "user denied command");
	assert.equal(text(allowed), "done");
	assert.equal(text(harmless), "done");
	assert.deepEqual(ran, ["rm -rf b", "ls"]);
	assert.deepEqual(agent.person.log, [["confirm", "Dangerous command"], ["confirm", "Dangerous command"]]);
});

test("without a user interface the gate stays shut", async () => {
	const agent = await agentWith(["guard"], { hasUI: false });
	agent.tool("bash", async () => assert.fail("the tool ran"));
	const [denied] = await agent.prompt("go", [["bash", { command: "rm -rf a" }]]);
	assert.equal(denied.error.message, "rm -rf blocked (no UI)");
});

test("results are redacted, failures observed and rethrown", async () => {
	const agent = await agentWith(["redact"]);
	const failure = new Error("disk full");
	agent.tool("read", async (_id, { fail }) => {
		if (fail) throw failure;
		return { content: [{ type: "text", text: "API_KEY=123 x" }], details: { lines: 1 } };
	});
	const [good, bad] = await agent.prompt("go", [["read", {}], ["read", { fail: true }]]);
	assert.equal(text(good), "API_KEY=[REDACTED] x");
	assert.deepEqual(good.details, { lines: 1 });
	assert.equal(bad.error, failure);
	assert.deepEqual(agent.sent[0][0], { customType: "failed", content: "disk full", display: true });
});

test("context is chained, edits before a throw count, a message is injected", async () => {
	const agent = await agentWith(["context"]);
	agent.tool("noop", async () => ({ content: [] }));
	await agent.prompt("cats", [["noop", {}]]);
	assert.deepEqual(agent.context.map((message) => message.content), ["cats", "one after 1", "two after 2"]);
	assert.equal(agent.session.entries.find((entry) => entry.type === "custom_message").content, "about cats");
	assert.deepEqual(agent.errors.map(({ hookPath, event, error }) => [hookPath, event, error]), [
		[hook("context"), "context", "after an edit in place"],
	]);
	assert.equal(await agent.runner.emitBeforeAgentStart("quiet"), undefined);
	const untouched = await agentWith(["guard"]);
	const messages = [{ role: "user", content: "same", timestamp: 1 }];
	assert.equal(await untouched.runner.emitContext(messages), messages);
});

test("a command starts a session while its handler waits, and the emits of that reach hooks", async () => {
	const agent = await agentWith(["commands"]);
	await agent.command("handoff", "  raw  args ");
	await until(() => agent.session.last("handoff"), "the hook's entry");
	assert.deepEqual(agent.session.last("handoff"), { cancelled: false, before: true });
	assert.equal(agent.session.id, "s2");
	assert.equal(agent.session.entries[0].message.content, "summary:   raw  args ");
	// The label names the real entry, not the id the hook's manager made up.
	assert.equal(agent.session.entries[1].targetId, agent.session.entries[0].id);
	assert.deepEqual(agent.person.log, [["notify", "switched: new", "info"]]);
	await agent.command("refuse");
	await agent.command("handoff");
	await until(() => agent.session.last("handoff").cancelled, "the refused switch");
});

test("dialogs answer, cancelled ones give undefined", async () => {
	const agent = await agentWith(["commands"]);
	agent.person.answers = ["b", "Ada", "after", true, undefined];
	await agent.command("dialogs");
	await until(() => agent.session.last("answers"), "the answers");
	assert.deepEqual(agent.session.last("answers"), ["b", "Ada", "after", true, "undefined"]);
	assert.deepEqual(agent.person.log.slice(5), [["status", "dialogs", "5 answered"], ["editor text", "typed for you"]]);
	assert.equal(await agent.runner.renderStatusLine(80), "5 answered");
	await assert.rejects(agent.command("fail"), { message: "command failed" });
});

test("a dialog that timed out or was aborted is closed at the host", async () => {
	const agent = await agentWith(["commands"]);
	await agent.command("hurry");
	await until(() => agent.session.last("hurried"), "the hurried answers");
	assert.deepEqual(agent.session.last("hurried"), [true, true]);
	await until(() => agent.person.log.filter(([kind]) => kind === "closed").length === 2, "both dialogs to close");
});

test("a custom component is drawn, takes keys and gives its value to the hook", async () => {
	const agent = await agentWith(["commands"]);
	const done = agent.command("counter");
	await until(() => agent.person.screen?.[0]?.includes("count 0"), "the first frame");
	assert.equal(agent.person.screen[1], "-".repeat(20));
	agent.person.component.handleInput("+");
	agent.person.component.handleInput("+");
	await until(() => agent.person.screen[0].includes("count 2"), "the second frame");
	agent.person.component.handleInput("q");
	await done;
	await until(() => agent.person.component === undefined, "the component's end");
	await until(() => agent.session.last("counted"), "the hook's value");
	assert.deepEqual(agent.session.last("counted"), { count: 2 });
});

test("messages are drawn by their hook", async () => {
	const agent = await agentWith(["commands"]);
	const message = { role: "custom", customType: "note", content: "hello", display: true, timestamp: 1 };
	assert.deepEqual(await agent.runner.renderMessage(message, { expanded: true }, 40), ["v hello"]);
	assert.equal(await agent.runner.renderMessage({ ...message, details: { plain: true } }, { expanded: true }, 40), undefined);
	assert.equal(await agent.runner.renderMessage({ ...message, customType: "other" }, { expanded: true }, 40), undefined);
	// The reference's synchronous way: text first, the hook's lines as soon as they are there.
	const component = agent.runner.getMessageRenderer("note")(message, { expanded: false }, agent.person.ui.theme);
	assert.deepEqual(component.render(40), ["hello"]);
	await until(() => component.render(40)[0] === "> hello", "the hook's lines");
});

test("the host's abort reaches event.signal", async () => {
	const agent = await agentWith(["compact"]);
	const controller = new AbortController();
	const preparation = { firstKeptEntryId: "e1", fileOps: { read: new Set(["a"]), written: new Set(), edited: new Set() } };
	const result = agent.runner.emit({ type: "session_before_compact", preparation, branchEntries: [], signal: controller.signal });
	setTimeout(() => controller.abort(), 20);
	const { cancel, compaction } = await result;
	assert.equal(cancel, true);
	assert.equal(compaction.summary, "[true,true]");
	assert.deepEqual(await agent.runner.emit({ type: "session.compacting", sessionId: "s", messages: [] }), {
		context: ["remember"],
		preserveData: { a: 1 },
	});
});

test("what a handler throws blocks the tool with its text", async () => {
	const agent = await agentWith(["throws"]);
	agent.tool("bash", async () => assert.fail("the tool ran"));
	const [error, string, nothing] = await agent.prompt("go", [
		["bash", { throw: "error" }],
		["bash", { throw: "string" }],
		["bash", { throw: "nothing" }],
	]);
	assert.equal(error.error.message, "policy bug");
	assert.equal(string.error.message, "Hook failed, blocking execution: boom");
	assert.equal(nothing.error.message, "Hook failed, blocking execution: undefined");
	const reported = agent.errors.filter((entry) => entry.event === "tool_call").map((entry) => entry.error);
	assert.deepEqual(reported, ["policy bug", "boom", "undefined"]);
	assert.equal(agent.errors.filter((entry) => entry.event === "turn_start").length, 3);
});

test("an aborted tool call does not wait for its hooks", async () => {
	const agent = await agentWith(["throws"]);
	const tool = agent.tool("bash", async () => assert.fail("the tool ran"));
	const started = Date.now();
	await assert.rejects(tool.execute("t", { hang: true }, AbortSignal.timeout(50)));
	assert.ok(Date.now() - started < 5000);
});

test("edits of a tool's input reach it only when the host wants that", async () => {
	for (const inputMutation of ["ignore", "apply"]) {
		const agent = await agentWith(["edits"], {}, { inputMutation });
		let seen;
		agent.tool("bash", async (_id, input) => ((seen = { ...input }), { content: [] }));
		await agent.prompt("go", [["bash", { command: "rm x", cwd: "/" }]]);
		const edited = { command: "echo SAFE", extra: { deep: [1] } };
		assert.deepEqual(seen, inputMutation === "apply" ? edited : { command: "rm x", cwd: "/" });
	}
});

test("state: entries are mirrored and kept fresh, the rest is asked for", async () => {
	const agent = await agentWith(["state"]);
	agent.tool("noop", async () => ({ content: [] }));
	await agent.prompt("go", [["noop", {}], ["noop", {}]]);
	const [first, second] = agent.session.entries.filter((entry) => entry.customType === "seen").map((entry) => entry.data);
	assert.deepEqual(first.entries, ["s1-e1"]);
	assert.deepEqual(second.entries, ["s1-e1", "s1-e2"]);
	assert.equal(second.leaf, "s1-e2");
	assert.equal(second.file, "/sessions/s1.jsonl");
	assert.deepEqual([second.model, second.idle, second.queued, second.key, second.models], ["m-1", false, false, "secret", 1]);
	assert.equal(second.usage.cost, 0.5);
	assert.equal(second.blob.hash, "1-2-3");
	// Another session replaces the mirror.
	agent.session.start("s9");
	agent.session.appendMessage({ role: "user", content: "new", timestamp: 1 });
	await agent.runner.emit({ type: "turn_end", turnIndex: 7, message: {}, toolResults: [] });
	assert.deepEqual(agent.session.last("seen").entries, ["s9-e1"]);
	assert.equal(agent.session.last("seen").file, "/sessions/s9.jsonl");
});

test("a handler registered during an event runs in it, and the host knows of it", async () => {
	const agent = await agentWith(["late"]);
	assert.equal(agent.runner.hasHandlers("agent_start"), false);
	await agent.runner.emit({ type: "turn_start", turnIndex: 0, timestamp: 1 });
	assert.equal(agent.session.last("late"), "ran");
	assert.equal(agent.runner.hasHandlers("agent_start"), true);
	await agent.runner.emit({ type: "turn_start", turnIndex: 1, timestamp: 1 });
	assert.equal(agent.session.entries.filter((entry) => entry.customType === "late").length, 2);
});

test("factories of the host run in their place in the order", async () => {
	const order = [];
	const first = (pi) => {
		pi.on("tool_call", (event) => {
			order.push("first");
			event.input.via = ["host"];
			return Object.create({ get block() { return event.input.stop === "host" ? 1 : 0; } });
		});
		pi.on("context", (event) => ({ messages: [...event.messages, { role: "user", content: "host", timestamp: 1 }] }));
		pi.on("session_before_compact", (event) => ({ cancel: event.signal.aborted, compaction: { summary: String(event.preparation.fileOps.read.size) } }));
		pi.registerCommand("mine", { description: "host's", handler: async (args, ctx) => order.push(args, ctx.cwd) });
		pi.registerMessageRenderer("local", () => ({ render: () => ["drawn here"], invalidate() {} }));
	};
	const last = async (pi) => {
		await new Promise((done) => setTimeout(done, 10));
		pi.on("tool_call", (event) => {
			order.push("last");
			if (event.input.throw) throw "from the host";
			return { reason: JSON.stringify(event.input) };
		});
		pi.on("turn_start", () => {
			pi.on("turn_start", () => order.push("late in the host"));
			pi.appendEntry("from host", 1);
		});
	};
	const agent = await agentWith([first, "edits", { path: "last.ts", factory: last }], {}, { inputMutation: "apply" });
	assert.deepEqual(agent.runner.getHookPaths(), ["<inline:0>", hook("edits"), "last.ts"]);
	const event = { type: "tool_call", toolName: "bash", toolCallId: "t", input: { command: "x" } };
	const result = await agent.runner.emitToolCall(event);
	assert.deepEqual(order, ["first", "last"]);
	assert.deepEqual(JSON.parse(result.reason), { via: ["host"], command: "echo SAFE", extra: { deep: [1] } });
	assert.deepEqual(event.input.via, ["host"]);
	order.length = 0;
	const blocked = await agent.runner.emitToolCall({ ...event, input: { stop: "host" } });
	assert.equal(blocked.block, true);
	assert.deepEqual(order, ["first"]);
	await assert.rejects(agent.runner.emitToolCall({ ...event, input: { throw: 1 } }), (thrown) => thrown === "from the host");
	assert.equal(agent.errors.at(-1).hookPath, "last.ts");
	assert.deepEqual((await agent.runner.emitContext([])).map((message) => message.content), ["host"]);
	const preparation = { fileOps: { read: new Set(["a", "b"]), written: new Set(), edited: new Set() } };
	const compacted = await agent.runner.emit({ type: "session_before_compact", preparation, branchEntries: [], signal: AbortSignal.abort() });
	assert.deepEqual([compacted.cancel, compacted.compaction.summary], [true, "2"]);
	order.length = 0;
	await agent.runner.emit({ type: "turn_start", turnIndex: 0, timestamp: 1 });
	assert.deepEqual(order, ["late in the host"]);
	await agent.command("mine", "a b");
	assert.deepEqual(order.slice(1), ["a b", "/project"]);
	const message = { role: "custom", customType: "local", content: "x", display: true, timestamp: 1 };
	assert.deepEqual(await agent.runner.renderMessage(message, { expanded: false }, 10), ["drawn here"]);
});

test("a factory of the host that throws is a load error", async () => {
	const result = await loadHooks([() => { throw new Error("no luck"); }, hook("guard")], "/project");
	assert.deepEqual(result.errors, [{ path: "<inline:0>", error: "Failed to load hook: no luck" }]);
	assert.equal(result.hooks.length, 1);
});

test("the wrapper passes everything else of the tool through", async () => {
	const agent = await agentWith(["guard"]);
	const renderCall = () => "drawn";
	const updates = [];
	const tool = {
		name: "bash",
		label: "Bash",
		parameters: { type: "object" },
		renderCall,
		secret: Symbol("s"),
		async execute(id, params, signal, onUpdate, context) {
			onUpdate({ content: [], details: id });
			return { content: [{ type: "text", text: `${params.command} ${signal.aborted} ${context.x}` }], details: 1, extra: true };
		},
	};
	const wrapped = new HookToolWrapper(tool, agent.runner);
	assert.ok(wrapped instanceof HookToolWrapper);
	assert.equal(wrapped.renderCall, renderCall);
	assert.equal(wrapped.parameters, tool.parameters);
	assert.equal(wrapped.secret, tool.secret);
	tool.label = "changed";
	assert.equal(wrapped.label, "changed");
	assert.deepEqual(Object.keys(wrapped), Object.keys(tool));
	const result = await wrapped.execute("t9", { command: "ls" }, new AbortController().signal, (update) => updates.push(update), { x: 7 });
	assert.deepEqual(result, { content: [{ type: "text", text: "ls false 7" }], details: 1, extra: true });
	assert.deepEqual(updates, [{ content: [], details: "t9" }]);
});

test("two runners in one engine do not mix", async () => {
	const [one, two] = await Promise.all([agentWith(["guard"]), agentWith(["redact"])]);
	assert.equal(one.runner.hasHandlers("tool_result"), false);
	assert.equal(two.runner.hasHandlers("tool_call"), false);
	one.person.answers = [false];
	one.tool("bash", async () => ({ content: [] }));
	two.tool("bash", async () => ({ content: [{ type: "text", text: "API_KEY=1" }] }));
	const [[denied], [redacted]] = await Promise.all([
		one.prompt("a", [["bash", { command: "rm -rf x" }]]),
		two.prompt("b", [["bash", { command: "rm -rf x" }]]),
	]);
	assert.equal(denied.error.message, "user denied command");
	assert.equal(text(redacted), "API_KEY=[REDACTED]");
});

test("reload takes edited hooks, a broken edit keeps what ran", async () => {
	const { mkdtempSync, rmSync, writeFileSync } = await import("node:fs");
	const { join } = await import("node:path");
	const { tmpdir } = await import("node:os");
	const folder = mkdtempSync(join(tmpdir(), "hookrt-client-"));
	const file = join(folder, "h.mjs");
	const blocks = (reason) => `export default (pi) => pi.on("tool_call", () => ({ block: true, reason: "${reason}" }));`;
	writeFileSync(file, blocks("one"));
	const loads = [];
	const factory = (pi) => {
		const mine = loads.push(1);
		pi.on("turn_start", () => pi.appendEntry("host load", mine));
	};
	const loaded = await loadHooks([factory, file], "/project");
	const agent = new Agent(loaded);
	const call = () => agent.runner.emitToolCall({ type: "tool_call", toolName: "x", toolCallId: "t", input: {} });
	assert.equal((await call()).reason, "one");
	writeFileSync(file, blocks("two"));
	assert.equal((await agent.runner.reload()).kept, false);
	assert.equal((await call()).reason, "two");
	const turn = () => agent.runner.emit({ type: "turn_start", turnIndex: 0, timestamp: 1 });
	await turn();
	assert.equal(agent.session.last("host load"), 2);
	writeFileSync(file, "this is not JavaScript {");
	const broken = await agent.runner.reload();
	assert.equal(broken.kept, true);
	assert.match(broken.errors[0].error, /^Failed to load hook: /);
	assert.equal((await call()).reason, "two");
	await turn();
	assert.equal(agent.session.last("host load"), 2);
	rmSync(folder, { recursive: true });
});

test("a hook for an older agent hears of the session; the end of the session ends what a hook without handlers has running", { skip: isFake }, async () => {
	const { mkdtempSync, readFileSync, rmSync, writeFileSync } = await import("node:fs");
	const { join } = await import("node:path");
	const { tmpdir } = await import("node:os");
	const folder = mkdtempSync(join(tmpdir(), "hookrt-client-"));
	writeFileSync(join(folder, "old.mjs"), `export default (pi) => pi.on("session", (event) => pi.appendEntry("reason", event.reason));`);
	writeFileSync(
		join(folder, "starts.mjs"),
		`import { spawn } from "node:child_process";
		import { writeFileSync } from "node:fs";
		export default () => writeFileSync(${JSON.stringify(join(folder, "pid"))}, String(spawn("sleep", ["60"]).pid));`,
	);
	const load = async (name) => new Agent(await loadHooks([join(folder, name)], folder));
	const old = await load("old.mjs");
	assert.deepEqual([old.runner.hasHandlers("session_start"), old.runner.hasHandlers("tool_call")], [true, false]);
	await old.runner.emit({ type: "session_start" });
	assert.equal(old.session.last("reason"), "start");
	await old.runner.dispose();

	const starts = await load("starts.mjs");
	const pid = Number(readFileSync(join(folder, "pid"), "utf8"));
	process.kill(pid, 0);
	await starts.runner.emit({ type: "session_shutdown" });
	await until(() => {
		try {
			return readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
		} catch {
			return !isAlive(pid);
		}
	}, "the end of the hook's program");
	await starts.runner.dispose();
	rmSync(folder, { recursive: true });
});

function isAlive(pid) {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

test("execCommand answers as pi.exec does in the engine", async () => {
	const killed = await execCommand("sh", ["-c", "kill -9 $$"], "/");
	assert.deepEqual([killed.code, killed.killed], [137, true]);
	assert.equal((await execCommand("ls", [], "/no/such/directory")).code, 126);
	const missing = await execCommand("hookrt-no-such-program", [], "/");
	assert.deepEqual([missing.code, missing.killed], [127, false]);
	const before = Date.now();
	const left = await execCommand("sh", ["-c", "sleep 20 & echo said"], "/");
	assert.deepEqual([left.stdout, left.code, left.killed], ["said\n", 0, false]);
	assert.ok(Date.now() - before < 10_000);
});

test("discovery gives what it found beside the hooks", async () => {
	const { mkdtempSync } = await import("node:fs");
	const folder = mkdtempSync("/tmp/hookrt-empty-");
	const result = await discoverAndLoadHooks([hook("guard")], folder, { disabled: { providers: ["native", "xcsh", "claude", "codex", "xcsh-plugins", "loose"] } });
	assert.ok(result.hooks.some((loaded) => loaded.path === hook("guard")));
	assert.ok(Array.isArray(result.discovery.items));
});

test("large messages go through both ways", async () => {
	const agent = await agentWith(["context", "redact"]);
	const big = "x".repeat(8 * 1024 * 1024);
	const messages = await agent.runner.emitContext([{ role: "user", content: big, timestamp: 1 }]);
	assert.equal(messages.length, 3);
	assert.equal(messages[0].content.length, big.length);
	const results = await Promise.all(
		Array.from({ length: 8 }, (_, i) =>
			agent.runner.emit({ type: "tool_result", toolName: "t", toolCallId: `${i}`, input: {}, content: [{ type: "text", text: `${i}${big}` }] }),
		),
	);
	assert.deepEqual(results.map((result) => result.content[0].text[0]), [..."01234567"]);
});
