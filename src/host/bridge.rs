//! The typed form of a host. Every method has the headless default of `hooks.md §7`, so an agent implements what it has.

use std::sync::Arc;

use serde_json::{Value, json};

use super::call::{BoxFuture, Host, HostCall, HostError};

type Answer<T> = BoxFuture<Result<T, HostError>>;

fn ready<T: Send + 'static>(value: T) -> Answer<T> {
    Box::pin(std::future::ready(Ok(value)))
}

/// A dialog a hook opens.
#[derive(Debug, Clone)]
pub struct Dialog {
    /// Number by which [`UiContext::close`] names it.
    pub id: u32,
    pub title: String,
    /// The message of a confirmation, the placeholder of an input or the text an editor starts with.
    pub text: Option<String>,
    /// Choices of a selection.
    pub options: Vec<String>,
    /// Milliseconds after which the hook takes the dialog as cancelled.
    pub timeout_ms: Option<u64>,
}

/// The user interface an agent offers to hooks. A cancelled dialog is `None`.
pub trait UiContext: Send + Sync + 'static {
    fn select(&self, dialog: Dialog) -> Answer<Option<String>> {
        let _ = dialog;
        ready(None)
    }
    fn confirm(&self, dialog: Dialog) -> Answer<bool> {
        let _ = dialog;
        ready(false)
    }
    fn input(&self, dialog: Dialog) -> Answer<Option<String>> {
        let _ = dialog;
        ready(None)
    }
    fn editor(&self, dialog: Dialog) -> Answer<Option<String>> {
        let _ = dialog;
        ready(None)
    }
    /// Shows component `component` until the future resolves or [`UiContext::close`] is called for `id`; draw it with `HookRunner::render_component`.
    fn custom(&self, id: u32, component: u64) -> Answer<()> {
        let _ = (id, component);
        ready(())
    }
    /// Component `component` asks to be drawn again.
    fn custom_render(&self, component: u64) {
        let _ = component;
    }
    /// The hook wants the terminal for itself (`tui.stop()`): leave it alone until [`UiContext::custom_start`].
    fn custom_stop(&self, component: u64) {
        let _ = component;
    }
    /// The hook gives the terminal back (`tui.start()`): draw everything anew.
    fn custom_start(&self, component: u64) {
        let _ = component;
    }
    /// The hook no longer waits for dialog or component `id`.
    fn close(&self, id: u32) {
        let _ = id;
    }
    /// `level` is `info`, `warning` or `error`.
    fn notify(&self, message: &str, level: &str) {
        let _ = (message, level);
    }
    /// `None` deletes the key.
    fn set_status(&self, key: &str, text: Option<&str>) {
        let _ = (key, text);
    }
    fn set_editor_text(&self, text: &str) {
        let _ = text;
    }
    fn editor_text(&self) -> String {
        String::new()
    }
}

