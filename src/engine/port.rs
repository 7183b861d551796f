//! What the ops need from the engine around them. The ops know only this trait, so that `build.rs` can compile them for the snapshot
//! without the rest of the crate.

use std::borrow::Cow;
use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::rc::Rc;

/// Index of "no particular hook" where a hook index is expected.
pub const NO_HOOK: i32 = -1;

/// A future that stays on the engine's thread.
pub type LocalFuture<T> = Pin<Box<dyn Future<Output = T>>>;

/// What a hook registered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Registration {
    /// `pi.on(name, …)`
    Handler,
    /// `pi.registerCommand(name, …)`
    Command,
    /// `pi.registerMessageRenderer(name, …)`
    Renderer,
}

/// A call from a hook to the host: which one, by whom, with which arguments (a JSON array).
#[derive(Debug, Clone)]
pub struct PortCall {
    /// Unique within the generation; 0 for calls that cannot be cancelled.
    pub id: u32,
    /// Index of the calling hook or [`NO_HOOK`].
    pub hook: i32,
    /// The emit it belongs to, 0 for none.
    pub emit: u64,
    /// Name as listed in `docs/protocol.md`.
    pub name: String,
    /// The arguments as the text of a JSON array.
    pub args: String,
}

/// Why the host did not answer: becomes an `Error` in the hook.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct HostFailure {
    pub message: String,
    /// `name` of the `Error`, when the host gave one.
    pub name: Option<String>,
}

impl deno_error::JsErrorClass for HostFailure {
    fn get_class(&self) -> Cow<'static, str> {
        Cow::Borrowed(deno_error::builtin_classes::GENERIC_ERROR)
    }

    fn get_message(&self) -> Cow<'static, str> {
        Cow::Owned(self.message.clone())
    }

    fn get_additional_properties(&self) -> deno_error::AdditionalProperties {
        let name =
            self.name.clone().map(|name| (Cow::Borrowed("hostName"), deno_error::PropertyValue::String(name.into())));
        Box::new(name.into_iter())
    }

    fn get_ref(&self) -> &(dyn std::error::Error + Send + Sync + 'static) {
        self
    }
}

/// A program to run for `pi.exec`.
#[derive(Debug, Clone)]
pub struct ExecRequest {
    pub id: u32,
    pub command: String,
    /// The file that `command` stands for, when it had to be found for the permission: that one runs, and no other.
    pub program: Option<PathBuf>,
    pub args: Vec<String>,
    pub cwd: String,
    /// What differs from the environment of the process; `None` removes.
    pub env: Vec<(String, Option<String>)>,
    /// Milliseconds; 0 means no limit.
    pub timeout_ms: u64,
}

/// What `pi.exec` resolves with.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct ExecOutput {
    pub stdout: String,
    pub stderr: String,
    pub code: i32,
    pub killed: bool,
}

/// The engine as the ops see it.
pub trait Port {
    /// A hook registered something.
    fn register(&self, hook: i32, kind: Registration, name: &str, description: Option<&str>);
    /// A handler of `hook` begins in emit `emit`: it has its whole CPU budget.
    fn handler_begins(&self, hook: i32, emit: u64);
    /// The isolate's thread waits for something that has a time limit of its own, or is back from there.
    fn in_host(&self, waits: bool);
    /// A part of the engine begins or ends that a stop must not tear.
    fn whole(&self, begins: bool);
    /// Emit or call `id` is over; `envelope` is its outcome as JSON text. True when somebody waited for it.
    fn emit_done(&self, id: u64, envelope: String) -> bool;
    /// [`Port::emit_done`] with nothing but a result, the JSON text of which the engine has written.
    fn emit_result(&self, id: u64, result: String) -> bool;
    /// A hook failed without failing its caller.
    fn hook_error(&self, hook: i32, event: &str, message: &str, stack: Option<&str>);
    /// Something a hook did is legal but surprising.
    fn hook_warning(&self, hook: i32, message: &str);
    /// A hook reached for something it may not reach.
    fn hook_denied(&self, hook: i32, message: &str);
    /// A line for the engine's log; `context` is JSON text.
    fn log(&self, hook: i32, level: &str, message: &str, context: Option<&str>);
    /// What a hook prints: for the log of people, never for a protocol stream.
    fn print(&self, hook: i32, level: &str, text: &str);
    /// Handlers that a hook of the host has for an event at this moment.
    fn handler_count(&self, hook: i32, event: &str) -> usize;
    /// Asks the host.
    fn host_call(&self, call: PortCall) -> LocalFuture<Result<Option<String>, HostFailure>>;
    /// Asks the host and blocks.
    fn host_call_sync(&self, call: PortCall) -> Result<Option<String>, HostFailure>;
    /// Tells the host.
    fn host_notify(&self, call: PortCall) -> Result<(), HostFailure>;
    /// A running [`Port::host_call`] is no longer of interest.
    fn host_cancel(&self, id: u32);
    /// Runs the handlers that hook `hook` of another isolate has for event `name` (JSON text) in emit `emit`; the answer is the envelope.
    fn emit_apart(&self, hook: i32, emit: u64, name: String, event: String)
    -> LocalFuture<Result<String, HostFailure>>;
    /// Fires the abort signal of emit `emit` there; an empty reason is none.
    fn abort_apart(&self, hook: i32, emit: u64, reason: &str);
    /// Gives up emit `emit` there.
    fn cancel_apart(&self, hook: i32, emit: u64);
    /// Number of the session's state; see [`Host::session_version`](crate::host::Host::session_version).
    fn session_version(&self) -> Option<u64>;
    /// The session is over: programs of hooks end.
    fn session_over(&self);
    /// Runs a program.
    fn exec(&self, request: ExecRequest) -> LocalFuture<Result<ExecOutput, String>>;
    /// Kills the program of a running [`Port::exec`].
    fn exec_kill(&self, id: u32);
    /// What `require(specifier)` in the file `referrer` stands for: `node:…`, `host:…` or an absolute path; `None` leaves it to Node's own rules.
    fn require_resolve(&self, specifier: &str, referrer: &str) -> Result<Option<String>, String>;
    /// Node's own rules found the file `found` for a `require` in the file `referrer`.
    fn require_found(&self, found: &str, referrer: &str);
}

/// The port as it stands in `OpState`.
pub type PortRc = Rc<dyn Port>;
