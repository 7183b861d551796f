//! The engine from outside: cheap to clone, usable from any thread.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::sync::{mpsc, oneshot};

use super::generation::{GenerationOptions, LoadEntry, LoadFailure, Request, spawn};
use super::shared::Shared;

/// The isolate is gone: shut down, or stopped while the call was open. A `tool_call` counts as refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the hook engine is not running")]
pub struct EngineGone;

/// What a throw in a `tool_call` handler or a command was.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Thrown {
    /// Message of the error, or the text of what was thrown.
    pub message: String,
    /// Whether it was an `Error`.
    #[serde(default)]
    pub is_error: bool,
    pub stack: Option<String>,
}

/// Outcome of one crossing. `result`, `input` and `trace` stay JSON text.
#[derive(Debug, Default, Deserialize)]
pub struct Envelope {
    pub result: Option<Box<RawValue>>,
    pub input: Option<Box<RawValue>>,
    pub thrown: Option<Thrown>,
    pub by: Option<Box<RawValue>>,
    pub trace: Option<Box<RawValue>>,
}

/// Sends requests to the isolate's thread. The thread ends when the last clone is gone or [`EngineHandle::shutdown`] is called.
#[derive(Clone)]
pub struct EngineHandle {
    requests: mpsc::UnboundedSender<Request>,
    shared: Arc<Shared>,
}

impl EngineHandle {
    /// Starts an isolate on a thread of its own.
    pub fn start(options: GenerationOptions) -> Result<EngineHandle, String> {
        let shared = options.shared.clone();
        Ok(EngineHandle { requests: spawn(options)?, shared })
    }

    /// What the runner knows without crossing.
    pub fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// Loads one hook.
    pub async fn load(&self, entry: LoadEntry) -> Result<(), LoadFailure> {
        let (reply, answer) = oneshot::channel();
        self.requests.send(Request::Load { entry, reply }).map_err(|_| LoadFailure::EngineGone)?;
        answer.await.unwrap_or(Err(LoadFailure::EngineGone))
    }

    /// From now on `pi.sendMessage` and `pi.appendEntry` work.
    pub fn go_live(&self) {
        // A thread that is gone has nothing to bring to life.
        let _ = self.requests.send(Request::GoLive);
    }

    /// A number for an emit or call, to be given to [`EngineHandle::emit`].
    pub fn next_id(&self) -> u64 {
        self.shared.next_id()
    }

    /// Runs the handlers of an event (JSON text with `type`) and returns the envelope as JSON text.
    pub async fn emit(&self, id: u64, event: String) -> Result<String, EngineGone> {
        let (reply, answer) = oneshot::channel();
        self.requests.send(Request::Emit { id, event, reply }).map_err(|_| EngineGone)?;
        answer.await.map_err(|_| EngineGone)
    }

    /// A call that is not an emit.
    pub async fn call(&self, id: u64, kind: &'static str, params: String) -> Result<String, EngineGone> {
        let (reply, answer) = oneshot::channel();
        self.requests.send(Request::Call { id, kind, params, reply }).map_err(|_| EngineGone)?;
        answer.await.map_err(|_| EngineGone)
    }

    /// Fires the abort signal of emit `id`.
    pub fn abort(&self, id: u64) {
        let _ = self.requests.send(Request::Abort { id });
    }

    /// Ends the isolate's thread; open emits fail.
    pub fn shutdown(&self) {
        let _ = self.requests.send(Request::Shutdown);
    }

    /// Waits until the thread has ended and everything it held is gone.
    pub async fn ended(&self) {
        self.requests.closed().await;
    }
}
