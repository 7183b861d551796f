//! What exit code, stdout and protocol make of an event; the permission prompt.

use std::time::Duration;

use hookrt::lifecycle::{
    BlockKind, Decision, EventName, HostHook, LifecycleDispatcher, LifecycleEvent, Outcome, PermissionAnswer, Protocol,
    TurnEnd,
};
use serde_json::json;

use super::support::{Person, Project, post, pre, print, prompt};

const DENY: &str = r#"{"permissionDecision":"deny","reason":"because"}"#;
const ALLOW: &str = r#"{"permissionDecision":"allow"}"#;
const ASK: &str = r#"{"permissionDecision":"ask","reason":"sure?"}"#;

/// Every exit code with every stdout, in both protocols, on a blockable and a finished event.
#[tokio::test]
async fn the_whole_matrix_of_exit_codes() {
    let project = Project::new();
    let mut rows = Vec::new();
    for code in [0, 1, 2, 3, 124, 126, 127, 137] {
        for (stdout, name) in [("", "empty"), (ALLOW, "allow"), (DENY, "deny"), (ASK, "ask"), ("garbage", "garbage")] {
            for protocol in [Protocol::Plain, Protocol::ClaudeCode] {
                for block_on_failure in [true, false] {
                    rows.push((code, stdout, name, protocol, block_on_failure));
                }
            }
        }
    }
    for (code, stdout, name, protocol, block_on_failure) in rows {
        let hooks = project.with_hooks([EventName::PreToolUse, EventName::PostToolUse, EventName::Stop].map(|event| {
            HostHook { protocol, block_on_failure, ..HostHook::new(event, format!("{}; exit {code}", print(stdout))) }
        }));
        let row = format!("exit {code}, {name}, {protocol:?}, blockOnFailure {block_on_failure}");
        let outcome = hooks.run(pre("bash", &json!({}))).await;
        let blocked = match (protocol, code, name) {
            (Protocol::Plain, _, _) => code != 0 && block_on_failure,
            (Protocol::ClaudeCode, 2, _) => true,
            // Nobody answers the question in this test.
            (Protocol::ClaudeCode, 0, "deny" | "ask") => true,
            (Protocol::ClaudeCode, _, _) => false,
        };
        assert_eq!(outcome.blocked, blocked, "{row}");
        assert_eq!(outcome.outputs[0].exit, code, "{row}");
        // What neither blocks nor succeeds is at least said.
        let silent = blocked || (code == 0 && !(protocol == Protocol::ClaudeCode && name == "garbage"));
        assert_eq!(outcome.warnings.is_empty(), silent, "{row}: {:?}", outcome.warnings);
        if stdout.is_empty() || code == 0 {
            let after = hooks.run(post("bash", &json!({}))).await;
            let stop = hooks.run(LifecycleEvent::Stop(TurnEnd { session_id: "s".to_owned() })).await;
            assert!(after.ok && stop.ok, "what is over cannot be blocked: {row}");
            assert_eq!(after.decision, Decision::None, "{row}");
        }
    }
}

async fn claude(command: &str) -> Outcome {
    let hook = HostHook::new(EventName::PreToolUse, command).claude_code();
    Project::new().with_hooks([hook]).run(pre("bash", &json!({}))).await
}

#[tokio::test]
async fn a_plain_block_skips_the_rest_and_tells_what_failed() {
    let project = Project::new();
    let hooks = project.with_hooks([
        HostHook::new(EventName::PreToolUse, "echo first >&2; echo ignored; exit 3"),
        HostHook::new(EventName::PreToolUse, "echo second; exit 4"),
        HostHook::new(EventName::PreToolUse, "exit 5"),
        HostHook::new(EventName::PreToolUse, "echo fine"),
        HostHook::new(EventName::PreToolUse, "exit 6").blocking(),
        HostHook::new(EventName::PreToolUse, "echo never"),
    ]);
    let outcome = hooks.run(pre("bash", &json!({}))).await;
    assert_eq!(outcome.outputs.len(), 5);
    assert_eq!(outcome.reason.as_deref(), Some("first\nsecond\nexit 5\nexit 6"));
    assert_eq!(
        outcome.error_message().as_deref(),
        Some("PreToolUse hook blocked tool bash: first\nsecond\nexit 5\nexit 6")
    );
    assert_eq!(outcome.warnings.len(), 3);
}

#[tokio::test]
async fn a_blocked_prompt_has_its_own_words() {
    let project = Project::new();
    let hooks =
        project.with_hooks([HostHook::new(EventName::UserPromptSubmit, "echo secret found >&2; exit 1").blocking()]);
    let outcome = hooks.run(prompt("hello")).await;
    assert_eq!(outcome.error_message().as_deref(), Some("UserPromptSubmit hook blocked prompt: secret found"));
}

