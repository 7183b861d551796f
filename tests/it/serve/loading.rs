//! Handshake, runners, loading and discovery.

use serde_json::json;

use super::peer::{Engine, folder, start, with_hooks};

#[test]
fn nothing_works_before_the_handshake_and_versions_must_fit() {
    let dir = folder(&[]);
    let mut engine = start(dir.path(), &[]);
    assert_eq!(engine.err("runner.create", json!({ "runner": "main" }))["code"], -32001);
    let error = engine.err("initialize", json!({ "protocolVersion": 7 }));
    assert_eq!((&error["code"], &error["data"]["supported"]), (&json!(-32002), &json!([1])));
    assert_eq!(engine.err("initialize", json!({}))["data"]["field"], "protocolVersion");
    let relative = json!({ "protocolVersion": 1, "cwd": "relative" });
    assert_eq!(engine.err("initialize", relative)["data"]["field"], "cwd");
    let hello = engine.initialize();
    assert_eq!(hello["protocolVersion"], 1);
    assert!(["v8", "quickjs"].contains(&hello["engine"]["name"].as_str().unwrap()));
    assert_eq!(engine.err("initialize", json!({ "protocolVersion": 1 }))["code"], -32600);
    assert_eq!(engine.err("no.such", json!({}))["code"], -32601);
    engine.notify("no.such", json!({}));
    assert_eq!(engine.ok("shutdown", json!({})), json!({}));
    assert_eq!(engine.end().1, Some(0));
}

