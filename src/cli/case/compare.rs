//! Expected against actual.

use std::fmt::Write as _;

use regex::Regex;
use serde_json::{Map, Value};
use similar::{ChangeTag, TextDiff};

/// `actual` with everything that `expected` allows written as `expected` writes it: what `{"$match": "regex"}` and `{"$any": true}`
/// cover, and the order of keys. The case holds exactly when the two are then equal.
pub fn align(expected: &Value, actual: &Value) -> Value {
    match (expected, actual) {
        (Value::Object(pattern), _) if covers(pattern, actual) => expected.clone(),
        (Value::Object(expected), Value::Object(actual)) => {
            let mut out = Map::new();
            for (key, wanted) in expected {
                match actual.get(key) {
                    Some(value) => out.insert(key.clone(), align(wanted, value)),
                    // A key left out is null or an empty list, in either direction.
                    None if is_nothing(wanted) => out.insert(key.clone(), wanted.clone()),
                    None => None,
                };
            }
            for (key, value) in actual {
                if !expected.contains_key(key) {
                    out.insert(key.clone(), value.clone());
                }
            }
            Value::Object(out)
        }
        (Value::Array(expected), Value::Array(actual)) => {
            let aligned = actual.iter().enumerate().map(|(index, value)| match expected.get(index) {
                Some(wanted) => align(wanted, value),
                None => value.clone(),
            });
            Value::Array(aligned.collect())
        }
        _ => actual.clone(),
    }
}

fn covers(pattern: &Map<String, Value>, actual: &Value) -> bool {
    if pattern.len() != 1 {
        return false;
    }
    if pattern.get("$any") == Some(&Value::Bool(true)) {
        return !actual.is_null();
    }
    match (pattern.get("$match").and_then(Value::as_str), actual.as_str()) {
        // `(?s)`: messages have several lines.
        (Some(pattern), Some(text)) => Regex::new(&format!("(?s){pattern}")).is_ok_and(|regex| regex.is_match(text)),
        _ => false,
    }
}

/// Whether a value says the same as its key's absence.
pub fn is_nothing(value: &Value) -> bool {
    value.is_null() || value.as_array().is_some_and(Vec::is_empty)
}

/// A readable difference, `-` for expected and `+` for actual; `None` when there is none.
pub fn diff(expected: &Value, actual: &Value) -> Option<String> {
    let aligned = align(expected, actual);
    if *expected == aligned {
        return None;
    }
    let (old, new) = (pretty(expected), pretty(&aligned));
    let diff = TextDiff::from_lines(&old, &new);
    let mut out = String::new();
    for group in diff.grouped_ops(3) {
        if !out.is_empty() {
            out.push_str("  …\n");
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let sign = match change.tag() {
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
                ChangeTag::Equal => ' ',
            };
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{sign} {}", change.value().trim_end_matches('\n'));
        }
    }
    Some(out)
}

/// Width up to which a list or object stands on one line, in characters.
const LINE: usize = 110;

/// JSON text with a final newline; what fits stands on one line.
pub fn pretty(value: &Value) -> String {
    let mut out = String::new();
    write_value(value, 0, 0, &mut out);
    out.push('\n');
    out
}

/// Writes `value`; `used` characters of its first line are taken.
fn write_value(value: &Value, depth: usize, used: usize, out: &mut String) {
    let flat = flat(value);
    let is_small = used + flat.chars().count() <= LINE;
    match value {
        Value::Array(items) if !items.is_empty() && !is_small => {
            let items = items.iter().map(|item| (String::new(), item));
            write_items(('[', ']'), items, depth, out);
        }
        Value::Object(fields) if !fields.is_empty() && (depth == 0 || !is_small) => {
            let items = fields.iter().map(|(key, item)| (format!("{}: ", Value::from(key.as_str())), item));
            write_items(('{', '}'), items, depth, out);
        }
        _ => out.push_str(&flat),
    }
}

fn write_items<'a>(
    brackets: (char, char),
    items: impl Iterator<Item = (String, &'a Value)>,
    depth: usize,
    out: &mut String,
) {
    out.push(brackets.0);
    for (index, (key, item)) in items.enumerate() {
        out.push_str(if index == 0 { "\n" } else { ",\n" });
        let indent = "  ".repeat(depth + 1);
        out.push_str(&indent);
        out.push_str(&key);
        write_value(item, depth + 1, indent.len() + key.chars().count(), out);
    }
    let _ = write!(out, "\n{}{}", "  ".repeat(depth), brackets.1);
}

/// `value` on one line, with spaces where people put them.
fn flat(value: &Value) -> String {
    let list = |items: Vec<String>, open: &str, close: &str| format!("{open}{}{close}", items.join(", "));
    match value {
        Value::Array(items) => list(items.iter().map(flat).collect(), "[", "]"),
        Value::Object(fields) if fields.is_empty() => "{}".to_owned(),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(key, item)| format!("{}: {}", Value::from(key.as_str()), flat(item)));
            list(fields.collect(), "{ ", " }")
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn placeholders_cover_what_they_name_and_nothing_else() {
        let holds = |expected: Value, actual: Value| diff(&expected, &actual).is_none();
        assert!(holds(json!({"a": {"$match": "^x.*z$"}}), json!({"a": "x\ny\nz"})));
        assert!(!holds(json!({"a": {"$match": "^x$"}}), json!({"a": "xy"})));
        assert!(!holds(json!({"a": {"$match": "("}}), json!({"a": "("})), "a broken pattern matches nothing");
        assert!(!holds(json!({"a": {"$match": "1"}}), json!({"a": 1})));
        assert!(holds(json!([{"$any": true}]), json!([{"deep": [1]}])));
        assert!(!holds(json!({"a": {"$any": true}}), json!({"a": null})));
        assert!(!holds(json!({"a": {"$any": true}}), json!({})));
    }

    #[test]
    fn keys_left_out_are_null_or_empty() {
        assert_eq!(diff(&json!({"result": null, "errors": []}), &json!({})), None);
        assert!(diff(&json!({}), &json!({"errors": [1]})).is_some());
        assert!(diff(&json!({"result": {}}), &json!({})).is_some());
    }

    #[test]
    fn lists_are_as_long_as_expected_and_keys_have_no_order() {
        assert!(diff(&json!([1, 2]), &json!([1])).is_some());
        assert!(diff(&json!([1]), &json!([1, 2])).is_some());
        assert_eq!(diff(&json!({"a": 1, "b": 2}), &json!({"b": 2, "a": 1})), None);
    }

    #[test]
    fn what_fits_stands_on_one_line() {
        let long = "x".repeat(LINE);
        let value = json!({"a": [1, {"b": []}], "c": {"d": long, "e": {}}});
        let text = pretty(&value);
        assert_eq!(
            text,
            format!(
                "{{\n  \"a\": [1, {{ \"b\": [] }}],\n  \"c\": {{\n    \"d\": \"{long}\",\n    \"e\": {{}}\n  }}\n}}\n"
            )
        );
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }

    #[test]
    fn a_difference_shows_both_sides() {
        let text = diff(&json!({"a": 1, "b": 2}), &json!({"a": 1, "b": 3})).unwrap();
        assert!(text.contains("-   \"b\": 2") && text.contains("+   \"b\": 3"), "{text}");
    }
}
