//! Arguments of every size, on stdin and in the environment.

use hookrt::lifecycle::{Args, EventName, HostHook, LifecycleEvent};

use super::support::{Project, tool_use};

/// JSON text of exactly this many bytes, filled with this character (and `x` where it does not divide).
fn arguments(bytes: usize, filler: &str) -> String {
    let room = bytes - r#"{"a":""}"#.len();
    let text = format!("{}{}", filler.repeat(room / filler.len()), "x".repeat(room % filler.len()));
    format!(r#"{{"a":"{text}"}}"#)
}

#[tokio::test]
async fn the_variable_up_to_32768_bytes_and_stdin_always() {
    let project = Project::new();
    let command = "cat > stdin; printf %s \"$HOOK_ARGS_JSON\" > variable; printf %s \"$HOOK_ARGS_STDIN\"";
    let hooks = project.with_hooks([HostHook::new(EventName::PreToolUse, command)]);
    for bytes in [2_000, 32_767, 32_768, 32_769, 131_072, 3_000_000] {
        for filler in ["a", "語"] {
            let text = arguments(bytes, filler);
            assert_eq!(text.len(), bytes);
            let mut call = tool_use("bash", &serde_json::Value::Null);
            call.args = Args::from_json(&text).expect("JSON");
            let outcome = hooks.run(LifecycleEvent::PreToolUse(call)).await;
            assert_eq!((outcome.outputs[0].exit, outcome.outputs[0].stdout.as_str()), (0, "1"), "{bytes} {filler}");
            let read = |name: &str| std::fs::read_to_string(project.join(name)).expect("written by the hook");
            assert!(read("stdin") == text, "{bytes} {filler}: stdin is not byte for byte");
            let expected = if bytes <= 32_768 { text.as_str() } else { "" };
            assert!(read("variable") == expected, "{bytes} {filler}: variable");
        }
    }
}

#[tokio::test]
async fn the_text_arrives_as_the_host_wrote_it() {
    let project = Project::new();
    let hooks = project.with_hooks([HostHook::new(EventName::PreToolUse, "cat")]);
    // Key order, repeated keys, large numbers, escapes, inner white space: none of our business.
    for text in [
        r#"{"b":1,"a":1,"b":2}"#,
        r#"{"n":12345678901234567890.00e1}"#,
        r#"{"s":"\u00e9\n\ud83e\udd80"}"#,
        "[ 1,\n 2 ]",
        "null",
        r#""text""#,
    ] {
        let mut call = tool_use("bash", &serde_json::Value::Null);
        call.args = Args::from_json(&format!(" {text}\n")).expect("JSON");
        let outcome = hooks.run(LifecycleEvent::PreToolUse(call)).await;
        assert_eq!(outcome.outputs[0].stdout, text);
    }
    assert!(Args::from_json("{").is_err() && Args::from_json("{} {}").is_err() && Args::from_json("").is_err());
    // Deeper than any parser of ours would recurse.
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    assert!(Args::from_json(&deep).is_ok());
}
