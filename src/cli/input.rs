//! Values given as `JSON`, `@FILE` or `-`.

use std::io::Read as _;

use anyhow::{Context as _, bail};
use serde_json::Value;

/// Reads `text`, the value of `option`. Errors name the option, the file and the place in it.
pub fn json(text: &str, option: &str) -> anyhow::Result<Value> {
    let (source, from) = read(text, option)?;
    serde_json::from_str(&source).with_context(|| format!("{option}: {from} is not JSON"))
}

/// Reads an object.
pub fn json_object(text: &str, option: &str) -> anyhow::Result<serde_json::Map<String, Value>> {
    match json(text, option)? {
        Value::Object(fields) => Ok(fields),
        other => bail!("{option} must be a JSON object, not {}", kind(&other)),
    }
}

/// Reads a list of dialog answers.
pub fn answers(text: &str) -> anyhow::Result<Vec<Value>> {
    match json(text, "--answers")? {
        Value::Array(list) => check_answers(list),
        other => bail!("--answers must be a JSON list such as [{{\"confirm\":true}}], not {}", kind(&other)),
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
