//! Hooks that hold the isolate's thread, hosts that answer oddly: nobody waits for longer than needed.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::peer::{PATIENCE, folder, start, with_hooks};
use super::reload::gone;

fn tool_call(input: Value) -> Value {
    json!({ "type": "tool_call", "toolName": "x", "toolCallId": "t", "input": input })
}

/// Each read is one poll more of the isolate's task, whose budget with the scheduler is 128.
#[test]
fn a_handler_may_read_and_tell_as_often_as_it_likes() {
    let dir = folder(&[(
        "many.ts",
        r#"export default (pi) => pi.on("tool_call", (event, ctx) => {
             for (let i = 0; i < 300; i++) ctx.modelRegistry.find("a", `b${i}`);
             for (let i = 0; i < 200; i++) pi.appendEntry("large", "x".repeat(50_000));
             return { block: true, reason: "done" };
           })"#,
    )]);
    let mut engine = with_hooks(dir.path(), &["./many.ts"]);
    let id = engine.begin_emit("toolCall", tool_call(json!({})));
    for _ in 0..300 {
        let ask = engine.call("models.find");
        engine.answer(&ask, json!({ "value": null }));
    }
    assert_eq!(engine.response(id)["result"]["result"]["reason"], "done");
}

/// What the child wrote into `pid`.
fn number_of_child(dir: &Path) -> String {
    let start = Instant::now();
    loop {
        let pid = std::fs::read_to_string(dir.join("pid")).unwrap_or_default();
        if pid.ends_with('\n') {
            return pid.trim().to_owned();
        }
        assert!(start.elapsed() < PATIENCE, "the child does not start");
        std::thread::sleep(Duration::from_millis(10));
    }
}

const HOLDS: &str = r#"import { execSync } from "node:child_process";
    import { writeFileSync } from "node:fs";
    export default (pi) => pi.on("tool_call", (event) => {
      if (event.input.wait) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 8000);
      if (event.input.child) execSync(`echo $$ > pid; exec sleep 60`);
    })"#;

#[test]
fn a_cancel_does_not_wait_for_a_handler_that_holds_the_thread() {
    let dir = folder(&[("holds.ts", HOLDS)]);
    let mut engine = with_hooks(dir.path(), &["./holds.ts"]);
    let start = Instant::now();
    let id = engine.begin_emit("toolCall", tool_call(json!({ "wait": true })));
    engine.notify("emit.cancel", json!({ "runner": "main", "emit": id }));
    assert_eq!(engine.response(id)["error"]["code"], -32013);
    assert!(start.elapsed() < Duration::from_secs(6), "{:?}", start.elapsed());
}

#[test]
#[cfg(target_os = "linux")]
fn a_disposed_runner_leaves_no_child_that_a_hook_waits_for() {
    let dir = folder(&[("holds.ts", HOLDS)]);
    let mut engine = with_hooks(dir.path(), &["./holds.ts"]);
    let id = engine.begin_emit("toolCall", tool_call(json!({ "child": true })));
    let pid = number_of_child(dir.path());
    engine.ok("runner.dispose", json!({ "runner": "main" }));
    assert_eq!(engine.response(id)["error"]["code"], -32013);
    assert!(gone(&pid), "it runs on");
}

#[test]
fn a_runner_that_is_disposed_of_while_its_hooks_load_answers_the_load() {
    let dir = folder(&[("slow.ts", "await new Promise((done) => setTimeout(done, 8000)); export default () => {};")]);
    let mut engine = start(dir.path(), &[]);
    engine.initialize();
    engine.ok("runner.create", json!({ "runner": "main" }));
    let start = Instant::now();
    let load = engine.request("hooks.load", json!({ "runner": "main", "entries": [{ "path": "./slow.ts" }] }));
    engine.ok("runner.dispose", json!({ "runner": "main" }));
    assert_eq!(engine.response(load)["error"]["code"], -32013);
    assert!(start.elapsed() < Duration::from_secs(6), "{:?}", start.elapsed());
}

