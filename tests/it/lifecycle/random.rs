//! Random sequences of hooks against the verdict table, written down a second time as a fold.

use std::sync::Arc;
use std::time::Duration;

use hookrt::lifecycle::{Decision, EventName, HookSlots, HostHook, LifecycleDispatcher, PermissionAnswer};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use serde_json::json;

use super::support::{Person, Project, pre, print, prompt};

/// What a hook of the sequence does.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    PlainFine,
    PlainFails,
    PlainBlocks,
    PlainTimesOut,
    PlainGateTimesOut,
    Allows,
    Asks,
    Denies,
    Exits2,
    Garbage,
    Crashes,
    GateTimesOut,
}

const KINDS: [Kind; 12] = [
    Kind::PlainFine,
    Kind::PlainFails,
    Kind::PlainBlocks,
    Kind::PlainTimesOut,
    Kind::PlainGateTimesOut,
    Kind::Allows,
    Kind::Asks,
    Kind::Denies,
    Kind::Exits2,
    Kind::Garbage,
    Kind::Crashes,
    Kind::GateTimesOut,
];

impl Kind {
    fn hook(self, event: EventName) -> HostHook {
        let decision = |word: &str| print(&format!(r#"{{"permissionDecision":"{word}","reason":"{word}"}}"#));
        let new = |command: &str| HostHook::new(event, command);
        // Short for those that sleep only: the others may take as long as a busy machine makes them.
        let short = Duration::from_millis(60);
        match self {
            Kind::PlainFine => new(&decision("deny")),
            Kind::PlainFails => new("exit 1"),
            Kind::PlainBlocks => new("exit 1").blocking(),
            Kind::PlainTimesOut => new("sleep 60").time_limit(short),
            Kind::PlainGateTimesOut => new("sleep 60").blocking().time_limit(short),
            Kind::Allows => new(&decision("allow")).claude_code(),
            Kind::Asks => new(&decision("ask")).claude_code(),
            Kind::Denies => new(&decision("deny")).claude_code(),
            Kind::Exits2 => new("exit 2").claude_code(),
            Kind::Garbage => new("echo garbage").claude_code(),
            Kind::Crashes => new("kill -9 $$").claude_code(),
            Kind::GateTimesOut => new("sleep 60").claude_code().time_limit(short),
        }
    }

    fn decision(self) -> Decision {
        match self {
            Kind::PlainFine | Kind::PlainFails | Kind::PlainTimesOut | Kind::Garbage | Kind::Crashes => Decision::None,
            Kind::Allows => Decision::Allow,
            Kind::Asks => Decision::Ask,
            Kind::PlainBlocks | Kind::PlainGateTimesOut | Kind::Denies | Kind::Exits2 | Kind::GateTimesOut => {
                Decision::Deny
            }
        }
    }
}

/// Decision, how many hooks ran, and whether the person was asked.
fn expected(kinds: &[Kind], event: EventName) -> (Decision, usize, bool) {
    let ran = kinds.iter().position(|kind| kind.decision() == Decision::Deny).map_or(kinds.len(), |at| at + 1);
    let decision = kinds[..ran].iter().map(|kind| kind.decision()).max().unwrap_or_default();
    (decision, ran, decision == Decision::Ask && event == EventName::PreToolUse)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_hundred_sequences_give_the_verdict_of_the_table() {
    let project = Arc::new(Project::new());
    let slots = HookSlots::new(8);
    let sequences = proptest::collection::vec(proptest::sample::select(KINDS.to_vec()), 0..6);
    // Deterministic: a failure can be repeated.
    let mut runner = TestRunner::deterministic();
    let mut running = tokio::task::JoinSet::new();
    for number in 0..300 {
        let kinds = sequences.new_tree(&mut runner).expect("a sequence").current();
        let event = [EventName::PreToolUse, EventName::UserPromptSubmit][number % 2];
        let answer = [PermissionAnswer::Granted, PermissionAnswer::Declined, PermissionAnswer::Unattended][number % 3];
        let (project, slots) = (Arc::clone(&project), slots.clone());
        running.spawn(async move {
            let person = Person::who(answer);
            let mut settings = project.settings();
            settings.slots = slots;
            settings.prompt = person.clone();
            settings.host_hooks = kinds.iter().map(|kind| kind.hook(event)).collect();
            let hooks = LifecycleDispatcher::new(settings);
            let outcome = match event {
                EventName::PreToolUse => hooks.run(pre("bash", &json!({}))).await,
                _ => hooks.run(prompt("hello")).await,
            };
            let (decision, ran, asked) = expected(&kinds, event);
            let row = format!("{number}: {event} {answer:?} {kinds:?}");
            assert_eq!((outcome.decision, outcome.outputs.len()), (decision, ran), "{row}");
            assert_eq!(person.reasons().len(), usize::from(asked), "{row}");
            let blocked = match decision {
                Decision::Deny => true,
                Decision::Ask => !(asked && answer == PermissionAnswer::Granted),
                Decision::Allow | Decision::None => false,
            };
            assert_eq!((outcome.blocked, outcome.ok), (blocked, !blocked), "{row}");
        });
    }
    let mut done = 0;
    while let Some(finished) = running.join_next().await {
        finished.expect("one of the sequences");
        done += 1;
    }
    assert_eq!(done, 300);
}
