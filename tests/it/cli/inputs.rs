//! Inputs that are not what they should be.

use serde_json::json;

use super::support::{Folder, GATE, LS, RM};

#[test]
fn bad_json_is_a_usage_error() {
    let folder = Folder::with(&[("gate.ts", GATE), ("bad.json", "{\"a\":"), ("latin.json", "")]);
    folder.write("latin.json", b"{\"a\":\"\xfc\"}");
    for data in ["{", "[]", "nul", "\"text\"", "@bad.json", "@gone.json", "@latin.json", "@.", "", "{\"a\":1}{\"b\":2}"]
    {
        let run = folder.run(&["emit", "tool_call", "--hook", "gate.ts", "--data", data]);
        assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{data} {run:?}");
        assert!(run.stderr.starts_with("error: --data"), "{data} {run:?}");
    }
    for answers in ["{}", "[1]", "x", "[{]"] {
        let run = folder.run(&["emit", "tool_call", "--hook", "gate.ts", "--answers", answers]);
        assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{answers} {run:?}");
    }
}

#[test]
fn too_deep_json_is_refused_and_wide_json_passes() {
    let folder = Folder::with(&[("gate.ts", GATE)]);
    let deep = format!("{{\"input\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let refused = folder.run_with(&["emit", "tool_call", "--hook", "gate.ts", "--data", "-"], &deep);
    assert_eq!(refused.code, 1, "{}", refused.stderr);
    assert!(refused.stderr.contains("--data: ") && refused.stderr.contains("1000 levels"), "{refused:?}");
    let wide = json!({ "input": { "command": "x".repeat(5_000_000) } }).to_string();
    let passed = folder.run_with(&["emit", "tool_call", "--hook", "gate.ts", "--data", "-"], &wide);
    assert_eq!(passed.code, 0, "{}", passed.stderr);
}

#[test]
fn json_reaches_hooks_as_javascript_reads_it() {
    let hook = r#"export default (pi) => {
      const seen = ({ s, n, deep }) => { let levels = 0; for (; Array.isArray(deep); deep = deep[0]) levels++; return [s.charCodeAt(0), n === Infinity, levels]; };
      pi.on("tool_call", (event) => pi.appendEntry(event.type, seen(event.input)));
      pi.on("tool_result", (event) => pi.appendEntry("result", seen(event.input)));
      pi.registerCommand("ask", async (_args, ctx) => pi.appendEntry("answer", await ctx.ui.input("?")));
    };"#;
    let folder = Folder::with(&[("h.ts", hook)]);
    let input = format!("{{\"s\":\"\\ud800\",\"n\":1e400,\"deep\":{}{}}}", "[".repeat(900), "]".repeat(900));
    let data = format!("{{\"type\":\"other\",\"input\":{input}}}");
    let seen = json!([0xD800, true, 900]);
    let call = |name: &str| json!({ "call": "pi.appendEntry", "args": [name, seen] });
    let emit = folder.run_with(&["emit", "tool_call", "--hook", "h.ts", "--data", "-"], &data);
    assert_eq!((emit.code, &emit.json()["calls"]), (0, &json!([call("tool_call")])), "{emit:?}");
    let line = format!("{{\"event\":\"tool_call\",\"data\":{data}}}\n");
    let replay = folder.run_with(&["replay", "-", "--hook", "h.ts"], &line);
    assert_eq!((replay.code, &replay.json()["calls"]), (0, &json!([call("tool_call")])), "{replay:?}");
    let tool = folder.run_with(&["tool", "x", "--hook", "h.ts", "--input", "-", "--", "true"], &input);
    assert_eq!((tool.code, &tool.json()["calls"]), (0, &json!([call("tool_call"), call("result")])), "{tool:?}");
    let answers = r#"[{"input":"\ud800!"},{"confirm":1e400}]"#;
    let asked = folder.run(&["command", "ask", "--hook", "h.ts", "--answers", answers]);
    assert_eq!(asked.json()["calls"][1]["args"], json!(["answer", "\u{fffd}!"]), "{asked:?}");
}