#[test]
fn a_runner_that_is_disposed_of_while_it_reloads_answers_the_reload() {
    let dir = folder(&[("hook.ts", "export default () => {};")]);
    let mut engine = with_hooks(dir.path(), &["./hook.ts"]);
    let slow = "await new Promise((done) => setTimeout(done, 8000)); export default () => {};";
    std::fs::write(dir.path().join("hook.ts"), slow).unwrap();
    let start = Instant::now();
    let reload = engine.request("hooks.reload", json!({ "runner": "main" }));
    engine.ok("runner.dispose", json!({ "runner": "main" }));
    assert_eq!(engine.response(reload)["error"]["code"], -32013);
    assert!(start.elapsed() < Duration::from_secs(6), "{:?}", start.elapsed());
}

#[test]
fn a_heap_too_small_to_start_in_is_refused() {
    let dir = folder(&[]);
    let mut engine = start(dir.path(), &[]);
    engine.initialize();
    for heap in [0, 4, 15] {
        let id = engine.request("runner.create", json!({ "runner": "main", "options": { "heapLimitMb": heap } }));
        let error = &engine.response(id)["error"];
        assert_eq!((&error["code"], &error["data"]["field"]), (&json!(-32602), &json!("options.heapLimitMb")));
    }
    engine.ok("runner.create", json!({ "runner": "main", "options": { "heapLimitMb": 16 } }));
}

#[test]
fn null_ids_are_refused_and_an_answer_without_a_result_is_a_failure() {
    let asks = r#"export default (pi) => pi.on("tool_call", async (event, ctx) =>
        ({ block: true, reason: await ctx.ui.select("which", ["a"]).then(String, (error) => error.message) }))"#;
    let dir = folder(&[("asks.ts", asks)]);
    let mut engine = with_hooks(dir.path(), &["./asks.ts"]);
    engine.send(json!({ "jsonrpc": "2.0", "id": null, "method": "hooks.emit", "params": {} }));
    let refused = engine.wait_for("a refusal", |message| message["id"].is_null() && message.get("error").is_some());
    assert_eq!(refused["error"]["code"], -32600);
    for (rest, reason) in [
        (json!({}), "an answer without a result or an error"),
        (json!({ "error": null }), "an answer without a result or an error"),
        (json!({ "result": null, "error": null }), "undefined"),
    ] {
        let id = engine.begin_emit("toolCall", tool_call(json!({})));
        let ask = engine.call("ui.select");
        let mut answer = rest.clone();
        answer["jsonrpc"] = "2.0".into();
        answer["id"] = ask["id"].clone();
        engine.send(answer);
        assert_eq!(engine.response(id)["result"]["result"]["reason"], reason, "{rest}");
    }
}

#[test]
#[cfg(unix)]
fn a_host_that_closes_its_reading_end_is_no_fault() {
    let dir = folder(&[]);
    let mut engine = Command::new(env!("CARGO_BIN_EXE_hookrt"))
        .arg("serve")
        .current_dir(dir.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(engine.stdout.take());
    for id in 0..3 {
        let line = json!({ "jsonrpc": "2.0", "id": id, "method": "initialize", "params": { "protocolVersion": 1 } });
        // The engine may be gone by then.
        let _ = std::io::Write::write_all(engine.stdin.as_mut().unwrap(), format!("{line}\n").as_bytes());
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(engine.wait().unwrap().code(), Some(0));
}

#[test]
#[cfg(target_os = "linux")]
fn an_engine_that_is_asked_to_end_takes_the_children_of_its_hooks_along() {
    let runs =
        r#"export default (pi) => pi.on("tool_call", () => pi.exec("sh", ["-c", "echo $$ > pid; exec sleep 60"]))"#;
    let dir = folder(&[("runs.ts", runs)]);
    let mut engine = with_hooks(dir.path(), &["./runs.ts"]);
    engine.begin_emit("toolCall", tool_call(json!({})));
    let pid = number_of_child(dir.path());
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(engine.child.id() as i32), nix::sys::signal::Signal::SIGTERM)
        .unwrap();
    assert_eq!(engine.child.wait().unwrap().code(), Some(0));
    assert!(gone(&pid), "it runs on");
}
