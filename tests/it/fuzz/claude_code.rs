//! What a hook of Claude Code's protocol prints: the strictest decision stated anywhere holds, whatever else stands around it.

use hookrt::lifecycle::{Decision, EventName, HookSlots, HostHook};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::mutate::mutated;
use super::{corpus, fuzz};
use crate::lifecycle::support::{Project, pre};

/// Runs a hook that prints `stdout`.
fn decision(project: &Project, runtime: &tokio::runtime::Runtime, stdout: &[u8]) -> (Decision, bool) {
    std::fs::write(project.join("out"), stdout).expect("the folder is writable");
    let mut settings = project.settings();
    settings.slots = HookSlots::new(1);
    settings.host_hooks = vec![HostHook::new(EventName::PreToolUse, "cat out").claude_code()];
    let hooks = hookrt::lifecycle::LifecycleDispatcher::new(settings);
    let outcome = runtime.block_on(hooks.run(pre("bash", &json!({}))));
    (outcome.decision, outcome.blocked)
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime")
}

/// Words and how strict they are.
const WORDS: &[(&str, Decision)] = &[
    ("allow", Decision::Allow),
    ("approve", Decision::Allow),
    ("ask", Decision::Ask),
    ("deny", Decision::Deny),
    ("block", Decision::Deny),
    ("Deny", Decision::Deny),
    ("maybe", Decision::Deny),
];

#[test]
fn the_strictest_decision_holds() {
    let (project, runtime) = (Project::new(), runtime());
    let stated = proptest::collection::vec((select(WORDS), any::<bool>(), any::<bool>()), 0..5);
    let noise = proptest::collection::vec(("[a-z]{1,8}|reason|hookEventName", super::payloads::json_text(2)), 0..3);
    fuzz("tests/corpus/claude-code-decisions.regressions", (stated, noise), |(stated, noise)| {
        // Names may stand twice: written as text.
        let field = |(word, _, old): &((&str, Decision), bool, bool)| {
            format!("{}:{}", json!(if *old { "decision" } else { "permissionDecision" }), json!(word.0))
        };
        let at = |nested: bool| stated.iter().filter(move |(_, place, _)| *place == nested).map(field);
        let inner: Vec<String> = at(true).collect();
        let noise = noise.iter().map(|(name, value)| format!("{}:{value}", json!(name)));
        let fields: Vec<String> =
            at(false).chain([format!("\"hookSpecificOutput\":{{{}}}", inner.join(","))]).chain(noise).collect();
        let text = format!("{{{}}}", fields.join(","));
        let expected = stated.iter().map(|((_, decision), _, _)| *decision).max().unwrap_or_default();
        let (decision, blocked) = decision(&project, &runtime, text.as_bytes());
        prop_assert_eq!(decision, expected, "{}", text);
        prop_assert_eq!(blocked, matches!(expected, Decision::Deny | Decision::Ask), "{}", text);
        Ok(())
    });
}

#[test]
fn any_output_is_a_decision_or_none() {
    let (project, runtime) = (Project::new(), runtime());
    let bytes = prop_oneof![9 => mutated(corpus("claude-code")), 1 => proptest::collection::vec(any::<u8>(), 0..200)];
    fuzz("tests/corpus/claude-code.regressions", bytes, |bytes| {
        let (decision, blocked) = decision(&project, &runtime, &bytes);
        let parsed: Option<Value> = serde_json::from_slice(&bytes).ok();
        if parsed.is_some_and(|json| json["decision"] == "block" || json["permissionDecision"] == "deny") {
            prop_assert!(blocked, "{decision:?}");
        }
        Ok(())
    });
}
