// Lines and the peer, without a process.
import assert from "node:assert/strict";
import { test } from "node:test";
import { LineReader } from "../dist/lines.js";
import { Peer } from "../dist/peer.js";
import { eventText, resultToWire } from "../dist/events.js";

const bytes = (text) => new TextEncoder().encode(text);

test("lines come whole however they are cut", () => {
	const whole = bytes('{"a":"ü€😀"}\n\n{"b":1}\r\n{"c"');
	for (let size = 1; size <= whole.length; size++) {
		const lines = [];
		const reader = new LineReader((line) => lines.push(line), () => assert.fail());
		for (let at = 0; at < whole.length; at += size) reader.push(whole.subarray(at, at + size));
		assert.deepEqual(lines.map((line) => line.trimEnd()), ['{"a":"ü€😀"}', '{"b":1}'], `in pieces of ${size}`);
		reader.push(bytes(":2}\n"));
		assert.equal(lines[2], '{"c":2}');
	}
});

test("a line over the limit is skipped, the next one is read", () => {
	const lines = [];
	let skipped = 0;
	const reader = new LineReader((line) => lines.push(line), () => skipped++, 10);
	reader.push(bytes("0123456789\n01234"));
	reader.push(bytes("567890123456"));
	reader.push(bytes("789\nshort\n"));
	assert.deepEqual(lines, ["0123456789", "short"]);
	assert.equal(skipped, 1);
});

test("a line of 64 MB made of small chunks is joined once", () => {
	const chunk = new Uint8Array(65536).fill(97);
	let length = 0;
	const reader = new LineReader((line) => (length = line.length), () => assert.fail());
	const started = Date.now();
	for (let i = 0; i < 1000; i++) reader.push(chunk);
	reader.push(bytes("\n"));
	assert.equal(length, 65536 * 1000);
	assert.ok(Date.now() - started < 3000);
});

function pair(write) {
	const seen = { oddities: [], requests: [] };
	let drain;
	const peer = new Peer(
		{ write, drained: () => new Promise((resolve) => (drain = resolve)) },
		{
			request: (method, params) => {
				seen.requests.push(method);
				if (method === "fail") throw new TypeError("no");
				return method === "later" ? Promise.resolve({ value: params }) : { value: 1 };
			},
			notification: () => {
				throw new Error("listener");
			},
			oddity: (what) => seen.oddities.push(what),
			pending: () => {},
		},
	);
	return { peer, seen, drain: () => drain() };
}

test("new requests wait for a full pipe, answers and notifications do not", async () => {
	const written = [];
	let room = false;
	const { peer, drain } = pair((line) => (written.push(JSON.parse(line)), room));
	peer.request("one", "{}").result.catch(() => {});
	peer.request("two", "{}").result.catch(() => {});
	peer.notify("note", {});
	peer.push(bytes('{"id":9,"method":"read"}\n'));
	assert.deepEqual(written.map((line) => line.method ?? line.result), ["one", "note", { value: 1 }]);
	room = true;
	drain();
	await new Promise((done) => setTimeout(done, 10));
	assert.equal(written.at(-1).method, "two");
});

test("odd lines are told and change nothing; a second answer is odd", async () => {
	const written = [];
	const { peer, seen } = pair((line) => (written.push(JSON.parse(line)), true));
	const sent = peer.request("one", "{}");
	peer.push(bytes('garbage\n7\n[]\n{"id":77,"result":{}}\n{"method":"note"}\n'));
	peer.push(bytes(`{"id":${sent.id},"result":{"x":1}}\n{"id":${sent.id},"result":{"x":2}}\n`));
	assert.deepEqual(await sent.result, { x: 1 });
	assert.equal(seen.oddities.length, 6);
	peer.push(bytes('{"id":"a","method":"fail"}\n{"id":"b","method":"later","params":{"k":1}}\n'));
	await new Promise((done) => setTimeout(done, 5));
	assert.deepEqual(written.slice(1), [
		{ jsonrpc: "2.0", id: "a", error: { code: -32000, message: "no", data: { name: "TypeError" } } },
		{ jsonrpc: "2.0", id: "b", result: { value: { k: 1 } } },
	]);
	const open = peer.request("two", "{}");
	peer.close(new Error("gone"));
	await assert.rejects(open.result, /gone/);
	await assert.rejects(peer.request("three", "{}").result, /gone/);
});

test("events cross with signals and sets as the protocol says, odd values do not throw", () => {
	const preparation = { fileOps: { read: new Set(["a"]) } };
	assert.deepEqual(JSON.parse(eventText({ type: "t", signal: AbortSignal.abort(), preparation, x: 1n })), {
		type: "t",
		signal: { aborted: true },
		preparation: { fileOps: { read: ["a"] } },
		x: "1",
	});
	const round = { type: "t", same: [1] };
	round.again = round.same;
	round.self = round;
	assert.deepEqual(JSON.parse(eventText(round)), { type: "t", same: [1], again: [1], self: "[Circular]" });
});

test("results of host handlers: contract fields are read as properties", () => {
	class Gate {
		get block() {
			return "yes";
		}
	}
	assert.deepEqual(resultToWire("tool_call", new Gate()), { block: true });
	assert.deepEqual(resultToWire("tool_call", Object.assign(Object.create({ reason: "inherited" }), { block: 0, more: 1 })), {
		block: false,
		reason: "inherited",
		more: 1,
	});
	assert.equal(resultToWire("tool_call", Symbol("s")), undefined);
	assert.equal(resultToWire("tool_call", null), null);
});
