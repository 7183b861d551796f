//! Emits over the loaded hooks. Events nobody handles cost no crossing; all others cross once in and once out.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::load::LoadError;
use super::options::RunnerOptions;
use super::outcome::{RawOutcome, ToolCallOutcome};
use crate::engine::{
    Answer, Attention, EngineGone, EngineHandle, HookError, LateRegistration, LoadedHook, ReplyTo, Shared, Thrown,
};
use crate::events::{Event, HandlerResult, ToolCallEvent, ToolCallResult};
use crate::host::HookSource;
use crate::json_text;

/// Why an emit gave no outcome. For a `tool_call` each of these means: do not run the tool.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EmitError {
    /// A handler of an event whose rule is "propagate" threw.
    #[error("{}", .0.message)]
    Thrown(Thrown, Option<super::BlockedBy>),
    /// It was given up by [`HookRunner::cancel`].
    #[error("cancelled")]
    Cancelled,
    /// The component is not open.
    #[error("{0}")]
    NotFound(String),
    /// A hook cost the isolate its thread or its memory while the emit was open.
    #[error("{hook_path}: {reason}")]
    Lost { hook_path: String, reason: String },
    /// The isolate is gone.
    #[error(transparent)]
    Gone(#[from] EngineGone),
    /// The payload is not an event, or the answer is not what the engine writes.
    #[error("{0}")]
    Malformed(String),
}

/// A listener's registration; dropping it keeps the listener, [`HookRunner::off_error`] removes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Subscription(u64);

/// An ordered list of loaded hooks in one isolate. Cheap to clone, usable from any thread; emits are concurrent.
#[derive(Clone)]
pub struct HookRunner {
    pub(super) inner: Arc<Inner>,
}

pub(super) struct Inner {
    /// Where the next generation is made when one is lost.
    runtime: tokio::runtime::Handle,
    /// The generation that runs now.
    pub(super) engine: RwLock<EngineHandle>,
    pub(super) sources: Vec<HookSource>,
    pub(super) options: RunnerOptions,
    /// What did not load in it.
    pub(super) errors: Mutex<Vec<LoadError>>,
    /// [`HookRunner::initialize`] was called.
    pub(super) live: AtomicBool,
    /// What [`HookRunner::reconfigure`] was given last.
    pub(super) settings: Mutex<Option<Value>>,
    pub(super) reloading: tokio::sync::Mutex<()>,
    pub(super) rebuilt: Mutex<Option<RebuiltListener>>,
    attention: Attention,
}

pub(super) type RebuiltListener = Arc<dyn Fn(&super::Reloaded) + Send + Sync>;

impl Drop for Inner {
    fn drop(&mut self) {
        let engine = self.engine.get_mut().unwrap_or_else(PoisonError::into_inner).clone();
        self.end(&engine);
    }
}

/// How long an isolate may take to hear of a cancel or of its end before what can be done from outside is done.
const PATIENCE: std::time::Duration = std::time::Duration::from_millis(250);

impl Inner {
    /// Ends the isolates of `engine`. One that waits for a child process hears of it when that is gone.
    fn end(&self, engine: &EngineHandle) {
        engine.shutdown();
        let threads = engine.system_threads();
        self.runtime.spawn(async move {
            tokio::time::sleep(PATIENCE).await;
            threads.into_iter().for_each(crate::engine::end_wait_of);
        });
    }
}

impl HookRunner {
    pub(super) fn new(
        engine: EngineHandle,
        sources: Vec<HookSource>,
        options: RunnerOptions,
        errors: Vec<LoadError>,
    ) -> Self {
        let runtime = tokio::runtime::Handle::current();
        let lost = engine.shared().clone();
        let runner = HookRunner {
            inner: Arc::new(Inner {
                runtime: runtime.clone(),
                engine: RwLock::new(engine),
                sources,
                options,
                errors: Mutex::new(errors),
                live: AtomicBool::new(false),
                settings: Mutex::default(),
                reloading: tokio::sync::Mutex::default(),
                rebuilt: Mutex::default(),
                attention: Attention::default(),
            }),
        };
        let weak = Arc::downgrade(&runner.inner);
        lost.on_lost(Arc::new(move || {
            let Some(inner) = weak.upgrade() else { return };
            runtime.spawn(async move {
                if let Err(error) = (HookRunner { inner }).sound_engine().await {
                    tracing::error!("the hooks cannot be loaded anew: {error}");
                }
            });
        }));
        runner
    }