#[test]
fn runners_are_told_apart() {
    let dir = folder(&[
        ("one.ts", r#"export default (pi) => pi.on("tool_call", () => ({ block: true }))"#),
        ("none.ts", "export const x = 1"),
    ]);
    let mut engine = with_hooks(dir.path(), &["./one.ts"]);
    assert_eq!(engine.err("runner.create", json!({ "runner": "main" }))["code"], -32004);
    let emit =
        |runner: &str| json!({ "runner": runner, "kind": "toolCall", "event": { "type": "tool_call", "input": {} } });
    assert_eq!(engine.err("hooks.emit", emit("other"))["code"], -32003);
    engine.ok("runner.create", json!({ "runner": "other" }));
    assert_eq!(engine.err("hooks.emit", emit("other"))["code"], -32600);
    let entries = json!([{ "path": "./none.ts" }, { "path": "./missing.ts" }]);
    let loaded = engine.ok("hooks.load", json!({ "runner": "other", "entries": entries }));
    assert_eq!(loaded["hooks"], json!([]));
    assert_eq!(loaded["errors"][0]["error"], "Hook must export a default function");
    assert_eq!(loaded["errors"][1]["hook"], 1);
    assert_eq!(engine.ok("hooks.emit", emit("other")), json!({}));
    assert_eq!(engine.err("hooks.load", json!({ "runner": "other", "entries": [] }))["code"], -32600);
    engine.ok("runner.dispose", json!({ "runner": "main" }));
    assert_eq!(engine.err("hooks.emit", emit("main"))["code"], -32003);
    engine.ok("runner.create", json!({ "runner": "main" }));
}

#[test]
fn an_open_emit_of_a_disposed_runner_fails() {
    let dir = folder(&[("wait.ts", r#"export default (pi) => pi.on("tool_call", (event, ctx) => ctx.ui.input("?"))"#)]);
    let mut engine = with_hooks(dir.path(), &["./wait.ts"]);
    let id = engine.begin_emit("toolCall", super::peer::Engine::tool_call("ls"));
    engine.call("ui.input");
    engine.ok("runner.dispose", json!({ "runner": "main" }));
    assert_eq!(engine.response(id)["error"]["code"], -32013);
    engine.call("call.cancel");
}

#[test]
fn messages_before_the_host_is_ready_are_refused() {
    let dir = folder(&[(
        "early.ts",
        r#"export default (pi) => {
             pi.on("turn_start", () => pi.sendMessage({ customType: "n", content: "x", display: true }));
             pi.on("turn_end", () => { pi.on("late", () => {}); pi.registerCommand("late", { handler() {} }) });
           }"#,
    )]);
    let mut engine = start(dir.path(), &[]);
    engine.initialize();
    engine.ok("runner.create", json!({ "runner": "main" }));
    engine.ok("hooks.load", json!({ "runner": "main", "entries": [{ "path": "./early.ts" }] }));
    engine.emit("emit", json!({ "type": "turn_start" }));
    assert_eq!(engine.call("hooks.error")["params"]["error"], "sendMessage handler not initialized");
    engine.ok("runner.initialize", json!({ "runner": "main", "hasUI": false }));
    engine.emit("emit", json!({ "type": "turn_start" }));
    engine.call("pi.sendMessage");
    engine.emit("emit", json!({ "type": "turn_end" }));
    let first = engine.call("hooks.registered");
    assert_eq!(first["params"], json!({ "runner": "main", "hook": 0, "generation": 0, "event": "late" }));
    assert_eq!(engine.call("hooks.registered")["params"]["command"], json!({ "name": "late" }));
}

#[test]
fn discovered_hooks_come_before_configured_ones() {
    let dir = folder(&[
        (".xcsh/hooks/pre/bash.ts", "export default () => {}"),
        (".xcsh/hooks/pre/old.sh", "echo"),
        ("own.ts", "export default () => {}"),
    ]);
    let mut engine = start(dir.path(), &[]);
    engine.initialize();
    let cwd = dir.path().to_str().unwrap();
    let found = engine.ok("hooks.discover", json!({ "cwd": cwd, "disabled": { "providers": ["xcsh"] } }));
    assert_eq!((&found["items"][0]["name"], &found["items"][0]["state"]), (&json!("bash.ts"), &json!("active")));
    assert_eq!(found["items"][1]["state"], "not a module");
    let untrusted = engine.ok("hooks.discover", json!({ "cwd": cwd, "trustProject": false }));
    assert_eq!(untrusted["items"][0]["state"], "untrusted");
    engine.ok("runner.create", json!({ "runner": "main", "cwd": cwd }));
    let params =
        json!({ "runner": "main", "entries": [{ "path": "./own.ts" }], "disabled": { "providers": ["xcsh"] } });
    let loaded = engine.ok("hooks.discoverAndLoad", params);
    let names: Vec<&str> =
        loaded["hooks"].as_array().unwrap().iter().map(|hook| hook["path"].as_str().unwrap()).collect();
    assert!(names[0].ends_with("/bash.ts") && names[1].ends_with("/own.ts"), "{names:?}");
    assert!(loaded["errors"][0]["error"].as_str().unwrap().contains("shell script"));
    assert!(loaded["discovery"]["items"].is_array());
}

#[test]
fn a_recorded_project_runs_as_recorded_for_a_host_that_does_not_trust_projects() {
    let gate = "import { reason } from './reason.ts'; export default (pi) => pi.on('tool_call', () => ({ block: true, reason }))";
    let dir = folder(&[
        (".xcsh/hooks/pre/gate.ts", gate),
        (".xcsh/hooks/pre/reason.ts", "export const reason = 'as recorded'; export default () => {}"),
    ]);
    let cwd = std::fs::canonicalize(dir.path()).unwrap();
    let recorded = std::process::Command::new(env!("CARGO_BIN_EXE_hookrt"))
        .args(["trust", "."])
        .current_dir(&cwd)
        .env("HOOKRT_STATE_DIR", cwd.join(".state"))
        .output()
        .unwrap();
    assert!(recorded.status.success(), "{recorded:?}");

    let load = |runner: &str, engine: &mut Engine| {
        engine.ok("runner.create", json!({ "runner": runner, "cwd": cwd }));
        let loaded =
            engine.ok("hooks.discoverAndLoad", json!({ "runner": runner, "entries": [], "trustProject": false }));
        engine.ok("runner.initialize", json!({ "runner": runner, "hasUI": false }));
        loaded
    };
    let mut engine = start(&cwd, &[]);
    engine.initialize();
    let loaded = load("main", &mut engine);
    assert_eq!(loaded["hooks"].as_array().map(Vec::len), Some(2), "{loaded}");
    let outcome = engine.emit("toolCall", Engine::tool_call("ls"));
    assert_eq!(outcome["result"], json!({ "block": true, "reason": "as recorded" }), "{outcome}");

    // What a trusted hook imports is part of the record.
    std::fs::write(cwd.join(".xcsh/hooks/pre/reason.ts"), "export const reason = 'as edited'; export default () => {}")
        .unwrap();
    let loaded = load("later", &mut engine);
    assert_eq!(loaded["hooks"], json!([]), "{loaded}");
}

#[test]
fn lifecycle_hooks_are_dispatched() {
    let dir = folder(&[]);
    let mut engine = start(dir.path(), &[]);
    engine.initialize();
    let params = json!({
        "cwd": dir.path(), "event": "PreToolUse", "tool": "bash", "sessionId": "s",
        "args": { "command": "git push -f" }, "packs": ["block-force-push"],
    });
    let result = engine.ok("lifecycle.dispatch", params);
    assert_eq!((&result["ok"], &result["blocked"]), (&json!(false), &json!(true)));
    assert!(result["detail"].as_str().unwrap().contains("force push"), "{result}");
    assert_eq!(engine.err("lifecycle.dispatch", json!({ "cwd": dir.path(), "event": "NoSuch" }))["code"], -32602);
}

#[test]
fn a_host_narrows_what_its_hooks_reach_and_never_widens_it() {
    let reach = r#"export default (pi) => pi.on("tool_call", async () => {
      const reach = async (what) => { try { await what(); return "ok"; } catch (error) { return error.name; } };
      return { block: true, reason: await reach(() => pi.exec("true")) + " " + await reach(() => process.env.HOME) };
    });"#;
    let dir = folder(&[("reach.ts", reach)]);
    let mut engine = start(dir.path(), &["--deny-run"]);
    engine.initialize();
    for (name, permissions, reason) in [
        ("all", json!(null), "NotCapable ok"),
        ("more", json!({ "allow": "all" }), "NotCapable ok"),
        ("less", json!({ "allow": { "run": true } }), "NotCapable NotCapable"),
    ] {
        engine.ok("runner.create", json!({ "runner": name, "options": { "permissions": permissions } }));
        engine.ok("hooks.load", json!({ "runner": name, "entries": [{ "path": "./reach.ts" }] }));
        let event = json!({ "type": "tool_call", "input": {} });
        let answer = engine.ok("hooks.emit", json!({ "runner": name, "kind": "toolCall", "event": event }));
        assert_eq!(answer["result"]["reason"], reason, "{name}");
    }
    let wrong = json!({ "runner": "wrong", "options": { "permissions": { "allow": { "ffi": true } } } });
    let error = engine.err("runner.create", wrong);
    assert_eq!((&error["code"], &error["data"]["field"]), (&json!(-32602), &json!("options.permissions: allow.ffi")));
}
