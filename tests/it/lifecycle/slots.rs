//! Four hook processes at once, first come first served, whoever stops waiting leaves.

use std::time::Duration;

use hookrt::lifecycle::{Args, EventName, HookSlots, HostHook, LifecycleDispatcher, LifecycleEvent, ToolUse};
use serde_json::json;

use super::support::{Project, eventually, pre};

fn call(session: usize) -> LifecycleEvent {
    LifecycleEvent::PreToolUse(ToolUse {
        session_id: format!("ses_{session}"),
        tool: "bash".to_owned(),
        call_id: None,
        args: Args::from(&json!({ "session": session })),
    })
}

/// Short appends to one file are atomic, so the log is a true order of beginnings and ends.
const LOGGED: &str = "echo \"+ $HOOK_SESSION_ID\" >> log; cat; echo \"- $HOOK_SESSION_ID\" >> log";

fn most_at_once(log: &str) -> usize {
    let mut now = 0_usize;
    let mut most = 0;
    for line in log.lines() {
        if line.starts_with('+') {
            now += 1;
        } else {
            now -= 1;
        }
        most = most.max(now);
    }
    assert_eq!(now, 0, "every beginning has an end");
    most
}

#[tokio::test]
async fn fifty_events_of_eight_hooks_four_at_a_time_without_crossing() {
    let project = Project::new();
    let hooks = project
        .with_hooks((0..8).map(|number| HostHook::new(EventName::PreToolUse, format!("{LOGGED}; echo {number}"))));
    let mut running = tokio::task::JoinSet::new();
    for session in 0..50 {
        let hooks = hooks.clone();
        running.spawn(async move { (session, hooks.run(call(session)).await) });
    }
    let mut finished = 0;
    while let Some(result) = running.join_next().await {
        let (session, outcome) = result.expect("no event panics");
        assert!(outcome.ok, "{:?}", outcome.outputs);
        let printed: Vec<&str> = outcome.outputs.iter().map(|output| output.stdout.trim_end()).collect();
        let expected: Vec<String> = (0..8).map(|number| format!("{{\"session\":{session}}}{number}")).collect();
        assert_eq!(printed, expected, "results never cross sessions");
        finished += 1;
    }
    assert_eq!(finished, 50);
    let log = std::fs::read_to_string(project.join("log")).expect("a log");
    assert_eq!(log.lines().count(), 50 * 8 * 2);
    assert_eq!(most_at_once(&log), 4);
    // First come, first served: no session gets far ahead of another. Four run side by side and may overtake each other
    // once a round.
    let starts: Vec<&str> = log.lines().filter(|line| line.starts_with('+')).collect();
    for session in 0..50 {
        let own = format!("+ ses_{session}");
        let turns = starts.iter().enumerate().filter(|(_, line)| **line == own);
        for (round, (turn, _)) in turns.enumerate() {
            let drift = 4 * (round + 1);
            let expected = (round * 50).saturating_sub(drift)..(round + 1) * 50 + drift;
            assert!(expected.contains(&turn), "session {session}, round {round}: turn {turn}");
        }
    }
}

#[tokio::test]
async fn a_single_slot_serves_in_exact_order() {
    let project = Project::new();
    let mut settings = project.settings();
    settings.slots = HookSlots::new(1);
    settings.host_hooks = vec![HostHook::new(EventName::PreToolUse, LOGGED); 3];
    let hooks = LifecycleDispatcher::new(settings);
    let tasks: Vec<_> = (0..20)
        .map(|session| {
            let hooks = hooks.clone();
            tokio::spawn(async move { hooks.run(call(session)).await })
        })
        .collect();
    for task in tasks {
        assert!(task.await.is_ok_and(|outcome| outcome.ok));
    }
    let log = std::fs::read_to_string(project.join("log")).expect("a log");
    assert_eq!(most_at_once(&log), 1);
    let starts: Vec<&str> = log.lines().filter(|line| line.starts_with('+')).collect();
    let round: Vec<String> = (0..20).map(|session| format!("+ ses_{session}")).collect();
    assert_eq!(starts, [round.as_slice(), &round, &round].concat());
}

#[tokio::test]
async fn who_stops_waiting_leaves_the_queue() {
    let project = Project::new();
    let mut settings = project.settings();
    settings.slots = HookSlots::new(1);
    settings.host_hooks =
        vec![HostHook::new(EventName::PreToolUse, format!("{LOGGED}; while [ -e hold ]; do sleep 0.02; done"))];
    std::fs::write(project.join("hold"), "").expect("a file to wait for");
    let hooks = LifecycleDispatcher::new(settings);
    let tasks: Vec<_> = (0..10)
        .map(|session| {
            let hooks = hooks.clone();
            tokio::spawn(async move { hooks.run(call(session)).await })
        })
        .collect();
    let log = || std::fs::read_to_string(project.join("log")).unwrap_or_default();
    eventually("the first runs", || log().contains("+ ses_0")).await;
    // Let all of them queue up, then take away every second.
    tokio::time::sleep(Duration::from_millis(50)).await;
    for task in tasks.iter().skip(1).step_by(2) {
        task.abort();
    }
    std::fs::remove_file(project.join("hold")).expect("let go");
    for (session, task) in tasks.into_iter().enumerate() {
        assert_eq!(task.await.is_ok(), session % 2 == 0, "session {session}");
    }
    let starts: Vec<String> = log().lines().filter(|line| line.starts_with('+')).map(str::to_owned).collect();
    assert_eq!(starts, ["+ ses_0", "+ ses_2", "+ ses_4", "+ ses_6", "+ ses_8"]);
}

#[tokio::test]
async fn a_cancelled_hook_gives_its_slot_back_once_it_is_gone() {
    let project = Project::new();
    let slots = HookSlots::new(1);
    let mut settings = project.settings();
    settings.slots = slots.clone();
    settings.host_hooks = vec![HostHook::new(EventName::PreToolUse, "touch started; sleep 60")];
    let hooks = LifecycleDispatcher::new(settings);
    let running = tokio::spawn(async move { hooks.run(pre("bash", &json!({}))).await });
    eventually("it started", || project.join("started").exists()).await;
    assert_eq!(slots.free(), 0);
    running.abort();
    eventually("the slot is free", || slots.free() == 1).await;
}

#[tokio::test]
async fn waiting_for_a_slot_does_not_use_up_the_limit() {
    let project = Project::new();
    let mut settings = project.settings();
    settings.slots = HookSlots::new(1);
    settings.time_limit = Duration::from_secs(2);
    settings.host_hooks = vec![HostHook::new(EventName::PreToolUse, "sleep 0.5")];
    let hooks = LifecycleDispatcher::new(settings);
    let mut running = tokio::task::JoinSet::new();
    // Eight half seconds in a row: the last waits for longer than the limit.
    for session in 0..8 {
        let hooks = hooks.clone();
        running.spawn(async move { hooks.run(call(session)).await });
    }
    while let Some(result) = running.join_next().await {
        let outcome = result.expect("no panic");
        assert_eq!((outcome.outputs[0].exit, outcome.outputs[0].timed_out), (0, false));
    }
}

#[test]
fn one_process_has_four() {
    assert_eq!(HookSlots::new(0).free(), 1);
    assert!(HookSlots::process_wide().free() <= 4);
}
