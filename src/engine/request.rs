//! What a generation is started with and asked to do.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::oneshot;

use super::inspect::Inspector;
use super::limits::Budget;
use super::modules::LoaderOptions;
use super::shared::Shared;
use crate::host::Host;
use crate::security::PermissionSet;

/// A hook to load.
#[derive(Debug, Clone)]
pub struct LoadEntry {
    /// Position in the load list.
    pub index: usize,
    /// Path as given; errors and stack traces of the runner name it.
    pub path: String,
    /// The module file.
    pub file: std::path::PathBuf,
    /// What it may reach.
    pub permissions: PermissionSet,
    /// The isolate that has these permissions.
    pub isolate: usize,
}

/// What the isolate is asked to do.
pub enum Request {
    /// Loads one hook; the answer is the load error, if any.
    Load { entry: Box<LoadEntry>, reply: oneshot::Sender<Result<(), LoadFailure>> },
    /// The host is initialised: hooks may send messages from now on.
    GoLive,
    /// Makes a place for a hook that lives in the host or in another isolate.
    AddForeignHook { index: usize, path: String, in_host: bool },
    /// Changes settings; JSON text.
    Reconfigure { settings: String },
    /// Runs the handlers of event `name`, those of one hook only when it comes from another isolate; `event` is JSON text.
    Emit { id: u64, name: String, event: String, only: Option<usize> },
    /// A call that is not an emit: a command, a renderer, a component.
    Call { id: u64, kind: &'static str, params: String },
    /// Lets what stands in the queues run once, so that failures nobody caught are told.
    Turn { reply: oneshot::Sender<()> },
    /// Fires the abort signal of emit `id`.
    Abort { id: u64, reason: Option<String> },
    /// Gives up emit or call `id`.
    Cancel { id: u64 },
    /// The session is over: what hooks left running ends.
    EndSession,
    /// Ends the thread.
    Shutdown,
}

/// Why a hook did not load.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoadFailure {
    /// The default export is not a function; the line that exports it, when there is one.
    NotAFunction(Option<String>),
    /// It threw, could not be read, parsed or resolved, or did not settle in time.
    Failed(String),
    /// The engine itself is gone.
    EngineGone,
}

/// What a generation is started with.
#[derive(Clone)]
pub struct GenerationOptions {
    pub cwd: std::path::PathBuf,
    pub host: Arc<dyn Host>,
    pub shared: Arc<Shared>,
    pub loader: LoaderOptions,
    /// Configuration of `js/99_main.js` without what the generation adds.
    pub config: serde_json::Map<String, serde_json::Value>,
    pub load_timeout: Duration,
    /// The time of timers passes at once whenever there is nothing else to do.
    pub paused_clock: bool,
    /// Heap limit in bytes.
    pub heap_limit: usize,
    /// What one handler, factory or module may take.
    pub budget: Budget,
    /// Added to the environment of the process, for hooks and the programs they start.
    pub env: Vec<(String, String)>,
    /// Where debuggers attach.
    pub inspector: Option<Inspector>,
    /// The isolates: hooks with other permissions have another one. The first has the emits.
    pub isolates: Vec<IsolateOptions>,
}

/// One of the isolates of a generation.
#[derive(Clone)]
pub struct IsolateOptions {
    /// What its hooks may reach.
    pub permissions: PermissionSet,
    /// What else than flags says so: a clause for the message of a denial.
    pub confined_by: Option<String>,
}
