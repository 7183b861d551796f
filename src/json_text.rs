//! JSON text that the engine wrote: it may nest as deeply as a value may leave the isolate (decision 5), which is deeper than
//! `serde_json` reads on its own.

use std::borrow::Cow;

use indexmap::IndexMap;
use serde_json::value::RawValue;
use serde_json::{Error, Map, Value};

/// Reads `text`.
///
/// # Errors
/// It is not JSON.
pub fn value(text: &str) -> Result<Value, Error> {
    match serde_json::from_str(text) {
        // The one way to tell this error from others.
        Err(error) if error.to_string().starts_with("recursion limit exceeded") => {
            stacker::maybe_grow(RED_ZONE, MORE_STACK, || deep_value(text))
        }
        other => other,
    }
}

/// Stack that one level may take, and how much to add where less is left, in bytes.
const RED_ZONE: usize = 1 << 20;
const MORE_STACK: usize = 8 << 20;

/// Takes the outermost list or object apart without looking into its items, then reads them.
fn deep_value(text: &str) -> Result<Value, Error> {
    if text.trim_start().starts_with('[') {
        let items: Vec<&RawValue> = serde_json::from_str(text)?;
        return items.into_iter().map(|item| value(item.get())).collect::<Result<_, _>>().map(Value::Array);
    }
    let fields: IndexMap<Cow<'_, str>, &RawValue> = serde_json::from_str(text)?;
    let fields = fields.into_iter().map(|(key, item)| Ok((key.into_owned(), value(item.get())?)));
    fields.collect::<Result<Map<_, _>, Error>>().map(Value::Object)
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn a_thousand_levels_of_lists_and_objects() {
        let text = format!("{}1{}", "[{\"a\\n\": ".repeat(500), "}]".repeat(500));
        // Reading sees to its own stack; writing it again is the test's business.
        let written = std::thread::Builder::new().stack_size(64 << 20).spawn({
            let text = text.clone();
            move || value(&text).unwrap().to_string()
        });
        assert_eq!(written.unwrap().join().unwrap(), text.replace(": ", ":"));
        assert!(value(&text[..text.len() - 1]).is_err());
        assert!(value("[1,]").is_err());
    }
}
