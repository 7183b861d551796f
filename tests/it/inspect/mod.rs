//! `--inspect` and `--inspect-brk`: a debugger attaches, stops hooks in the lines of their `.ts` and finds them unharmed by the wait.

mod debugger;

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use debugger::{Debugger, Errors, Place, get};
use hookrt::ENGINE;
use serde_json::{Value, json};

use crate::serve::peer::{Engine, folder, start_with, write};

/// Types and blank lines go when it is compiled, so that its lines are others in what runs.
const GATE: &str = r#"import type { HookAPI } from "@f5-sales-demo/xcsh";

interface Rule {
    pattern: RegExp;
}

const rules: Rule[] = [{ pattern: /^rm/ }];

export default function (pi: HookAPI) {
    pi.on("tool_call", async (event) => {
        type Input = { command: string };

        const { command } = event.input as unknown as Input;
        const hit = rules.some((rule: Rule) => rule.pattern.test(command));
        await new Promise((resolve) => setTimeout(resolve, 1));
        if (hit) return { block: true, reason: "no" };
    });
}
"#;
/// Where the rules are made, and where they are tried.
const FIRST: u32 = 7;
const TRIED: u32 = 14;

/// Longer than the limits of the tests.
const LONG: Duration = Duration::from_millis(600);

fn hookrt(dir: &std::path::Path, args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hookrt"));
    command.args(args).current_dir(dir).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn at(place: &Place, line: u32) {
    assert_eq!(place.line, line, "{place:?}");
    assert!(place.source.starts_with("file:///") && place.source.contains("/gate."), "{place:?}");
}

#[test]
fn a_breakpoint_stops_at_its_line_of_the_ts_and_no_limit_passes_meanwhile() {
    if ENGINE != "v8" {
        return;
    }
    let common_js = GATE.replace("export default", "export =");
    for (name, text) in [("gate.ts", GATE), ("gate.cts", &common_js)] {
        stops_at_a_breakpoint(name, text);
    }
}

fn stops_at_a_breakpoint(name: &str, text: &str) {
    let dir = folder(&[(name, text)]);
    let data = Engine::tool_call("rm -rf /").to_string();
    let limits = ["--load-timeout", "100", "--cpu-budget", "100"];
    let args = ["emit", "tool_call", "--hook", name, "--inspect-brk=127.0.0.1:0", "--data", &data];
    let mut child = hookrt(dir.path(), &[&args[..], &limits[..]].concat());
    let target = Errors::of(child.stderr.take().unwrap()).target();

    let version = get(&target, "/json/version");
    assert!(version["Browser"].as_str().is_some_and(|name| name.starts_with("hookrt/")), "{version}");
    let listed = get(&target, "/json");
    assert_eq!(listed[0]["webSocketDebuggerUrl"], format!("ws://{target}"));
    assert!(listed[0]["url"].as_str().is_some_and(|url| url.ends_with(name)), "{listed}");

    let mut debugger = Debugger::attach(&target);
    let (_, place) = debugger.paused();
    at(&place, FIRST);
    std::thread::sleep(LONG);
    debugger.break_at(name, TRIED);
    debugger.resume();

    let (frame, place) = debugger.paused();
    at(&place, TRIED);
    assert_eq!(debugger.evaluate(&frame, "command"), "rm -rf /");
    let busy = "{ const end = Date.now() + 400; while (Date.now() < end); 'done' }";
    assert_eq!(debugger.evaluate(&frame, busy), "done");
    debugger.resume();

    let output = child.wait_with_output().unwrap();
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["result"], json!({ "block": true, "reason": "no" }), "{result}");
    assert_eq!((result["errors"].clone(), output.status.code()), (json!([]), Some(2)));
}

