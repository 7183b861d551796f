//! The eleven events: what each tells its hooks, and that observers neither wait nor decide.

use std::time::{Duration, Instant};

use hookrt::lifecycle::{
    Args, CompactionDone, CompactionPlan, CompactionReason, Decision, EventName, HookSlots, HostHook,
    LifecycleDispatcher, LifecycleEvent, PreVerdict, ReasonCode, SessionClosed, SessionCreated, SessionEndReason,
    SubagentEnd, SubagentStatus, Subject, ToolFailure, TurnEnd, TurnInterrupted, UserPrompt,
};
use serde_json::{Value, json};

use super::support::{Project, eventually, post, pre, tool_use};

fn id() -> String {
    "ses_1".to_owned()
}

/// Every event with the JSON its hooks must read.
fn all() -> [(LifecycleEvent, Value); 11] {
    let call = json!({ "command": "ls" });
    [
        (pre("bash", &call), call.clone()),
        (post("bash", &call), call),
        (
            LifecycleEvent::PostToolUseFailure(ToolFailure {
                session_id: id(),
                tool: "bash".to_owned(),
                call_id: "call_1".to_owned(),
                reason: ReasonCode::new("timeout"),
                time: 7,
            }),
            json!({ "sessionID": "ses_1", "tool": "bash", "callID": "call_1", "reason": "timeout", "time": 7 }),
        ),
        (LifecycleEvent::Stop(TurnEnd { session_id: id() }), json!({})),
        (
            LifecycleEvent::UserPromptSubmit(UserPrompt::from_parts(id(), &["one", "two"])),
            json!({ "prompt": "one\ntwo" }),
        ),
        (
            LifecycleEvent::PreCompact(CompactionPlan { session_id: id(), auto: true, overflow: false }),
            json!({ "auto": true, "overflow": false }),
        ),
        (
            LifecycleEvent::SubagentStop(SubagentEnd {
                session_id: id(),
                agent: "x".to_owned(),
                status: SubagentStatus::Failed,
            }),
            json!({ "agent": "x", "status": "failed" }),
        ),
        (
            LifecycleEvent::SessionStart(SessionCreated { session_id: id(), title: "t".to_owned(), time: 7 }),
            json!({ "sessionID": "ses_1", "title": "t", "time": 7 }),
        ),
        (
            LifecycleEvent::SessionEnd(SessionClosed { session_id: id(), reason: SessionEndReason::Archive }),
            json!({ "sessionID": "ses_1", "reason": "archive" }),
        ),
        (
            LifecycleEvent::PostCompact(CompactionDone { session_id: id(), reason: CompactionReason::Auto }),
            json!({ "sessionID": "ses_1", "reason": "auto" }),
        ),
        (LifecycleEvent::Interrupt(TurnInterrupted { session_id: id() }), json!({ "sessionID": "ses_1" })),
    ]
}

#[tokio::test]
async fn each_event_tells_its_hooks_what_the_table_says() {
    let project = Project::new();
    let command = "printf '%s|%s|%s|%s' \"$HOOK_EVENT\" \"$HOOK_TOOL\" \"$HOOK_SESSION_ID\" \"$HOOK_ARGS_JSON\"";
    let hooks = project.with_hooks(EventName::all().map(|event| HostHook::new(event, command)));
    for (event, payload) in all() {
        let tool = if event.name().has_tool() { "bash" } else { "" };
        let expected = format!("{}|{tool}|ses_1|{payload}", event.name());
        let outcome = hooks.run_to_end(event).await;
        assert_eq!(outcome.outputs[0].stdout, expected);
    }
}

#[tokio::test]
async fn events_of_their_own_name_only() {
    let project = Project::new();
    let hooks = project.with_hooks(EventName::all().map(|event| HostHook::new(event, "exit 0")));
    for (event, _) in all() {
        assert_eq!(hooks.run_to_end(event).await.outputs.len(), 1);
    }
}

#[tokio::test]
async fn observers_neither_delay_nor_decide() {
    let project = Project::new();
    let observed: Vec<EventName> = EventName::all().filter(|event| event.is_observe_only()).collect();
    assert_eq!(observed.len(), 5);
    for protocol in [HostHook::blocking, HostHook::claude_code] {
        let gate = format!(
            "cat >/dev/null; {}; sleep 1; echo \"$HOOK_EVENT\" >> seen; exit 2",
            r#"echo '{"permissionDecision":"deny"}'"#
        );
        let mut settings = project.settings();
        settings.slots = HookSlots::new(5);
        settings.host_hooks = observed.iter().map(|event| protocol(HostHook::new(*event, &gate))).collect();
        let hooks = LifecycleDispatcher::new(settings);
        let _ = std::fs::remove_file(project.join("seen"));
        let started = Instant::now();
        for (event, _) in all() {
            let is_observed = event.name().is_observe_only();
            let outcome = hooks.run(event).await;
            assert!(outcome.ok && outcome.outputs.is_empty());
            assert_eq!(outcome.decision, Decision::None);
            assert!(is_observed || outcome.warnings.is_empty());
        }
        assert!(started.elapsed() < Duration::from_millis(900), "returned only after {:?}", started.elapsed());
        hooks.settle().await;
        let seen = std::fs::read_to_string(project.join("seen")).expect("every observer ran");
        let mut seen: Vec<&str> = seen.lines().collect();
        seen.sort_unstable();
        assert_eq!(seen, ["Interrupt", "PostCompact", "PostToolUseFailure", "SessionEnd", "SessionStart"]);
    }
}

