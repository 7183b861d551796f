//! Emits over the loaded hooks. Events nobody handles cost no crossing; all others cross once in and once out.

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::options::RunnerOptions;
use super::outcome::{RawOutcome, ToolCallOutcome};
use crate::engine::{EngineGone, EngineHandle, Envelope, HookError, LoadedHook, RegisteredCommand, Thrown};
use crate::events::{Event, HandlerResult, ToolCallEvent, ToolCallResult};

/// Why an emit gave no outcome. For a `tool_call` each of these means: do not run the tool.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EmitError {
    /// A handler of an event whose rule is "propagate" threw.
    #[error("{}", .0.message)]
    Thrown(Thrown, Option<super::BlockedBy>),
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
    engine: EngineHandle,
    cwd: std::path::PathBuf,
}

impl HookRunner {
    pub(super) fn new(engine: EngineHandle, options: &RunnerOptions) -> Self {
        HookRunner { engine, cwd: options.cwd.clone() }
    }

    /// Tells the hooks that their host is ready: `pi.sendMessage` and `pi.appendEntry` work from now on.
    pub fn initialize(&self) {
        self.engine.go_live();
    }

    /// The directory hooks run in.
    pub fn cwd(&self) -> &std::path::Path {
        &self.cwd
    }

    /// The loaded hooks, in load order.
    pub fn hooks(&self) -> Vec<LoadedHook> {
        self.engine.shared().hooks().into_iter().map(|(_, hook)| hook).collect()
    }

    /// Paths of the loaded hooks as given, in load order.
    pub fn get_hook_paths(&self) -> Vec<String> {
        self.hooks().into_iter().map(|hook| hook.path).collect()
    }

    /// Whether any hook handles the event. Costs no crossing.
    pub fn has_handlers(&self, event: &str) -> bool {
        self.engine.shared().has_handlers(event)
    }

    /// Whether an emit of the event has to enter the isolate: the end of the session also ends what hooks without a handler have running.
    fn crosses(&self, event: &str) -> bool {
        self.has_handlers(event) || event == "session_shutdown"
    }

    /// Every registered command in load order; names may repeat (`hooks.md §8`).
    pub fn get_registered_commands(&self) -> Vec<RegisteredCommand> {
        let commands = |hook: LoadedHook| {
            hook.commands.into_iter().map(move |(name, description)| RegisteredCommand {
                name,
                description,
                hook_path: hook.path.clone(),
            })
        };
        self.hooks().into_iter().flat_map(commands).collect()
    }

    /// The command that runs under this name: the first one in load order.
    pub fn get_command(&self, name: &str) -> Option<RegisteredCommand> {
        self.get_registered_commands().into_iter().find(|command| command.name == name)
    }

    /// Path of the hook whose renderer draws messages of this type: the first one in load order.
    pub fn get_message_renderer(&self, custom_type: &str) -> Option<String> {
        self.hooks()
            .into_iter()
            .find(|hook| hook.renderers.iter().any(|known| known == custom_type))
            .map(|hook| hook.path)
    }

    /// Adds a listener for handler failures. It runs on the engine's thread and must not wait for the runner.
    pub fn on_error(&self, listener: impl Fn(&HookError) + Send + Sync + 'static) -> Subscription {
        Subscription(self.engine.shared().on_error(std::sync::Arc::new(listener)))
    }

    /// Removes a listener.
    pub fn off_error(&self, subscription: Subscription) {
        self.engine.shared().remove_listener(subscription.0);
    }

    /// Tells every listener of a failure that happened outside.
    pub fn emit_error(&self, error: &HookError) {
        self.engine.shared().report(error);
    }

    /// Adds the one listener for warnings; without it they go to the log.
    pub fn on_warning(&self, listener: impl Fn(&str) + Send + Sync + 'static) {
        self.engine.shared().set_warning_listener(Some(std::sync::Arc::new(listener)));
    }

    /// A number under which [`HookRunner::emit_raw_as`] runs and [`HookRunner::abort`] finds it.
    pub fn next_emit_id(&self) -> u64 {
        self.engine.next_id()
    }

    /// Fires the abort signal of a running emit.
    pub fn abort(&self, emit: u64) {
        self.engine.abort(emit);
    }

    /// Emits an event given as JSON text: an object with a `type`.
    ///
    /// # Errors
    /// See [`EmitError`]; only events whose rule is "propagate" fail with [`EmitError::Thrown`].
    pub async fn emit_raw(&self, name: &str, event: String) -> Result<RawOutcome, EmitError> {
        self.emit_raw_as(self.next_emit_id(), name, event).await
    }