#[test]
fn an_event_without_what_its_emit_needs_is_a_usage_error() {
    let hook =
        r#"export default (pi) => { for (const name of EVENTS) pi.on(name, (event) => pi.appendEntry(event.type)); };"#;
    let names: Vec<&str> = hookrt::events::EventName::ALL.iter().map(|name| name.as_str()).collect();
    assert_eq!(names.len(), 25);
    let folder = Folder::with(&[("h.ts", &hook.replace("EVENTS", &json!(names).to_string()))]);
    let lines: String =
        names.iter().filter(|name| **name != "context").map(|name| format!("{{\"event\":\"{name}\"}}\n")).collect();
    let run = folder.run_with(&["replay", "-", "--hook", "h.ts"], &lines);
    assert_eq!((run.code, run.lines().len()), (0, 24), "{run:?}");
    for line in run.lines() {
        assert_eq!((&line["calls"][0]["args"], &line["errors"]), (&json!([line["event"]]), &json!([])), "{line}");
    }
    for data in ["{}", r#"{"messages":5}"#, r#"{"messages":null}"#, r#"{"messages":{}}"#] {
        let emit = folder.run(&["emit", "context", "--hook", "h.ts", "--data", data]);
        assert_eq!((emit.code, emit.stdout.as_str()), (1, ""), "{data} {emit:?}");
        assert!(emit.stderr.contains("--data: a context event needs \"messages\""), "{data} {emit:?}");
        let line = format!("{{\"event\":\"agent_start\"}}\n{{\"event\":\"context\",\"data\":{data}}}\n");
        let replay = folder.run_with(&["replay", "-", "--hook", "h.ts"], &line);
        assert!(replay.code == 1 && replay.stderr.contains("line 2: a context event needs"), "{data} {replay:?}");
    }
}

#[cfg(unix)]
#[test]
fn names_that_are_no_text_are_errors() {
    use std::os::unix::ffi::OsStrExt;
    let odd = |name: &[u8]| std::path::PathBuf::from(std::ffi::OsStr::from_bytes(name));
    let folder = Folder::with(&[("h.ts", GATE), ("imports.ts", "import './sub'; export default () => {};")]);
    std::fs::create_dir(folder.path().join(odd(b"d\xff"))).expect("a directory");
    std::fs::write(folder.path().join(odd(b"d\xff/index.ts")), GATE).expect("a file");
    std::os::unix::fs::symlink(odd(b"d\xff"), folder.path().join("sub")).expect("a link");
    let run = |args: &[&std::ffi::OsStr], cwd: &std::path::Path| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_hookrt")).args(args).current_dir(cwd).output();
        let output = output.expect("the binary runs");
        let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        (output.status.code(), text)
    };
    let inside = folder.path().join(odd(b"d\xff"));
    for (args, cwd) in [
        (&[b"emit".as_slice(), b"x", b"--hook", b"d\xff/index.ts"][..], folder.path()),
        (&[b"emit", b"x", b"--hook", b"index.ts"], &inside),
        (&[b"emit", b"x", b"--cwd", b"d\xff", b"--hook", b"index.ts"], folder.path()),
        (&[b"emit", b"x", b"--hook", b"imports.ts"], folder.path()),
        (&[b"check", b"."], &inside),
        (&[b"list"], &inside),
        (&[b"trust"], &inside),
    ] {
        let args: Vec<&std::ffi::OsStr> = args.iter().map(|arg| std::ffi::OsStr::from_bytes(arg)).collect();
        let (code, text) = run(&args, cwd);
        assert!(code == Some(1) && text.contains("UTF-8") && !text.contains("panicked"), "{args:?} {code:?} {text}");
    }
}

