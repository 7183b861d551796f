//! A sample of every event, message, entry and result, read and written again unchanged.

use serde_json::{Value, json};

use super::*;

/// One sample per event with every field of `hooks.md §3`.
fn samples() -> Vec<Value> {
    let user = json!({"role": "user", "content": "hi", "timestamp": 1});
    let entry = json!({"type": "message", "id": "e1", "parentId": null, "timestamp": "2026-01-01T00:00:00.000Z", "message": user});
    let compaction = json!({
        "summary": "s", "shortSummary": "t", "firstKeptEntryId": "e2", "tokensBefore": 90000,
        "details": null, "preserveData": {"k": [1]},
    });
    vec![
        json!({"type": "session_start"}),
        json!({"type": "session_before_switch", "reason": "fork", "targetSessionFile": "/s.jsonl"}),
        json!({"type": "session_switch", "reason": "resume", "previousSessionFile": "/p.jsonl"}),
        json!({"type": "session_before_branch", "entryId": "e1"}),
        json!({"type": "session_branch", "previousSessionFile": "/p.jsonl"}),
        json!({
            "type": "session_before_compact",
            "preparation": {
                "firstKeptEntryId": "e2", "messagesToSummarize": [user], "turnPrefixMessages": [],
                "recentMessages": [user], "isSplitTurn": false, "tokensBefore": 90000,
                "previousSummary": "p", "previousPreserveData": {"a": 1},
                "fileOps": {"read": ["a"], "written": [], "edited": ["b"]}, "settings": {"enabled": true},
            },
            "branchEntries": [entry], "customInstructions": "short", "signal": {"aborted": false},
        }),
        json!({"type": "session.compacting", "sessionId": "s", "messages": [user]}),
        json!({
            "type": "session_compact",
            "compactionEntry": {"type": "compaction", "id": "e3", "parentId": "e2", "timestamp": 5, "summary": "s",
                "firstKeptEntryId": "e2", "tokensBefore": 7, "details": {"x": null}},
            "fromExtension": true,
        }),
        json!({
            "type": "session_before_tree",
            "preparation": {"targetId": "e1", "oldLeafId": null, "commonAncestorId": "e0",
                "entriesToSummarize": [entry], "userWantsSummary": true},
            "signal": {"aborted": true},
        }),
        json!({
            "type": "session_tree", "newLeafId": null, "oldLeafId": "e9",
            "summaryEntry": {"type": "branch_summary", "id": "e4", "parentId": null, "summary": "s"}, "fromExtension": false,
        }),
        json!({"type": "session_shutdown"}),
        json!({"type": "context", "messages": [user]}),
        json!({"type": "before_agent_start", "prompt": "p", "images": [{"type": "image", "data": "AA==", "mimeType": "image/png"}]}),
        json!({"type": "agent_start"}),
        json!({"type": "agent_end", "messages": [user]}),
        json!({"type": "turn_start", "turnIndex": 0, "timestamp": 1}),
        json!({"type": "turn_end", "turnIndex": 0, "message": user, "toolResults": [
            {"role": "toolResult", "toolCallId": "t", "toolName": "bash", "content": [], "details": null, "isError": false, "timestamp": 2},
        ]}),
        json!({"type": "auto_compaction_start", "reason": "idle", "action": "context-full"}),
        json!({"type": "auto_compaction_end", "action": "handoff", "result": compaction, "aborted": false,
            "willRetry": true, "errorMessage": "e", "skipped": false}),
        json!({"type": "auto_retry_start", "attempt": 1, "maxAttempts": 3, "delayMs": 2.5, "errorMessage": "e"}),
        json!({"type": "auto_retry_end", "success": false, "attempt": 3, "finalError": "f"}),
        json!({"type": "ttsr_triggered", "rules": [{"name": "r"}]}),
        json!({"type": "todo_reminder", "todos": [{"text": "t"}], "attempt": 1, "maxAttempts": 3}),
        json!({"type": "tool_call", "toolName": "bash", "toolCallId": "t", "input": {"command": "ls", "n": 9007199254740993_u64}}),
        json!({"type": "tool_result", "toolName": "bash", "toolCallId": "t", "input": {}, "content": [{"type": "text", "text": "x"}],
            "details": null, "isError": false, "isWarning": true}),
    ]
}

