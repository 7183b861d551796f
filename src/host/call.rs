//! The raw form of a host: named calls with JSON arguments, as `hookrt serve` forwards them.

use std::future::Future;
use std::pin::Pin;

use serde_json::Value;

/// A future that may cross threads.
pub type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send + 'static>>;

/// One call of a hook. Names and arguments are listed in `docs/protocol.md`.
#[derive(Debug, Clone)]
pub struct HostCall {
    /// Number of the call, unique in its runner's generation; 0 for notifications and blocking reads.
    pub id: u32,
    /// Position of the calling hook in the load list; `None` for the engine itself.
    pub hook: Option<usize>,
    /// Number of the emit the call belongs to; 0 for none.
    pub emit: u64,
    /// For example `ui.confirm`.
    pub name: String,
    /// The arguments in order, trailing absent ones left out.
    pub args: Vec<Value>,
}

/// Why a host could not answer; becomes an ordinary rejection in the hook.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct HostError {
    /// The `message` of the `Error` the hook sees.
    pub message: String,
    /// Its `name`, when it is not `Error`.
    pub name: Option<String>,
}

impl HostError {
    pub fn new(message: impl Into<String>) -> Self {
        HostError { message: message.into(), name: None }
    }

    /// The host has no such thing to offer.
    pub fn not_offered(name: &str) -> Self {
        HostError::new(format!("the host does not offer {name}"))
    }
}

/// Everything a hook asks of its agent. Two calls come from the engine itself, for hooks that live in the host ([`HookSource::Host`]):
/// `host.load(generation, id)` runs a factory and answers with [`Registrations`]; `host.invoke(generation, event, index, payload)` runs one of
/// its handlers and answers `{result?, payload?}` or `{thrown: {message, isError, stack?}}`. `Ok(None)` is `undefined` in the hook.
///
/// `call_sync` runs on the engine's thread and must answer without waiting for the engine; no handler runs meanwhile.
pub trait Host: Send + Sync + 'static {
    /// False: there is no user interface; dialogs answer with their documented defaults without asking.
    fn has_ui(&self) -> bool {
        false
    }

    /// False: nothing at all is supplied; reads answer with their documented defaults without asking.
    fn is_present(&self) -> bool {
        true
    }

    /// Number of the session's state, raised with every change that a `session.` read shows. Answers are kept while it stays the same, so that
    /// a thousand reads of the entries cross once. `None`: the host does not count, every read asks. Asked often; must be cheap.
    fn session_version(&self) -> Option<u64> {
        None
    }

    /// A call the hook awaits; a person may take their time.
    fn call(&self, call: HostCall) -> BoxFuture<Result<Option<Value>, HostError>>;

    /// A read that is synchronous in the hook API.
    fn call_sync(&self, call: HostCall) -> Result<Option<Value>, HostError>;

    /// Something the hook tells; nothing waits for it.
    fn notify(&self, call: HostCall);

    /// The hook no longer waits for the call with this id: close the dialog.
    fn cancel(&self, id: u32) {
        let _ = id;
    }

    /// A line for the host's own log (`pi.logger`); `context` is JSON text. `false`: the host keeps none, and it goes to the engine's.
    fn log(&self, hook: Option<usize>, level: &str, message: &str, context: Option<&str>) -> bool {
        let _ = (hook, level, message, context);
        false
    }
}

/// A hook to load.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HookSource {
    /// A file or directory, as a person writes it.
    File(String),
    /// A factory that lives in the host under this id; errors call it `path`.
    Host { id: String, path: String },
}

impl HookSource {
    /// What errors call it.
    pub fn path(&self) -> &str {
        match self {
            HookSource::File(path) | HookSource::Host { path, .. } => path,
        }
    }
}

/// Number of handlers per event, in the order of the first registration of each.
pub type HandlerCounts = serde_json::Map<String, Value>;

/// What a factory in the host registered.
#[derive(Debug, Clone, Default, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
pub struct Registrations {
    /// Number of handlers per event.
    #[serde(default)]
    #[schemars(with = "std::collections::BTreeMap<String, usize>")]
    pub handlers: HandlerCounts,
    #[serde(default)]
    pub commands: Vec<RegisteredName>,
    /// Types of custom messages.
    #[serde(default)]
    pub renderers: Vec<String>,
}

/// A slash command without its handler.
#[derive(Debug, Clone, Default, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
pub struct RegisteredName {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// No host: every default of `hooks.md §7`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Headless;

impl Host for Headless {
    fn is_present(&self) -> bool {
        false
    }

    fn call(&self, call: HostCall) -> BoxFuture<Result<Option<Value>, HostError>> {
        let answer = if call.name == "ai.complete" { Err(HostError::not_offered(&call.name)) } else { Ok(None) };
        Box::pin(std::future::ready(answer))
    }

    fn call_sync(&self, _call: HostCall) -> Result<Option<Value>, HostError> {
        Ok(None)
    }

    fn notify(&self, call: HostCall) {
        tracing::debug!(call = %call.name, "no host takes this call");
    }
}