#[tokio::test]
async fn a_failing_observer_does_not_stop_the_next() {
    let project = Project::new();
    let hooks = project.with_hooks([
        HostHook::new(EventName::Interrupt, "exit 2").claude_code(),
        HostHook::new(EventName::Interrupt, "exit 1").blocking(),
        HostHook::new(EventName::Interrupt, "echo ran"),
    ]);
    let outcome = hooks.run_to_end(LifecycleEvent::Interrupt(TurnInterrupted { session_id: id() })).await;
    assert_eq!((outcome.ok, outcome.outputs.len(), outcome.warnings.len()), (true, 3, 2));
}

#[test]
fn observing_works_outside_any_runtime() {
    let project = Project::new();
    let hooks = project.with_hooks([HostHook::new(EventName::SessionStart, "touch ran")]);
    hooks.observe(LifecycleEvent::SessionStart(SessionCreated { session_id: id(), title: String::new(), time: 0 }));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        hooks.settle().await;
        eventually("the observer ran", || project.join("ran").exists()).await;
    });
}

#[tokio::test]
async fn a_tool_wrapper_sees_blocks_feedback_and_failures() {
    let project = Project::new();
    let hooks = project.with_hooks([
        HostHook::new(EventName::PreToolUse, "grep -q rm && { echo no rm >&2; exit 1; } || exit 0")
            .matcher("bash")
            .blocking(),
        HostHook::new(EventName::PostToolUse, "echo formatted").matcher("edit"),
        HostHook::new(EventName::PostToolUseFailure, "cat > failure"),
    ]);
    let verdict = hooks.pre_tool_use("s", "bash", "c", &json!({ "command": "ls" })).await;
    assert_eq!(verdict, PreVerdict::Allow);
    let verdict = hooks.pre_tool_use("s", "bash", "c", &json!({ "command": "rm x" })).await;
    assert_eq!(verdict, PreVerdict::Block("PreToolUse hook blocked tool bash: no rm".to_owned()));
    let feedback = hooks.post_tool_use("s", "edit", "c", &json!({})).await;
    assert_eq!(feedback.as_deref(), Some("<hook_feedback event=\"PostToolUse\">formatted</hook_feedback>"));
    assert_eq!(hooks.post_tool_use("s", "bash", "c", &json!({})).await, None);
    hooks.post_tool_use_failure("s", "bash", "c", "Error: the output was SECRET");
    hooks.settle().await;
    let payload = std::fs::read_to_string(project.join("failure")).expect("the observer ran");
    let payload: Value = serde_json::from_str(&payload).expect("JSON");
    assert_eq!(payload["reason"], "error");
    assert_eq!(
        (&payload["sessionID"], &payload["tool"], &payload["callID"]),
        (&json!("s"), &json!("bash"), &json!("c"))
    );
    assert_eq!(payload.as_object().map(serde_json::Map::len), Some(5));
}

#[test]
fn reasons_are_codes_not_texts() {
    for code in ["error", "timeout", "exit:1", "ENOENT", "a.b-c_d"] {
        assert_eq!(ReasonCode::new(code).as_str(), code);
    }
    for text in ["", "two words", "line\nbreak", "ü", "x".repeat(65).as_str()] {
        assert_eq!(ReasonCode::new(text).as_str(), "error", "{text}");
    }
}

#[test]
fn loose_arguments_lose_what_the_payload_has_no_place_for() {
    let subject = Subject { session_id: "s", tool: Some("bash"), call_id: None };
    let text = r#"{"output":"SECRET","message":"SECRET","summary":"SECRET","reason":"error"}"#;
    let args = Args::from_json(text).expect("JSON");
    for event in EventName::all().filter(|event| event.is_observe_only()) {
        let Ok(read) = LifecycleEvent::read(event, subject, &args) else {
            // `error` is no reason of these two; nothing is handed on either.
            assert!(matches!(event, EventName::SessionEnd | EventName::PostCompact));
            continue;
        };
        assert!(!read.event.args().as_str().contains("SECRET"), "{event}");
        assert!(read.dropped.contains(&"output".to_owned()), "{event}");
    }
    let args = Args::from_json(r#"{"prompt":7}"#).expect("JSON");
    assert!(LifecycleEvent::read(EventName::UserPromptSubmit, subject, &args).is_err());
    let whole = tool_use("bash", &json!({ "output": 1 }));
    let read = LifecycleEvent::read(EventName::PostToolUse, subject, &whole.args).expect("a tool's own arguments");
    assert_eq!(read.event.args(), whole.args);
}
