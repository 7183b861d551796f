//! Generations: a reload swaps the hooks, a broken edit keeps them, `--watch` does it by itself.

use std::time::{Duration, Instant};

use serde_json::json;

use super::peer::{Engine, folder, start, with_hooks, write};

fn block(reason: &str) -> String {
    format!(
        r#"import {{ reason }} from "./lib"; export default (pi) => pi.on("tool_call", () => ({{ block: true, reason: reason + "{reason}" }}))"#
    )
}

fn reason(engine: &mut Engine) -> String {
    engine.emit("toolCall", Engine::tool_call("ls"))["result"]["reason"].as_str().unwrap().to_owned()
}

#[test]
fn a_reload_takes_the_edit_and_a_broken_edit_keeps_what_ran() {
    let dir = folder(&[("hook.ts", &block("1")), ("lib.ts", r#"export const reason = "a""#)]);
    let mut engine = with_hooks(dir.path(), &["./hook.ts"]);
    assert_eq!(reason(&mut engine), "a1");
    write(dir.path(), "lib.ts", r#"export const reason = "b""#);
    let reloaded = engine.ok("hooks.reload", json!({ "runner": "main" }));
    assert_eq!((&reloaded["kept"], &reloaded["generation"]), (&json!(false), &json!(1)));
    assert_eq!(reason(&mut engine), "b1");
    write(dir.path(), "hook.ts", "export default (");
    let reloaded = engine.ok("hooks.reload", json!({ "runner": "main" }));
    assert_eq!((&reloaded["kept"], &reloaded["generation"]), (&json!(true), &json!(1)));
    assert!(reloaded["errors"][0]["error"].as_str().unwrap().starts_with("Failed to load hook: "));
    assert_eq!(reason(&mut engine), "b1");
}

#[test]
fn timers_and_children_end_with_their_generation() {
    let hook = r#"import { spawn } from "node:child_process";
      export default (pi) => {
        pi.on("turn_start", (event, ctx) => {
          setInterval(() => ctx.ui.notify("tick"), 20);
          ctx.ui.notify(String(spawn("sleep", ["100"]).pid));
        });
      }"#;
    let dir = folder(&[("hook.ts", hook)]);
    let mut engine = with_hooks(dir.path(), &["./hook.ts"]);
    engine.emit("emit", json!({ "type": "turn_start" }));
    let pid = engine.call("ui.notify")["params"]["args"][0].as_str().unwrap().to_owned();
    engine.wait_for("tick", |message| message["params"]["args"] == json!(["tick"]));
    engine.ok("hooks.reload", json!({ "runner": "main" }));
    assert!(gone(&pid), "the child of the old generation lives");
    std::thread::sleep(Duration::from_millis(200));
    engine.ok("statusLine.render", json!({ "runner": "main", "width": 1 }));
    while engine.has_seen("ui.notify") {
        engine.call("ui.notify");
    }
    std::thread::sleep(Duration::from_millis(200));
    engine.ok("statusLine.render", json!({ "runner": "main", "width": 1 }));
    assert!(!engine.has_seen("ui.notify"), "the timer of the old generation ticks");
}

pub fn gone(pid: &str) -> bool {
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(5) {
        let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        if state.is_empty() || state.contains(") Z ") {
            return true;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    false
}

#[test]
fn an_edit_of_an_imported_file_reloads_under_watch() {
    let dir = folder(&[("hook.ts", &block("1")), ("lib.ts", r#"export const reason = "a""#)]);
    let mut engine = start(dir.path(), &["--watch"]);
    engine.initialize();
    engine.ok("runner.create", json!({ "runner": "main" }));
    engine.ok("hooks.load", json!({ "runner": "main", "entries": [{ "path": "./hook.ts" }] }));
    write(dir.path(), "lib.ts", r#"export const reason = "b""#);
    let told = engine.call("hooks.reloaded");
    assert_eq!((&told["params"]["reason"], &told["params"]["kept"]), (&json!("watch"), &json!(false)));
    assert_eq!(reason(&mut engine), "b1");
    write(dir.path(), "hook.ts", "export default (");
    // An editor may be caught half way; the last word counts.
    let told = engine.call("hooks.reloaded");
    assert_eq!(told["params"]["kept"], true);
    assert_eq!(reason(&mut engine), "b1");
    write(dir.path(), "hook.ts", &block("2"));
    engine.wait_for("the mended hook", |message| {
        message["method"] == "hooks.reloaded" && message["params"]["kept"] == false
    });
    assert_eq!(reason(&mut engine), "b2");
}

#[test]
fn ten_hooks_reload_fast() {
    let names: Vec<String> = (0..10).map(|index| format!("hook{index}.ts")).collect();
    let files: Vec<(&str, &str)> =
        names.iter().map(|name| (name.as_str(), r#"export default (pi) => pi.on("turn_start", () => {})"#)).collect();
    let dir = folder(&files);
    let paths: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut engine = with_hooks(dir.path(), &paths);
    let times = (0..3).map(|_| {
        let began = Instant::now();
        let reloaded = engine.ok("hooks.reload", json!({ "runner": "main" }));
        assert_eq!(reloaded["hooks"].as_array().unwrap().len(), 10);
        began.elapsed()
    });
    let best = times.min().unwrap();
    assert!(best < Duration::from_millis(500), "{best:?}");
}