/// The agent behind the hooks. Messages, entries and models are the host's own JSON (`hooks.md §3`).
pub trait HostBridge: Send + Sync + 'static {
    /// The user interface, `None` when the agent runs without one.
    fn ui(&self) -> Option<Arc<dyn UiContext>> {
        None
    }
    /// `pi.sendMessage(message, options)`; options are `{triggerTurn?, deliverAs?}`.
    fn send_message(&self, message: Value, options: Value) {
        let _ = (message, options);
    }
    /// `pi.appendEntry(customType, data)`
    fn append_entry(&self, custom_type: &str, data: Option<Value>) {
        let _ = (custom_type, data);
    }
    /// The current model as the host describes it.
    fn model(&self) -> Option<Value> {
        None
    }
    fn is_idle(&self) -> bool {
        true
    }
    fn has_queued_messages(&self) -> bool {
        false
    }
    fn abort(&self) {}
    fn wait_for_idle(&self) -> Answer<()> {
        ready(())
    }
    /// Starts a session; `entries` are what the hook's `setup` appended, in order (`docs/protocol.md`, SetupEntry). True when it was cancelled.
    fn new_session(&self, parent_session: Option<String>, entries: Vec<Value>) -> Answer<bool> {
        let _ = (parent_session, entries);
        ready(false)
    }
    fn branch(&self, entry_id: String) -> Answer<bool> {
        let _ = entry_id;
        ready(false)
    }
    fn navigate_tree(&self, id: String, summarize: Option<bool>) -> Answer<bool> {
        let _ = (id, summarize);
        ready(false)
    }
    /// Raised with every change that [`HostBridge::session_read`] shows; see [`Host::session_version`].
    fn session_version(&self) -> Option<u64> {
        None
    }
    /// A getter of the read-only session manager, e.g. `getEntries`; `None` is `undefined`.
    fn session_read(&self, getter: &str, args: &[Value]) -> Result<Option<Value>, HostError> {
        let _ = (getter, args);
        Ok(None)
    }
    /// An async method of the session manager, e.g. `saveArtifact`.
    fn session_call(&self, method: &str, args: Vec<Value>) -> Answer<Option<Value>> {
        let _ = (method, args);
        ready(None)
    }
    /// `getAll`, `getAvailable` or `find` of the model registry.
    fn models_read(&self, getter: &str, args: &[Value]) -> Result<Option<Value>, HostError> {
        let _ = (getter, args);
        Ok(None)
    }
    /// `getApiKey(model)` or `getApiKeyForProvider(provider)`.
    fn api_key(&self, method: &str, args: Vec<Value>) -> Answer<Option<String>> {
        let _ = (method, args);
        ready(None)
    }
    /// An LLM call of a hook: `{model, context, options}` → assistant message.
    fn complete(&self, request: Value) -> Answer<Value> {
        let _ = request;
        Box::pin(std::future::ready(Err(HostError::not_offered("ai.complete"))))
    }
}

/// Adapts a [`HostBridge`] to the raw [`Host`].
pub struct BridgeHost<B> {
    bridge: B,
    ui: Option<Arc<dyn UiContext>>,
}

impl<B: HostBridge> BridgeHost<B> {
    pub fn new(bridge: B) -> Self {
        let ui = bridge.ui();
        BridgeHost { bridge, ui }
    }
}

fn text(args: &[Value], index: usize) -> Option<String> {
    args.get(index).and_then(Value::as_str).map(str::to_owned)
}

fn dialog(call: &HostCall) -> Dialog {
    let options = match call.args.get(1) {
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    let timeout_ms = call.args.last().and_then(|last| last.get("timeout")).and_then(Value::as_f64).map(|ms| ms as u64);
    Dialog {
        id: call.id,
        title: text(&call.args, 0).unwrap_or_default(),
        text: text(&call.args, 1),
        options,
        timeout_ms,
    }
}

/// The answer of `future` as the hook sees it.
fn map<T: Send + 'static>(
    future: Answer<T>,
    to_value: impl FnOnce(T) -> Option<Value> + Send + 'static,
) -> Answer<Option<Value>> {
    Box::pin(async move { future.await.map(to_value) })
}

fn cancelled(cancelled: bool) -> Option<Value> {
    Some(json!({ "cancelled": cancelled }))
}

impl<B: HostBridge> Host for BridgeHost<B> {
    fn has_ui(&self) -> bool {
        self.ui.is_some()
    }

    fn session_version(&self) -> Option<u64> {
        self.bridge.session_version()
    }

