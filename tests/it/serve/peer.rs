//! A host at the other end of the pipes.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use serde_json::{Value, json};

/// How long anything may take before a test gives up; the machine may be busy.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// A running `hookrt serve` and what it wrote.
pub struct Engine {
    pub child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// Messages that were read while another one was waited for.
    seen: VecDeque<Value>,
    next: i64,
}

/// Starts the engine in `dir` without a handshake.
pub fn start(dir: &Path, args: &[&str]) -> Engine {
    start_with(dir, args, Stdio::null())
}

/// The same; its standard error goes to `errors`.
pub fn start_with(dir: &Path, args: &[&str], errors: Stdio) -> Engine {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hookrt"))
        .arg("serve")
        .args(args)
        .current_dir(dir)
        .env("HOOKRT_STATE_DIR", dir.join(".state"))
        .env("HOOKRT_CONFIG_DIR", dir.join(".config"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(errors)
        .spawn()
        .unwrap();
    let (sender, lines) = channel();
    let output = child.stdout.take().unwrap();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines() {
            let Ok(line) = line else { return };
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    let input = child.stdin.take();
    Engine { child, input, lines, seen: VecDeque::new(), next: 0 }
}

/// Starts the engine in `dir`, shakes hands, makes the runner `main` and loads `hooks` into it.
pub fn with_hooks(dir: &Path, hooks: &[&str]) -> Engine {
    let mut engine = start(dir, &[]);
    engine.initialize();
    engine.ok("runner.create", json!({ "runner": "main" }));
    let entries: Vec<Value> = hooks.iter().map(|path| json!({ "path": path })).collect();
    let loaded = engine.ok("hooks.load", json!({ "runner": "main", "entries": entries }));
    assert_eq!(loaded["errors"], json!([]), "{loaded}");
    let state = json!({ "isIdle": true, "hasQueuedMessages": false, "model": null });
    engine.ok("runner.initialize", json!({ "runner": "main", "hasUI": true, "state": state }));
    engine
}

impl Engine {
    pub fn initialize(&mut self) -> Value {
        self.ok("initialize", json!({ "protocolVersion": 1, "client": { "name": "test", "version": "0" } }))
    }

    /// Writes bytes as they are.
    pub fn raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    pub fn send(&mut self, message: Value) {
        let mut line = message.to_string();
        line.push('\n');
        self.raw(line.as_bytes());
    }

    /// Sends a request and gives its id.
    pub fn request(&mut self, method: &str, params: Value) -> i64 {
        self.next += 1;
        self.send(json!({ "jsonrpc": "2.0", "id": self.next, "method": method, "params": params }));
        self.next
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Answers a request of the engine.
    pub fn answer(&mut self, request: &Value, result: Value) {
        self.send(json!({ "jsonrpc": "2.0", "id": request["id"], "result": result }));
    }

    /// Ends the engine's input.
    pub fn hang_up(&mut self) {
        self.input = None;
    }

    /// The first message, read or to come, that fits; the others stay.
    pub fn wait_for(&mut self, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.seen.iter().position(&fits) {
            return self.seen.remove(at).unwrap();
        }
        loop {
            let line = match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => panic!("no {what}; unread: {:?}", self.seen),
                Err(RecvTimeoutError::Disconnected) => {
                    panic!("the engine ended without {what}; unread: {:?}", self.seen)
                }
            };
            let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("not JSON on stdout: {line}"));
            if fits(&message) {
                return message;
            }
            self.seen.push_back(message);
        }
    }

    /// The response to a request.
    pub fn response(&mut self, id: i64) -> Value {
        self.wait_for(&format!("response {id}"), |message| message.get("method").is_none() && message["id"] == id)
    }

    /// A call of the engine, request or notification.
    pub fn call(&mut self, method: &str) -> Value {
        self.wait_for(method, |message| message["method"] == method)
    }

    /// Whether such a call came among what was read so far.
    pub fn has_seen(&self, method: &str) -> bool {
        self.seen.iter().any(|message| message["method"] == method)
    }

    /// How many such calls were read and not asked for.
    pub fn count_seen(&self, method: &str) -> usize {
        self.seen.iter().filter(|message| message["method"] == method).count()
    }

    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        self.response(id)
    }

    /// The result of a request that must not fail.
    pub fn ok(&mut self, method: &str, params: Value) -> Value {
        let response = self.ask(method, params);
        assert!(response.get("error").is_none(), "{method}: {response}");
        response["result"].clone()
    }

    /// The error of a request that must fail.
    pub fn err(&mut self, method: &str, params: Value) -> Value {
        let response = self.ask(method, params);
        assert!(response.get("error").is_some(), "{method}: {response}");
        response["error"].clone()
    }

    pub fn begin_emit(&mut self, kind: &str, event: Value) -> i64 {
        self.request("hooks.emit", json!({ "runner": "main", "kind": kind, "event": event }))
    }

    pub fn emit(&mut self, kind: &str, event: Value) -> Value {
        self.ok("hooks.emit", json!({ "runner": "main", "kind": kind, "event": event }))
    }

    pub fn tool_call(command: &str) -> Value {
        json!({ "type": "tool_call", "toolName": "bash", "toolCallId": "t", "input": { "command": command } })
    }

    /// Waits for the process to end; gives how long that took.
    pub fn end(&mut self) -> (Duration, Option<i32>) {
        let began = std::time::Instant::now();
        while began.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().unwrap() {
                return (began.elapsed(), status.code());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("the engine did not end");
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A directory with these files.
pub fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        write(dir.path(), name, text);
    }
    dir
}

pub fn write(dir: &Path, name: &str, text: &str) {
    let path = dir.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}
