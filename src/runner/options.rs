//! What a runner is told when it is made.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::host_registrations::HostRegistrations;
use crate::engine::Inspector;
use crate::host::{Headless, Host};
use crate::loader::TranspileCache;
use crate::security::{PermissionSet, Policy, TrustedProject};

/// What becomes of edits a `tool_call` handler makes to `event.input` (decision 6).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum InputMutation {
    /// They are undone after the handler and reported as a warning.
    #[default]
    Ignore,
    /// They accumulate and are handed back to the host.
    Apply,
}

/// Below so many MiB the engine has no room to start, let alone to say so.
pub const LEAST_HEAP_LIMIT_MIB: usize = 16;

/// Options of a runner. [`RunnerOptions::new`] has the defaults.
#[derive(Clone)]
pub struct RunnerOptions {
    /// Directory against which relative hook paths resolve; also `ctx.cwd` and where `pi.exec` runs.
    pub cwd: PathBuf,
    /// The person's home directory, for `~` in hook paths.
    pub home: PathBuf,
    /// The agent behind the hooks.
    pub host: Arc<dyn Host>,
    /// Default: `ignore`.
    pub input_mutation: InputMutation,
    /// How long a hook may take to load, its awaits included. Default: 10 s.
    pub load_timeout: Duration,
    /// How long a handler may take in all, its awaits included; dialogs do not count. Default: `None`, people take their time.
    pub handler_timeout: Option<Duration>,
    /// CPU time one handler, factory or module may use; waiting does not count. Default: 5 s.
    pub cpu_budget: Duration,
    /// How long a handler, factory or module may hold the engine's thread without running: `Atomics.wait`, a blocking read. Default: 30 s.
    pub blocked_limit: Duration,
    /// How long a child process may take that a hook waits for synchronously (`execSync`, `spawnSync`) when the call names no `timeout`; nothing
    /// else of the runner runs meanwhile. Default: 120 s.
    pub sync_child_timeout: Duration,
    /// Heap of the isolate in bytes, at least [`LEAST_HEAP_LIMIT_MIB`]. Default: 512 MiB.
    pub heap_limit: usize,
    /// Installations of the agent whose packages serve hooks before the shipped ones.
    pub package_roots: Vec<PathBuf>,
    /// Where compiled hooks are kept; `None` means the person's cache directory.
    pub cache: Option<TranspileCache>,
    /// Theme of `ctx.ui.theme`: `{mode, symbols, noColor}`; `None` follows the environment.
    pub theme: Option<serde_json::Value>,
    /// Added to the hooks' `process.env` and to the environment of the programs they start; names without `=`.
    pub env: Vec<(String, String)>,
    /// What hooks may reach of files, network, programs, environment and machine. Reaching further throws an error named
    /// `NotCapable` in them; nobody is asked. Default: everything.
    pub permissions: PermissionSet,
    /// What single hooks, or all of a directory, may reach of that. Default: nothing is narrowed; [`Policy::of_user`] reads the person's file.
    pub policy: Policy,
    /// The project whose own hooks run because of a trust record, from [`keep_trusted`](super::keep_trusted): of its files only what the
    /// record covers is imported, except by hooks that were named. Default: `None`, whatever is loaded may import anything.
    pub trusted_project: Option<Arc<TrustedProject>>,
    /// For tests: the time of hooks' timers passes at once whenever there is nothing else to do. Default: false.
    #[doc(hidden)]
    pub paused_clock: bool,
    /// Record how long each handler took.
    pub trace: bool,
    /// Where debuggers attach; hooks run without time limits then. Default: `None`.
    pub inspector: Option<Inspector>,
    /// Where a host tells what its own hooks register after they were loaded.
    pub host_registrations: HostRegistrations,
}

impl RunnerOptions {
    /// Defaults for hooks that run in `cwd` without a host.
    pub fn new(cwd: impl Into<PathBuf>) -> Self {
        RunnerOptions {
            cwd: cwd.into(),
            home: home_directory(),
            host: Arc::new(Headless),
            input_mutation: InputMutation::default(),
            load_timeout: Duration::from_secs(10),
            handler_timeout: None,
            cpu_budget: Duration::from_secs(5),
            blocked_limit: Duration::from_secs(30),
            sync_child_timeout: Duration::from_secs(120),
            heap_limit: 512 * 1024 * 1024,
            package_roots: Vec::new(),
            cache: None,
            theme: None,
            env: Vec::new(),
            permissions: PermissionSet::all(),
            policy: Policy::default(),
            trusted_project: None,
            paused_clock: false,
            trace: false,
            inspector: None,
            host_registrations: HostRegistrations::default(),
        }
    }
}

fn home_directory() -> PathBuf {
    std::env::home_dir().unwrap_or_else(|| PathBuf::from("/"))
}
