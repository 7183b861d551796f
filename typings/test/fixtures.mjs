// `tsc --strict` over every fixture and example, as their authors would run it: what is not in the table below compiles, what is in it does not,
// and neither does a hook with a wrong return value. Needs `tsc` on PATH and @types/node in node_modules, as `npm run test:types` of js/client has.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const typings = join(root, "typings");

/** Files, and folders (with a slash), that the compiler must refuse. */
const REFUSED = {
	"fixtures/imports/node-modules/hook.ts": "imports packages without types",
	"fixtures/imports/package-errors/": "imports what is not there",
	"fixtures/imports/tsconfig-paths/hooks/hook.ts": "needs baseUrl, which the compiler no longer has",
	"fixtures/load/forty-seven-of-fifty/h41.ts": "imports what is not there",
	"fixtures/load/one-bad-never-stops-the-others/imports-missing-export.ts": "imports what is not there",
	"fixtures/load/one-bad-never-stops-the-others/imports-missing.ts": "imports what is not there",
	"fixtures/load/one-bad-never-stops-the-others/imports-package.ts": "imports what is not there",
	"fixtures/load/places-of-failures/builtin.ts": "imports what is not there",
	"fixtures/load/places-of-failures/bun-ffi.ts": "imports what is not there",
	"fixtures/permissions/own-code/hooks/hook.ts": "imports a package without types",
	"fixtures/reports/38-specifier-forms/src/hook.ts": "leaves out extensions that the compiler wants written",
	"fixtures/reports/40-host-packages/hook.ts": "imports a name that no package has",
	"fixtures/reports/40-missing-name-used/hook.ts": "imports a name that no package has",
	"fixtures/reports/41-types-imported-as-values/hook.ts": "takes the type of a file that is not there",
	"fixtures/reports/42-syntax-to-lower/hook.ts": "is not strict",
	"fixtures/surface/node-sqlite.ts": "is newer than the installed @types/node",
	"fixtures/surface/node-sys.ts": "is older than the installed @types/node",
	"fixtures/syntax/errors/await-in-function.ts": "is not TypeScript",
	"fixtures/syntax/errors/duplicate.ts": "is not TypeScript",
	"fixtures/syntax/errors/import-in-function.ts": "is not TypeScript",
	"fixtures/syntax/errors/regexp.ts": "is not TypeScript",
	"fixtures/syntax/jsx/": "has elements without types",
	"fixtures/syntax/typescript/hook.ts": "has types that are only to be stripped",
};

/** Files that cannot be parsed: beside one of them the compiler looks at no types at all. */
const UNREADABLE = [
	"fixtures/load/forty-seven-of-fifty/h07.ts",
	"fixtures/load/one-bad-never-stops-the-others/lib/broken.ts",
	"fixtures/load/one-bad-never-stops-the-others/syntax.ts",
	"fixtures/syntax/errors/bad-string.ts",
	"fixtures/syntax/errors/reserved.ts",
	"fixtures/syntax/errors/tsx-in-ts.ts",
	"fixtures/syntax/errors/unclosed.ts",
];
/** Brings one of those in; its import is tested with it. */
const IMPORTS_UNREADABLE = "fixtures/load/one-bad-never-stops-the-others/imports-broken.ts";

function sources(folder) {
	return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
		const path = `${folder}/${entry.name}`;
		if (entry.isDirectory()) return entry.name === "node_modules" ? [] : sources(path);
		return /\.[cm]?tsx?$/.test(entry.name) && !/\.d\.[cm]?ts$/.test(entry.name) ? [path] : [];
	});
}

const scratch = mkdtempSync(join(tmpdir(), "hookrt-types-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

/** What the compiler says of each file it refuses. */
function refused(files) {
	const declarations = ["*.d.ts", "pi-*/*.d.ts", "typebox/*.d.ts"].map((glob) => join(typings, glob));
	const config = {
		extends: join(typings, "templates/tsconfig.json"),
		compilerOptions: {
			typeRoots: [resolve("node_modules/@types"), join(typings, "fallback")],
			allowJs: true,
			jsx: "react-jsx",
			jsxImportSource: "tiny-jsx",
		},
		files: files.map((file) => resolve(root, file)),
		include: declarations,
		exclude: [],
	};
	writeFileSync(join(scratch, "tsconfig.json"), JSON.stringify(config));
	const run = spawnSync("tsc", ["--pretty", "false", "-p", scratch], { encoding: "utf8", shell: process.platform === "win32" });
	if (run.error) throw run.error;
	const found = new Map();
	for (const line of run.stdout.split("\n")) {
		const place = /^(.+?)\((\d+),\d+\): error (TS\d+: .*)$/.exec(line);
		if (place) {
			const file = relative(root, resolve(place[1])).replaceAll("\\", "/");
			found.set(file, [...(found.get(file) ?? []), `${file}:${place[2]} ${place[3]}`]);
		} else if (/^error /.test(line)) {
			throw new Error(line);
		}
	}
	if ((run.status === 0) !== (found.size === 0)) throw new Error(run.stdout + run.stderr);
	return found;
}

const failures = [];
const every = [...sources("fixtures"), ...sources("examples")];
const entryOf = (file) => Object.keys(REFUSED).find((entry) => (entry.endsWith("/") ? file.startsWith(entry) : file === entry));
const unreadable = new Set([...UNREADABLE, IMPORTS_UNREADABLE]);

const sound = every.filter((file) => !entryOf(file) && !unreadable.has(file));
for (const messages of refused(sound).values()) failures.push(...messages);

const known = every.filter((file) => entryOf(file) && !unreadable.has(file));
const broken = refused(known);
for (const entry of Object.keys(REFUSED)) {
	const files = known.filter((file) => entryOf(file) === entry);
	if (!files.some((file) => broken.has(file))) failures.push(`${entry} compiles; take it out of the table`);
}
const unread = refused(UNREADABLE);
for (const file of UNREADABLE) if (!unread.has(file)) failures.push(`${file} can be parsed; take it out of the list`);

// A wrong return value in a hook that is right otherwise.
const gate = readFileSync(join(root, "examples/gate.ts"), "utf8");
for (const [right, wrong] of [["block: true", 'block: "yes"'], ["return { block: true", "if (event.toolCallId) return 7; return { block: true"]]) {
	const text = gate.replace(right, wrong);
	const copy = join(scratch, "gate.ts");
	writeFileSync(copy, text);
	if (text === gate) failures.push(`examples/gate.ts has no ${right} any more`);
	else if (refused([copy]).size === 0) failures.push(`examples/gate.ts compiles with ${wrong}`);
}

if (failures.length > 0) {
	console.error(failures.join("\n"));
	process.exit(1);
}
console.log(`${sound.length} fixtures and examples compile, ${known.length + UNREADABLE.length} are refused as they should be`);
