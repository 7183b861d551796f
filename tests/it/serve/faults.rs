//! What must not break: odd lines, long lines, stray prints, a host that dies or does not read.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::peer::{Engine, folder, start, with_hooks};
use super::reload::gone;

#[test]
fn odd_lines_are_answered_and_change_nothing() {
    let dir = folder(&[]);
    let mut engine = start(dir.path(), &[]);
    let codes = |engine: &mut Engine, line: &[u8]| {
        engine.raw(line);
        engine.wait_for("an error", |message| message["id"].is_null() && message.get("error").is_some())["error"]["code"].clone()
    };
    assert_eq!(codes(&mut engine, b"this is not JSON\n"), -32700);
    assert_eq!(codes(&mut engine, b"[1,2]\n"), -32600);
    assert_eq!(codes(&mut engine, b"42\n"), -32600);
    assert_eq!(codes(&mut engine, b"\xff\xfe\n"), -32700);
    engine.raw(b"\n\r\n{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{}}\n");
    // A message in pieces, two in one write.
    engine.raw(b"{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"meth");
    std::thread::sleep(Duration::from_millis(30));
    engine.raw(b"od\":\"initialize\",\"params\":{\"protocolVersion\":1}}\n{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"hooks.discover\"}\n");
    engine.wait_for("the handshake", |message| message["id"] == "x" && message.get("result").is_some());
    engine.response(2);
}

#[test]
fn a_line_of_64_mib_passes_and_a_longer_one_is_refused() {
    let dir = folder(&[(
        "size.ts",
        r#"export default (pi) => pi.on("tool_call", (e) => ({ block: true, reason: String(e.input.text.length) }))"#,
    )]);
    let mut engine = with_hooks(dir.path(), &["./size.ts"]);
    let shell =
        json!({ "jsonrpc": "2.0", "id": 77, "method": "hooks.emit", "params": { "runner": "main", "kind": "toolCall",
        "event": { "type": "tool_call", "toolName": "x", "toolCallId": "t", "input": { "text": "@" } } } })
        .to_string();
    let (before, after) = shell.split_once('@').unwrap();
    let line =
        |bytes: usize| [before.as_bytes(), &vec![b'x'; bytes - shell.len() + 1], after.as_bytes(), b"\n"].concat();
    let max = 64 * 1024 * 1024;
    engine.raw(&line(max));
    let expected = (max - shell.len() + 1).to_string();
    assert_eq!(engine.response(77)["result"]["result"]["reason"], expected.as_str());
    engine.raw(&line(max + 1));
    let refused = engine.wait_for("a refusal", |message| message["id"].is_null() && message.get("error").is_some());
    assert_eq!(refused["error"]["code"], -32005);
    assert_eq!(engine.emit("emit", json!({ "type": "x" })), json!({}));
}

#[test]
fn what_hooks_print_is_never_on_the_protocol() {
    let dir = folder(&[(
        "print.ts",
        r#"import { spawnSync } from "node:child_process"; import { writeSync } from "node:fs";
           console.log("while loading");
           export default (pi) => pi.on("tool_call", async () => {
             console.log("log"); console.error("error"); process.stdout.write("raw\n");
             try { writeSync(1, "fd\n"); } catch {}
             spawnSync("sh", ["-c", "echo child; cat"], { stdio: "inherit" });
             await pi.exec("echo", ["exec"]);
             pi.logger.warn("slow", { ms: 8 });
           })"#,
    )]);
    let mut engine = with_hooks(dir.path(), &["./print.ts"]);
    // Every line is parsed: a stray one fails the test.
    assert_eq!(engine.emit("toolCall", Engine::tool_call("ls")), json!({}));
    assert_eq!(engine.call("log")["params"]["args"], json!(["warn", "slow", { "ms": 8 }]));
    engine.ok("shutdown", json!({}));
}

#[test]
fn a_host_that_dies_ends_the_engine_and_what_hooks_started() {
    let dir = folder(&[(
        "busy.ts",
        r#"import { spawn } from "node:child_process";
           export default (pi) => {
             pi.on("turn_start", async (event, ctx) => {
               ctx.ui.notify(String(spawn("sleep", ["100"]).pid));
               pi.exec("sleep", ["100"]);
               await ctx.ui.input("?");
             });
             pi.on("turn_end", (event, ctx) => { ctx.ui.notify(String(spawn("sleep", ["100"]).pid)); for (;;); });
           }"#,
    )]);
    for event in ["turn_start", "turn_end"] {
        let mut engine = with_hooks(dir.path(), &["./busy.ts"]);
        engine.begin_emit("emit", json!({ "type": event }));
        let pid = engine.call("ui.notify")["params"]["args"][0].as_str().unwrap().to_owned();
        engine.hang_up();
        let (took, code) = engine.end();
        assert!(took < Duration::from_secs(1), "{event}: {took:?}");
        assert_eq!(code, Some(0), "{event}");
        assert!(gone(&pid), "{event}: a child outlived the engine");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_host_that_does_not_read_costs_no_memory() {
    let dir = folder(&[(
        "flood.ts",
        r#"export default (pi) => pi.on("turn_start", async (event, ctx) => {
             const text = "x".repeat(1 << 20);
             for (let i = 0; i < 400; i++) { ctx.ui.notify(text); pi.logger.warn(text); if (i % 8 === 0) await new Promise((r) => setTimeout(r)); }
           })"#,
    )]);
    use std::io::Write as _;
    use std::process::{Command, Stdio};
    // Nobody reads: this host keeps the pipe and looks away.
    let mut child = Command::new(env!("CARGO_BIN_EXE_hookrt"))
        .arg("serve")
        .current_dir(dir.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut send = |id: u32, method: &str, params: Value| {
        writeln!(input, "{}", json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })).unwrap();
    };
    send(1, "initialize", json!({ "protocolVersion": 1 }));
    send(2, "runner.create", json!({ "runner": "main" }));
    send(3, "hooks.load", json!({ "runner": "main", "entries": [{ "path": "./flood.ts" }] }));
    std::thread::sleep(Duration::from_secs(3));
    send(4, "runner.initialize", json!({ "runner": "main", "hasUI": true, "state": { "model": null } }));
    let before = resident_mb(child.id());
    send(5, "hooks.emit", json!({ "runner": "main", "kind": "emit", "event": { "type": "turn_start" } }));
    let began = Instant::now();
    let mut peak = before;
    while began.elapsed() < Duration::from_secs(10) {
        peak = peak.max(resident_mb(child.id()));
        std::thread::sleep(Duration::from_millis(50));
    }
    let _ = child.kill();
    let _ = child.wait();
    assert!(peak - before <= 64, "resident memory grew from {before} to {peak} MB");
}

