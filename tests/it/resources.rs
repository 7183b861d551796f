//! What this process holds. Counted in a process of its own: in the one of the suite other tests may run.

use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

/// Tells the second instance of a test that it is the one.
const IN_CHILD: &str = "HOOKRT_TEST_ALONE";

/// Runs test `name` of `module` in a process of its own. True in there: go on.
pub fn alone(module: &str, name: &str) -> bool {
    if std::env::var(IN_CHILD).is_ok_and(|alone| alone == name) {
        return true;
    }
    let (_, module) = module.split_once("::").expect("a module of the test crate");
    let status: ExitStatus = Command::new(std::env::current_exe().expect("this test"))
        .args([&format!("{module}::{name}"), "--exact", "--nocapture", "--test-threads=1"])
        .env(IN_CHILD, name)
        .status()
        .expect("a second instance of this test");
    assert!(status.success(), "{name}: {status}");
    false
}

#[derive(Debug, Clone, PartialEq)]
pub struct Resources {
    pub descriptors: usize,
    pub threads: usize,
    /// Children, dead or alive.
    pub children: usize,
}

impl Resources {
    pub fn now() -> Self {
        let count = |path: &str| std::fs::read_dir(path).map_or(0, Iterator::count);
        Resources { descriptors: count("/proc/self/fd"), threads: count("/proc/self/task"), children: children() }
    }

    /// What is held once nothing changes any more: a thread that was told to end needs a moment.
    pub async fn settled() -> Self {
        let mut last = Resources::now();
        loop {
            tokio::time::sleep(Duration::from_millis(200)).await;
            let now = Resources::now();
            if now == last {
                return now;
            }
            last = now;
        }
    }

    /// Waits until no more is held than before.
    pub async fn are_back_at(before: &Resources) {
        let deadline = Instant::now() + Duration::from_secs(30);
        loop {
            let now = Resources::now();
            if now.descriptors <= before.descriptors && now.threads <= before.threads && now.children <= before.children
            {
                return;
            }
            assert!(Instant::now() < deadline, "{before:?} before, {now:?} now");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

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

/// Resident memory in KiB.
pub fn resident() -> usize {
    status("VmRSS:")
}

/// The part of it that is no page of a file: what leaks shows here.
pub fn own_memory() -> usize {
    status("RssAnon:")
}

fn status(name: &str) -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("/proc");
    let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("a line of that name");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}
