//! The end of a process whose engine threads may be stuck: what their hooks started must not outlive it.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Threads of generations that have not ended.
static RUNNING: Mutex<Vec<Running>> = Mutex::new(Vec::new());

struct Running {
    /// The number the system knows it under.
    thread: i32,
    /// It stands still until a child process has ended.
    waits_for_child: bool,
}

/// A generation's thread, while it runs.
pub struct EngineThread(i32);

impl EngineThread {
    /// The calling thread becomes one.
    pub fn begin() -> EngineThread {
        let thread = this_thread();
        running().push(Running { thread, waits_for_child: false });
        EngineThread(thread)
    }

    /// Its number with the system.
    pub fn number(&self) -> i32 {
        self.0
    }
}

impl Drop for EngineThread {
    fn drop(&mut self) {
        running().retain(|running| running.thread != self.0);
    }
}

/// A generation's thread begins or ends to stand still for a child process.
pub fn waits_for_child(waits: bool) {
    let thread = this_thread();
    for running in running().iter_mut().filter(|running| running.thread == thread) {
        running.waits_for_child = waits;
    }
}

fn running() -> std::sync::MutexGuard<'static, Vec<Running>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(target_os = "linux")]
fn this_thread() -> i32 {
    nix::unistd::gettid().as_raw()
}

#[cfg(not(target_os = "linux"))]
fn this_thread() -> i32 {
    use std::sync::atomic::{AtomicI32, Ordering};
    static NEXT: AtomicI32 = AtomicI32::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Waits at most so long until every generation that was told to end has ended; of those that have not – a hook that spins sees nothing of
/// it – the processes they started are killed. For a process that is about to exit.
pub async fn end_all(limit: Duration) {
    let deadline = tokio::time::Instant::now() + limit;
    while !running().is_empty() && tokio::time::Instant::now() < deadline {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    #[cfg(target_os = "linux")]
    for Running { thread, .. } in running().iter() {
        kill_tree(&format!("/proc/self/task/{thread}"), false);
    }
}

/// Kills the child process that a generation's thread stands still for, if it does.
pub fn end_wait_of(thread: i32) {
    #[cfg(target_os = "linux")]
    if running().iter().any(|running| running.thread == thread && running.waits_for_child) {
        kill_tree(&format!("/proc/self/task/{thread}"), true);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = thread; // which process belongs to which thread is not told there
}

#[cfg(target_os = "linux")]
fn tasks(process: &str) -> Vec<String> {
    let entries = std::fs::read_dir(format!("{process}/task")).into_iter().flatten().flatten();
    entries.map(|entry| entry.path().to_string_lossy().into_owned()).collect()
}

/// Kills the children of one thread, or the one it started last; parents before children so that none is started behind our back.
#[cfg(target_os = "linux")]
fn kill_tree(thread: &str, last: bool) {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    let children = std::fs::read_to_string(format!("{thread}/children")).unwrap_or_default();
    let mut children: Vec<i32> = children.split_ascii_whitespace().filter_map(|pid| pid.parse().ok()).collect();
    if last {
        children.drain(..children.len().saturating_sub(1));
    }
    for pid in children {
        // Stopped first: it can start nothing while its children are looked for. Already gone is as good as killed.
        let _ = kill(Pid::from_raw(pid), Signal::SIGSTOP);
        for thread in tasks(&format!("/proc/{pid}")) {
            kill_tree(&thread, false);
        }
        let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
    }
}