#[test]
fn a_server_takes_debuggers_at_any_time_and_a_reload_is_a_new_target() {
    if ENGINE != "v8" {
        return;
    }
    let dir = folder(&[("gate.ts", GATE)]);
    let mut engine = start_with(dir.path(), &["--inspect=0"], Stdio::piped());
    let errors = Errors::of(engine.child.stderr.take().unwrap());
    engine.initialize();
    engine.ok("runner.create", json!({ "runner": "main", "options": { "handlerTimeoutMs": 100, "cpuBudgetMs": 100 } }));
    let hooks = json!({ "runner": "main", "entries": [{ "path": "gate.ts" }] });
    assert_eq!(engine.ok("hooks.load", hooks)["errors"], json!([]));
    let state = json!({ "isIdle": true, "hasQueuedMessages": false, "model": null });
    engine.ok("runner.initialize", json!({ "runner": "main", "hasUI": false, "state": state }));

    let mut debugger = Debugger::attach(&errors.target());
    debugger.break_at("gate.ts", TRIED);
    let emit = engine.begin_emit("toolCall", Engine::tool_call("rm x"));
    let (_, place) = debugger.paused();
    at(&place, TRIED);
    std::thread::sleep(LONG);
    debugger.resume();
    let answer = engine.response(emit);
    assert_eq!(answer["result"]["result"], json!({ "block": true, "reason": "no" }), "{answer}");

    write(dir.path(), "gate.ts", &GATE.replace("\"no\"", "\"never\""));
    assert_eq!(engine.ok("hooks.reload", json!({ "runner": "main" }))["kept"], false);
    debugger.ended();
    let mut debugger = Debugger::attach(&errors.target());
    debugger.break_at("gate.ts", TRIED);
    let emit = engine.begin_emit("toolCall", Engine::tool_call("rm x"));
    at(&debugger.paused().1, TRIED);
    debugger.resume();
    assert_eq!(engine.response(emit)["result"]["result"]["reason"], "never");
}

#[test]
fn a_host_that_goes_takes_an_engine_with_it_that_waits_for_a_debugger() {
    if ENGINE != "v8" {
        return;
    }
    let dir = folder(&[("gate.ts", GATE)]);
    let mut engine = start_with(dir.path(), &["--inspect-brk=0"], Stdio::piped());
    let errors = Errors::of(engine.child.stderr.take().unwrap());
    engine.initialize();
    engine.ok("runner.create", json!({ "runner": "main" }));
    engine.request("hooks.load", json!({ "runner": "main", "entries": [{ "path": "gate.ts" }] }));
    errors.target();
    engine.hang_up();
    engine.end();
}

#[test]
fn errors_under_a_debugger_name_the_same_lines() {
    if ENGINE != "v8" {
        return;
    }
    let hook = "\n\ninterface A {}\nexport default (pi: any) => {\n  pi.on(\"tool_call\", () => {\n    throw new Error(\"x\");\n  });\n};\n";
    let dir = folder(&[("throws.ts", hook)]);
    let data = Engine::tool_call("ls").to_string();
    let run = |more: &[&str]| {
        let args = [&["emit", "tool_call", "--hook", "throws.ts", "--data", &data], more].concat();
        let output = hookrt(dir.path(), &args).wait_with_output().unwrap();
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let plain = run(&[]);
    assert!(plain["errors"][0]["stack"].as_str().is_some_and(|stack| stack.contains("throws.ts:6")), "{plain:?}");
    assert_eq!(run(&["--inspect=0"]), plain);
}

#[test]
fn what_cannot_be_debugged_is_told() {
    let dir =
        folder(&[("gate.ts", GATE), ("case.json", r#"{ "description": "x", "hooks": ["gate.ts"], "steps": [] }"#)]);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = format!("--inspect={}", taken.local_addr().unwrap());
    let fails = |args: &[&str]| {
        let output = hookrt(dir.path(), args).wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    for verb in [&["emit", "agent_start"][..], &["test", "."], &["serve"]] {
        let told = fails(&[verb, &[&port]].concat());
        let expected = if ENGINE == "v8" { "cannot listen for debuggers on 127.0.0.1:" } else { "QuickJS" };
        assert!(told.contains(expected) && told.contains("hint:"), "{verb:?}: {told}");
    }
    let told = fails(&["emit", "agent_start", "--inspect", "--inspect-brk"]);
    assert!(told.contains("cannot be used with"), "{told}");
    assert!(fails(&["emit", "agent_start", "--inspect=nowhere:x"]).contains("127.0.0.1:9229"));
}
