//! How results and errors look.

use std::io::{IsTerminal as _, Write};
use std::process::ExitCode;
use std::sync::{Mutex, OnceLock, PoisonError};

use anyhow::Context as _;
use serde::Serialize;

use crate::error::Error;
use crate::serve::stdio::take_standard_output;

/// Whether standard error takes colour: a terminal, and `NO_COLOR` unset.
pub fn stderr_has_colors() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Prints one JSON object as one line on standard output.
pub fn json_line(value: &impl Serialize) -> anyhow::Result<()> {
    line(&serde_json::to_string(value)?)
}

/// Prints one line on standard output.
pub fn line(line: &str) -> anyhow::Result<()> {
    text(&format!("{line}\n"))
}

/// Prints text on standard output.
pub fn text(text: &str) -> anyhow::Result<()> {
    let written = match OUTPUT.get() {
        Some(output) => write(&mut *output.lock().unwrap_or_else(PoisonError::into_inner), text),
        None => write(&mut std::io::stdout().lock(), text),
    };
    match written {
        // A reader that has seen enough is no error.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}

/// Where the report goes once hooks may run.
static OUTPUT: OnceLock<Mutex<Box<dyn Write + Send>>> = OnceLock::new();

/// From now on standard output is ours alone: what hooks and their programs write to descriptor 1 goes to standard error.
pub fn keep_output() -> anyhow::Result<()> {
    let output = take_standard_output().context("standard output")?;
    // Called once; a second one would only find standard error.
    let _ = OUTPUT.set(Mutex::new(Box::new(output)));
    Ok(())
}

fn write(out: &mut dyn Write, text: &str) -> std::io::Result<()> {
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Prints an error with its causes and what can be done about it, and gives the exit code of every failure.
pub fn failure(error: &anyhow::Error) -> ExitCode {
    eprintln!("error: {error:#}");
    if let Some(hint) = error.downcast_ref::<Error>().and_then(Error::hint) {
        eprintln!("hint: {hint}");
    }
    ExitCode::from(1)
}
