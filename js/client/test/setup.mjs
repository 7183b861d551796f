// Which engine the tests run against: HOOKRT_BIN, the repository's own build when it can serve, else the stand-in.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { configureEngine } from "../dist/index.js";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
export const fakeEngine = here("./fake-engine.mjs");

function choose() {
	if (process.env.HOOKRT_BIN) return process.env.HOOKRT_BIN;
	for (const build of ["release", "debug"]) {
		const path = here(`../../../target/${build}/hookrt`);
		if (!existsSync(path)) continue;
		const help = spawnSync(path, ["serve", "--help"], { encoding: "utf8", timeout: 10_000 });
		if (help.status === 0 && help.stdout.includes("serve")) return path;
	}
	return fakeEngine;
}

export const engine = choose();
export const isFake = engine === fakeEngine;
export const log = [];

export function useEngine(binary = engine, env = {}) {
	configureEngine({
		binary,
		env: { ...process.env, ...env },
		logger: {
			error: (...line) => log.push(line),
			warn: (...line) => log.push(line),
			debug: (...line) => log.push(line),
		},
	});
}

export const hook = (name) => here(`./hooks/${name}.mjs`);

/** Waits until `check` gives something truthy. */
export async function until(check, what, ms = 5000) {
	const end = Date.now() + ms;
	for (;;) {
		const value = await check();
		if (value) return value;
		if (Date.now() > end) throw new Error(`timed out waiting for ${what}`);
		await new Promise((done) => setTimeout(done, 5));
	}
}