#[test]
fn files_that_are_no_hooks_are_load_errors() {
    let folder = Folder::with(&[("empty.ts", ""), ("number.ts", "export default 42"), ("dir/readme.txt", "")]);
    std::fs::create_dir(folder.path().join("hollow")).expect("a directory");
    folder.write("binary.ts", (0..=255u8).collect::<Vec<_>>());
    folder.write("image.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    folder.write(
        "utf16le.ts",
        "\u{feff}export default () => {}".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>(),
    );
    folder.write(
        "utf16be.ts",
        "\u{feff}export default () => {}".encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<_>>(),
    );
    folder.write("latin1.ts", b"export default () => '\xfc'");
    folder.write("nul.ts", "export default () => {}\0\0\0;");
    let names = [
        "empty.ts",
        "number.ts",
        "dir",
        "hollow",
        "binary.ts",
        "image.png",
        "utf16le.ts",
        "utf16be.ts",
        "latin1.ts",
        "gone.ts",
        "",
        "/",
        "/dev/null",
    ];
    let mut args = vec!["emit", "tool_call", "--data", LS];
    args.extend(names.iter().flat_map(|name| ["--hook", name]));
    let run = folder.run(&args);
    assert_eq!(run.code, 1, "{run:?}");
    let errors = run.json()["loadErrors"].clone();
    let paths: Vec<_> =
        errors.as_array().expect("a list").iter().map(|error| error["path"].as_str().unwrap_or_default()).collect();
    assert_eq!(paths, names);
    for folder in ["dir", "hollow"] {
        let error = errors.as_array().expect("a list").iter().find(|error| error["path"] == folder).expect("its error");
        let text = error["error"].as_str().unwrap_or_default();
        assert!(text.contains("is a directory without a hook in it") && text.contains("hint: "), "{folder}: {text}");
    }
    for wrong in ["utf16le.ts", "utf16be.ts", "latin1.ts", "binary.ts"] {
        let error = errors.as_array().expect("a list").iter().find(|error| error["path"] == wrong).expect("its error");
        let text = error["error"].as_str().unwrap_or_default();
        assert!(text.contains("decode") && text.contains("UTF-8"), "{wrong}: {text}");
    }
}