#[tokio::test]
async fn exit_2_blocks_with_stderr_whatever_stdout_says() {
    for stdout in ["", "garbage", ALLOW, "{", DENY] {
        let outcome = claude(&format!("{}; echo why >&2; exit 2", print(stdout))).await;
        assert_eq!((outcome.blocked, outcome.reason.as_deref()), (true, Some("why")), "{stdout}");
    }
    assert_eq!(claude("exit 2").await.reason.as_deref(), Some("blocked by hook"));
}

#[tokio::test]
async fn a_command_that_never_ran_says_so() {
    let project = Project::new();
    let script = project.join("no execute bit");
    std::fs::write(&script, "#!/bin/sh\n").expect("a script");
    let rows = [("definitely-not-a-command".to_owned(), 127), (super::support::quote(&script.to_string_lossy()), 126)];
    for (command, exit) in rows {
        let hooks = project.with_hooks([HostHook::new(EventName::PreToolUse, &command).blocking()]);
        let outcome = hooks.run(pre("bash", &json!({}))).await;
        assert_eq!((outcome.outputs[0].exit, outcome.blocked), (exit, true));
        let reason = outcome.reason.unwrap_or_default();
        for part in ["could not start", command.as_str(), &project.path().to_string_lossy()] {
            assert!(reason.contains(part), "{part}: {reason}");
        }
    }
}

#[tokio::test]
async fn a_slow_gate_is_no_open_gate() {
    let project = Project::new();
    let limit = Duration::from_millis(400);
    let slow = |command: &str| HostHook::new(EventName::PreToolUse, command).time_limit(limit);
    let outcome = project.with_hooks([slow("sleep 60").claude_code()]).run(pre("bash", &json!({}))).await;
    assert!(outcome.blocked && outcome.outputs[0].timed_out && outcome.outputs[0].exit == 124);
    assert!(outcome.reason.unwrap_or_default().contains("timed out after 0.4 s"));

    let command = format!("{}; sleep 60", print(DENY));
    let outcome = project.with_hooks([slow(&command).claude_code()]).run(pre("bash", &json!({}))).await;
    assert_eq!((outcome.blocked, outcome.reason.as_deref()), (true, Some("because")));

    let outcome = project.with_hooks([slow("sleep 60").blocking()]).run(pre("bash", &json!({}))).await;
    assert_eq!((outcome.blocked, outcome.decision), (true, Decision::Deny));
    assert!(outcome.reason.unwrap_or_default().contains("exit 124"));

    let outcome = project.with_hooks([slow("sleep 60")]).run(pre("bash", &json!({}))).await;
    assert!(outcome.ok && outcome.warnings[0].contains("timed out"));
}

#[tokio::test]
async fn a_deny_cut_off_by_the_cap_is_not_no_decision_for_a_blocking_entry() {
    // The decision lies behind more than the cap.
    let command = r#"printf '{"a":"'; head -c 1100000 /dev/zero | tr '\0' x; printf '","permissionDecision":"deny"}'"#;
    let project = Project::new();
    for block_on_failure in [true, false] {
        let hook = HostHook { block_on_failure, ..HostHook::new(EventName::PreToolUse, command).claude_code() };
        let outcome = project.with_hooks([hook]).run(pre("bash", &json!({}))).await;
        assert!(outcome.outputs[0].truncated);
        assert_eq!(outcome.blocked, block_on_failure);
        assert_eq!(outcome.warnings.is_empty(), block_on_failure);
    }
}

fn asking(
    project: &Project,
    answer: PermissionAnswer,
    event: EventName,
    commands: &[String],
) -> (LifecycleDispatcher, std::sync::Arc<Person>) {
    let person = Person::who(answer);
    let mut settings = project.settings();
    settings.prompt = person.clone();
    settings.host_hooks = commands.iter().map(|command| HostHook::new(event, command).claude_code()).collect();
    (LifecycleDispatcher::new(settings), person)
}

