//! Errors of the engine as people read them.

use deno_core::error::CoreError;

use crate::loader::{Place, code_frame, file_url_to_path};

/// Files longer than this are not shown, in bytes.
const MAX_SHOWN: u64 = 1 << 20;

/// Message of an error that ended an import, without the name of its class, and where it happened.
pub fn import_message(error: &CoreError) -> String {
    let text = error.to_string();
    let text = text.strip_prefix("Uncaught ").unwrap_or(&text);
    let text = text.strip_prefix("(in promise) ").unwrap_or(text);
    let text = match text.split_once(": ") {
        Some((class, rest)) if class.ends_with("Error") && class.chars().all(char::is_alphanumeric) => rest,
        _ => text,
    };
    let stack = text.find("\n    at ").unwrap_or(text.len());
    let mut message = with_place(&text[..stack], &text[stack..]);
    if ["does not provide an export named", "Could not find export"].iter().any(|known| message.contains(known)) {
        message.push_str("\nhint: if that name is only a type, use `import type` or `export type`");
    }
    message
}

/// Whether the event loop has nothing left that a module's top-level await could wait for.
pub fn is_stalled_import(error: &CoreError) -> bool {
    error.to_string().contains("Top-level await promise never resolved")
}

/// `message` with the first place in a file that `stack` names, and the line that stands there.
pub fn with_place(message: &str, stack: &str) -> String {
    if message.contains("\n> ") {
        return message.to_owned(); // it shows its line already
    }
    let place = stack.lines().map(str::trim).find(|line| line.starts_with("at ") && line.contains("file://"));
    match place {
        Some(place) => match frame(place) {
            Some(frame) => format!("{message}\n    {place}\n{frame}"),
            None => format!("{message}\n    {place}"),
        },
        None => message.to_owned(),
    }
}

/// A place as stack traces have it.
pub fn at(url: &str, (line, column): Place) -> String {
    format!("at {url}:{line}:{column}")
}

/// The source line of a place like `at f (file:///a.ts:3:9)`.
fn frame(place: &str) -> Option<String> {
    let at = place[place.find("file://")?..].trim_end_matches(')');
    let mut parts = at.rsplitn(3, ':');
    let column = parts.next()?.parse().ok()?;
    let line = parts.next()?.parse().ok()?;
    let path = file_url_to_path(parts.next()?).ok()?;
    if path.metadata().ok()?.len() > MAX_SHOWN {
        return None;
    }
    let source = std::fs::read_to_string(path).ok()?;
    Some(code_frame(&source, line, column))
}
