//! Values through an emit and back: what comes out is what went in, as decision 5 says.

use hookrt::loader::TranspileCache;
use hookrt::runner::{RunnerOptions, load_hooks};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;

use super::mutate::mutated;
use super::{corpus, fuzz};

/// Hands back what it gets, once as it is and once so that the engine has to take it apart.
const HOOK: &str = "export default (pi: any) => pi.on('tool_result', (e: any) => \
                    ({ content: [], details: { same: e.details, apart: [new Set(), e.details] } }));";

/// Pieces of JSON text that are easily lost.
const ATOMS: &[&str] = &[
    "null",
    "true",
    "0",
    "-0",
    "1e21",
    "-1e-7",
    "9007199254740993",
    "1e400",
    "-1e400",
    "5e-324",
    "0.1",
    "\"\"",
    r#""\ud800""#,
    r#""\udc00\ud83d\ude00\ud800""#,
    r#""\u0000\u001f\u2028\ufeff""#,
    r#""$bytes""#,
    "{}",
    "[]",
    r#""__proto__""#,
    "\"é💥\"",
];
const NAMES: &[&str] = &[
    "a",
    "b",
    "",
    "__proto__",
    "constructor",
    "prototype",
    "toJSON",
    "then",
    "block",
    "length",
    "0",
    "-1",
    "4294967295",
    r"\ud800",
    r"\u0000",
    "$bytes",
    "valueOf",
    "hasOwnProperty",
    "type",
    "é",
];

/// JSON text, nested up to `depth` times.
pub fn json_text(depth: u32) -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        select(ATOMS).prop_map(str::to_owned),
        any::<f64>()
            .prop_filter("JSON has no other", |number| number.is_finite())
            .prop_map(|number| format!("{number:e}")),
        any::<String>().prop_map(|text| Value::String(text).to_string()),
    ];
    leaf.prop_recursive(depth, 40, 5, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(|items| format!("[{}]", items.join(","))),
            proptest::collection::vec((select(NAMES), inner), 0..5).prop_map(|fields| {
                let fields: Vec<String> = fields.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
                format!("{{{}}}", fields.join(","))
            }),
        ]
    })
}

/// What JavaScript makes of it: numbers are doubles, none is infinite, surrogates without their partner are replaced.
fn expected(text: &str) -> Value {
    fn doubles(value: Value) -> Value {
        match value {
            Value::Number(number) => {
                number.as_f64().filter(|number| number.is_finite()).map_or(Value::Null, Value::from)
            }
            Value::Array(items) => items.into_iter().map(doubles).collect(),
            Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, doubles(value))).collect(),
            other => other,
        }
    }
    doubles(serde_json::from_str(&readable(text)).expect("generated JSON"))
}

/// The text with what serde refuses – lone surrogates, numbers past the range – as JavaScript writes it.
fn readable(text: &str) -> String {
    let bytes = text.as_bytes();
    let unit = |at: usize| {
        let escape = text.get(at..at + 6).filter(|escape| escape.starts_with("\\u"))?;
        u32::from_str_radix(&escape[2..], 16).ok()
    };
    let mut out = String::new();
    let (mut at, mut in_text) = (0, false);
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if unit(at).is_some_and(|unit| (0xd800..0xdc00).contains(&unit)) => {
                let paired = unit(at + 6).is_some_and(|unit| (0xdc00..0xe000).contains(&unit));
                out.push_str(if paired { &text[at..at + 12] } else { "\\ufffd" });
                at += if paired { 12 } else { 6 };
            }
            b'\\' if unit(at).is_some_and(|unit| (0xdc00..0xe000).contains(&unit)) => {
                out.push_str("\\ufffd");
                at += 6;
            }
            b'\\' => {
                let next = text[at + 1..].chars().next().map_or(0, char::len_utf8);
                out.push_str(&text[at..at + 1 + next]);
                at += 1 + next;
            }
            b'-' | b'0'..=b'9' if !in_text => {
                let end = text[at..].find(|c: char| !matches!(c, '0'..='9' | '.' | 'e' | 'E' | '+' | '-'));
                let number = &text[at..end.map_or(text.len(), |end| at + end)];
                let finite = number.parse::<f64>().is_ok_and(f64::is_finite);
                out.push_str(if finite { number } else { "null" });
                at += number.len();
            }
            byte => {
                in_text ^= byte == b'"';
                let length = text[at..].chars().next().map_or(1, char::len_utf8);
                out.push_str(&text[at..at + length]);
                at += length;
            }
        }
    }
    out
}

#[test]
fn a_value_comes_back_as_it_went() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("hook.ts");
    std::fs::write(&path, HOOK).expect("a file");
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
    let mut options = RunnerOptions::new(folder.path());
    options.cache = Some(TranspileCache::disabled());
    let loaded = runtime.block_on(load_hooks(&[path.to_string_lossy()], options)).expect("the engine starts");
    assert_eq!(loaded.errors, []);
    let event = |details: &str| {
        format!(
            r#"{{"type":"tool_result","toolName":"x","toolCallId":"t","input":{{}},"isError":false,"content":[],"details":{details}}}"#
        )
    };
    let emit = |details: &str| runtime.block_on(loaded.runner.emit_raw("tool_result", event(details)));
    let details = |details: &str| -> Result<Value, TestCaseError> {
        let outcome = emit(details).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let result = outcome.result.ok_or_else(|| TestCaseError::fail("no result"))?;
        let mut result: Value =
            serde_json::from_str(result.get()).map_err(|error| TestCaseError::fail(error.to_string()))?;
        Ok(result["details"].take())
    };
    fuzz("tests/corpus/payloads.regressions", json_text(6), |text| {
        let back = details(&text)?;
        // `-0` is written `0`; a double that is whole may be written as an integer.
        let same = |value: &Value| expected(&value.to_string());
        prop_assert_eq!(same(&back["same"]), expected(&text), "{}", text);
        prop_assert_eq!(same(&back["apart"][1]), expected(&text), "apart: {}", text);
        Ok(())
    });
    let kept: Vec<Vec<u8>> = corpus("payloads");
    fuzz("tests/corpus/payload-bytes.regressions", mutated(kept), |bytes| {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        // Nothing that is no JSON may pass for some; what is, comes back.
        match emit(&text) {
            Ok(_) => prop_assert!(serde_json::from_str::<Value>(&readable(&event(&text))).is_ok(), "{}", text),
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
        Ok(())
    });
    for depth in [10, 900, 1_200, 20_000] {
        let text = format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
        let back = emit(&text).is_ok_and(|outcome| outcome.result.is_some_and(|result| result.get().contains(&text)));
        assert_eq!(back, depth < 1_000, "{depth} levels");
    }
}