#[tokio::test]
async fn only_a_person_answers_an_ask() {
    let project = Project::new();
    for (answer, granted) in
        [(PermissionAnswer::Granted, true), (PermissionAnswer::Declined, false), (PermissionAnswer::Unattended, false)]
    {
        let (hooks, person) = asking(&project, answer, EventName::PreToolUse, &[print(ASK), print(ALLOW)]);
        let outcome = hooks.run(pre("bash", &json!({ "command": "ls" }))).await;
        assert_eq!((outcome.ok, outcome.decision), (granted, Decision::Ask), "{answer:?}");
        assert_eq!(outcome.outputs.len(), 2, "later hooks still run");
        assert_eq!(outcome.reason.as_deref().map(|reason| reason.contains("sure?")), Some(true));
        let asked = person.asked.lock().expect("no panic");
        assert_eq!(asked.len(), 1);
        assert_eq!((asked[0].permission, asked[0].tool.as_str(), asked[0].reason.as_str()), ("hook", "bash", "sure?"));
        assert_eq!((asked[0].call_id.as_deref(), asked[0].args.as_str()), (Some("call_1"), r#"{"command":"ls"}"#));
        if !granted {
            assert_eq!(outcome.block_kind, Some(BlockKind::PermissionDeclined));
            let message = outcome.error_message().unwrap_or_default();
            assert!(!message.contains("hook blocked"), "an ordinary refusal: {message}");
        }
    }
}

#[tokio::test]
async fn without_a_user_interface_an_ask_is_declined_at_once() {
    let outcome = claude(&print(r#"{"permissionDecision":"ask"}"#)).await;
    assert_eq!((outcome.blocked, outcome.decision), (true, Decision::Ask));
    let message = outcome.error_message().unwrap_or_default();
    assert!(message.contains("hook requested user confirmation") && message.contains("no user interface"), "{message}");
}

#[tokio::test]
async fn a_later_deny_beats_an_earlier_ask() {
    let project = Project::new();
    let (hooks, person) =
        asking(&project, PermissionAnswer::Granted, EventName::PreToolUse, &[print(ASK), print(DENY)]);
    let outcome = hooks.run(pre("bash", &json!({}))).await;
    assert_eq!((outcome.blocked, outcome.reason.as_deref()), (true, Some("because")));
    assert!(person.reasons().is_empty(), "nobody is bothered");
}

#[tokio::test]
async fn two_hooks_ask_in_one_question() {
    let project = Project::new();
    let other = r#"{"hookSpecificOutput":{"permissionDecision":"ask","permissionDecisionReason":"really?"}}"#;
    let commands = [print(ASK), print(other), print(ASK)];
    let (hooks, person) = asking(&project, PermissionAnswer::Granted, EventName::PreToolUse, &commands);
    assert!(hooks.run(pre("bash", &json!({}))).await.ok);
    assert_eq!(person.reasons(), ["sure?\nreally?"]);
}

#[tokio::test]
async fn an_ask_about_a_prompt_blocks() {
    let project = Project::new();
    let (hooks, person) = asking(&project, PermissionAnswer::Granted, EventName::UserPromptSubmit, &[print(ASK)]);
    let outcome = hooks.run(prompt("hello")).await;
    assert_eq!(outcome.error_message().as_deref(), Some("UserPromptSubmit hook blocked prompt: sure?"));
    assert!(person.reasons().is_empty());
}

#[tokio::test]
async fn the_strictest_answer_wins_in_every_order() {
    let project = Project::new();
    let answers = [
        ("allow", print(ALLOW)),
        ("ask", print(ASK)),
        ("deny", print(r#"{"permissionDecision":"deny","reason":"r1"}"#)),
        ("exit 2", "echo r2 >&2; exit 2".to_owned()),
    ];
    let mut orders = 0;
    for order in 0..256_usize {
        // Four digits of base four: every order in which no digit repeats.
        let digits = [order / 64, order / 16 % 4, order / 4 % 4, order % 4];
        if (0..4).any(|digit| !digits.contains(&digit)) {
            continue;
        }
        orders += 1;
        let (hooks, person) = asking(
            &project,
            PermissionAnswer::Granted,
            EventName::PreToolUse,
            &digits.map(|digit| format!("echo {digit} >> ran; {}", answers[digit].1)),
        );
        let _ = std::fs::remove_file(project.join("ran"));
        let outcome = hooks.run(pre("bash", &json!({}))).await;
        let first = digits.iter().position(|digit| *digit >= 2).unwrap_or(3);
        let row = digits.map(|digit| answers[digit].0);
        assert_eq!((outcome.blocked, outcome.decision), (true, Decision::Deny), "{row:?}");
        let reason = if digits[first] == 2 { "r1" } else { "r2" };
        assert_eq!(outcome.reason.as_deref(), Some(reason), "{row:?}");
        assert!(person.reasons().is_empty(), "{row:?}");
        let ran = std::fs::read_to_string(project.join("ran")).unwrap_or_default();
        assert_eq!(ran.lines().count(), first + 1, "the first denier stops the rest: {row:?}");
    }
    assert_eq!(orders, 24);
}
