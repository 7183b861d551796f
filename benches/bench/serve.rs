//! A child that is asked over a pipe: `hookrt serve` beside the same hooks in a JSON-lines child of each peer.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use serde_json::{Value, json};

use crate::hook_files::HookFiles;
use crate::measure::{Samples, resident_megabytes};
use crate::peers::Peer;
use crate::table::Table;
use crate::{Failure, contestants, echo, hookrt_command, payload};

const WARM_UP: usize = 1_000;
const EMITS: usize = 4_000;

pub fn measure(table: &mut Table, peers: &[Peer], files: &HookFiles) -> Result<(), Failure> {
    let call = payload::tool_call().to_string();
    let contexts = payload::contexts(&files.directory)?;
    for peer in contestants(peers) {
        let mut child = Line::start(peer, files, &[&files.gate])?;
        child.emit("toolCall", &call)?;
        if let Some(megabytes) = resident_megabytes(child.process.id()) {
            table.set_of(peer, "memory", megabytes);
        }
        drop(child);

        let mut child = Line::start(peer, files, &[&files.noop, &files.filter])?;
        let samples = child.warm_tool_calls(&call)?;
        table.set_of(peer, "serve_p50", samples.median() * 1e3);
        table.set_of(peer, "serve_p99", samples.quantile(0.99) * 1e3);
        if let Some(context) = contexts.iter().find(|context| context.name == "1MB") {
            let mut samples = Samples::default();
            for _ in 0..context.rounds {
                samples.push(child.emit("context", &context.text)?);
            }
            table.set_of(peer, "serve_context_1MB", samples.median());
        }
    }
    let samples = Line::of(echo::command()?, true)?.warm_tool_calls(&call)?;
    table.set("echo_p50", samples.median() * 1e3);
    Ok(())
}

/// A child with its two pipes.
struct Line {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// Speaks the protocol of `docs/protocol.md`; the peers' runner has a smaller one.
    protocol: bool,
    id: u64,
    answer: String,
}

impl Line {
    fn start(peer: Option<&Peer>, files: &HookFiles, hooks: &[&std::path::PathBuf]) -> Result<Line, Failure> {
        let mut command: Command = match peer {
            Some(peer) => peer.command(true),
            None => hookrt_command(files, true),
        };
        command.arg("serve").current_dir(&files.directory);
        if peer.is_some() {
            command.args(hooks);
        }
        let mut line = Line::of(command, peer.is_none())?;
        if line.protocol {
            let entries: Vec<Value> = hooks.iter().map(|path| json!({ "path": path })).collect();
            let client = json!({ "name": "bench", "version": "1" });
            // Without it every emit would ask the host for the model.
            let state = json!({ "isIdle": true, "hasQueuedMessages": false, "model": { "provider": "p", "id": "m" } });
            line.request("initialize", &json!({ "protocolVersion": 1, "client": client }).to_string())?;
            line.request("runner.create", &json!({ "runner": "main" }).to_string())?;
            line.request("hooks.load", &json!({ "runner": "main", "entries": entries }).to_string())?;
            line.request(
                "runner.initialize",
                &json!({ "runner": "main", "hasUI": false, "state": state }).to_string(),
            )?;
        }
        Ok(line)
    }

    fn of(mut command: Command, protocol: bool) -> Result<Line, Failure> {
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (input, output) = (process.stdin.take().ok_or("no stdin")?, process.stdout.take().ok_or("no stdout")?);
        let output = BufReader::with_capacity(1 << 16, output);
        Ok(Line { process, input, output, protocol, id: 0, answer: String::new() })
    }

    fn warm_tool_calls(&mut self, call: &str) -> Result<Samples, Failure> {
        for _ in 0..WARM_UP {
            self.emit("toolCall", call)?;
        }
        let mut samples = Samples::default();
        for _ in 0..EMITS {
            samples.push(self.emit("toolCall", call)?);
        }
        Ok(samples)
    }

    /// Emits and waits for the answer: how long from the first byte out to the last byte in.
    fn emit(&mut self, kind: &str, event: &str) -> Result<std::time::Duration, Failure> {
        let start = Instant::now();
        if self.protocol {
            self.request("hooks.emit", &format!(r#"{{"runner":"main","kind":"{kind}","event":{event}}}"#))?;
        } else {
            self.id += 1;
            self.exchange(&format!("{{\"id\":{},\"event\":{event}}}\n", self.id))?;
        }
        Ok(start.elapsed())
    }

    fn request(&mut self, method: &str, params: &str) -> Result<(), Failure> {
        self.id += 1;
        let id = self.id;
        self.exchange(&format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"{method}\",\"params\":{params}}}\n"))
    }

    /// One line out, then lines in until one is the answer.
    fn exchange(&mut self, line: &str) -> Result<(), Failure> {
        self.input.write_all(line.as_bytes())?;
        loop {
            self.answer.clear();
            if self.output.read_line(&mut self.answer)? == 0 {
                return Err("the child ended".into());
            }
            // Notifications have no id, errors stand at the beginning; neither is looked for in a payload.
            let head = self.answer.get(..200.min(self.answer.len())).unwrap_or(&self.answer);
            let asks = head.contains("\"id\":") && head.contains("\"method\":");
            if head.contains("\"error\":{") || asks {
                return Err(format!("the child said {head}").into());
            }
            if head.contains("\"id\":") && !head.contains("\"method\":") {
                return Ok(());
            }
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        // It was asked and has answered; nothing of it is needed.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
