//! The yardstick for what crosses a pipe: a child that reads a line, parses it as JSON and answers, and does nothing else.

use std::io::{BufRead as _, Write as _};
use std::process::Command;

use serde_json::{Value, json};

use crate::Failure;

/// The argument that makes this program the child.
pub const ARGUMENT: &str = "echo-child";

/// This program as the child.
pub fn command() -> Result<Command, Failure> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg(ARGUMENT);
    Ok(command)
}

/// Answers every line of standard input until it ends.
pub fn run() -> Result<(), Failure> {
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    let mut line = String::new();
    while input.read_line(&mut line)? > 0 {
        let message: Value = serde_json::from_str(&line)?;
        let mut answer = json!({ "jsonrpc": "2.0", "id": message["id"], "result": {} }).to_string();
        answer.push('\n');
        output.write_all(answer.as_bytes())?;
        output.flush()?;
        line.clear();
    }
    Ok(())
}
