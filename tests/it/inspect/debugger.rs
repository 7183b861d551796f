//! A debugger: finds the target, speaks the DevTools protocol over a WebSocket, maps positions by the source maps it is given.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::ChildStderr;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use hookrt::loader::SourceMap;
use serde_json::{Value, json};

/// How long anything may take before a test gives up; the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(30);

/// The lines of a process's standard error, as they come.
pub struct Errors(Receiver<String>);

impl Errors {
    pub fn of(stderr: ChildStderr) -> Errors {
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        Errors(lines)
    }

    /// The address of the next target that is told.
    pub fn target(&self) -> String {
        loop {
            let line = self.0.recv_timeout(PATIENCE).expect("a line that tells where the debugger listens");
            if let Some(url) = line.strip_prefix("Debugger listening on ws://") {
                return url.to_owned();
            }
        }
    }
}

/// The JSON body of `GET path`.
pub fn get(target: &str, path: &str) -> Value {
    let (address, _) = target.split_once('/').expect("HOST:PORT/ID");
    let mut stream = TcpStream::connect(address).expect("a port that listens");
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (_, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no body: {answer}"));
    serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"))
}

/// A place in a file as its author wrote it; lines from 1.
#[derive(Debug, PartialEq, Eq)]
pub struct Place {
    pub source: String,
    pub line: u32,
}

pub struct Debugger {
    stream: TcpStream,
    seen: VecDeque<Value>,
    /// What was parsed: id of the script, file, map.
    scripts: Vec<(String, String, SourceMap)>,
    next: i64,
}

impl Debugger {
    /// Attaches to a target (`HOST:PORT/ID`) as debuggers do: enabled first, then whoever waits is let go.
    pub fn attach(target: &str) -> Debugger {
        let (address, id) = target.split_once('/').expect("HOST:PORT/ID");
        let mut stream = TcpStream::connect(address).expect("a port that listens");
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        write!(
            stream,
            "GET /{id} HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        .unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            head.push(byte[0]);
        }
        assert!(head.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&head));
        let mut debugger = Debugger { stream, seen: VecDeque::new(), scripts: Vec::new(), next: 0 };
        debugger.ok("Runtime.enable", json!({}));
        debugger.ok("Debugger.enable", json!({}));
        debugger.ok("Runtime.runIfWaitingForDebugger", json!({}));
        debugger
    }

    /// The result of a command that must not fail.
    pub fn ok(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        let text = json!({ "id": id, "method": method, "params": params }).to_string();
        let length = u16::try_from(text.len()).expect("a short command");
        // One masked frame; a mask of zeros changes nothing.
        let mut frame = vec![0x81, 0x80 | 126];
        frame.extend(length.to_be_bytes());
        frame.extend([0; 4]);
        frame.extend(text.as_bytes());
        self.stream.write_all(&frame).unwrap();
        let answer = self.wait_for(method, |message| message["id"] == id);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Stops whenever `line` (from 1) of the file `name` is about to run.
    pub fn break_at(&mut self, name: &str, line: u32) {
        let (script, _, map) = self.scripts.iter().find(|(_, file, _)| file.ends_with(name)).expect("a parsed script");
        let code_line = (1..10_000).find(|code| map.lookup(*code, 1).is_some_and(|(found, _)| found == line));
        let location = json!({ "scriptId": script, "lineNumber": code_line.expect("code of that line") - 1 });
        self.ok("Debugger.setBreakpoint", json!({ "location": location }));
    }

    /// Waits until the program stands still: the call frame on top, and its place.
    pub fn paused(&mut self) -> (Value, Place) {
        let paused = self.wait_for("a pause", |message| message["method"] == "Debugger.paused");
        let frame = paused["params"]["callFrames"][0].clone();
        let location = &frame["location"];
        let found = self.scripts.iter().find(|(script, ..)| location["scriptId"] == script.as_str());
        let (_, source, map) = found.unwrap_or_else(|| panic!("not in a file with a source map: {frame}"));
        let part = |name: &str| u32::try_from(location[name].as_u64().unwrap_or_default()).unwrap() + 1;
        let (line, _) = map.lookup(part("lineNumber"), part("columnNumber")).expect("a place in the source");
        let place = Place { source: source.clone(), line };
        (frame, place)
    }

    /// What an expression is worth where the program stands.
    pub fn evaluate(&mut self, frame: &Value, expression: &str) -> Value {
        let params = json!({ "callFrameId": frame["callFrameId"], "expression": expression, "returnByValue": true });
        self.ok("Debugger.evaluateOnCallFrame", params)["result"]["value"].clone()
    }

    pub fn resume(&mut self) {
        self.ok("Debugger.resume", json!({}));
    }

    /// Waits until the engine has ended the connection.
    pub fn ended(mut self) {
        while self.read().is_some() {}
    }

    fn wait_for(&mut self, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.seen.iter().position(&fits) {
            return self.seen.remove(at).unwrap();
        }
        loop {
            let message = self.read().unwrap_or_else(|| panic!("no {what}: the connection ended"));
            if message["method"] == "Debugger.scriptParsed" {
                self.scripts.extend(parsed(&message["params"]));
            } else if fits(&message) {
                return message;
            } else {
                self.seen.push_back(message);
            }
        }
    }

    /// The next message; `None` when the other side closes.
    fn read(&mut self) -> Option<Value> {
        let mut head = [0; 2];
        self.stream.read_exact(&mut head).ok()?;
        let length = match head[1] {
            126 => {
                let mut bytes = [0; 2];
                self.stream.read_exact(&mut bytes).ok()?;
                u64::from(u16::from_be_bytes(bytes))
            }
            127 => {
                let mut bytes = [0; 8];
                self.stream.read_exact(&mut bytes).ok()?;
                u64::from_be_bytes(bytes)
            }
            short => u64::from(short),
        };
        let mut payload = vec![0; usize::try_from(length).unwrap()];
        self.stream.read_exact(&mut payload).ok()?;
        // 0x81: a whole text message; the only other one the engine sends closes.
        (head[0] == 0x81).then(|| serde_json::from_slice(&payload).unwrap())
    }
}

/// A script whose inline map names the file it was compiled from.
fn parsed(script: &Value) -> Option<(String, String, SourceMap)> {
    let data = script["sourceMapURL"].as_str()?.strip_prefix("data:application/json;base64,")?;
    let map: Value = serde_json::from_slice(&BASE64_STANDARD.decode(data).unwrap()).unwrap();
    let source = map["sources"][0].as_str()?.to_owned();
    assert!(map["sourcesContent"][0].as_str().is_some_and(|text| !text.is_empty()), "{map}");
    Some((script["scriptId"].as_str()?.to_owned(), source, SourceMap::from_mappings(map["mappings"].as_str()?)))
}
