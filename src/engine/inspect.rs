//! Debuggers: Chrome DevTools, VS Code and whoever speaks the DevTools protocol attach to the isolates over a local port.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use deno_core::{JsRuntime, ModuleSpecifier};
use deno_inspector_server::{InspectPublishUid, InspectorServer, InspectorServerError};

use crate::error::Error;

/// Stands for "no limit" under a debugger: a person thinks longer than any limit, and a deadline must still be a point in time.
pub const PATIENCE: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// Name of the server, as `/json/version` gives it.
const SERVER: &str = concat!("hookrt/", env!("CARGO_PKG_VERSION"));

/// An isolate that a debugger may attach to.
#[derive(Debug, Clone, Copy)]
pub struct DebugTarget<'a> {
    /// `ws://HOST:PORT/ID`
    pub url: &'a str,
    /// It waits for the debugger before its first hook runs.
    pub waits: bool,
}

type Announce = Box<dyn Fn(DebugTarget<'_>) + Send + Sync>;

/// A port for debuggers. Every isolate of the runners that carry it is a target of its own; their hooks run without time limits.
#[derive(Clone)]
pub struct Inspector(Arc<Inner>);

struct Inner {
    server: InspectorServer,
    /// The next isolate to load a hook waits for a debugger.
    wait: AtomicBool,
    announce: Announce,
}

impl Inspector {
    /// Listens on `address`; port 0 takes a free one. With `wait` the first hook of all waits for a debugger, which finds it stopped at its
    /// first statement. `announce` hears of every target.
    ///
    /// # Errors
    /// When the engine of this build cannot be debugged, or the address is not to be had.
    pub fn listen(
        address: SocketAddr,
        wait: bool,
        announce: impl Fn(DebugTarget<'_>) + Send + Sync + 'static,
    ) -> Result<Inspector, Error> {
        if !cfg!(feature = "v8") {
            return Err(Error::NoDebugger);
        }
        let publish = InspectPublishUid { console: false, http: true };
        let server = InspectorServer::new(address, SERVER, publish).map_err(|error| {
            let (InspectorServerError::Io(source)
            | InspectorServerError::Connect { source, .. }
            | InspectorServerError::LocalAddr { source, .. }) = error;
            Error::DebuggerPort { address, source }
        })?;
        Ok(Inspector(Arc::new(Inner { server, wait: AtomicBool::new(wait), announce: Box::new(announce) })))
    }

    /// Makes an isolate a target, before its first hook, whose module is `module`, is loaded. Blocks the thread while it waits; true when the
    /// debugger came and expects to find the hook stopped.
    pub(super) fn attach(&self, js: &mut JsRuntime, module: &ModuleSpecifier) -> bool {
        let waits = self.0.wait.swap(false, Ordering::SeqCst);
        let inspector = js.inspector();
        let url = self.0.server.register_inspector(module.to_string(), inspector.clone(), waits);
        (self.0.announce)(DebugTarget { url: &url.0, waits });
        if waits {
            // Not "break on the next statement": that is one of the engine's own when the hook imports from Node.
            inspector.wait_for_runtime_run_if_waiting_for_debugger();
        }
        waits
    }
}