    fn call(&self, call: HostCall) -> Answer<Option<Value>> {
        if let Some(kind) = call.name.strip_prefix("ui.") {
            let Some(ui) = &self.ui else { return ready(None) };
            let text_answer = |answer: Option<String>| answer.map(Value::String);
            return match kind {
                "select" => map(ui.select(dialog(&call)), text_answer),
                "confirm" => map(ui.confirm(dialog(&call)), |yes| Some(Value::Bool(yes))),
                "input" => map(ui.input(dialog(&call)), text_answer),
                "editor" => map(ui.editor(dialog(&call)), text_answer),
                "custom" => {
                    let component = call.args.first().and_then(Value::as_u64).unwrap_or_default();
                    map(ui.custom(call.id, component), |()| None)
                }
                _ => Box::pin(std::future::ready(Err(HostError::not_offered(&call.name)))),
            };
        }
        let bridge = &self.bridge;
        let HostCall { name, args, .. } = call;
        match name.as_str() {
            "ctx.waitForIdle" => map(bridge.wait_for_idle(), |()| None),
            "ctx.newSession" => {
                let options = args.first().cloned().unwrap_or_default();
                let parent = options.get("parentSession").and_then(Value::as_str).map(str::to_owned);
                let entries = options.get("entries").and_then(Value::as_array).cloned().unwrap_or_default();
                map(bridge.new_session(parent, entries), cancelled)
            }
            "ctx.branch" => map(bridge.branch(text(&args, 0).unwrap_or_default()), cancelled),
            "ctx.navigateTree" => {
                let summarize = args.get(1).and_then(|options| options.get("summarize")).and_then(Value::as_bool);
                map(bridge.navigate_tree(text(&args, 0).unwrap_or_default(), summarize), cancelled)
            }
            "models.getApiKey" | "models.getApiKeyForProvider" => {
                map(bridge.api_key(&name["models.".len()..], args), |key| key.map(Value::String))
            }
            "ai.complete" => map(bridge.complete(args.into_iter().next().unwrap_or_default()), Some),
            _ => match name.strip_prefix("session.") {
                Some(method) => bridge.session_call(method, args),
                None => Box::pin(std::future::ready(Err(HostError::not_offered(&name)))),
            },
        }
    }

    fn call_sync(&self, call: HostCall) -> Result<Option<Value>, HostError> {
        match call.name.as_str() {
            "ctx.isIdle" => Ok(Some(Value::Bool(self.bridge.is_idle()))),
            "ctx.hasQueuedMessages" => Ok(Some(Value::Bool(self.bridge.has_queued_messages()))),
            "ctx.getModel" => Ok(self.bridge.model()),
            "ui.getEditorText" => Ok(self.ui.as_ref().map(|ui| Value::String(ui.editor_text()))),
            name => {
                if let Some(getter) = name.strip_prefix("session.") {
                    self.bridge.session_read(getter, &call.args)
                } else if let Some(getter) = name.strip_prefix("models.") {
                    self.bridge.models_read(getter, &call.args)
                } else {
                    Err(HostError::not_offered(name))
                }
            }
        }
    }

    fn notify(&self, call: HostCall) {
        let args = &call.args;
        match (call.name.as_str(), &self.ui) {
            ("pi.sendMessage", _) => {
                self.bridge.send_message(
                    args.first().cloned().unwrap_or_default(),
                    args.get(1).cloned().unwrap_or_else(|| json!({})),
                );
            }
            ("pi.appendEntry", _) => self.bridge.append_entry(&text(args, 0).unwrap_or_default(), args.get(1).cloned()),
            ("ctx.abort", _) => self.bridge.abort(),
            ("ui.notify", Some(ui)) => {
                ui.notify(&text(args, 0).unwrap_or_default(), &text(args, 1).unwrap_or_else(|| "info".to_owned()));
            }
            ("ui.setStatus", Some(ui)) => ui.set_status(&text(args, 0).unwrap_or_default(), text(args, 1).as_deref()),
            ("ui.setEditorText", Some(ui)) => ui.set_editor_text(&text(args, 0).unwrap_or_default()),
            ("ui.customRender", Some(ui)) => ui.custom_render(args.first().and_then(Value::as_u64).unwrap_or_default()),
            ("ui.customStop", Some(ui)) => ui.custom_stop(args.first().and_then(Value::as_u64).unwrap_or_default()),
            ("ui.customStart", Some(ui)) => ui.custom_start(args.first().and_then(Value::as_u64).unwrap_or_default()),
            (name, _) => tracing::debug!(call = name, "the host takes no such call"),
        }
    }

    fn cancel(&self, id: u32) {
        if let Some(ui) = &self.ui {
            ui.close(id);
        }
    }
}
