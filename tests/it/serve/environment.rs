//! `process.env` is a runner's own: what the host adds, what hooks write, what their programs find.

use serde_json::{Value, json};

use super::peer::{Engine, folder, start};

/// Tells what it and its programs see of three variables, after it has written one and deleted one.
const TELLS: &str = r#"
import { execFileSync, spawn } from "node:child_process";
const line = `printf "%s %s %s" "$ADDED" "$WRITTEN" "\${HOME-none}"`;
export default function (pi: any) {
    pi.on("tool_call", async (event: any) => {
        if (event.input.command) {
            process.env.WRITTEN = event.input.command;
            delete process.env.HOME;
        }
        const seen = [process.env.ADDED ?? "", process.env.WRITTEN ?? "", process.env.HOME ?? "none"].join(" ");
        const exec = (await pi.exec("sh", ["-c", line])).stdout;
        const sync = execFileSync("sh", ["-c", line]).toString();
        const given = execFileSync("/bin/sh", ["-c", line], { env: { ADDED: "given" } }).toString();
        const child = spawn("sh", ["-c", line]);
        let spawned = "";
        child.stdout.on("data", (data) => (spawned += data));
        await new Promise((resolve) => child.on("close", resolve));
        const listed = Object.keys(process.env).filter((name) => ["ADDED", "WRITTEN"].includes(name)).sort().join();
        return { block: true, reason: JSON.stringify({ seen, exec, sync, spawned, given, listed }) };
    });
}
"#;

fn told(engine: &mut Engine, runner: &str, command: &str) -> Value {
    let params = json!({ "runner": runner, "kind": "toolCall", "event": Engine::tool_call(command) });
    let result = engine.ok("hooks.emit", params);
    serde_json::from_str(result["result"]["reason"].as_str().unwrap_or_else(|| panic!("{result}"))).unwrap()
}

#[test]
fn env_of_a_runner_reaches_its_hooks_and_their_programs_alone() {
    let dir = folder(&[("hook.ts", TELLS)]);
    let mut engine = start(dir.path(), &[]);
    engine.initialize();
    let state = json!({ "isIdle": true, "hasQueuedMessages": false, "model": null });
    for (runner, options) in [("one", json!({ "env": { "ADDED": "one" } })), ("two", json!({}))] {
        engine.ok("runner.create", json!({ "runner": runner, "options": options }));
        let loaded = engine.ok("hooks.load", json!({ "runner": runner, "entries": [{ "path": "hook.ts" }] }));
        assert_eq!(loaded["errors"], json!([]), "{loaded}");
        engine.ok("runner.initialize", json!({ "runner": runner, "hasUI": false, "state": state }));
    }
    let all = |seen: &str, given: &str, listed: &str| json!({ "seen": seen, "exec": seen, "sync": seen, "spawned": seen, "given": given, "listed": listed });
    assert_eq!(told(&mut engine, "one", "w"), all("one w none", "given  none", "ADDED,WRITTEN"));
    let home = std::env::var("HOME").unwrap_or_else(|_| "none".to_owned());
    assert_eq!(told(&mut engine, "two", ""), all(&format!("  {home}"), "given  none", ""));
    assert_eq!(told(&mut engine, "one", ""), all("one w none", "given  none", "ADDED,WRITTEN"));
}

#[test]
fn a_variable_that_cannot_be_is_told_when_the_runner_is_made() {
    let dir = folder(&[]);
    let mut engine = start(dir.path(), &[]);
    engine.initialize();
    for (env, named) in
        [(json!({ "A=B": "x" }), "A=B"), (json!({ "A": "x\u{0}" }), "env.A"), (json!({ "A": 1 }), "string")]
    {
        let error = engine.err("runner.create", json!({ "runner": "main", "options": { "env": env } }));
        assert_eq!(error["code"], -32602, "{error}");
        assert!(error["message"].as_str().unwrap().contains(named), "{error}");
    }
}