    pub(super) fn engine(&self) -> EngineHandle {
        self.inner.engine.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Tells the hooks that their host is ready: `pi.sendMessage` and `pi.appendEntry` work from now on.
    pub fn initialize(&self) {
        self.inner.live.store(true, Ordering::Relaxed);
        self.engine().go_live();
    }

    /// Waits until what handlers left in the queues – promises nobody awaits, ticks – has run once, and its failures went to the listeners.
    /// At most so long: a hook may be busy.
    pub async fn turn(&self, limit: std::time::Duration) {
        self.engine().turn(limit).await;
    }

    /// Changes what the host may change while hooks run: `theme` (as [`RunnerOptions::theme`]), `terminal {columns, rows}`.
    pub fn reconfigure(&self, settings: Value) {
        self.engine().reconfigure(&settings);
        *self.inner.settings.lock().unwrap_or_else(PoisonError::into_inner) = Some(settings);
    }

    /// What did not load in the generation that runs now.
    pub fn load_errors(&self) -> Vec<LoadError> {
        self.inner.errors.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Number of the generation that runs now; a reload makes the next one.
    pub fn generation(&self) -> u64 {
        self.engine().shared().generation()
    }

    /// The files the hooks were loaded from and what they imported.
    pub fn files(&self) -> BTreeSet<PathBuf> {
        self.engine().shared().files()
    }

    /// The directory hooks run in.
    pub fn cwd(&self) -> &std::path::Path {
        &self.inner.options.cwd
    }

    /// Adds a listener for handler failures. It runs on the engine's thread and must not wait for the runner.
    pub fn on_error(&self, listener: impl Fn(&HookError) + Send + Sync + 'static) -> Subscription {
        Subscription(self.engine().shared().on_error(std::sync::Arc::new(listener)))
    }

    /// Removes a listener.
    pub fn off_error(&self, subscription: Subscription) {
        self.engine().shared().remove_listener(subscription.0);
    }

    /// Tells every listener of a failure that happened outside.
    pub fn emit_error(&self, error: &HookError) {
        self.engine().shared().report(error);
    }

    /// Adds the one listener for warnings; without it they go to the log.
    pub fn on_warning(&self, listener: impl Fn(&str) + Send + Sync + 'static) {
        self.engine().shared().set_warning_listener(Some(std::sync::Arc::new(listener)));
    }

    /// Tells of registrations that come after [`HookRunner::announce`].
    pub fn on_registration(&self, listener: impl Fn(&LateRegistration<'_>) + Send + Sync + 'static) {
        self.engine().shared().on_registration(Arc::new(listener));
    }

    /// The loaded hooks with their positions in the load list; what they register from now on goes to
    /// [`HookRunner::on_registration`].
    pub fn announce(&self) -> Vec<(usize, LoadedHook)> {
        self.engine().shared().announce()
    }

    /// A number under which [`HookRunner::emit_raw_as`] runs and [`HookRunner::abort`] finds it.
    pub fn next_emit_id(&self) -> u64 {
        self.engine().next_id()
    }

    /// Fires the abort signal of a running emit.
    pub fn abort(&self, emit: u64) {
        self.engine().abort(emit, None);
    }

    /// The same with the signal's `reason`.
    pub fn abort_with(&self, emit: u64, reason: Option<String>) {
        self.engine().abort(emit, reason);
    }

    /// Gives up a running emit or command: its handler is abandoned, its dialogs are closed, no later handler starts. A `tool_call` or
    /// command then fails with [`EmitError::Cancelled`], other events give what was folded so far.
    /// One that holds the engine's thread is answered as cancelled after a moment, and goes on to its limits unheard.
    pub fn cancel(&self, emit: u64) {
        let engine = self.engine();
        engine.cancel(emit);
        self.inner.runtime.spawn(async move {
            tokio::time::sleep(PATIENCE).await;
            engine.give_up(emit);
        });
    }

    /// Emits event `name`, given as JSON text: an object. Its own `type`, when it has one, does not count.
    /// Dropping the future gives the emit up, as [`HookRunner::cancel`] does.
    ///
    /// # Errors
    /// See [`EmitError`]; only events whose rule is "propagate" fail with [`EmitError::Thrown`].
    pub async fn emit_raw(&self, name: &str, event: String) -> Result<RawOutcome, EmitError> {
        self.emit_raw_as(self.next_emit_id(), name, event).await
    }

    /// [`HookRunner::emit_raw`] under a number of the caller's.
    pub async fn emit_raw_as(&self, id: u64, name: &str, event: String) -> Result<RawOutcome, EmitError> {
        let engine = self.sound_engine().await.map_err(|error| EmitError::Malformed(error.to_string()))?;
        if let Some(refusal) = refusal(&engine, name) {
            return Err(refusal);
        }
        if !crosses(&engine, name) {
            return Ok(RawOutcome::default());
        }
        let (reply, mut envelope) = ReplyTo::channel();
        engine.emit(id, name, event, reply);
        let mut open = OpenEmit { engine: &engine, id, answered: false };
        let envelope = match self.inner.attention.answer(&mut envelope) {
            Some(answer) => answer.unwrap_or(Err(EngineGone)),
            None => envelope.await.unwrap_or(Err(EngineGone)),
        };
        open.answered = true;
        read_outcome(envelope, engine.shared())
    }

    /// [`HookRunner::emit_raw_as`] without waiting: the event is on its way when this returns, and `done` gets the outcome, usually on
    /// the engine's thread, where it must not wait. An event nobody handles does not cross.
    pub fn emit_with(
        &self,
        id: u64,
        name: &str,
        event: impl FnOnce() -> String,
        done: impl FnOnce(Result<RawOutcome, EmitError>) + Send + 'static,
    ) {
        let engine = self.engine();
        if engine.shared().is_lost() {
            let (runner, name, event) = (self.clone(), name.to_owned(), event());
            self.inner.runtime.spawn(async move { done(runner.emit_raw_as(id, &name, event).await) });
            return;
        }
        if let Some(refusal) = refusal(&engine, name) {
            return done(Err(refusal));
        }
        if !crosses(&engine, name) {
            return done(Ok(RawOutcome::default()));
        }
        let shared = engine.shared().clone();
        engine.emit(id, name, event(), ReplyTo::new(move |envelope| done(read_outcome(envelope, &shared))));
    }

    /// Emits any event; the result is what the handlers gave, `None` for none.
    pub async fn emit(&self, event: &Event) -> Result<Option<Value>, EmitError> {
        let name = event.name();
        if !self.crosses(name.as_str()) {
            return Ok(None);
        }
        let text = serde_json::to_string(event).map_err(|error| EmitError::Malformed(error.to_string()))?;
        let outcome = self.emit_raw(name.as_str(), text).await?;
        outcome.result.as_deref().map(parse).transpose()
    }

    /// Emits an event and reads the result into the type its handlers return.
    pub async fn emit_for<R: HandlerResult>(&self, event: &Event) -> Result<Option<R>, EmitError> {
        match self.emit(event).await? {
            Some(value) => R::from_value(value).map_err(|error| EmitError::Malformed(error.to_string())),
            None => Ok(None),
        }
    }

    /// Asks every `tool_call` handler; a throw of one is an error and means that the tool must not run.
    pub async fn emit_tool_call(&self, event: &ToolCallEvent) -> Result<ToolCallOutcome, EmitError> {
        if !self.has_handlers("tool_call") {
            return Ok(ToolCallOutcome::default());
        }
        self.ask(serde_json::to_string(event).map_err(|error| EmitError::Malformed(error.to_string()))?).await
    }

    /// [`HookRunner::emit_tool_call`] with the event as JSON text.
    pub(super) async fn ask(&self, event: String) -> Result<ToolCallOutcome, EmitError> {
        let outcome = self.emit_raw("tool_call", event).await?;
        let result = match outcome.result.as_deref().map(parse).transpose()? {
            Some(value) => {
                ToolCallResult::from_value(value).map_err(|error| EmitError::Malformed(error.to_string()))?
            }
            None => None,
        };
        let input = outcome.input.as_deref().map(parse).transpose()?;
        Ok(ToolCallOutcome { result, input, by: outcome.by, trace: outcome.trace })
    }

    /// Runs the messages through every `context` handler; gives them back as they are when there is none.
    pub async fn emit_context(&self, messages: Vec<Value>) -> Result<Vec<Value>, EmitError> {
        if !self.has_handlers("context") {
            return Ok(messages);
        }
        let event = json!({ "type": "context", "messages": messages }).to_string();
        let outcome = self.emit_raw("context", event).await?;
        #[derive(serde::Deserialize)]
        struct Messages {
            messages: Vec<Value>,
        }
        let Some(result) = outcome.result else { return Ok(messages) };
        let result: Messages = serde_json::from_str(result.get())
            .or_else(|_| json_text::value(result.get()).and_then(serde_json::from_value))
            .map_err(|error| EmitError::Malformed(format!("context handlers returned odd messages: {error}")))?;
        Ok(result.messages)
    }

    /// Asks every `before_agent_start` handler; the first message wins.
    pub async fn emit_before_agent_start(
        &self,
        prompt: &str,
        images: Option<Value>,
    ) -> Result<Option<Value>, EmitError> {
        if !self.has_handlers("before_agent_start") {
            return Ok(None);
        }
        let mut event = json!({ "type": "before_agent_start", "prompt": prompt });
        if let (Some(images), Some(fields)) = (images, event.as_object_mut()) {
            fields.insert("images".to_owned(), images);
        }
        let outcome = self.emit_raw("before_agent_start", event.to_string()).await?;
        outcome.result.as_deref().map(parse).transpose()
    }

    /// Ends the isolate: timers and watchers stop, programs of hooks are killed, open emits fail.
    pub fn shutdown(&self) {
        self.inner.end(&self.engine());
    }

    /// [`HookRunner::shutdown`], waiting until it is done: at most `limit`, for an isolate that is busy ends late. True when it has ended.
    pub async fn close(&self, limit: std::time::Duration) -> bool {
        let engine = self.engine();
        self.inner.end(&engine);
        tokio::time::timeout(limit, engine.ended()).await.is_ok()
    }
}

/// An emit somebody waits for. Who drops the future gives the emit up: its handler is abandoned, its dialogs are closed.
struct OpenEmit<'a> {
    engine: &'a EngineHandle,
    id: u64,
    answered: bool,
}

impl Drop for OpenEmit<'_> {
    fn drop(&mut self) {
        if !self.answered {
            self.engine.cancel(self.id);
        }
    }
}

/// Why a tool call is refused without asking: a gate that stood before the engine was rebuilt is not there any more.
fn refusal(engine: &EngineHandle, event: &str) -> Option<EmitError> {
    let gate = engine.shared().missing_gate().filter(|_| event == "tool_call")?;
    let message = format!("hook {gate} did not load again after the engine was rebuilt; tool calls are refused");
    Some(EmitError::Thrown(Thrown { message, is_error: true, stack: None }, None))
}

pub(super) fn crosses(engine: &EngineHandle, event: &str) -> bool {
    engine.shared().has_handlers(event) || event == "session_shutdown"
}

pub(super) fn read_outcome(answer: Result<Answer, EngineGone>, shared: &Shared) -> Result<RawOutcome, EmitError> {
    let answer = answer.map_err(|gone| match shared.loss() {
        Some((hook_path, reason)) => EmitError::Lost { hook_path: hook_path.clone(), reason: reason.clone() },
        None => EmitError::Gone(gone),
    })?;
    let mut envelope = answer
        .into_envelope()
        .map_err(|error| EmitError::Malformed(format!("the engine gave an unreadable answer: {error}")))?;
    match envelope.thrown.take() {
        Some(thrown) if envelope.not_found => Err(EmitError::NotFound(thrown.message)),
        Some(thrown) => Err(EmitError::Thrown(thrown, RawOutcome::of(envelope).by)),
        None if envelope.cancelled => Err(EmitError::Cancelled),
        None => Ok(RawOutcome::of(envelope)),
    }
}

pub(super) fn parse(raw: &RawValue) -> Result<Value, EmitError> {
    json_text::value(raw.get()).map_err(|error| EmitError::Malformed(error.to_string()))
}
