//! Five hundred hook runs leave nothing behind.

use std::time::Duration;

use hookrt::lifecycle::{EventName, HostHook, LifecycleDispatcher};
use serde_json::json;

use crate::resources::{Resources, alone};

use super::support::{Project, eventually, pre};

#[tokio::test]
async fn five_hundred_runs_leave_nothing_behind() {
    if !alone(module_path!(), "five_hundred_runs_leave_nothing_behind") {
        return;
    }
    let project = Project::new();
    let commands = ["exit 0", "cat", "exit 3", "echo out; echo err >&2", "nope-nope"];
    let hooks: Vec<LifecycleDispatcher> =
        commands.iter().map(|command| project.with_hooks([HostHook::new(EventName::PreToolUse, *command)])).collect();
    let short = Duration::from_millis(50);
    let slow = project.with_hooks([HostHook::new(EventName::PreToolUse, "sleep 60 & sleep 60").time_limit(short)]);
    let leaving = project.with_hooks([HostHook::new(EventName::PreToolUse, "sleep 3 & exit 0")]);
    let gone = project
        .with_hooks([HostHook { cwd: Some(project.join("gone")), ..HostHook::new(EventName::PreToolUse, "exit 0") }]);

    let round = |number: usize| {
        let hook = match number {
            _ if number % 50 == 10 => &slow,
            _ if number % 50 == 20 => &leaving,
            _ if number % 50 == 30 => &gone,
            _ => &hooks[number % hooks.len()],
        };
        hook.run(pre("bash", &json!({ "number": number })))
    };
    // The first ones set up what the runtime keeps.
    for number in 0..50 {
        round(number).await;
    }
    let before = Resources::now();
    for number in 0..500 {
        if number % 25 == 24 {
            // Cancelled in the middle.
            let _ = tokio::time::timeout(Duration::from_millis(2), slow.run(pre("bash", &json!({})))).await;
        }
        round(number).await;
    }
    eventually("nothing is left", || Resources::now() == before).await;
    assert_eq!(before.children, 0);
}
