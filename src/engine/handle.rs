//! The engine from outside: cheap to clone, usable from any thread.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::sync::oneshot;

use super::apart::Apart;
use super::generation::spawn;
use super::request::{GenerationOptions, LoadEntry, LoadFailure, Request};
use super::shared::Shared;
use super::waiting::Thread;
use crate::host::tell;

/// The isolate is gone: shut down, or stopped while the call was open. A `tool_call` counts as refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the hook engine is not running")]
pub struct EngineGone;

/// What came out of a crossing.
#[derive(Debug)]
pub enum Answer {
    /// JSON text of an [`Envelope`].
    Envelope(String),
    /// The result and nothing else. Megabytes, often: the text goes on as the engine wrote it.
    Result(Box<RawValue>),
}

impl Answer {
    /// As the text of an envelope.
    pub fn into_text(self) -> String {
        match self {
            Answer::Envelope(text) => text,
            Answer::Result(result) => format!("{{\"result\":{result}}}"),
        }
    }

    /// # Errors
    /// The text is no envelope.
    pub fn into_envelope(self) -> serde_json::Result<Envelope> {
        match self {
            Answer::Envelope(text) => serde_json::from_str(&text),
            Answer::Result(result) => Ok(Envelope { result: Some(result), ..Envelope::default() }),
        }
    }
}

type Done = Box<dyn FnOnce(Result<Answer, EngineGone>) + Send>;

/// Where the answer of a crossing goes. Called exactly once, on the engine's thread and without waiting; dropped before that it tells
/// that the engine is gone.
pub struct ReplyTo(Option<Done>);

impl ReplyTo {
    pub fn new(done: impl FnOnce(Result<Answer, EngineGone>) + Send + 'static) -> ReplyTo {
        ReplyTo(Some(Box::new(done)))
    }

    /// One that can be awaited.
    pub fn channel() -> (ReplyTo, oneshot::Receiver<Result<Answer, EngineGone>>) {
        let (sender, receiver) = oneshot::channel();
        // Nobody waits any more: then nobody misses it.
        (ReplyTo::new(move |answer| drop(sender.send(answer))), receiver)
    }

    pub fn send(mut self, answer: Answer) {
        if let Some(done) = self.0.take() {
            tell("the receiver of an outcome", || done(Ok(answer)));
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
    /// The first isolate, which has the emits.
    first: Thread,
    apart: Apart,
    shared: Arc<Shared>,
}

impl EngineHandle {
    /// Starts each isolate on a thread of its own.
    pub fn start(options: GenerationOptions) -> Result<EngineHandle, String> {
        let shared = options.shared.clone();
        let apart = Apart::start(&options)?;
        Ok(EngineHandle { first: spawn(options, 0, apart.clone())?, apart, shared })
    }

    fn thread(&self, isolate: usize) -> &Thread {
        self.apart.thread(isolate).unwrap_or(&self.first)
    }

    fn threads(&self) -> impl Iterator<Item = &Thread> {
        std::iter::once(&self.first).chain(self.apart.threads())
    }

    /// Tells every isolate; a thread that is gone has nothing to be told.
    fn tell_all(&self, mut request: impl FnMut() -> Request) {
        for thread in self.threads() {
            thread.tell(request());
        }
    }

    /// What the runner knows without crossing.
    pub fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// Loads one hook.
    pub async fn load(&self, entry: LoadEntry) -> Result<(), LoadFailure> {
        let (reply, answer) = oneshot::channel();
        let (index, path, isolate) = (entry.index, entry.path.clone(), entry.isolate);
        if !self.thread(isolate).tell(Request::Load { entry: Box::new(entry), reply }) {
            return Err(LoadFailure::EngineGone);
        }
        tokio::select! {
            answer = answer => answer.unwrap_or(Err(LoadFailure::EngineGone))?,
            () = self.shared.when_lost() => return Err(LoadFailure::EngineGone),
        }
        if isolate > 0 {
            self.first.tell(Request::AddForeignHook { index, path, in_host: false });
        }
        Ok(())
    }

    /// Adds a hook whose handlers run in the host; what it registers stands in what the runner shares.
    pub fn add_host_hook(&self, index: usize, path: &str) {
        self.first.tell(Request::AddForeignHook { index, path: path.to_owned(), in_host: true });
    }

    /// From now on `pi.sendMessage` and `pi.appendEntry` work, and the host's user interface counts.
    pub fn go_live(&self) {
        self.tell_all(|| Request::GoLive);
    }

    /// Waits until every isolate has run what stood in its queues, at most so long.
    pub async fn turn(&self, limit: std::time::Duration) {
        let mut turns = Vec::new();
        self.tell_all(|| {
            let (reply, turn) = oneshot::channel();
            turns.push(turn);
            Request::Turn { reply }
        });
        let all = async {
            for turn in turns {
                let _ = turn.await; // an isolate that is gone has nothing left to tell
            }
        };
        let _ = tokio::time::timeout(limit, all).await;
    }

    /// Changes settings of a running isolate: `theme`, `terminal`.
    pub fn reconfigure(&self, settings: &serde_json::Value) {
        self.tell_all(|| Request::Reconfigure { settings: settings.to_string() });
    }

    /// The isolate that hook `hook` lives in, the first one for no hook.
    pub fn isolate_of(&self, hook: Option<usize>) -> usize {
        hook.map_or(0, |index| self.shared.isolate_of(index))
    }

    /// The isolate that gave a component or a call of a hook its id.
    pub fn isolate_of_id(&self, id: u64) -> usize {
        let isolates = self.threads().count();
        usize::try_from(id % isolates as u64).unwrap_or_default()
    }

    /// A number for an emit or call, to be given to [`EngineHandle::emit`].
    pub fn next_id(&self) -> u64 {
        self.shared.next_id()
    }

    /// Runs the handlers of event `name`, an object as JSON text; the envelope goes to `reply` as JSON text.
    pub fn emit(&self, id: u64, name: &str, event: String, reply: ReplyTo) {
        self.first.ask(id, Request::Emit { id, name: name.to_owned(), event, only: None }, reply);
    }

    /// A call that is not an emit, to isolate `isolate`.
    pub fn call(&self, isolate: usize, id: u64, kind: &'static str, params: String, reply: ReplyTo) {
        self.thread(isolate).ask(id, Request::Call { id, kind, params }, reply);
    }

    /// Gives up emit or call `id`: its running handler is abandoned, its dialogs are closed.
    pub fn cancel(&self, id: u64) {
        self.tell_all(|| Request::Cancel { id });
    }

    /// Answers emit or call `id` as cancelled if nobody has answered it yet: whatever holds the thread does not hold the caller.
    pub fn give_up(&self, id: u64) {
        for thread in self.threads() {
            if let Some(reply) = thread.waiting.take(id) {
                reply.send(Answer::Envelope(r#"{"cancelled":true}"#.to_owned()));
            }
        }
    }

    /// The numbers under which the system knows the isolates' threads.
    pub fn system_threads(&self) -> Vec<i32> {
        self.threads().map(|thread| thread.system_id).collect()
    }

    /// Fires the abort signal of emit `id`.
    pub fn abort(&self, id: u64, reason: Option<String>) {
        self.first.tell(Request::Abort { id, reason });
    }

    /// Ends the isolates' threads; open emits fail at once.
    pub fn shutdown(&self) {
        self.shared.retire();
        self.threads().for_each(Thread::end);
    }

    /// Waits until the threads have ended and everything they held is gone.
    pub async fn ended(&self) {
        for thread in self.threads() {
            thread.ended().await;
        }
    }
}
