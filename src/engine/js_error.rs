//! Errors of the engine as people read them.

use deno_core::error::CoreError;

/// Message of an error that ended an import, without the name of its class, and the first place in a file that its stack names.
pub fn import_message(error: &CoreError) -> String {
    let text = error.to_string();
    let text = text.strip_prefix("Uncaught ").unwrap_or(&text);
    let text = text.strip_prefix("(in promise) ").unwrap_or(text);
    let text = match text.split_once(": ") {
        Some((class, rest)) if class.ends_with("Error") && class.chars().all(char::is_alphanumeric) => rest,
        _ => text,
    };
    let stack = text.find("\n    at ").unwrap_or(text.len());
    match place_in(&text[stack..]) {
        Some(place) => format!("{}\n    {place}", &text[..stack]),
        None => text[..stack].to_owned(),
    }
}

/// The line of a stack trace, `at f (file:///…:3:9)`, that names a file first.
pub fn place_in(stack: &str) -> Option<&str> {
    stack.lines().map(str::trim).find(|line| line.starts_with("at ") && line.contains("file://"))
}
