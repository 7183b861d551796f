//! Processes that hooks started by any means, and their end.

/// Kills what the calling thread started, with all that descends from it. Called by the engine's thread when its generation ends: programs of
/// `node:child_process` and `Bun.spawn` have no other owner.
pub fn kill_of_this_thread() {
    #[cfg(target_os = "linux")]
    kill_tree(&format!("/proc/self/task/{}", nix::unistd::gettid()));
}

/// Kills every process this one started, with all that descends from them.
pub fn kill_all() {
    #[cfg(target_os = "linux")]
    for thread in tasks("/proc/self") {
        kill_tree(&thread);
    }
}

#[cfg(target_os = "linux")]
fn tasks(process: &str) -> Vec<String> {
    let entries = std::fs::read_dir(format!("{process}/task")).into_iter().flatten().flatten();
    entries.map(|entry| entry.path().to_string_lossy().into_owned()).collect()
}

/// Kills the children of one thread, parents before children so that none is started behind our back.
#[cfg(target_os = "linux")]
fn kill_tree(thread: &str) {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    let children = std::fs::read_to_string(format!("{thread}/children")).unwrap_or_default();
    for pid in children.split_ascii_whitespace().filter_map(|pid| pid.parse::<i32>().ok()) {
        let threads = tasks(&format!("/proc/{pid}"));
        // Stopped first: it can start nothing while its children are looked for. Already gone is as good as killed.
        let _ = kill(Pid::from_raw(pid), Signal::SIGSTOP);
        for thread in threads {
            kill_tree(&thread);
        }
        let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
    }
}
