//! The engine from outside: cheap to clone, usable from any thread.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::sync::{mpsc, oneshot};

use super::generation::{GenerationOptions, LoadEntry, LoadFailure, Request, spawn};
use super::shared::Shared;
use crate::host::tell;

/// The isolate is gone: shut down, or stopped while the call was open. A `tool_call` counts as refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the hook engine is not running")]
pub struct EngineGone;

type Done = Box<dyn FnOnce(Result<String, EngineGone>) + Send>;

/// Where the envelope of a crossing goes. Called exactly once, on the engine's thread and without waiting; dropped before that it tells
/// that the engine is gone.
pub struct ReplyTo(Option<Done>);

impl ReplyTo {
    pub fn new(done: impl FnOnce(Result<String, EngineGone>) + Send + 'static) -> ReplyTo {
        ReplyTo(Some(Box::new(done)))
    }

    /// One that can be awaited.
    pub fn channel() -> (ReplyTo, oneshot::Receiver<Result<String, EngineGone>>) {
        let (sender, receiver) = oneshot::channel();
        // Nobody waits any more: then nobody misses it.
        (ReplyTo::new(move |envelope| drop(sender.send(envelope))), receiver)
    }

    pub fn send(mut self, envelope: String) {
        if let Some(done) = self.0.take() {
            tell("the receiver of an outcome", || done(Ok(envelope)));
        }
    }
}

impl Drop for ReplyTo {
    fn drop(&mut self) {
        if let Some(done) = self.0.take() {
            tell("the receiver of an outcome", || done(Err(EngineGone)));
        }
    }
}

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
#[serde(rename_all = "camelCase")]
pub struct Envelope {
    pub result: Option<Box<RawValue>>,
    pub input: Option<Box<RawValue>>,
    pub thrown: Option<Thrown>,
    pub by: Option<Box<RawValue>>,
    pub trace: Option<Box<RawValue>>,
    /// Given up by [`EngineHandle::cancel`].
    #[serde(default)]
    pub cancelled: bool,
    /// The call named a component that is not open.
    #[serde(default)]
    pub not_found: bool,
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
        tokio::select! {
            answer = answer => answer.unwrap_or(Err(LoadFailure::EngineGone)),
            () = self.shared.when_lost() => Err(LoadFailure::EngineGone),
        }
    }

    /// Adds a hook whose handlers run in the host; what it registers stands in what the runner shares.
    pub fn add_host_hook(&self, index: usize, path: &str) {
        let _ = self.requests.send(Request::AddHostHook { index, path: path.to_owned() });
    }

    /// From now on `pi.sendMessage` and `pi.appendEntry` work, and the host's user interface counts.
    pub fn go_live(&self) {
        // A thread that is gone has nothing to bring to life.
        let _ = self.requests.send(Request::GoLive);
    }

    /// Changes settings of a running isolate: `theme`, `terminal`.
    pub fn reconfigure(&self, settings: &serde_json::Value) {
        let _ = self.requests.send(Request::Reconfigure { settings: settings.to_string() });
    }

    /// A number for an emit or call, to be given to [`EngineHandle::emit`].
    pub fn next_id(&self) -> u64 {
        self.shared.next_id()
    }

    /// Runs the handlers of event `name`, an object as JSON text; the envelope goes to `reply` as JSON text.
    pub fn emit(&self, id: u64, name: &str, event: String, reply: ReplyTo) {
        // A request that cannot be answered is dropped, and its reply tells.
        if !self.shared.is_dead() {
            let _ = self.requests.send(Request::Emit { id, name: name.to_owned(), event, reply });
        }
    }

    /// A call that is not an emit.
    pub fn call(&self, id: u64, kind: &'static str, params: String, reply: ReplyTo) {
        if !self.shared.is_dead() {
            let _ = self.requests.send(Request::Call { id, kind, params, reply });
        }
    }

    /// Gives up emit or call `id`: its running handler is abandoned, its dialogs are closed.
    pub fn cancel(&self, id: u64) {
        let _ = self.requests.send(Request::Cancel { id });
    }

    /// Fires the abort signal of emit `id`.
    pub fn abort(&self, id: u64, reason: Option<String>) {
        let _ = self.requests.send(Request::Abort { id, reason });
    }

    /// Ends the isolate's thread; open emits fail.
    pub fn shutdown(&self) {
        self.shared.retire();
        let _ = self.requests.send(Request::Shutdown);
    }

    /// Waits until the thread has ended and everything it held is gone.
    pub async fn ended(&self) {
        self.requests.closed().await;
    }
}
