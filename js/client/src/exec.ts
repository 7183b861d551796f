import { spawn } from "node:child_process";
import { constants } from "node:os";
import type { ExecOptions, ExecResult } from "./hook-types.js";

/**
 * Runs a program without a shell, stdin closed. Never rejects for a failing program: 127 when there is none, 137 and `killed` when the
 * signal or the timeout (milliseconds, 0 or less means none) ended it. The whole process group is killed.
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
		child.on("error", (error: NodeJS.ErrnoException) => settle(error.code === "ENOENT" ? 127 : 126, error.message));
		child.on("close", (code, name) => settle(code ?? 128 + (name ? constants.signals[name] : 0)));
	});
}
