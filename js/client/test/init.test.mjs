// A new hook as `hookrt init` writes it: it type-checks with nothing installed but a compiler, and a wrong return value does not.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { engine, isFake } from "./setup.mjs";

const folder = mkdtempSync(join(tmpdir(), "hookrt-init-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const compiler = fileURLToPath(new URL("../node_modules/.bin", import.meta.url));
const env = { ...process.env, PATH: [compiler, process.env.PATH].join(delimiter) };
const hookrt = (...args) => spawnSync(engine, args, { encoding: "utf8", env });
const check = () => {
	const run = hookrt("check", "--types", "--json", join(folder, "hook.ts"));
	return { code: run.status, ...JSON.parse(run.stdout) };
};

test("what init writes loads and type-checks; a wrong return value does not", { skip: isFake }, () => {
	assert.equal(hookrt("init", folder).status, 0);
	const good = check();
	assert.deepEqual([good.code, good.errors, good.types.map((project) => project.ok)], [0, [], [true]], JSON.stringify(good));

	const hook = join(folder, "hook.ts");
	const text = readFileSync(hook, "utf8");
	writeFileSync(hook, text.replace(/block: true/, 'block: "yes"'));
	const bad = check();
	assert.equal(bad.code, 1);
	assert.deepEqual(bad.errors, [], "it still loads");
	assert.match(bad.types[0].output, /hook\.ts\(\d+,\d+\): error TS/);
});