#[cfg(unix)]
#[test]
fn a_file_without_permission_a_pipe_and_a_socket_are_load_errors() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with(&[("locked.ts", "export default () => {}")]);
    std::fs::set_permissions(folder.path().join("locked.ts"), std::fs::Permissions::from_mode(0o000))
        .expect("permissions");
    let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("socket.ts")).expect("a socket");
    assert!(
        std::process::Command::new("mkfifo").arg(folder.path().join("pipe.ts")).status().expect("mkfifo").success()
    );
    let run = folder.run(&["emit", "agent_start", "--hook", "socket.ts", "--hook", "pipe.ts"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert_eq!(run.json()["loadErrors"].as_array().map(Vec::len), Some(2), "{run:?}");
    // Whoever may read everything reads this, too.
    let locked = folder.run(&["emit", "agent_start", "--hook", "locked.ts"]);
    assert!(locked.code <= 1, "{locked:?}");
}

#[test]
fn a_five_megabyte_file_loads() {
    let folder = Folder::new();
    let line = "const filler = [1, 2, 3].map((x) => x * 2); // some padding that makes the line longer\n"
        .replace("filler", "f");
    let block = format!("{{\n{line}}}\n");
    let text = format!("{}{GATE}", block.repeat(5_000_000 / block.len()));
    folder.write("big.ts", &text);
    let data = format!("const data = \"{}\";\n{GATE}", "x".repeat(5_000_000));
    folder.write("long-line.ts", data);
    for name in ["big.ts", "long-line.ts"] {
        let run = folder.run(&["emit", "tool_call", "--hook", name, "--load-timeout", "60000", "--data", RM]);
        assert_eq!(run.code, 2, "{name} {}", run.stdout);
    }
}

#[test]
fn deeply_nested_code_is_no_crash() {
    let folder = Folder::new();
    for (name, text) in [
        ("parens.ts", format!("export default () => {}1{};", "(".repeat(20_000), ")".repeat(20_000))),
        ("arrays.ts", format!("export default () => {}{};", "[".repeat(20_000), "]".repeat(20_000))),
        ("plus.ts", format!("export default () => 1{};", "+1".repeat(50_000))),
        ("blocks.ts", format!("export default () => {}{};", "{".repeat(2_000), "}".repeat(2_000))),
    ] {
        folder.write(name, text);
        let run = folder.run(&["emit", "agent_start", "--hook", name]);
        assert!(run.code <= 1, "{name} {run:?}");
    }
}

#[test]
fn files_with_awkward_names_load() {
    let names = [
        "with space.ts",
        "hash#.ts",
        "percent%.ts",
        "percent%20.ts",
        "umlaut-ü.ts",
        "quote'.ts",
        "[c].ts",
        "question?.ts",
        "back\\slash.ts",
        "emoji😀.ts",
        "plus+.ts",
        "semi;colon.ts",
        "dollar$x.ts",
        "amp&.ts",
        "double\"quote.ts",
        "new\nline.ts",
        "#start.ts",
        "a:b.ts",
        "tab\t.ts",
    ];
    let hook = r#"import { fileURLToPath, pathToFileURL } from "node:url";
import { existsSync } from "node:fs";
import { helper } from "./helper #1?.ts";
export default (pi) => pi.on("agent_start", () => pi.appendEntry("facts", [
  fileURLToPath(import.meta.url) === import.meta.filename, existsSync(__filename), existsSync(new URL(import.meta.url)),
  pathToFileURL(__filename).href === import.meta.url, helper,
]));
"#
    .replace("./helper #1?.ts", "./helper.ts");
    let folder = Folder::with(&[("helper.ts", "export const helper = 'helped';")]);
    let mut args = vec!["emit", "agent_start"];
    for name in names {
        folder.write(name, &hook);
        args.extend(["--hook", name]);
    }
    let run = folder.run(&args);
    assert_eq!(run.code, 0, "{run:?}");
    let calls = run.json()["calls"].clone();
    for (name, call) in names.iter().zip(calls.as_array().expect("calls")) {
        assert_eq!(call["args"][1], json!([true, true, true, true, "helped"]), "{name}");
    }
    assert_eq!(calls.as_array().map(Vec::len), Some(names.len()));
}

#[test]
fn byte_order_marks_shebangs_and_line_ends_are_fine() {
    let body = "export default (pi) => pi.on('agent_start', () => pi.appendEntry('text', [`a\r\nb`.length, 'x']))";
    let folder = Folder::with(&[
        ("bom.ts", &format!("\u{feff}{body}")),
        ("shebang.ts", &format!("#!/usr/bin/env bun\n{body}")),
        ("bom-shebang.ts", &format!("\u{feff}#!/usr/bin/env node\r\n{body}\r\n")),
        ("crlf.ts", &format!("// a\r\n// b\r\n{body}")),
    ]);
    let run = folder.run(&[
        "emit",
        "agent_start",
        "--hook",
        "bom.ts",
        "--hook",
        "shebang.ts",
        "--hook",
        "bom-shebang.ts",
        "--hook",
        "crlf.ts",
    ]);
    assert_eq!(run.code, 0, "{run:?}");
    let lengths: Vec<_> =
        run.json()["calls"].as_array().expect("calls").iter().map(|call| call["args"][1][0].clone()).collect();
    assert_eq!(lengths, [3, 3, 3, 3]);
}

#[cfg(unix)]
#[test]
fn symlinks_load_and_resolve_from_the_real_file() {
    let folder = Folder::with(&[
        (
            "real/dir/hook.ts",
            "import { x } from './x'; import y from 'pkg'; export default (pi) => pi.on('agent_start', () => pi.appendEntry('x', [x, y]));",
        ),
        ("real/dir/x.ts", "export const x = 'beside the real file';"),
        ("real/node_modules/pkg/index.js", "module.exports = 'pkg';"),
    ]);
    std::os::unix::fs::symlink("real/dir/hook.ts", folder.path().join("link.ts")).expect("a link");
    std::os::unix::fs::symlink("real/dir", folder.path().join("linked")).expect("a link");
    std::os::unix::fs::symlink("gone.ts", folder.path().join("broken.ts")).expect("a link");
    std::os::unix::fs::symlink("loop.ts", folder.path().join("loop.ts")).expect("a link");
    let run = folder.run(&[
        "emit",
        "agent_start",
        "--hook",
        "link.ts",
        "--hook",
        "linked/hook.ts",
        "--hook",
        "broken.ts",
        "--hook",
        "loop.ts",
    ]);
    assert_eq!(run.code, 1, "{run:?}");
    let calls = run.json()["calls"].clone();
    assert_eq!(
        calls,
        json!([{ "call": "pi.appendEntry", "args": ["x", ["beside the real file", "pkg"]] }, { "call": "pi.appendEntry", "args": ["x", ["beside the real file", "pkg"]] }])
    );
    assert_eq!(run.json()["loadErrors"].as_array().map(Vec::len), Some(2), "{run:?}");
}

#[test]
fn odd_event_names_are_harmless() {
    let folder = Folder::with(&[(
        "h.ts",
        "export default (pi) => { for (const n of ['', '__proto__', 'constructor', '*', 'ü 😀']) pi.on(n, () => { pi.appendEntry(n); return { block: true }; }); };",
    )]);
    for name in ["", "__proto__", "constructor", "*", "ü 😀", "toString"] {
        let run = folder.run(&["emit", name, "--hook", "h.ts"]);
        assert_eq!((run.code, &run.json()["result"]), (0, &json!(null)), "{name} {run:?}");
        let expected =
            if name == "toString" { json!([]) } else { json!([{ "call": "pi.appendEntry", "args": [name] }]) };
        assert_eq!(run.json()["calls"], expected, "{name}");
    }
}

/// Newer agents add events, so an unknown one is legal; what is nearly the name of one is told.
#[test]
fn slips_in_names_and_answers_are_told() {
    let slip =
        r#"export default (pi) => { pi.on("toolCall", () => ({ block: true })); pi.on("model_select", () => {}); };"#;
    let folder =
        Folder::with(&[("slip.ts", slip), ("gate.ts", r#"export default (pi) => { pi.on("tool_call", () => {}); };"#)]);
    let warnings = |run: &super::support::Run| run.json()["warnings"].clone();
    let expected = json!([r#"slip.ts: handles "toolCall", an event that is not known; did it mean "tool_call"?"#]);
    let check = folder.run(&["check", "slip.ts", "--load-timeout", "20000", "--json"]);
    assert_eq!((check.code, warnings(&check)), (0, expected.clone()), "{check:?}");
    assert!(folder.run(&["check", "slip.ts"]).stdout.contains("did it mean"));
    let emit = folder.run(&["emit", "tool-call", "--hook", "slip.ts"]);
    let asked = json!(r#""tool-call" is no event that is known; did you mean "tool_call"?"#);
    assert_eq!((emit.code, warnings(&emit)), (0, json!([expected[0], asked.clone()])), "{emit:?}");
    folder.write("slip.jsonl", r#"{"event":"tool-call","data":{}}"#);
    let replay = folder.run(&["replay", "slip.jsonl", "--hook", "gate.ts"]);
    assert_eq!(warnings(&replay), json!([asked]), "{replay:?}");
    let newer = folder.run(&["emit", "model_select", "--hook", "gate.ts"]);
    assert_eq!(warnings(&newer), json!([]), "{newer:?}");
    let unused = folder.run(&["emit", "tool_call", "--hook", "gate.ts", "--answers", r#"[{"confrim":true}]"#]);
    assert_eq!(warnings(&unused), json!([r#"no dialog asked for the answer {"confrim":true}"#]), "{unused:?}");
}

#[test]
fn usage_errors_exit_with_1() {
    let folder = Folder::new();
    for args in [
        &["emit"][..],
        &["nonsense"],
        &[],
        &["emit", "x", "--input-mutation", "maybe"],
        &["tool", "x"],
        &["replay", "gone.jsonl"],
        &["check"],
        &["emit", "x", "--cpu-budget", "0"],
    ] {
        let run = folder.run(args);
        assert_eq!(run.code, 1, "{args:?} {run:?}");
        assert!(run.stdout.is_empty() && !run.stderr.is_empty(), "{args:?} {run:?}");
    }
    assert_eq!(folder.run(&["--help"]).code, 0);
    assert_eq!(folder.run(&["--version"]).code, 0);
}
