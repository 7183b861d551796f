// Hosts hook files on Bun, Deno or Node (with jiti) the way an agent does in its own process, with the emit rules of hooks.md §4.
//   runner.mjs once HOOK EVENT        one emit, the result as one line: what a process per call costs
//   runner.mjs serve HOOK…            a JSON-lines child: {id, event} in, {id, result} out
//   runner.mjs load LIST              loads the hooks of a file of paths and prints how many milliseconds that took
//   runner.mjs bench PLAN.json        the in-process rows, as one JSON object; the plan is made by the harness
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const onNode = !globalThis.Deno && !process.versions.bun;
const jiti = onNode ? (await import("jiti")).createJiti(import.meta.url, { fsCache: process.env.PEER_CACHE ?? false }) : undefined;
const ms = () => Number(process.hrtime.bigint()) / 1e6;

const RULES = {
	tool_call: { fold: "last", stop: "block", propagate: true },
	tool_result: { fold: "last" },
	context: { fold: "chain", fresh: true },
	before_agent_start: { fold: "first", fresh: true },
};
const OTHER = { fold: "none" };

const exec = (command, args = []) =>
	new Promise((resolve) => {
		const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
		let stdout = "";
		let stderr = "";
		child.stdout.on("data", (chunk) => (stdout += chunk));
		child.stderr.on("data", (chunk) => (stderr += chunk));
		child.on("close", (code) => resolve({ stdout, stderr, code: code ?? 137, killed: false }));
	});

class Runner {
	hooks = [];

	async load(path) {
		const factory = onNode ? await jiti.import(path, { default: true }) : (await import(pathToFileURL(path).href)).default;
		const handlers = new Map();
		this.hooks.push(handlers);
		const on = (event, handler) => {
			const list = handlers.get(event);
			if (list) list.push(handler);
			else handlers.set(event, [handler]);
		};
		await factory({ on, exec, registerCommand() {}, registerMessageRenderer() {} });
		return this;
	}

	hasHandlers(event) {
		return this.hooks.some((handlers) => handlers.has(event));
	}

	async emit(event) {
		const rule = RULES[event.type] ?? OTHER;
		const ctx = { hasUI: false, cwd: process.cwd(), ui: { confirm: async () => false, notify() {} } };
		let result;
		for (const handlers of this.hooks) {
			const list = handlers.get(event.type);
			if (!list) continue;
			for (let i = 0; i < list.length; i++) {
				try {
					const value = await list[i](rule.fresh ? { ...event } : event, ctx);
					if (!value) continue;
					if (rule.fold === "chain") event.messages = value.messages ?? event.messages;
					else if (rule.fold === "first") result ??= value.message ? value : undefined;
					else if (rule.fold === "last") {
						result = value;
						if (rule.stop && value[rule.stop]) return result;
					}
				} catch (error) {
					if (rule.propagate) throw error;
				}
			}
		}
		return rule.fold === "chain" ? { messages: event.messages } : result;
	}

	/** As an agent in another language uses it: text in, text out. */
	async emitText(text) {
		return JSON.stringify(await this.emit(JSON.parse(text)));
	}
}

async function loadAll(paths) {
	const runner = new Runner();
	for (const path of paths) await runner.load(path);
	return runner;
}

const quantile = (sorted, q) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))];
const median = (values) => quantile(values.sort((a, b) => a - b), 0.5);

async function times(rounds, run) {
	const out = [];
	for (let i = 0; i < rounds; i++) {
		const start = ms();
		await run();
		out.push(ms() - start);
	}
	return out.sort((a, b) => a - b);
}

async function perSecond(runner, event, total, width) {
	const start = ms();
	await Promise.all(
		Array.from({ length: width }, async () => {
			for (let i = 0; i < total / width; i++) await runner.emit({ ...event });
		}),
	);
	return total / ((ms() - start) / 1000);
}

async function bench(plan) {
	const rows = {};
	const noop = await loadAll([plan.noop]);
	const call = () => noop.emit({ ...plan.toolCall });
	await times(plan.warmUp, call);
	const latency = await times(plan.emits, call);
	rows.tool_call_p50 = quantile(latency, 0.5) * 1000;
	rows.tool_call_p99 = quantile(latency, 0.99) * 1000;
	for (const width of [1, 8, 64]) rows[`throughput_${width}`] = await perSecond(noop, plan.toolCall, plan.emits, width);

	const filter = await loadAll([plan.filter]);
	for (const { name, file, rounds } of plan.contexts) {
		const text = readFileSync(file, "utf8");
		rows[`context_${name}`] = median(await times(rounds, () => filter.emitText(text)));
	}
	const fifty = await loadAll(plan.fifty);
	rows.fifty_by_ten = median(await times(plan.rounds, () => fifty.emit({ type: "turn_end" }))) * 1000;
	for (const { count, file } of plan.many) {
		const many = await loadAll([file]);
		await times(20, () => many.emit({ type: "turn_end" }));
		rows[`handlers_${count}`] = median(await times(plan.rounds, () => many.emit({ type: "turn_end" }))) * 1000;
	}
	const start = ms();
	let handled = 0;
	for (let i = 0; i < 100_000; i++) if (noop.hasHandlers("turn_start")) handled++;
	rows.unhandled = ((ms() - start) / 100_000) * 1e6 + handled;

	const source = readFileSync(plan.transpile, "utf8");
	const megabytes = (milliseconds) => Buffer.byteLength(source) / 1e6 / (milliseconds / 1000);
	if (process.versions.bun) {
		const transpiler = new Bun.Transpiler({ loader: "ts" });
		rows.transpile = megabytes(median(await times(3, () => transpiler.transformSync(source))));
	} else if (onNode) {
		// Keeps nothing: what it is asked to compile it compiles.
		const compiler = (await import("jiti")).createJiti(import.meta.url, { fsCache: false, moduleCache: false });
		rows.transpile = megabytes(median(await times(3, () => compiler.transform({ source, filename: plan.transpile, ts: true }))));
	}
	const execs = await loadAll([plan.exec]);
	rows.exec_true = median(await times(plan.execs, () => execs.emit({ type: "turn_end" })));
	return rows;
}

async function serve(paths) {
	const runner = await loadAll(paths);
	let rest = "";
	process.stdin.setEncoding("utf8");
	process.stdin.on("data", async (chunk) => {
		rest += chunk;
		if (!chunk.includes("\n")) return;
		const lines = rest.split("\n");
		rest = lines.pop();
		for (const line of lines) {
			const { id, event } = JSON.parse(line);
			process.stdout.write(`${JSON.stringify({ id, result: await runner.emit(event) })}\n`);
		}
	});
}

const [mode, ...args] = process.argv.slice(2);
if (mode === "once") {
	const runner = await loadAll([args[0]]);
	console.log(JSON.stringify((await runner.emit(JSON.parse(args[1]))) ?? null));
} else if (mode === "serve") {
	await serve(args);
} else if (mode === "load") {
	const paths = readFileSync(args[0], "utf8").split("\n").filter(Boolean);
	const start = ms();
	await loadAll(paths);
	console.log(ms() - start);
} else {
	console.log(JSON.stringify(await bench(JSON.parse(readFileSync(args[0], "utf8")))));
}
