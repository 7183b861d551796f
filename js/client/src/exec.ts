import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { ExecOptions, ExecResult } from "./hook-types.js";

/** How long output is awaited after the program itself has ended, in milliseconds. */
const DRAIN = 200;

/**
 * Runs a program without a shell, stdin closed. Never rejects for a failing program: 127 when there is none, 126 when it cannot be started,
 * 137 and `killed` when the signal, the timeout (milliseconds, 0 or less means none) or somebody else killed it. The whole process group is
 * killed. What it leaves running may hold its output open; that is not waited for. The same as `pi.exec` in the engine.
 */
export function execCommand(command: string, args: string[], cwd: string, options: ExecOptions = {}): Promise<ExecResult> {
	const { signal, timeout = 0 } = options;
	if (signal?.aborted) return Promise.resolve({ stdout: "", stderr: "", code: 137, killed: true });
	return new Promise((resolve) => {
		const group = process.platform !== "win32";
		const child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "pipe"], detached: group, windowsHide: true });
		const out: Uint8Array[] = [];
		const err: Uint8Array[] = [];
		let killed = false;
		let settled = false;
		const kill = (): void => {
			killed = true;
			try {
				if (group && child.pid) process.kill(-child.pid, "SIGKILL");
				else child.kill("SIGKILL");
			} catch {
				child.kill("SIGKILL"); // the group is gone already
			}
		};
		const timer = timeout > 0 ? setTimeout(kill, timeout) : undefined;
		signal?.addEventListener("abort", kill, { once: true });
		const settle = (code: number, complaint = ""): void => {
			if (settled) return;
			settled = true;
			if (timer) clearTimeout(timer);
			signal?.removeEventListener("abort", kill);
			resolve({ stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() + complaint, code: killed ? 137 : code, killed });
		};
		child.stdout.on("data", (chunk: Uint8Array) => out.push(chunk));
		child.stderr.on("data", (chunk: Uint8Array) => err.push(chunk));
		const ended = (code: number | null): void => {
			killed ||= code === null;
			settle(code ?? 137);
		};
		child.on("error", (error: NodeJS.ErrnoException) => {
			const missing = error.code === "ENOENT" && existsSync(cwd);
			settle(missing ? 127 : 126, missing ? `${command}: command not found` : `${command}: ${error.message}`);
		});
		child.on("exit", (code) => setTimeout(ended, DRAIN, code));
		child.on("close", ended);
	});
}