    /// [`HookRunner::emit_raw`] under a number of the caller's.
    pub async fn emit_raw_as(&self, id: u64, name: &str, event: String) -> Result<RawOutcome, EmitError> {
        if !self.crosses(name) {
            return Ok(RawOutcome::default());
        }
        let envelope = self.engine.emit(id, event).await?;
        let mut envelope = read_envelope(&envelope)?;
        match envelope.thrown.take() {
            Some(thrown) => Err(EmitError::Thrown(thrown, RawOutcome::of(envelope).by)),
            None => Ok(RawOutcome::of(envelope)),
        }
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
        let text = with_type("tool_call", event)?;
        let outcome = self.emit_raw("tool_call", text).await?;
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

    /// Runs a slash command with its raw argument string.
    ///
    /// # Errors
    /// [`EmitError::Thrown`] when no hook has it or its handler throws.
    pub async fn run_command(&self, name: &str, args: &str) -> Result<(), EmitError> {
        self.call("command", json!({ "name": name, "args": args })).await.map(|_| ())
    }

    /// Draws a custom message with the renderer of its type: one string a line, `None` for the host's default.
    pub async fn render_message(
        &self,
        custom_type: &str,
        message: &Value,
        expanded: bool,
        width: u32,
    ) -> Result<Option<Vec<String>>, EmitError> {
        if self.get_message_renderer(custom_type).is_none() {
            return Ok(None);
        }
        let params = json!({ "type": custom_type, "message": message, "expanded": expanded, "width": width });
        let lines = self.call("render", params).await?;
        serde_json::from_value(lines).map_err(|error| EmitError::Malformed(error.to_string()))
    }

    /// Draws an open component (`ctx.ui.custom`) at `width` columns.
    pub async fn render_component(&self, id: u64, width: u32, rows: u32) -> Result<Vec<String>, EmitError> {
        let lines = self.call("componentRender", json!({ "id": id, "width": width, "rows": rows })).await?;
        serde_json::from_value(lines).map_err(|error| EmitError::Malformed(error.to_string()))
    }

    /// Hands terminal input to an open component.
    pub async fn input_component(&self, id: u64, data: &str) -> Result<(), EmitError> {
        self.call("componentInput", json!({ "id": id, "data": data })).await.map(|_| ())
    }

    /// Tells an open component that its surroundings changed.
    pub async fn invalidate_component(&self, id: u64) -> Result<(), EmitError> {
        self.call("componentInvalidate", json!({ "id": id })).await.map(|_| ())
    }

    /// Takes an open component away: its hook's `ctx.ui.custom` gives `undefined`.
    pub async fn dispose_component(&self, id: u64) -> Result<(), EmitError> {
        self.call("componentDispose", json!({ "id": id })).await.map(|_| ())
    }

    /// Ends the isolate: timers and watchers stop, programs of hooks are killed, open emits fail.
    pub fn shutdown(&self) {
        self.engine.shutdown();
    }

    /// [`HookRunner::shutdown`], waiting until it is done: at most `limit`, for an isolate that is busy ends late. True when it has ended.
    pub async fn close(&self, limit: std::time::Duration) -> bool {
        self.engine.shutdown();
        tokio::time::timeout(limit, self.engine.ended()).await.is_ok()
    }

    async fn call(&self, kind: &'static str, params: Value) -> Result<Value, EmitError> {
        let envelope = self.engine.call(self.engine.next_id(), kind, params.to_string()).await?;
        let envelope = read_envelope(&envelope)?;
        match envelope.thrown {
            Some(thrown) => Err(EmitError::Thrown(thrown, None)),
            None => envelope.result.as_deref().map_or(Ok(Value::Null), parse),
        }
    }
}

/// The text of an event with its `type` first.
fn with_type(name: &str, event: &impl serde::Serialize) -> Result<String, EmitError> {
    #[derive(serde::Serialize)]
    struct Typed<'a, T> {
        r#type: &'a str,
        #[serde(flatten)]
        event: &'a T,
    }
    serde_json::to_string(&Typed { r#type: name, event }).map_err(|error| EmitError::Malformed(error.to_string()))
}

fn read_envelope(text: &str) -> Result<Envelope, EmitError> {
    serde_json::from_str(text)
        .map_err(|error| EmitError::Malformed(format!("the engine gave an unreadable answer: {error}")))
}

fn parse(raw: &RawValue) -> Result<Value, EmitError> {
    serde_json::from_str(raw.get()).map_err(|error| EmitError::Malformed(error.to_string()))
}
