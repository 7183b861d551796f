//! The hook files that everybody hosts.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

pub const MANY: [usize; 2] = [100, 1000];

const NOOP: &str = r#"export default function (pi: any) { pi.on("tool_call", (event: any) => {}); }
"#;

/// Drops the failed tool results, one message in ten.
const FILTER: &str = r#"export default function (pi: any) {
    pi.on("context", (event: any) => ({ messages: event.messages.filter((message: any) => !message.isError) }));
}
"#;

const EXEC: &str = r#"export default function (pi: any) { pi.on("turn_end", async () => { await pi.exec("true"); }); }
"#;

/// `JSON.parse` and `JSON.stringify` alone on the file named in the first message; answers with the milliseconds of each round.
const YARDSTICK: &str = r#"import { readFileSync } from "node:fs";
export default function (pi: any) {
    pi.on("context", (event: any) => {
        const { file, rounds } = event.messages[0];
        const text = readFileSync(file, "utf8");
        const times: number[] = [];
        for (let i = 0; i < rounds; i++) {
            const start = performance.now();
            if (JSON.stringify(JSON.parse(text)).length !== text.length) throw new Error("not the same text");
            times.push(performance.now() - start);
        }
        return { messages: times };
    });
}
"#;

pub struct HookFiles {
    pub directory: PathBuf,
    /// `examples/gate.ts`: asks before `rm -rf`, refuses when nobody can be asked.
    pub gate: PathBuf,
    pub noop: PathBuf,
    pub filter: PathBuf,
    pub exec: PathBuf,
    pub yardstick: PathBuf,
    /// 50 hooks with 10 handlers of `turn_end` each.
    pub fifty: Vec<PathBuf>,
    /// One hook with so many handlers of `turn_end`.
    pub many: Vec<(usize, PathBuf)>,
    /// 1 000 hooks with a handler each.
    pub thousand: Vec<PathBuf>,
    /// 200 KB of TypeScript.
    pub typescript: PathBuf,
}

impl HookFiles {
    pub fn write(directory: &Path) -> io::Result<HookFiles> {
        let write = |name: String, text: &str| {
            let path = directory.join(name);
            std::fs::write(&path, text)?;
            Ok::<_, io::Error>(path)
        };
        let handlers = |count: usize| {
            let mut text = "export default function (pi: any) {\n".to_owned();
            for _ in 0..count {
                text.push_str("    pi.on(\"turn_end\", (event: any) => { event.type; });\n");
            }
            text + "}\n"
        };
        Ok(HookFiles {
            directory: directory.to_path_buf(),
            gate: write("gate.ts".into(), include_str!("../../examples/gate.ts"))?,
            noop: write("noop.ts".into(), NOOP)?,
            filter: write("filter.ts".into(), FILTER)?,
            exec: write("exec.ts".into(), EXEC)?,
            yardstick: write("yardstick.ts".into(), YARDSTICK)?,
            fifty: (0..50)
                .map(|i| write(format!("ten-{i}.ts"), &format!("// {i}\n{}", handlers(10))))
                .collect::<Result<_, _>>()?,
            many: MANY
                .iter()
                .map(|&count| Ok((count, write(format!("many-{count}.ts"), &handlers(count))?)))
                .collect::<io::Result<_>>()?,
            thousand: (0..1000)
                .map(|i| write(format!("small-{i}.ts"), &format!("const me: number = {i};\n{}", NOOP)))
                .collect::<Result<_, _>>()?,
            typescript: write("large.ts".into(), &typescript(200_000))?,
        })
    }
}

/// TypeScript of about `bytes` bytes: interfaces, generics, classes, enums, template strings.
fn typescript(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 1000);
    let mut i = 0;
    while text.len() < bytes {
        let _ = writeln!(
            text,
            r#"export interface Entry{i}<T extends object = {{}}> {{ readonly id: string; value?: T; tags: Array<string | number> }}
export type Pick{i} = {{ [K in keyof Entry{i}]-?: Entry{i}[K] }};
/** Counts entries by tag. */
export class Counter{i}<T extends object> implements Iterable<[string, number]> {{
    private readonly counts = new Map<string, number>();
    constructor(private entries: Entry{i}<T>[], public label: string = "counter {i}") {{}}
    count(filter: (entry: Entry{i}<T>) => boolean = () => true): this {{
        for (const entry of this.entries.filter(filter)) {{
            for (const tag of entry.tags as string[]) this.counts.set(tag, (this.counts.get(tag) ?? 0) + 1);
        }}
        return this;
    }}
    *[Symbol.iterator](): Iterator<[string, number]> {{ yield* this.counts.entries(); }}
    toString(): string {{ return `${{this.label}}: ${{[...this].map(([tag, n]) => `${{tag}}=${{n}}`).join(", ")}}`; }}
}}
export async function load{i}(path: string, options: {{ limit?: number }} = {{}}): Promise<Pick{i} | undefined> {{
    const found = await import(path) as {{ default?: Pick{i} }};
    return options.limit! > 0 ? found?.default : undefined;
}}"#
        );
        i += 1;
    }
    text
}