/// Adds an unknown field to every object, however deep.
fn with_unknown_fields(value: &Value) -> Value {
    match value {
        Value::Object(object) => {
            let mut object: Extra = object.iter().map(|(k, v)| (k.clone(), with_unknown_fields(v))).collect();
            object.insert("x-new".into(), json!({"n": null, "list": [1, "a"]}));
            Value::Object(object)
        }
        Value::Array(items) => items.iter().map(with_unknown_fields).collect(),
        other => other.clone(),
    }
}

fn round_trip(sample: &Value) -> (Event, Value) {
    let event: Event = serde_json::from_value(sample.clone()).unwrap_or_else(|e| panic!("{e}: {sample}"));
    let written = serde_json::to_value(&event).unwrap();
    (event, written)
}

#[test]
fn each_event_has_a_sample_and_survives() {
    let names: Vec<EventName> = samples().iter().map(|sample| round_trip(sample).0.name()).collect();
    assert_eq!(names, EventName::ALL);
    for sample in samples() {
        let (event, written) = round_trip(&sample);
        assert!(!matches!(event, Event::Other(_)), "{sample}");
        assert_eq!(written, sample);
    }
}

#[test]
fn unknown_fields_survive_at_every_depth() {
    for sample in samples() {
        let sample = with_unknown_fields(&sample);
        assert_eq!(round_trip(&sample).1, sample);
    }
}

