//! Every verb: what it prints and the code it exits with.

use serde_json::json;

use super::support::{Folder, GATE, LS, RM};

#[test]
fn emit_blocks_with_2_and_passes_with_0() {
    let folder = Folder::with(&[("gate.ts", GATE)]);
    let blocked = folder.run(&["emit", "tool_call", "--hook", "gate.ts", "--data", RM]);
    assert_eq!(blocked.code, 2, "{blocked:?}");
    assert_eq!(
        blocked.json(),
        json!({
            "event": "tool_call", "result": { "block": true, "reason": "rm is refused" }, "by": { "hookPath": "gate.ts", "line": 1 },
            "errors": [], "loadErrors": [], "warnings": [], "calls": [],
        })
    );
    let passed = folder.run(&["emit", "tool_call", "--hook", "gate.ts", "--data", LS]);
    assert_eq!(passed.code, 0, "{passed:?}");
    assert_eq!(passed.json()["result"], json!(null));
    assert!(passed.stdout.contains(r#""result":null"#));
}

#[test]
fn emit_without_hooks_runs_none() {
    let folder = Folder::with(&[(".xcsh/hooks/pre/gate.ts", GATE)]);
    let run = folder.run(&["emit", "tool_call", "--data", RM]);
    assert_eq!((run.code, &run.json()["result"]), (0, &json!(null)));
    assert!(run.json()["warnings"][0].as_str().is_some_and(|warning| warning.contains("--discover")), "{run:?}");
    // It says which of the hooks that are found may run, and nothing when none is looked for.
    assert_eq!(folder.run(&["emit", "tool_call", "--trust"]).code, 1);
}

#[test]
fn answers_make_a_user_interface() {
    let folder = Folder::with(&[("gate.ts", GATE), ("yes.json", r#"[{"confirm":true}]"#)]);
    let args = ["emit", "tool_call", "--hook", "gate.ts", "--data", RM, "--answers"];
    let yes = folder.run(&[&args[..], &["@yes.json"]].concat());
    assert_eq!(yes.code, 0, "{yes:?}");
    assert_eq!(yes.json()["calls"], json!([{ "call": "ui.confirm", "args": ["Remove?", "rm -rf /"] }]));
    let no = folder.run(&[&args[..], &[r#"[{"confirm":false}]"#]].concat());
    assert_eq!(no.code, 2, "{no:?}");
    let none = folder.run(&[&args[..], &["[]"]].concat());
    assert_eq!(none.code, 2, "{none:?}");
    let other = folder.run(&[&args[..], &[r#"[{"select":"a"}]"#]].concat());
    assert_eq!(other.code, 2, "{other:?}");
    assert!(other.json()["warnings"][0].as_str().is_some_and(|text| text.contains("confirm dialog")), "{other:?}");
}

#[test]
fn data_comes_from_a_file_or_standard_input() {
    let folder = Folder::with(&[("gate.ts", GATE), ("rm.json", RM), ("bom.json", &format!("\u{feff}{RM}"))]);
    assert_eq!(folder.run(&["emit", "tool_call", "--hook", "gate.ts", "--data", "@rm.json"]).code, 2);
    assert_eq!(folder.run(&["emit", "tool_call", "--hook", "gate.ts", "--data", "@bom.json"]).code, 2);
    assert_eq!(folder.run_with(&["emit", "tool_call", "--hook", "gate.ts", "--data", "-"], RM).code, 2);
}

#[test]
fn a_cancelled_session_event_exits_with_2() {
    let folder = Folder::with(&[(
        "h.ts",
        r#"export default (pi) => { pi.on("session_before_switch", () => ({ cancel: 1 })); pi.on("session_before_lunch", () => ({ cancel: true })); };"#,
    )]);
    let run = folder.run(&["emit", "session_before_switch", "--hook", "h.ts", "--data", r#"{"reason":"new"}"#]);
    assert_eq!((run.code, &run.json()["result"]), (2, &json!({ "cancel": true })));
    assert_eq!(folder.run(&["emit", "session_before_lunch", "--hook", "h.ts"]).code, 0);
    assert_eq!(folder.run(&["emit", "session_start", "--hook", "h.ts"]).code, 0);
}

#[test]
fn load_errors_exit_with_1_and_a_block_beats_them() {
    let folder = Folder::with(&[("gate.ts", GATE), ("bad.ts", "export default 42")]);
    let run = folder.run(&["emit", "tool_call", "--hook", "bad.ts", "--hook", "gate.ts", "--data", LS]);
    assert_eq!(run.code, 1, "{run:?}");
    assert_eq!(run.json()["loadErrors"], json!([{ "path": "bad.ts", "error": "Hook must export a default function" }]));
    let blocked = folder.run(&["emit", "tool_call", "--hook", "bad.ts", "--hook", "gate.ts", "--data", RM]);
    assert_eq!(blocked.code, 2, "{blocked:?}");
}

#[test]
fn a_required_hook_that_does_not_load_refuses_every_tool() {
    let folder = Folder::with(&[("bad.ts", "throw new Error('no')"), ("gate.ts", GATE)]);
    let run = folder.run(&["emit", "tool_call", "--require", "bad.ts", "--hook", "gate.ts", "--data", LS]);
    assert_eq!(run.code, 2, "{run:?}");
    assert_eq!(run.json()["result"]["reason"], "required hook did not load: bad.ts");
    let tool = folder.run(&["tool", "bash", "--require", "bad.ts", "--input", "{}", "--", "touch", "ran"]);
    assert_eq!((tool.code, &tool.json()["outcome"]), (2, &json!("blocked")), "{tool:?}");
    assert!(!folder.path().join("ran").exists());
    let fine = folder.run(&["emit", "tool_call", "--require", "gate.ts", "--data", LS]);
    assert_eq!(fine.code, 0, "{fine:?}");
}

#[test]
fn a_throw_blocks_with_its_own_text() {
    let folder = Folder::with(&[(
        "h.ts",
        r#"export default (pi) => pi.on("tool_call", (e) => { throw e.input.error ? new Error("bug") : "text"; });"#,
    )]);
    let thrown = folder.run(&["emit", "tool_call", "--hook", "h.ts", "--data", r#"{"input":{"error":true}}"#]);
    assert_eq!((thrown.code, &thrown.json()["result"]), (2, &json!({ "block": true, "reason": "bug" })));
    let text = folder.run(&["emit", "tool_call", "--hook", "h.ts", "--data", r#"{"input":{}}"#]);
    assert_eq!(text.json()["result"]["reason"], "Hook failed, blocking execution: text");
    assert_eq!(text.json()["errors"], json!([{ "hookPath": "h.ts", "event": "tool_call", "error": "text" }]));
}

#[test]
fn replay_keeps_state_and_exits_with_the_highest_code() {
    let hook = r#"let n = 0; export default (pi) => pi.on("tool_call", () => ++n > 1 ? { block: true, reason: `call ${n}` } : undefined);"#;
    let line = format!("{{\"event\":\"tool_call\",\"data\":{LS}}}\n");
    let folder =
        Folder::with(&[("h.ts", hook), ("r.jsonl", &format!("{line}\n{line}{{\"event\":\"agent_start\"}}\n"))]);
    let run = folder.run(&["replay", "r.jsonl", "--hook", "h.ts"]);
    assert_eq!(run.code, 2, "{run:?}");
    let results: Vec<_> = run.lines().iter().map(|line| line["result"].clone()).collect();
    assert_eq!(results, [json!(null), json!({ "block": true, "reason": "call 2" }), json!(null)]);
    assert_eq!(folder.run_with(&["replay", "-", "--hook", "h.ts"], &line).code, 0);
    let broken = folder.run_with(&["replay", "-", "--hook", "h.ts"], &format!("{line}{{\"event\":"));
    assert_eq!(broken.code, 1);
    assert!(broken.stderr.contains("line 2"), "{broken:?}");
}

#[test]
fn tool_runs_the_command_between_its_hooks() {
    let hook = r#"export default (pi) => {
      pi.on("tool_call", (e) => e.input.deny ? { block: true } : undefined);
      pi.on("tool_result", (e) => { pi.appendEntry("saw", e.isError); return { content: [{ type: "text", text: e.content[0].text.toUpperCase() }] }; });
    };"#;
    let folder = Folder::with(&[("h.ts", hook)]);
    let ok = folder.run(&["tool", "echo", "--hook", "h.ts", "--input", "{}", "--", "printf", "%s", "hi"]);
    assert_eq!(ok.code, 0, "{ok:?}");
    assert_eq!(ok.json()["content"], json!([{ "type": "text", "text": "HI" }]));
    assert_eq!(ok.json()["calls"], json!([{ "call": "pi.appendEntry", "args": ["saw", false] }]));
    let failed = folder.run(&["tool", "sh", "--hook", "h.ts", "--", "sh", "-c", "echo broken >&2; exit 3"]);
    assert_eq!((failed.code, &failed.json()["outcome"]), (1, &json!("error")), "{failed:?}");
    assert_eq!(failed.json()["reason"], "exited with code 3: broken");
    let blocked = folder.run(&["tool", "sh", "--hook", "h.ts", "--input", r#"{"deny":1}"#, "--", "touch", "ran"]);
    assert_eq!((blocked.code, &blocked.json()["outcome"]), (2, &json!("blocked")), "{blocked:?}");
    assert_eq!(blocked.json()["reason"], "Tool execution was blocked by a hook");
    assert!(!folder.path().join("ran").exists());
    let missing = folder.run(&["tool", "x", "--hook", "h.ts", "--", "hookrt-no-such-program"]);
    assert_eq!(missing.code, 1, "{missing:?}");
}

#[test]
fn command_runs_or_says_that_there_is_none() {
    let hook = r#"export default (pi) => {
      pi.registerCommand("hi", { handler: (args, ctx) => ctx.ui.notify(`hi ${args}`) });
      pi.registerCommand("bad", { handler: () => { throw new Error("broken"); } });
    };"#;
    let folder = Folder::with(&[("h.ts", hook)]);
    let ran = folder.run(&["command", "/hi", "a", "b", "--hook", "h.ts", "--answers", "[]"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(ran.json()["calls"], json!([{ "call": "ui.notify", "args": ["hi a b"] }]));
    assert_eq!(ran.json()["result"], json!(null));
    let bad = folder.run(&["command", "bad", "--hook", "h.ts"]);
    assert_eq!((bad.code, &bad.json()["errors"][0]["error"]), (1, &json!("broken")), "{bad:?}");
    let unknown = folder.run(&["command", "nobody", "--hook", "h.ts"]);
    assert_eq!(unknown.code, 1, "{unknown:?}");
}

#[test]
fn check_lists_what_hooks_register_and_shows_where_they_break() {
    let good = r#"export default (pi) => { pi.on("tool_call", () => {}); pi.registerCommand("c", () => {}); pi.registerMessageRenderer("r", () => {}); };"#;
    let folder = Folder::with(&[
        ("hooks/good.ts", good),
        ("hooks/x.d.ts", ""),
        ("hooks/.hidden.ts", ""),
        ("bad.ts", "const a = ;\n"),
    ]);
    let run = folder.run(&["check", "hooks", "--json"]);
    assert_eq!(run.code, 0, "{run:?}");
    let hooks = &run.json()["hooks"];
    assert_eq!(hooks.as_array().map(Vec::len), Some(1));
    assert_eq!(hooks[0]["events"], json!(["tool_call"]));
    assert_eq!((&hooks[0]["commands"], &hooks[0]["renderers"]), (&json!(["c"]), &json!(["r"])));
    let bad = folder.run(&["check", "hooks", "bad.ts"]);
    assert_eq!(bad.code, 1, "{bad:?}");
    assert!(bad.stdout.contains("> 1 | const a = ;") && bad.stdout.contains("events: tool_call"), "{bad:?}");
    folder.write("number.ts", "// a comment\nexport default 42;\n");
    let number = folder.run(&["check", "number.ts"]);
    assert!(
        number.stdout.contains("Hook must export a default function\n")
            && number.stdout.contains("> 2 | export default 42;"),
        "{number:?}"
    );
    assert_eq!(folder.run(&["check", "nothing-here"]).code, 1);
}

#[test]
fn check_passes_over_the_whole_surface() {
    let folder = Folder::new();
    let surface = format!("{}/fixtures/surface", env!("CARGO_MANIFEST_DIR"));
    let run = folder.run(&["check", &surface]);
    let complaints: Vec<&str> = run.stdout.lines().skip_while(|line| !line.starts_with("error")).collect();
    assert_eq!((run.code, complaints), (0, Vec::new()), "{}", run.stderr);
}

#[test]
fn cwd_is_where_hooks_run() {
    let hook = r#"export default (pi) => pi.on("agent_start", async (_e, ctx) => pi.appendEntry("cwd", [ctx.cwd === process.cwd(), (await pi.exec("pwd")).stdout.trim() === ctx.cwd, require("fs").existsSync("here.txt")]));"#;
    let folder = Folder::with(&[("sub/h.ts", hook), ("sub/here.txt", "")]);
    let run = folder.run(&["emit", "agent_start", "--cwd", "sub", "--hook", "h.ts"]);
    assert_eq!(run.json()["calls"][0]["args"], json!(["cwd", [true, true, true]]), "{run:?}");
    assert_eq!(folder.run(&["emit", "agent_start", "--cwd", "gone"]).code, 1);
}

#[test]
fn what_hooks_print_never_reaches_standard_output() {
    let hook = r#"console.log("at load"); export default (pi) => pi.on("agent_start", () => { console.log("hi"); console.error("err"); process.stdout.write("raw\n"); process.exitCode = 7; process.exit(3); });"#;
    let folder = Folder::with(&[("h.ts", hook)]);
    let run = folder.run(&["emit", "agent_start", "--hook", "h.ts"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(run.stdout.lines().count(), 1, "{run:?}");
    assert_eq!(run.json()["errors"].as_array().map(Vec::len), Some(1), "{run:?}");
}

#[test]
fn what_hooks_write_to_descriptor_1_never_reaches_a_report() {
    let hook = r#"import { writeSync } from "node:fs";
      import { spawnSync } from "node:child_process";
      const dirty = () => { writeSync(1, "raw\n"); spawnSync("echo", ["child"], { stdio: "inherit" }); };
      dirty();
      export default (pi) => { dirty(); pi.on("tool_call", dirty); pi.registerCommand("c", dirty); };"#;
    let case = r#"{"description":"d","steps":[{"event":"tool_call"}]}"#;
    let folder = Folder::with(&[
        ("h.ts", hook),
        ("case/hook.ts", hook),
        ("case/case.json", case),
        ("case/expected.json", r#"{"steps":[{"event":"tool_call"}]}"#),
    ]);
    for args in [
        &["emit", "tool_call", "--hook", "h.ts"][..],
        &["replay", "-", "--hook", "h.ts"],
        &["tool", "x", "--hook", "h.ts", "--", "true"],
        &["command", "c", "--hook", "h.ts"],
        &["check", "h.ts", "--json"],
        &["test", "case", "--json"],
    ] {
        let run = folder.run_with(args, "{\"event\":\"tool_call\"}\n");
        assert_eq!((run.code, run.lines().len()), (0, 1), "{args:?} {run:?}");
        assert!(run.stderr.contains("raw\n") && run.stderr.contains("child\n"), "{args:?} {run:?}");
    }
    assert!(folder.run(&["check", "h.ts"]).stdout.starts_with("ok    h.ts\n"));
}

#[cfg(unix)]
#[test]
fn tool_ends_with_its_program() {
    let folder = Folder::new();
    let started = std::time::Instant::now();
    let run = folder.run(&["tool", "sh", "--", "sh", "-c", "sleep 50 & echo hi; echo \"$!\" > pid"]);
    let pid = std::fs::read_to_string(folder.path().join("pid")).expect("a pid");
    let _ = std::process::Command::new("kill").arg(pid.trim()).status();
    assert_eq!(run.json()["content"], json!([{ "type": "text", "text": "hi\n" }]), "{run:?}");
    assert!(started.elapsed() < std::time::Duration::from_secs(40), "{:?}", started.elapsed());
}

#[test]
fn test_runs_cases_and_shows_the_difference() {
    let case = r#"{"description":"d","steps":[{"event":"tool_call","data":{"input":{"command":"rm"}}}]}"#;
    let folder = Folder::with(&[("cases/a/hook.ts", GATE), ("cases/a/case.json", case)]);
    let missing = folder.run(&["test", "cases"]);
    assert_eq!(missing.code, 1, "{missing:?}");
    let updated = folder.run(&["test", "cases", "--update"]);
    assert_eq!(updated.code, 0, "{updated:?}");
    assert!(folder.run(&["test", "cases"]).stdout.ends_with("1 passed, 0 failed\n"));
    folder.write(
        "cases/a/expected.json",
        r#"{"steps":[{"event":"tool_call","result":{"block":true,"reason":{"$match":"^nope"}}}]}"#,
    );
    let failed = folder.run(&["test", "cases"]);
    assert_eq!(failed.code, 1, "{failed:?}");
    assert!(failed.stdout.contains("FAILED") && failed.stdout.contains("rm is refused"), "{failed:?}");
    assert_eq!(folder.run(&["test", "cases", "--json"]).json()["failed"], 1);
    assert_eq!(folder.run(&["test", "cases", "--filter", "nothing"]).code, 1);
    folder.write("cases/b/case.json", r#"{"description":"d","steps":[{"evnt":"x"}]}"#);
    let typo = folder.run(&["test", "cases/b"]);
    assert!(typo.stdout.contains("evnt"), "{typo:?}");
}

/// Each would leave out what the case is there to show.
#[test]
fn slips_in_a_case_are_told() {
    let folder = Folder::with(&[("a/hook.ts", GATE), ("a/expected.json", r#"{"steps":[{"event":"turn_start"}]}"#)]);
    for (fields, told) in [
        (r#""required":["hook2.ts"]"#, "required"),
        (r#""engines":["v9"]"#, "engines"),
        (r#""steps":[{"event":"turn_start","command":"hi"}]"#, r#""command" does not go with "event""#),
        (r#""steps":[{"event":"turn_strt"}]"#, r#"did you mean \"turn_start\""#),
    ] {
        folder.write("a/case.json", format!(r#"{{"description":"d",{fields}}}"#));
        let run = folder.run(&["test", "a"]);
        assert!(run.code == 1 && run.stdout.contains(told), "{fields}: {run:?}");
    }
}
