//! Five hundred hook runs leave nothing behind. Counted in a process of its own: in this one other tests run.

use std::process::{Command, ExitStatus};
use std::time::Duration;

use hookrt::lifecycle::{EventName, HostHook, LifecycleDispatcher};
use serde_json::json;

use super::support::{Project, eventually, pre};

const IN_CHILD: &str = "HOOKRT_LIFECYCLE_SOAK";

#[test]
fn five_hundred_runs_leave_nothing_behind() {
    let (_, module) = module_path!().split_once("::").expect("a module of the test crate");
    let status: ExitStatus = Command::new(std::env::current_exe().expect("this test"))
        .args([&format!("{module}::in_a_process_of_its_own"), "--exact", "--nocapture", "--test-threads=1"])
        .env(IN_CHILD, "1")
        .status()
        .expect("a second instance of this test");
    assert!(status.success(), "{status}");
}

#[tokio::test]
async fn in_a_process_of_its_own() {
    if std::env::var_os(IN_CHILD).is_none() {
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
    assert_eq!(before.zombies, 0);
}

#[derive(Debug, PartialEq)]
struct Resources {
    descriptors: usize,
    threads: usize,
    zombies: usize,
}

impl Resources {
    fn now() -> Self {
        let count = |path: &str| std::fs::read_dir(path).map_or(0, Iterator::count);
        Resources { descriptors: count("/proc/self/fd"), threads: count("/proc/self/task"), zombies: children() }
    }
}

/// Children of this process, dead or alive: none should be left.
fn children() -> usize {
    let own = std::process::id().to_string();
    let stats = std::fs::read_dir("/proc").expect("/proc").flatten();
    stats
        .filter_map(|entry| std::fs::read_to_string(entry.path().join("stat")).ok())
        .filter(|stat| {
            let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
            fields.split_whitespace().nth(1) == Some(own.as_str())
        })
        .count()
}
