//! How single values are read: JavaScript truthiness and text, ids, absent against null.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

pub use serde_json::{Number, Value};

/// The fields of an object that its type does not name, in their order.
pub type Extra = serde_json::Map<String, Value>;

/// A point in time: milliseconds since the epoch (messages) or ISO 8601 text (session entries).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Timestamp {
    /// Milliseconds since the epoch.
    Ms(Number),
    /// ISO 8601 text.
    Iso(String),
}

impl From<u64> for Timestamp {
    fn from(ms: u64) -> Self {
        Timestamp::Ms(ms.into())
    }
}

/// Whether JavaScript takes the value as true. `0`, `-0`, `""`, `null` and `false` are not; every
/// object and array is, the string `"false"` too.
pub fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(flag) => *flag,
        Value::Number(number) => number.as_f64().is_none_or(|n| n != 0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}

/// What `String(value)` gives in JavaScript for a value that came as JSON.
pub fn js_string(value: &Value) -> Cow<'_, str> {
    match value {
        Value::Null => "null".into(),
        Value::Bool(flag) => if *flag { "true" } else { "false" }.into(),
        Value::Number(number) => match number.as_f64() {
            // 1.0 prints as 1 there; JSON text of a float keeps the fraction.
            Some(float) if float.fract() == 0.0 && float.abs() < 1e15 => format!("{float:.0}").into(),
            _ => number.to_string().into(),
        },
        Value::String(text) => text.as_str().into(),
        Value::Array(items) => {
            let parts: Vec<Cow<'_, str>> =
                items.iter().map(|item| if item.is_null() { "".into() } else { js_string(item) }).collect();
            parts.join(",").into()
        }
        Value::Object(_) => "[object Object]".into(),
    }
}

/// Field readers for `#[serde(deserialize_with)]`.
pub(super) mod read {
    use super::*;
    use serde::de::DeserializeOwned;
    use serde::de::Error as _;

    fn text<E: serde::de::Error>(value: Value) -> Result<Option<String>, E> {
        match value {
            Value::Null => Ok(None),
            Value::String(text) => Ok(Some(text)),
            Value::Number(number) => Ok(Some(js_string(&Value::Number(number)).into_owned())),
            other => Err(E::custom(format_args!("expected text, got {}", kind(&other)))),
        }
    }

    fn kind(value: &Value) -> &'static str {
        match value {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "text",
            Value::Array(_) => "an array",
            Value::Object(_) => "an object",
        }
    }

    /// An id or a name: text, or a number that is kept as its decimal text.
    pub fn id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
        text(Value::deserialize(deserializer)?)?.ok_or_else(|| D::Error::custom("expected text, got null"))
    }

    /// The same where the field may be null or absent.
    pub fn id_or_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
        text(Value::deserialize(deserializer)?)
    }

    /// A field whose null means something else than its absence.
    pub fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
        Value::deserialize(deserializer).map(Some)
    }

    /// A flag by JavaScript truthiness.
    pub fn flag<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
        Value::deserialize(deserializer).map(|value| is_truthy(&value))
    }

    /// A flag by JavaScript truthiness where null is the same as absent.
    pub fn flag_or_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<bool>, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Ok((!value.is_null()).then(|| is_truthy(&value)))
    }

    /// Text a person reads, from whatever a handler gave: `String(value)`, null the same as absent.
    pub fn words<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Ok((!value.is_null()).then(|| js_string(&value).into_owned()))
    }

    /// A list; null is the empty one.
    pub fn list<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<Vec<T>, D::Error> {
        Ok(Option::<Vec<T>>::deserialize(deserializer)?.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn truthiness_is_that_of_javascript() {
        for falsy in [json!(null), json!(false), json!(0), json!(-0.0), json!("")] {
            assert!(!is_truthy(&falsy), "{falsy}");
        }
        for truthy in [json!(true), json!(1), json!(-1.5), json!("false"), json!("0"), json!([]), json!({})] {
            assert!(is_truthy(&truthy), "{truthy}");
        }
    }

    #[test]
    fn text_of_a_value_is_that_of_javascript() {
        for (value, expected) in [
            (json!("a"), "a"),
            (json!(null), "null"),
            (json!(7), "7"),
            (json!(7.0), "7"),
            (json!(0.5), "0.5"),
            (json!(true), "true"),
            (json!([1, [2, null], "x"]), "1,2,,x"),
            (json!({"a": 1}), "[object Object]"),
        ] {
            assert_eq!(js_string(&value), expected);
        }
    }
}
