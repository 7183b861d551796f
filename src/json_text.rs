//! JSON text as the engine reads and writes it. It may nest as deeply as a value may leave the isolate (decision 5), which is deeper than
//! `serde_json` reads on its own, and may hold what JavaScript has and Rust has not: lone surrogates and numbers past the largest one.

use std::borrow::Cow;

use indexmap::IndexMap;
use serde::de::Error as _;
use serde_json::value::RawValue;
use serde_json::{Error, Map, Value};

/// Deepest nesting that a value may have, in levels (`MAX_DEPTH` in `js/07_values.js`).
const MAX_DEPTH: usize = 1000;

/// Checks text that is to reach the isolate as it stands.
///
/// # Errors
/// It is not JSON, or nested deeper than a value may be.
pub fn checked(text: &str) -> Result<Box<RawValue>, Error> {
    // Reads over strings and numbers without making values of them.
    let raw: Box<RawValue> = serde_json::from_str(text)?;
    match depth(raw.get()) {
        0..=MAX_DEPTH => Ok(raw),
        _ => Err(Error::custom(format_args!("nested deeper than {MAX_DEPTH} levels"))),
    }
}

/// The value of checked text for Rust: a lone surrogate is U+FFFD, a number past the largest one null, as they leave the isolate.
///
/// # Errors
/// It is not JSON.
pub fn lossy_value(raw: &RawValue) -> Result<Value, Error> {
    value(&plain(raw.get()))
}

/// Reads `text`.
///
/// # Errors
/// It is not JSON.
pub fn value(text: &str) -> Result<Value, Error> {
    match serde_json::from_str(text) {
        // The one way to tell this error from others.
        Err(error) if error.to_string().starts_with("recursion limit exceeded") => with_stack(|| deep_value(text)),
        other => other,
    }
}

/// Stack that one level may take, and how much to add where less is left, in bytes.
const RED_ZONE: usize = 1 << 20;
const MORE_STACK: usize = 8 << 20;

/// Runs one level of something that goes down as deeply as a value may be nested.
pub fn with_stack<T>(level: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(RED_ZONE, MORE_STACK, level)
}

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

/// Levels of lists and objects in valid text.
fn depth(text: &str) -> usize {
    let (mut now, mut most) = (0usize, 0);
    let mut in_string = false;
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => in_string = !in_string,
            b'\\' if in_string => drop(bytes.next()),
            b'[' | b'{' if !in_string => {
                now += 1;
                most = most.max(now);
            }
            b']' | b'}' if !in_string => now -= 1,
            _ => {}
        }
    }
    most
}

/// Valid text with what Rust cannot hold replaced.
pub fn plain(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let (mut out, mut copied) = (String::new(), 0);
    let (mut at, mut in_string) = (0, false);
    while at < bytes.len() {
        let (length, instead) = match bytes[at] {
            b'\\' if in_string => escape(&bytes[at..]),
            b'-' | b'0'..=b'9' if !in_string => number(&text[at..]),
            byte => {
                in_string ^= byte == b'"';
                (1, None)
            }
        };
        if let Some(instead) = instead {
            out.push_str(&text[copied..at]);
            out.push_str(instead);
            copied = at + length;
        }
        at += length;
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// Length of the escape at the start, and what to write for one that is half a character.
fn escape(bytes: &[u8]) -> (usize, Option<&'static str>) {
    let unit = |at: usize| {
        let digits = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
        u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    match unit(0) {
        None => (2, None),
        Some(0xD800..=0xDBFF) if matches!(unit(6), Some(0xDC00..=0xDFFF)) => (12, None),
        Some(0xD800..=0xDFFF) => (6, Some("\\ufffd")),
        Some(_) => (6, None),
    }
}

/// Length of the number at the start, and what to write for one that is infinite.
fn number(text: &str) -> (usize, Option<&'static str>) {
    let length = text.find(|c: char| !matches!(c, '0'..='9' | '+' | '-' | '.' | 'e' | 'E')).unwrap_or(text.len());
    let infinite = text[..length].parse::<f64>().is_ok_and(f64::is_infinite);
    (length, infinite.then_some("null"))
}

#[cfg(test)]
mod tests {
    use super::{checked, lossy_value, value};

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

    #[test]
    fn what_rust_cannot_hold_is_read_as_it_leaves_the_isolate() {
        for (text, expected) in [
            (r#"{"a":"\ud800","b":[1e400,-1e999,1e-400,12]}"#, "{\"a\":\"\u{fffd}\",\"b\":[null,null,0.0,12]}"),
            (r#""\ud83d\ude00 \\ud800 \udc00\ud800x 1e400 \"""#, "\"😀 \\\\ud800 \u{fffd}\u{fffd}x 1e400 \\\"\""),
            (r#"{"\udfff":{"1e400":"\"1e400"}}"#, "{\"\u{fffd}\":{\"1e400\":\"\\\"1e400\"}}"),
            ("1e400", "null"),
        ] {
            assert_eq!(lossy_value(&checked(text).unwrap()).unwrap().to_string(), expected, "{text}");
        }
    }

    #[test]
    fn text_is_checked_without_reading_it() {
        let nested = |levels: usize| format!("{}\"[[\\\"{{\"{}", "[".repeat(levels), "]".repeat(levels));
        assert!(checked(&nested(1000)).is_ok());
        assert!(checked(&nested(1001)).unwrap_err().to_string().contains("1000 levels"));
        assert!(checked(&nested(100_000)).is_err());
        for text in ["", "[", "{\"a\":}", "[1,]", "nul", "1 2", "\"\\x\"", "\"\\ud8\"", "01"] {
            assert!(checked(text).is_err(), "{text}");
        }
    }
}
