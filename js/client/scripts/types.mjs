// Makes `types/*.d.ts` from the ambient modules in `typings/`: the client's types are modules of its own, since ambient ones would
// take the place of the agent's real packages in every program that imports the client.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const typings = fileURLToPath(new URL("../../../typings/", import.meta.url));
const out = fileURLToPath(new URL("../types/", import.meta.url));
const FILES = {
	"@f5-sales-demo/xcsh": "pi-coding-agent",
	"@f5-sales-demo/pi-ai": "pi-ai",
	"@f5-sales-demo/pi-tui": "pi-tui",
	"@f5-sales-demo/pi-utils": "pi-utils",
	"@f5-sales-demo/pi-agent-core": "pi-agent-core",
	"@sinclair/typebox": "typebox",
};
const relative = (name) => {
	if (!FILES[name]) throw new Error(`typings name ${name}, which the client's types do not have`);
	return `./${FILES[name]}.js`;
};

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
for (const [name, folder] of Object.entries(FILES)) {
	const imports = new Map();
	const bodies = [];
	for (const file of readdirSync(join(typings, folder)).sort()) {
		const text = readFileSync(join(typings, folder, file), "utf8");
		const start = text.indexOf(`declare module "${name}" {\n`);
		if (start < 0) continue; // a subpath of its own, which the client does not need
		const body = text.slice(text.indexOf("{\n", start) + 2, text.lastIndexOf("}"));
		bodies.push(
			body
				.replace(/^\timport (?:type )?\{([^}]*)\} from "([^"]+)";\n/gm, (_, names, from) => {
					const known = imports.get(from) ?? new Set();
					for (const part of names.split(",")) if (part.trim()) known.add(part.trim());
					imports.set(from, known);
					return "";
				})
				.replace(/import\("([^"]+)"\)/g, (_, from) => `import("${relative(from)}")`)
				.replace(/ from "(@[^"]+)"/g, (_, from) => ` from "${relative(from)}"`)
				.replace(/^\t/gm, ""),
		);
	}
	const head = [...imports].map(([from, names]) => `import type { ${[...names].sort().join(", ")} } from "${relative(from)}";\n`);
	writeFileSync(join(out, `${folder}.d.ts`), `// Made from typings/${folder} by scripts/types.mjs.\n${head.join("")}${bodies.join("")}`);
}
