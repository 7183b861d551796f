// Every value that a shipped package exports is typed, and nothing is typed that is not shipped: `node typings/test/exports.mjs`.
import { readdirSync, readFileSync } from "node:fs";

const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8");
const PACKAGES = [
	["pi-coding-agent", "@f5-sales-demo/xcsh"],
	["pi-ai", "@f5-sales-demo/pi-ai"],
	["pi-tui", "@f5-sales-demo/pi-tui"],
	["pi-utils", "@f5-sales-demo/pi-utils"],
	["pi-agent-core", "@f5-sales-demo/pi-agent-core"],
	["typebox", "@sinclair/typebox"],
	["typebox", "@sinclair/typebox/value", "typebox-value"],
	["typebox", "@sinclair/typebox/compiler", "typebox-compiler"],
];

function names(text, declaration) {
	const found = new Set([...text.matchAll(declaration)].map((match) => match[1]));
	for (const [, list] of text.matchAll(/^\t?export \{([^}]*)\}/gm)) {
		for (const part of list.split(",")) if (part.trim()) found.add(part.trim().split(/\s+as\s+/).pop());
	}
	return found;
}

function typed(folder, module) {
	const files = readdirSync(new URL(`../${folder}/`, import.meta.url));
	const blocks = files.map((file) => read(`../${folder}/${file}`)).filter((text) => text.includes(`declare module "${module}" {`));
	return new Set(blocks.flatMap((text) => [...names(text, /^\texport (?:const|function|class) ([\w$]+)/gm)]));
}

function shipped(file) {
	const text = read(file);
	const found = names(text, /^export (?:async )?(?:const|let|function\*?|class) ([\w$]+)/gm);
	for (const [, from] of text.matchAll(/^export \* from "\.\/([^"]+)"/gm)) {
		for (const name of shipped(file.replace(/[^/]*$/, from))) found.add(name);
	}
	return found;
}

let failed = 0;
for (const [folder, module, file = folder] of PACKAGES) {
	const types = typed(folder, module);
	const values = shipped(`../../js/60_host_packages/${file}.js`);
	const report = (what, list) => {
		if (list.length > 0) failed++;
		for (const name of list) console.error(`${module}: ${name} ${what}`);
	};
	report("is shipped and not typed", [...values].filter((name) => !types.has(name)));
	report("is typed and not shipped", [...types].filter((name) => !values.has(name)));
}
console.log(`${PACKAGES.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
