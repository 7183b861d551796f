//! `hookrt list`, `trust`, `init`, and discovery for the verbs that run hooks.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::support::Machine;

const GATE: &str = r#"export default (pi) => pi.on("tool_call", () => ({ block: true, reason: "REASON" }))"#;

impl Machine {
    /// A project and a person's own folder, each with a hook of the same name.
    fn new() -> Machine {
        let machine = Machine::empty();
        machine.write("project/.xcsh/hooks/pre/bash.ts", &GATE.replace("REASON", "project"));
        machine.write("home/.xcsh/agent/hooks/pre/bash.ts", &GATE.replace("REASON", "person"));
        machine
    }

    fn states(&self, env: &[(&str, &str)], args: &[&str]) -> Vec<(String, String)> {
        let output = self.run(env, &[&["list", "--json", "--disable-provider", "xcsh"], args].concat());
        let listing: Value = serde_json::from_slice(&output.stdout).unwrap();
        let text = |item: &Value, field: &str| item[field].as_str().unwrap().to_owned();
        let native = listing["items"].as_array().unwrap().iter().filter(|item| item["provider"] == "native");
        native.map(|item| (text(item, "level"), text(item, "state"))).collect()
    }

    fn reason(&self, args: &[&str]) -> (Value, Value, Option<i32>) {
        let output = self.run(&[], &[&["emit", "tool_call", "--discover", "--data", r#"{"input":{}}"#], args].concat());
        let result: Value = serde_json::from_slice(&output.stdout).unwrap();
        (result["result"]["reason"].clone(), result["loadErrors"].clone(), output.status.code())
    }
}

fn states(of: [(&str, &str); 2]) -> Vec<(String, String)> {
    of.into_iter().map(|(level, state)| (level.to_owned(), state.to_owned())).collect()
}

#[test]
fn a_project_runs_once_it_is_trusted_and_until_it_changes() {
    let machine = Machine::new();
    assert_eq!(machine.states(&[], &[]), states([("project", "untrusted"), ("user", "active")]));
    let (reason, errors, code) = machine.reason(&[]);
    assert_eq!((reason, code), (json!("person"), Some(2)), "an untrusted file hides nobody's own hook");
    assert!(errors[0]["error"].as_str().unwrap().starts_with("Not trusted"), "{errors}");
    assert!(machine.run(&[], &["trust"]).status.success());
    assert_eq!(machine.states(&[], &[]), states([("project", "active"), ("user", "shadowed")]));
    assert_eq!(machine.reason(&[]).0, "project");
    machine.write("project/.xcsh/hooks/pre/bash.ts", &GATE.replace("REASON", "edited"));
    assert_eq!(machine.states(&[], &[]), states([("project", "untrusted"), ("user", "active")]));
    assert!(machine.run(&[], &["trust"]).status.success());
    assert!(machine.run(&[], &["trust", "--revoke"]).status.success());
    assert_eq!(machine.states(&[], &[]), states([("project", "untrusted"), ("user", "active")]));
}

#[test]
fn trust_can_be_given_for_one_run() {
    let machine = Machine::new();
    let trusted = states([("project", "active"), ("user", "shadowed")]);
    assert_eq!(machine.states(&[("HOOKRT_TRUST_PROJECT", "1")], &[]), trusted);
    assert_eq!(machine.states(&[], &["--trust"]), trusted);
    assert_eq!(machine.states(&[("HOOKRT_TRUST_PROJECT", "yes")], &[])[0].1, "untrusted");
    assert_eq!(machine.reason(&["--trust"]).0, "project");
}

#[test]
fn a_trusted_project_is_listed() {
    let machine = Machine::new();
    machine.run(&[], &["trust"]);
    let output = machine.run(&[], &["trust", "--list", "--json"]);
    let listed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(listed["projects"][0]["files"], json!([".xcsh/hooks/pre/bash.ts"]));
}

#[test]
fn a_file_that_two_providers_find_is_told_once() {
    let machine = Machine::new();
    let rows = |args: &[&str]| -> Vec<String> {
        let output = machine.run(&[], &[&["list", "--json"], args].concat());
        let listing: Value = serde_json::from_slice(&output.stdout).unwrap();
        let items = listing["items"].as_array().unwrap().iter().filter(|item| item["level"] == "project");
        items
            .map(|item| format!("{} {}", item["provider"].as_str().unwrap(), item["state"].as_str().unwrap()))
            .collect()
    };
    assert_eq!(rows(&[]), ["native untrusted"]);
    assert_eq!(rows(&["--trust"]), ["native active"]);
    // Off under the id of one provider, off for all.
    assert_eq!(rows(&["--trust", "--disable", "hook:pre:bash:bash.ts"]), ["native disabled", "xcsh disabled"]);
    for slip in [["--disable", "bash"], ["--disable-provider", "claud"]] {
        let output = machine.run(&[], &[&["list"], &slip[..]].concat());
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("there are"), "{output:?}");
    }
    let (_, errors, code) = machine.reason(&[]);
    assert_eq!((errors.as_array().map(Vec::len), code), (Some(1), Some(2)), "{errors}");
}

#[test]
fn init_writes_a_hook_that_loads_and_overwrites_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let run =
        |args: &[&str]| Command::new(env!("CARGO_BIN_EXE_hookrt")).args(args).current_dir(dir.path()).output().unwrap();
    assert!(run(&["init", "new"]).status.success());
    let hook = dir.path().join("new/hook.ts");
    assert!(run(&["check", "new/hook.ts"]).status.success());
    for file in ["new/tsconfig.json", "new/typings/pi-coding-agent/events.d.ts", "new/typings/scopes.d.ts"] {
        assert!(dir.path().join(file).is_file(), "{file}");
    }
    std::fs::write(&hook, "mine").unwrap();
    let output = run(&["init", "new"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("--force"));
    assert_eq!(std::fs::read_to_string(&hook).unwrap(), "mine");
    assert!(run(&["init", "new", "--force"]).status.success());
    assert_ne!(std::fs::read_to_string(&hook).unwrap(), "mine");
}

#[test]
fn without_a_compiler_the_type_check_says_how_to_get_one() {
    let dir = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hookrt"));
        command.args(args).current_dir(dir.path()).env("PATH", "").output().unwrap()
    };
    run(&["init", "."]);
    let output = run(&["check", "--types", "--json", "hook.ts"]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["errors"], json!([]));
    let said = report["types"][0]["output"].as_str().unwrap();
    assert!(said.contains("npm install --save-dev typescript"), "{said}");
    assert!(Path::new(report["types"][0]["project"].as_str().unwrap()).is_absolute());
}