#[test]
fn type_comes_first_and_the_order_of_unknown_fields_stays() {
    let text = r#"{"type":"agent_start","z":1,"a":2,"m":3}"#;
    let event: Event = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string(&event).unwrap(), text);
    let other: Event = serde_json::from_str(r#"{"z":1,"type":"brand_new","a":2}"#).unwrap();
    assert_eq!(other.name(), EventName::Other("brand_new".into()));
    assert_eq!(serde_json::to_string(&other).unwrap(), r#"{"type":"brand_new","z":1,"a":2}"#);
}

#[test]
fn a_known_event_without_a_required_field_is_told() {
    let error =
        serde_json::from_value::<Event>(json!({"type": "tool_call", "toolName": "bash", "input": {}})).unwrap_err();
    assert!(error.to_string().contains("tool_call") && error.to_string().contains("toolCallId"), "{error}");
    for odd in [json!({}), json!({"type": 7}), json!([]), json!("tool_call"), json!(null)] {
        assert!(serde_json::from_value::<Event>(odd.clone()).is_err(), "{odd}");
    }
}

#[test]
fn data_takes_the_name_it_is_given() {
    let event =
        Event::from_data("tool_call", json!({"type": "x", "toolName": "b", "toolCallId": 7, "input": null})).unwrap();
    let Event::ToolCall(call) = &event else { panic!("{event:?}") };
    assert_eq!(call.tool_call_id, "7");
    assert!(call.extra.is_empty());
    assert_eq!(Event::from_data("session_start", Value::Null).unwrap().name(), EventName::SessionStart);
    assert!(Event::from_data("session_start", json!([1])).is_err());
}

#[test]
fn messages_of_every_role_survive() {
    let blocks = json!([
        {"type": "text", "text": "t", "textSignature": "s"},
        {"type": "thinking", "thinking": "h"},
        {"type": "redactedThinking", "data": "d"},
        {"type": "toolCall", "id": "c", "name": "bash", "arguments": {"a": 1}},
        {"type": "video", "url": "u"},
    ]);
    let messages = [
        json!({"role": "user", "content": [{"type": "text", "text": "t"}], "timestamp": 1}),
        json!({"role": "developer", "content": "c", "timestamp": 1}),
        json!({"role": "assistant", "content": blocks, "api": "a", "provider": "p", "model": "m",
            "usage": {"input": 1, "output": 2, "cacheRead": 3, "cacheWrite": 4, "totalTokens": 10, "cost": {"total": 0.1}},
            "stopReason": "toolUse", "timestamp": 1}),
        json!({"role": "toolResult", "toolCallId": "t", "toolName": "n", "content": blocks, "isError": true, "timestamp": 1}),
        json!({"role": "bashExecution", "command": "c", "output": "o", "exitCode": null, "cancelled": true, "timestamp": 1}),
        json!({"role": "pythonExecution", "code": "c", "output": "o", "exitCode": 0, "timestamp": 1}),
        json!({"role": "custom", "customType": "k", "content": "c", "display": true, "details": {"d": 1}, "timestamp": 1}),
        json!({"role": "hookMessage", "customType": "k", "content": "c", "display": false, "timestamp": 1}),
        json!({"role": "branchSummary", "summary": "s", "fromId": "e", "timestamp": 1}),
        json!({"role": "compactionSummary", "summary": "s", "tokensBefore": 1, "timestamp": 1}),
        json!({"role": "fileMention", "files": [{"path": "p"}], "timestamp": 1}),
    ];
    for sample in messages {
        let message: Message = serde_json::from_value(sample.clone()).unwrap();
        assert!(!matches!(message, Message::Other(_)), "{sample}");
        assert_eq!(message.tag(), sample["role"]);
        assert_eq!(serde_json::to_value(&message).unwrap(), sample);
    }
}

#[test]
fn odd_messages_are_kept_raw() {
    for sample in [
        json!({"role": "robot", "content": 1}),
        json!({"role": "user"}),
        json!({"role": "toolResult", "toolCallId": {}, "toolName": "n", "content": []}),
        json!({"content": "no role"}),
        json!({"role": 7}),
    ] {
        let message: Message = serde_json::from_value(sample.clone()).unwrap();
        assert!(matches!(message, Message::Other(_)), "{sample}");
        assert_eq!(serde_json::to_value(&message).unwrap(), sample);
    }
}

#[test]
fn entries_of_every_type_survive() {
    let kinds = [
        ("session", json!({"cwd": "/w", "version": 3})),
        ("message", json!({"message": {"role": "user", "content": "c"}})),
        ("thinking_level_change", json!({"thinkingLevel": "high"})),
        ("model_change", json!({"provider": "p", "modelId": "m"})),
        ("context_change", json!({"context": 1})),
        ("service_tier_change", json!({"serviceTier": null})),
        ("compaction", json!({"summary": "s", "firstKeptEntryId": "e", "tokensBefore": 1})),
        ("branch_summary", json!({"summary": "s", "fromId": "e"})),
        ("custom", json!({"customType": "k", "data": null})),
        ("custom_message", json!({"customType": "k", "content": "c", "display": true})),
        ("label", json!({"targetId": "e", "label": "l"})),
        ("ttsr_injection", json!({"injectedRules": []})),
        ("mcp_tool_selection", json!({"selectedToolNames": []})),
        ("session_init", json!({"systemPrompt": "s"})),
        ("mode_change", json!({"mode": "plan"})),
    ];
    for (kind, fields) in kinds {
        let mut sample = json!({"type": kind, "id": "e1", "timestamp": "2026-01-01T00:00:00.000Z"});
        if kind != "session" {
            sample["parentId"] = json!(null);
        }
        for (key, value) in fields.as_object().unwrap() {
            sample[key] = value.clone();
        }
        let entry: SessionEntry = serde_json::from_value(sample.clone()).unwrap();
        assert!(!matches!(entry, SessionEntry::Other(_)), "{sample}");
        assert_eq!(entry.tag(), kind);
        assert_eq!(serde_json::to_value(&entry).unwrap(), sample);
    }
}

#[test]
fn the_schema_names_every_event_and_its_fields() {
    let schema = serde_json::to_value(schemars::schema_for!(Event)).unwrap();
    let text = schema.to_string();
    for sample in samples() {
        for key in sample.as_object().unwrap().keys() {
            assert!(text.contains(&format!("\"{key}\"")), "{key}");
        }
        assert!(text.contains(&format!("{{\"type\":\"string\",\"const\":{}}}", sample["type"])), "{}", sample["type"]);
    }
}
