//! What one hook did.

use std::time::Duration;

use serde::Serialize;

/// Exit code of a hook stopped at its deadline.
pub(crate) const EXIT_TIMED_OUT: i32 = 124;
/// Exit codes that say the command was never run: found but not executable, not found.
const EXITS_NOT_STARTED: [i32; 2] = [126, 127];

/// What one hook did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HookOutput {
    /// The shell command, or `pack:<name>` for a native pack.
    pub command: String,
    /// Name of its pack, where it has one.
    pub pack: Option<String>,
    /// Exit code; 124 at the deadline, 1 after death by a signal, 127 when the process could not be created.
    pub exit: i32,
    /// Captured stdout, at most 1 MiB.
    pub stdout: String,
    /// Captured stderr, at most 1 MiB. Starts with `could not start` when the command never ran.
    pub stderr: String,
    /// Whether it was killed at the deadline.
    pub timed_out: bool,
    /// Whether stdout or stderr was longer than what is here.
    pub truncated: bool,
    /// Run time in milliseconds, without the wait for a free slot.
    pub ms: u64,
    #[serde(skip)]
    pub(crate) limit: Duration,
}

impl HookOutput {
    /// Whether the command never ran, as far as its exit code tells.
    pub fn could_not_start(&self) -> bool {
        !self.timed_out && EXITS_NOT_STARTED.contains(&self.exit)
    }

    /// What a failed hook has to say: stderr, else stdout, else its exit code.
    pub(crate) fn detail(&self) -> String {
        [&self.stderr, &self.stdout]
            .into_iter()
            .map(|text| text.trim())
            .find(|text| !text.is_empty())
            .map_or_else(|| self.failure(), str::to_owned)
    }

    /// How it failed, in a few words.
    pub(crate) fn failure(&self) -> String {
        if self.timed_out {
            format!("exit {EXIT_TIMED_OUT}: timed out after {} s", self.limit.as_secs_f64())
        } else if self.could_not_start() {
            format!("exit {}: could not start", self.exit)
        } else {
            format!("exit {}", self.exit)
        }
    }
}
