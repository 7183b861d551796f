//! Values given as `JSON`, `@FILE` or `-`.

use std::io::Read as _;

use anyhow::{Context as _, bail};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::json_text;

/// Reads `text`, the value of `option`; it stays text, so that JavaScript reads it. Errors name the option, the file and the place in it.
pub fn json(text: &str, option: &str) -> anyhow::Result<Box<RawValue>> {
    let (source, from) = read(text, option)?;
    json_text::checked(&source).map_err(|error| {
        let what = if error.is_data() { "cannot be given to hooks" } else { "is not JSON" };
        anyhow::anyhow!("{option}: {from} {what}: {error}")
    })
}

/// Reads an object.
pub fn json_object(text: &str, option: &str) -> anyhow::Result<Box<RawValue>> {
    object(json(text, option)?, option)
}

/// Checked text that has to be an object.
pub fn object(raw: Box<RawValue>, name: &str) -> anyhow::Result<Box<RawValue>> {
    if raw.get().starts_with('{') {
        return Ok(raw);
    }
    bail!("{name} must be a JSON object, not {}", kind(&json_text::lossy_value(&raw)?))
}

/// Checks what an emit of `event` cannot do without: only `context` has something, the messages it folds.
pub fn check_event(event: &str, data: &RawValue) -> anyhow::Result<()> {
    if event != "context" {
        return Ok(());
    }
    match json_text::lossy_value(data)?.get("messages") {
        Some(Value::Array(_)) => Ok(()),
        Some(other) => bail!("a context event needs \"messages\", a list of messages; it is {}", kind(other)),
        None => bail!("a context event needs \"messages\", a list of messages; there is none"),
    }
}

/// Reads a list of dialog answers.
pub fn answers(text: &str) -> anyhow::Result<Vec<Value>> {
    read_answers(&json(text, "--answers")?).context("--answers")
}

/// The answers in a list; what only JavaScript can hold becomes the nearest that Rust can.
pub fn read_answers(raw: &RawValue) -> anyhow::Result<Vec<Value>> {
    match json_text::lossy_value(raw)? {
        Value::Array(list) => check_answers(list),
        other => bail!("answers are a JSON list such as [{{\"confirm\":true}}], not {}", kind(&other)),
    }
}

/// Answers are objects with the kind of the dialog, or null for a cancelled one.
pub fn check_answers(list: Vec<Value>) -> anyhow::Result<Vec<Value>> {
    for (index, answer) in list.iter().enumerate() {
        if !answer.is_object() && !answer.is_null() {
            bail!("answer {index} must be an object such as {{\"confirm\":true}} or null, not {}", kind(answer));
        }
    }
    Ok(list)
}

/// The text of `JSON`, `@FILE` or `-`, and what to call it in an error.
pub fn read(text: &str, option: &str) -> anyhow::Result<(String, String)> {
    if text == "-" {
        let mut input = Vec::new();
        std::io::stdin().read_to_end(&mut input).with_context(|| format!("{option}: cannot read standard input"))?;
        return Ok((utf8(input, option, "standard input")?, "standard input".to_owned()));
    }
    match text.strip_prefix('@') {
        Some(path) => {
            let bytes = std::fs::read(path).with_context(|| format!("{option}: cannot read {path}"))?;
            Ok((utf8(bytes, option, path)?, path.to_owned()))
        }
        None => Ok((text.to_owned(), "the value".to_owned())),
    }
}

fn utf8(bytes: Vec<u8>, option: &str, from: &str) -> anyhow::Result<String> {
    let text = String::from_utf8(bytes).with_context(|| format!("{option}: {from} is not UTF-8 text"))?;
    Ok(text.strip_prefix('\u{feff}').map_or(text.clone(), str::to_owned))
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
