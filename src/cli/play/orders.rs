//! What the command line asks for: events given as JSON, what came back as a line of text.

use serde_json::{Map, Value};

use crate::runner::HookRunner;

/// Emits an event; the line that tells what came back.
pub async fn emit(runner: &HookRunner, name: &str, data: String) -> String {
    match runner.emit_raw(name, data).await {
        Ok(outcome) => {
            let result = outcome.result.map_or_else(|| "no result".to_owned(), |result| result.get().to_owned());
            let by = outcome.by.map(|by| format!(" \u{1b}[2mby {}\u{1b}[0m", by.hook_path)).unwrap_or_default();
            format!("\u{1b}[32m{name}\u{1b}[0m {result}{by}")
        }
        Err(error) => format!("\u{1b}[31m{name}: {error}\u{1b}[0m"),
    }
}

/// `:event {"type": …}` and `:NAME {…}`.
pub fn read_event(word: &str, rest: &str) -> Result<(String, Map<String, Value>), String> {
    let text = if rest.trim().is_empty() { "{}" } else { rest };
    let fields: Map<String, Value> =
        serde_json::from_str(text).map_err(|error| format!("not a JSON object: {error}"))?;
    if word != "event" {
        return Ok((word.to_owned(), fields));
    }
    let name = fields.get("type").and_then(Value::as_str).ok_or("an event needs a \"type\"")?.to_owned();
    Ok((name, fields))
}

/// The text of a message's content.
pub fn plain(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect::<Vec<_>>().join("\n"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_read_from_the_command_line() {
        let (name, fields) = read_event("event", r#"{"type":"turn_start","turnIndex":1}"#).unwrap();
        assert_eq!((name.as_str(), fields["turnIndex"].as_u64()), ("turn_start", Some(1)));
        assert_eq!(read_event("session_start", "").unwrap().0, "session_start");
        assert!(read_event("event", "{}").unwrap_err().contains("type"));
        assert!(read_event("turn_start", "{").unwrap_err().contains("JSON"));
    }

    #[test]
    fn content_of_a_message_as_text() {
        assert_eq!(plain(&"a".into()), "a");
        assert_eq!(plain(&serde_json::json!([{ "text": "a" }, { "data": "" }, { "text": "b" }])), "a\nb");
    }
}
