//! `hookrt lifecycle` as a person or a script uses it.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use super::support::Project;

fn command(project: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hookrt"));
    command
        .arg("lifecycle")
        .args(arguments)
        .current_dir(project)
        .env("AX_CODE_TRUST_PROJECT_CONFIG", "1")
        .env_remove("AX_CODE_HOOKS_FULL_ENV")
        .stdin(Stdio::null());
    command
}

fn run(project: &Project, arguments: &[&str]) -> Output {
    command(project.path(), arguments).output().expect("the program runs")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn parsed(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", text(output)))
}

#[test]
fn run_prints_the_outcome_and_exits_0_or_2() {
    let project = Project::with_file(&json!({
        "packs": ["block-force-push"],
        "hooks": [{ "event": "PreToolUse", "command": "cat; exit 3", "matcher": "bash", "pack": "mine" }],
    }));
    let output = run(
        &project,
        &["run", "PreToolUse", "--tool", "bash", "--session", "s", "--args", r#"{"command":"ls"}"#, "--json"],
    );
    assert_eq!(output.status.code(), Some(0));
    let mut outcome = parsed(&output);
    for output in outcome["outputs"].as_array_mut().expect("outputs") {
        assert!(output["ms"].take().is_u64());
    }
    assert_eq!(outcome["warnings"].as_array().map(Vec::len), Some(1));
    outcome["warnings"] = json!([]);
    assert_eq!(
        outcome,
        json!({
            "event": "PreToolUse",
            "blocked": false,
            "ok": true,
            "decision": "none",
            "reason": null,
            "feedback": null,
            "outputs": [
                { "command": "pack:block-force-push", "pack": "block-force-push", "exit": 0, "stdout": "", "stderr": "", "timedOut": false, "truncated": false, "ms": null },
                { "command": "cat; exit 3", "pack": "mine", "exit": 3, "stdout": "{\"command\":\"ls\"}", "stderr": "", "timedOut": false, "truncated": false, "ms": null },
            ],
            "warnings": [],
        })
    );

    let output =
        run(&project, &["run", "PreToolUse", "--tool", "bash", "--args", r#"{"command":"git push -f"}"#, "--json"]);
    assert_eq!(output.status.code(), Some(2));
    let outcome = parsed(&output);
    assert_eq!(
        (&outcome["blocked"], &outcome["ok"], &outcome["decision"]),
        (&json!(true), &json!(false), &json!("deny"))
    );
    assert_eq!(outcome["reason"], "Blocked force push by block-force-push hook");

    let output = run(&project, &["run", "PreToolUse", "--tool", "bash", "--args", r#"{"command":"git push -f"}"#]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output).contains("blocked: PreToolUse hook blocked tool bash"), "{}", text(&output));
    assert!(!text(&output).contains('\u{1b}'), "no colours into a pipe");
}

#[test]
fn arguments_from_a_file_and_from_stdin() {
    let project = Project::with_file(&json!({ "hooks": [{ "event": "PreToolUse", "command": "wc -c" }] }));
    let large = format!(r#"{{"text":"{}"}}"#, "語".repeat(1_000_000));
    std::fs::write(project.join("args.json"), &large).expect("a file");
    let output = run(&project, &["run", "PreToolUse", "--args", "@args.json", "--json"]);
    assert_eq!(parsed(&output)["outputs"][0]["stdout"].as_str().map(str::trim), Some(large.len().to_string().as_str()));

    let mut child = command(project.path(), &["run", "PreToolUse", "--args", "-", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || stdin.write_all(large.as_bytes()).map(|()| large.len()));
    let output = child.wait_with_output().expect("an end");
    let written = writer.join().expect("no panic").expect("written");
    assert_eq!(parsed(&output)["outputs"][0]["stdout"].as_str().map(str::trim), Some(written.to_string().as_str()));
}

#[test]
fn wrong_use_is_told_with_a_hint() {
    let project = Project::new();
    for arguments in [
        vec!["run", "NotAnEvent"],
        vec!["run", "Stop", "--args", "{"],
        vec!["run", "Stop", "--args", "@nowhere.json"],
        vec!["run", "PreCompact", "--args", r#"{"auto":"x"}"#],
        vec!["check", "nowhere.json"],
    ] {
        let output = run(&project, &arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(output.stdout.is_empty(), "standard output is for results");
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains("error:"), "{arguments:?}: {told}");
        // A file that is not there needs no explanation.
        assert!(told.contains("hint:") || told.contains("nowhere"), "{arguments:?}: {told}");
    }
}

#[test]
fn an_untrusted_file_is_named_once_and_does_nothing() {
    let project = Project::with_file(
        &json!({ "hooks": [{ "event": "PreToolUse", "command": "touch ran; exit 1", "blockOnFailure": true }] }),
    );
    let output = command(project.path(), &["run", "PreToolUse", "--json", "--enforce"])
        .env_remove("AX_CODE_TRUST_PROJECT_CONFIG")
        .output()
        .expect("the program runs");
    assert_eq!(output.status.code(), Some(0));
    let outcome = parsed(&output);
    assert_eq!(
        (outcome["outputs"].as_array().map(Vec::len), outcome["warnings"].as_array().map(Vec::len)),
        (Some(0), Some(1))
    );
    assert!(!project.join("ran").exists());

    let output = command(project.path(), &["list"])
        .env_remove("AX_CODE_TRUST_PROJECT_CONFIG")
        .output()
        .expect("the program runs");
    let listing = text(&output);
    assert_eq!(listing.matches("AX_CODE_TRUST_PROJECT_CONFIG=1").count(), 1, "{listing}");
    assert!(listing.contains("not trusted  PreToolUse"), "{listing}");
}

#[test]
fn observe_only_events_are_waited_for_and_stripped() {
    let project = Project::with_file(&json!({ "hooks": [{ "event": "PostToolUseFailure", "command": "cat" }] }));
    let args = r#"{"callID":"c","reason":"error","time":7,"output":"SECRET"}"#;
    let output =
        run(&project, &["run", "PostToolUseFailure", "--tool", "bash", "--session", "s", "--args", args, "--json"]);
    let outcome = parsed(&output);
    let payload: Value =
        serde_json::from_str(outcome["outputs"][0]["stdout"].as_str().unwrap_or("")).expect("a payload");
    assert_eq!(payload, json!({ "sessionID": "s", "tool": "bash", "callID": "c", "reason": "error", "time": 7 }));
    assert!(outcome["warnings"][0].as_str().unwrap_or("").contains("output"));
}

#[test]
fn asks_are_declined_without_a_person_and_enforcing_blocks_on_a_broken_file() {
    let ask = r#"echo '{"permissionDecision":"ask","reason":"sure?"}'"#;
    let project =
        Project::with_file(&json!({ "hooks": [{ "event": "PreToolUse", "command": ask, "protocol": "claude-code" }] }));
    let output = run(&project, &["run", "PreToolUse", "--tool", "bash", "--json"]);
    assert_eq!((output.status.code(), &parsed(&output)["decision"]), (Some(2), &json!("ask")));

    let project = Project::with_text("{ broken");
    let output = run(&project, &["run", "PreToolUse", "--tool", "bash", "--json"]);
    assert_eq!((output.status.code(), parsed(&output)["warnings"].as_array().map(Vec::len)), (Some(0), Some(1)));
    let output = run(&project, &["run", "PreToolUse", "--tool", "bash", "--json", "--enforce"]);
    assert_eq!((output.status.code(), &parsed(&output)["decision"]), (Some(2), &json!("deny")));
}

#[test]
fn own_packs_by_name_and_a_project_by_directory() {
    let project = Project::with_file(&json!({ "hooks": [{ "event": "PostToolUse", "command": "pwd -P" }] }));
    let elsewhere = Project::new();
    let directory = project.path().to_string_lossy().into_owned();
    let arguments =
        ["run", "PostToolUse", "--tool", "edit", "--cwd", &directory, "--pack", "format-after-edit", "--json"];
    let outcome = parsed(&run(&elsewhere, &arguments));
    assert_eq!(outcome["outputs"][0]["pack"], "format-after-edit");
    let canonical = project.path().canonicalize().expect("the project");
    assert_eq!(outcome["outputs"][1]["stdout"].as_str().map(str::trim_end), canonical.to_str());
    assert!(
        outcome["feedback"]
            .as_str()
            .unwrap_or("")
            .starts_with("<hook_feedback event=\"PostToolUse\">[hook:format-after-edit]")
    );
    assert_eq!(outcome["warnings"], json!([]));

    // What somebody types is no configuration of years ago: a slip is an error.
    let slip = run(&elsewhere, &["run", "PreToolUse", "--tool", "bash", "--pack", "block-force"]);
    assert_eq!(slip.status.code(), Some(1), "{slip:?}");
    assert!(String::from_utf8_lossy(&slip.stderr).contains("block-force-push"), "{slip:?}");
}

#[test]
fn packs_and_list() {
    let project = Project::with_file(&json!({
        "packs": ["log-bash-commands"],
        "hooks": [{ "event": "PreToolUse", "command": "x", "protocol": "claude-code", "matcher": "bash" }],
    }));
    assert!(text(&run(&project, &["packs"])).contains("| `block-force-push` | PreToolUse | `bash` | yes |"));
    assert_eq!(parsed(&run(&project, &["packs", "--json"])).as_array().map(Vec::len), Some(5));
    let listing = text(&run(&project, &["list", "--pack", "format-after-edit"]));
    let rows: Vec<&str> = listing.lines().collect();
    assert_eq!(
        rows,
        [
            "runs  PostToolUse  edit|write|multiedit|apply_patch  user pack  pack:format-after-edit",
            "runs  PreToolUse  bash  hooks.json pack  pack:log-bash-commands",
            "runs  PreToolUse  bash  hooks.json hooks[0], may block  x",
        ]
    );
    let listing = parsed(&run(&project, &["list", "--json"]));
    assert_eq!(listing["hooks"][1]["source"], "hooks.json hooks[0]");
    assert_eq!(
        (&listing["hooks"][1]["trusted"], &listing["hooks"][1]["protocol"]),
        (&json!(true), &json!("claude-code"))
    );
    assert_eq!(text(&run(&Project::new(), &["list"])), "no lifecycle hooks\n");
}

#[test]
fn check_names_index_and_field() {
    let project = Project::with_file(&json!({ "hooks": [
        { "event": "PreToolUse", "command": "x", "matcher": "mcp__x__.*" },
        { "event": "NotAnEvent", "command": 42 },
    ], "packs": ["nope"] }));
    let file = project.file().to_string_lossy().into_owned();
    let output = run(&project, &["check", &file]);
    assert_eq!(output.status.code(), Some(1));
    for part in [
        "warning: hooks[0].matcher: ",
        "did you mean `mcp__x__*`?",
        "error: hooks[1].event: unknown event `NotAnEvent`",
        "error: hooks[1].command: expected a string, found a number",
        "warning: packs[0]: unknown pack `nope`, ignored",
        "1 hooks and 0 packs would run",
    ] {
        assert!(text(&output).contains(part), "{part}: {}", text(&output));
    }
    let report = parsed(&run(&project, &["check", &file, "--json"]));
    assert_eq!((&report["ok"], report["problems"].as_array().map(Vec::len)), (&json!(false), Some(4)));
    assert_eq!(report["problems"][1]["place"], "hooks[1].event");

    let fine = Project::with_file(&json!({ "hooks": [{ "event": "Stop", "command": "x" }] }));
    assert_eq!(run(&fine, &["check", &fine.file().to_string_lossy()]).status.code(), Some(0));
}
