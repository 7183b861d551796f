// What hooks use of Node, the web and Bun without any installed @types.
import { execFileSync, spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import * as fs from "node:fs";
import { readFile } from "node:fs/promises";
import http from "node:http";
import os from "node:os";
import path from "path";
import { fileURLToPath } from "node:url";
import { promisify } from "util";
import { exec } from "child_process";

export default async function (): Promise<void> {
	const here = path.dirname(fileURLToPath(import.meta.url));
	const text: string = fs.readFileSync(path.join(here, "a"), "utf8") + (await readFile("b", "utf-8"));
	const bytes: Uint8Array = fs.readFileSync("a");
	const timer = setInterval(() => {}, 1000);
	timer.unref();
	clearTimeout(setTimeout(() => {}, 1));
	const watcher = fs.watch(os.tmpdir(), (event, name) => void [event === "rename", name]);
	watcher.close();
	spawn("git", ["status"], { cwd: process.cwd(), env: { ...process.env, A: "1" } }).on("close", () => {});
	execFileSync("git", ["status"], { encoding: "utf8" }).trim();
	(await promisify(exec)("git status")).stdout.trim();
	createHash("sha256").update(text).digest("hex").length + randomUUID().length;
	const answer = await fetch(new URL("https://example.invalid"), { signal: AbortSignal.timeout(10) });
	const body: unknown = await answer.json();
	Buffer.from(bytes).toString("base64") + new TextDecoder().decode(bytes) + JSON.stringify(structuredClone(body));
	http.createServer;
	console.log(await Bun.file("a").text(), await Bun.$`ls ${here}`.text(), Bun.which("git"));
	// @ts-expect-error not a hook's to have
	document.title;
	// @ts-expect-error Bun has more, the engine has not
	Bun.serve({});
	process.on("exit", () => {});
}
