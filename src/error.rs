//! The crate's one error: a variant a room, each with a hint for the person where there is something to do.

use crate::lifecycle::LifecycleError;
use crate::loader::LoaderError;
use crate::runner::{EmitError, LEAST_HEAP_LIMIT_MIB};
use crate::security::PermissionError;

/// Anything the library can fail with.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The JavaScript engine could not start.
    #[error("the hook engine cannot start: {0}")]
    Engine(String),
    /// No isolate can start in so little.
    #[error("a heap limit of {0} bytes is too small for the hook engine")]
    HeapLimit(usize),
    /// The engine of this build has no debugger.
    #[error("hooks cannot be debugged: this build runs them on QuickJS, which debuggers cannot attach to")]
    NoDebugger,
    /// The port for debuggers is not to be had.
    #[error("cannot listen for debuggers on {address}")]
    DebuggerPort { address: std::net::SocketAddr, source: std::io::Error },
    /// A file could not be found, read or compiled.
    #[error(transparent)]
    Loader(#[from] LoaderError),
    /// A shell lifecycle hook's event, arguments or configuration are wrong.
    #[error(transparent)]
    Lifecycle(#[from] LifecycleError),
    /// What hooks may reach is said in a way that cannot be used.
    #[error(transparent)]
    Permission(#[from] PermissionError),
    /// An emit gave no outcome.
    #[error(transparent)]
    Emit(#[from] EmitError),
}

impl Error {
    /// What the person can do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Error::Engine(_) => {
                Some("check that memory and threads are available, and that the binary is whole".to_owned())
            }
            Error::HeapLimit(_) => Some(format!("give it at least {LEAST_HEAP_LIMIT_MIB} MiB")),
            Error::NoDebugger => Some("build with V8: make ENGINE=v8".to_owned()),
            Error::DebuggerPort { .. } => {
                Some("choose another one, e.g. --inspect=127.0.0.1:0 for any free port".to_owned())
            }
            Error::Loader(error) => error.hint(),
            Error::Lifecycle(error) => Some(error.hint().to_owned()),
            Error::Emit(_) | Error::Permission(_) => None,
        }
    }
}