#[cfg(target_os = "linux")]
fn resident_mb(pid: u32) -> i64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or("VmRSS: 0 kB");
    line.split_ascii_whitespace().nth(1).unwrap().parse::<i64>().unwrap() / 1024
}

#[cfg(unix)]
#[test]
fn each_connection_of_a_socket_is_a_server_of_its_own() {
    use std::io::{BufRead, BufReader, Write};
    use std::os::unix::net::UnixStream;
    let dir = folder(&[]);
    let path = dir.path().join("s");
    let engine = start(dir.path(), &["--socket", path.to_str().unwrap()]);
    let began = Instant::now();
    let connect = || loop {
        match UnixStream::connect(&path) {
            Ok(stream) => break stream,
            Err(error) => assert!(began.elapsed() < Duration::from_secs(20), "{error}"),
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    for _ in 0..2 {
        let mut stream = connect();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut ask = |id: u32, method: &str, params: Value| {
            writeln!(stream, "{}", json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })).unwrap();
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            serde_json::from_str::<Value>(&line).unwrap()
        };
        assert_eq!(ask(1, "initialize", json!({ "protocolVersion": 1 }))["result"]["protocolVersion"], 1);
        assert_eq!(ask(2, "runner.create", json!({ "runner": "main" }))["result"], json!({}));
    }
    drop(engine);
}
