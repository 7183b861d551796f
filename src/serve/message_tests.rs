//! What is read from lines, sound and broken ones, and written to them.

use proptest::strategy::Strategy as _;
use serde_json::json;

use super::*;

fn refused(line: &[u8]) -> (Option<Id>, i64) {
    let answer = Message::decode(line).unwrap_err();
    (answer.id, answer.outcome.unwrap_err().code)
}

fn raw(value: Value) -> Box<RawValue> {
    RawValue::from_string(value.to_string()).unwrap()
}

#[test]
fn calls_and_answers_survive() {
    for line in [
        r#"{"jsonrpc":"2.0","id":1,"method":"hooks.emit","params":{"runner":"main","event":{"type":"x","n":1.50}}}"#,
        r#"{"jsonrpc":"2.0","id":"a\"b","method":"shutdown"}"#,
        r#"{"jsonrpc":"2.0","method":"mirror.set","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":7,"result":{"value":"\ud800"}}"#,
        r#"{"jsonrpc":"2.0","id":7,"result":null}"#,
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}"#,
        r#"{"jsonrpc":"2.0","id":9,"error":{"code":-32010,"message":"m","data":{"hook":0}}}"#,
    ] {
        let message = Message::decode(line.as_bytes()).unwrap();
        assert_eq!(String::from_utf8(message.encode()).unwrap(), format!("{line}\n"));
    }
}

#[test]
fn what_is_not_json_is_a_parse_error() {
    for line in [&b"{"[..], b"hello", b"{\"id\":1,}", b"\xff\xfe", b"{\"a\":\"\xff\"}", b"{} {}", b"\0"] {
        assert_eq!(refused(line), (None, Code::PARSE.0), "{line:?}");
    }
}

#[test]
fn json_that_is_no_message_is_an_invalid_request() {
    let one = Some(Id::Number(1));
    for (line, id) in [
        (r#"[{"jsonrpc":"2.0","id":1,"method":"m"}]"#, None),
        ("42", None),
        ("null", None),
        ("{}", None),
        (r#"{"id":1,"method":"m"}"#, one.clone()),
        (r#"{"jsonrpc":"1.0","id":1,"method":"m"}"#, one.clone()),
        (r#"{"jsonrpc":"2.0","id":1,"method":7}"#, one.clone()),
        (r#"{"jsonrpc":"2.0","id":1,"method":"m","params":[1]}"#, one),
        (r#"{"jsonrpc":"2.0","id":{},"method":"m"}"#, None),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"m"}"#, None),
        (r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"m"}"#, None),
    ] {
        assert_eq!(refused(line.as_bytes()), (id, Code::INVALID_REQUEST.0), "{line}");
    }
}

#[test]
fn unknown_fields_and_null_params_are_fine() {
    let line = r#" {"x":[],"params":null,"method":"m","id":1.0,"jsonrpc":"2.0","trace":1} "#;
    let Ok(Message::Request(request)) = Message::decode(line.as_bytes()) else { panic!() };
    assert_eq!((request.id, request.method.as_str()), (Id::Number(1), "m"));
    assert!(request.params.is_none());
}

#[test]
fn a_failure_is_never_read_as_a_success() {
    for line in [
        r#"{"id":1,"result":{},"error":{"code":1,"message":"m"}}"#,
        r#"{"id":1,"error":"odd"}"#,
        r#"{"id":1,"error":{"code":"x"}}"#,
    ] {
        let Ok(Message::Response(response)) = Message::decode(line.as_bytes()) else { panic!("{line}") };
        assert!(response.outcome.is_err(), "{line}");
    }
}

#[test]
fn deep_nesting_does_not_end_the_process() {
    let deep =
        format!(r#"{{"jsonrpc":"2.0","method":"m","params":{{"a":{}{}}}}}"#, "[".repeat(200_000), "]".repeat(200_000));
    let Ok(Message::Notification(call)) = Message::decode(deep.as_bytes()) else { panic!() };
    assert_eq!(read_params::<Value>(call.params.as_deref()).unwrap_err().code, Code::INVALID_PARAMS.0);
}

#[test]
fn newlines_in_raw_text_do_not_end_the_line() {
    let params = RawValue::from_string("{\n  \"a\": \"b\\n\"\r\n}".to_owned()).unwrap();
    let line = encode_call(None, "m", Some(&params));
    assert_eq!(line.iter().filter(|byte| **byte == b'\n').count(), 1);
    let Ok(Message::Notification(call)) = Message::decode(&line[..line.len() - 1]) else { panic!() };
    assert_eq!(read_params::<Value>(call.params.as_deref()).unwrap(), json!({"a": "b\n"}));
}

#[test]
fn params_that_do_not_fit_name_the_field() {
    #[derive(Debug, Deserialize)]
    struct Params {
        #[allow(dead_code, reason = "only its absence matters")]
        runner: String,
    }
    let error = read_params::<Params>(None).unwrap_err();
    assert_eq!((error.code, error.data), (Code::INVALID_PARAMS.0, Some(json!({"field": "runner"}))));
    let odd = read_params::<Params>(Some(&raw(json!({"runner": 7})))).unwrap_err();
    assert_eq!((odd.code, odd.data), (Code::INVALID_PARAMS.0, Some(json!({"field": "runner"}))));
    #[derive(Debug, Deserialize)]
    struct Outer {
        #[allow(dead_code, reason = "only its faults matter")]
        list: Vec<Params>,
    }
    for (item, field) in
        [(json!({}), "list[1].runner"), (json!({"runner": null}), "list[1].runner"), (json!(7), "list[1]")]
    {
        let error = read_params::<Outer>(Some(&raw(json!({"list": [{"runner": "r"}, item]})))).unwrap_err();
        assert_eq!(error.data, Some(json!({ "field": field })));
    }
    assert!(read_params::<Params>(Some(&raw(json!({"runner": "r", "more": 1})))).is_ok());
}

proptest::proptest! {
    #[test]
    fn no_line_panics_and_no_message_has_a_newline(
        line in proptest::prop_oneof![
            proptest::collection::vec(proptest::num::u8::ANY, 0..80),
            "\\{(\"(jsonrpc|id|method|params|result|error)\":(\"2.0\"|1|null|\\{\\}|\\[\\]|\"m\"),?){0,6}\\}"
                .prop_map(String::into_bytes),
        ]
    ) {
        let encoded = match Message::decode(&line) {
            Ok(message) => message.encode(),
            Err(answer) => encode_response(answer.id.as_ref(), answer.outcome.as_deref()),
        };
        proptest::prop_assert_eq!(encoded.iter().position(|byte| *byte == b'\n'), Some(encoded.len() - 1));
        proptest::prop_assert!(Message::decode(&encoded).is_ok());
    }
}
