//! How results and errors look.

use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;

use serde::Serialize;

use crate::error::Error;

/// Whether standard error takes colour: a terminal, and `NO_COLOR` unset.
pub fn stderr_has_colors() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Prints one JSON object as one line on standard output.
pub fn json_line(value: &impl Serialize) -> anyhow::Result<()> {
    line(&serde_json::to_string(value)?)
}

/// Prints one line on standard output.
pub fn line(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        // A reader that has seen enough is no error.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}

/// Prints text for a person on standard output.
pub fn text(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}

/// Prints an error with its causes and what can be done about it, and gives the exit code of every failure.
pub fn failure(error: &anyhow::Error) -> ExitCode {
    eprintln!("error: {error:#}");
    if let Some(hint) = error.downcast_ref::<Error>().and_then(Error::hint) {
        eprintln!("hint: {hint}");
    }
    ExitCode::from(1)
}
