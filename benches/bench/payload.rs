//! The event payloads.

use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// Sizes of the `context` event: name, bytes, rounds.
pub const CONTEXTS: [(&str, usize, usize); 3] =
    [("100KB", 100_000, 200), ("1MB", 1_000_000, 40), ("10MB", 10_000_000, 10)];

pub struct Context {
    pub name: &'static str,
    pub rounds: usize,
    pub file: PathBuf,
    pub text: String,
}

/// What every row asks: may this command run? No hook of the benches but the gate minds.
pub fn tool_call() -> Value {
    json!({ "type": "tool_call", "toolName": "bash", "toolCallId": "t1", "input": { "command": "rm -rf build" } })
}

/// The `context` events, also written into `directory` for the peers.
pub fn contexts(directory: &Path) -> io::Result<Vec<Context>> {
    let write = |&(name, bytes, rounds)| {
        let text = json!({ "type": "context", "messages": messages(bytes) }).to_string();
        let file = directory.join(format!("context-{name}.json"));
        std::fs::write(&file, &text)?;
        Ok(Context { name, rounds, file, text })
    };
    CONTEXTS.iter().map(write).collect()
}

/// A conversation of `bytes` bytes of JSON, give or take a message: a person, an agent that calls tools, results of one to three KB of code; some failed.
fn messages(bytes: usize) -> Vec<Value> {
    let line = "    if (entry.name === \"main\") return `${entry.path}:${entry.line}`; // a line of code\n";
    let mut messages = Vec::new();
    let mut size = 0;
    while size < bytes {
        let i = messages.len();
        let content = json!([{ "type": "text", "text": line.repeat(10 + i % 20) }]);
        let timestamp = 1_764_500_000_000_u64 + i as u64;
        let message = match i % 3 {
            0 => json!({ "role": "user", "content": content, "timestamp": timestamp }),
            1 => {
                let call = json!({ "type": "toolCall", "id": format!("t{i}"), "name": "read", "arguments": { "path": "src/main.ts", "limit": 200 } });
                json!({ "role": "assistant", "content": [content[0], call], "stopReason": "toolUse", "timestamp": timestamp })
            }
            _ => {
                json!({ "role": "toolResult", "toolCallId": format!("t{i}"), "toolName": "read", "content": content, "isError": i % 10 == 0, "timestamp": timestamp })
            }
        };
        size += message.to_string().len() + 1;
        messages.push(message);
    }
    messages
}
