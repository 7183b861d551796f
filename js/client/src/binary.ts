import { accessSync, constants, existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Code, HookrtError } from "./errors.js";

const NAME = process.platform === "win32" ? "hookrt.exe" : "hookrt";

function isProgram(path: string): boolean {
	try {
		if (!statSync(path).isFile()) return false;
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

/** The engine's binary: `HOOKRT_BIN`, then `PATH`, then `bin/` of this package. Throws where there is none. */
export function findBinary(env: NodeJS.ProcessEnv = process.env): string {
	const named = env["HOOKRT_BIN"];
	if (named) {
		if (isProgram(named)) return named;
		throw new HookrtError(`HOOKRT_BIN names no program: ${named}`, Code.engineGone, { hint: "point it at the hookrt binary or unset it" });
	}
	for (const folder of (env["PATH"] ?? "").split(delimiter)) {
		if (folder && isProgram(join(folder, NAME))) return join(folder, NAME);
	}
	const own = fileURLToPath(new URL("../bin/", import.meta.url));
	for (const path of [join(own, `${process.platform}-${process.arch}`, NAME), join(own, NAME)]) {
		if (isProgram(path)) return path;
	}
	throw new HookrtError("the hookrt binary was not found", Code.engineGone, {
		hint: "set HOOKRT_BIN, put hookrt on PATH, or install the hookrt package for this platform",
	});
}

function packageAbove(folder: string, skip?: string): string | undefined {
	for (let at = folder; ; at = dirname(at)) {
		const manifest = join(at, "package.json");
		if (existsSync(manifest) && nameIn(manifest) !== skip) return at;
		if (dirname(at) === at) return undefined;
	}
}

function nameIn(manifest: string): string | undefined {
	try {
		return JSON.parse(readFileSync(manifest, "utf8")).name;
	} catch {
		return undefined;
	}
}

/** Where the agent itself is installed: the package of the running program and the one that holds this client. Hooks get its real packages. */
export function agentRoots(): string[] {
	const roots = new Set<string>();
	try {
		const program = process.argv[1];
		const root = program ? packageAbove(dirname(realpathSync(program))) : undefined;
		if (root) roots.add(root);
	} catch {
		// no script file, as in a REPL or a single-file executable
	}
	const holder = packageAbove(dirname(fileURLToPath(import.meta.url)), "hookrt");
	if (holder) roots.add(holder);
	return [...roots];
}
