//! What hooks call, told to the screen. Dialogs and components wait for its answer; the session answers by itself.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde_json::{Map, Value, json};
use tokio::sync::{mpsc, oneshot};

use super::session::Session;
use crate::host::{BoxFuture, Dialog, Host, HostBridge, HostCall, HostError, UiContext};
use crate::runner::HookRunner;

type Answer<T> = BoxFuture<Result<T, HostError>>;

/// Which dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Select,
    Confirm,
    Input,
    Editor,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Select => "select",
            Kind::Confirm => "confirm",
            Kind::Input => "input",
            Kind::Editor => "editor",
        }
    }
}

/// Something hooks want of the screen.
#[derive(Debug)]
pub enum Wish {
    Ask {
        kind: Kind,
        dialog: Dialog,
        answer: oneshot::Sender<Option<Value>>,
    },
    Show {
        id: u32,
        component: u64,
        closed: oneshot::Sender<()>,
    },
    Draw(u64),
    /// The component wants the terminal for itself.
    Stop,
    Start,
    /// Nobody waits for dialog or component `id` any more.
    Close(u32),
    Notify {
        level: String,
        message: String,
    },
    Status {
        key: String,
        text: Option<String>,
    },
    EditorText(String),
    Message(Value),
    /// Not of a hook: answers of a replay line, on the same way as the dialogs they are for.
    Answers(Vec<Value>),
    Call {
        name: String,
        args: Vec<Value>,
    },
}

/// What the host's parts share.
#[derive(Clone)]
pub struct PlayHost {
    wishes: mpsc::UnboundedSender<Wish>,
    session: Arc<Mutex<Session>>,
    /// Set once the hooks are loaded: a command that starts a session emits on it.
    runner: Arc<OnceLock<HookRunner>>,
    /// The command line's text, as the screen last saw it.
    pub editor_text: Arc<Mutex<String>>,
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // A thread that panicked while it held these plain values left them whole.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl PlayHost {
    pub fn new(wishes: mpsc::UnboundedSender<Wish>) -> PlayHost {
        PlayHost { wishes, session: Arc::default(), runner: Arc::default(), editor_text: Arc::default() }
    }

    /// The hooks are loaded.
    pub fn set_runner(&self, runner: HookRunner) {
        // Set once by the one place that loads.
        let _ = self.runner.set(runner);
    }

    /// A prompt the person typed.
    pub fn append_user_message(&self, text: &str) {
        let message = json!({ "role": "user", "content": [{ "type": "text", "text": text }] });
        lock(&self.session).append("message", Map::from_iter([("message".to_owned(), message)]));
    }

    fn wish(&self, wish: Wish) {
        // The screen is gone only when the program ends.
        let _ = self.wishes.send(wish);
    }

    fn ask<T: Send + 'static>(&self, kind: Kind, dialog: Dialog, read: fn(Option<Value>) -> T) -> Answer<T> {
        let (answer, answered) = oneshot::channel();
        self.wish(Wish::Ask { kind, dialog, answer });
        Box::pin(async move { Ok(read(answered.await.ok().flatten())) })
    }

    /// Asks the hooks whether the session may be left; true when one cancels.
    async fn emit(&self, event: &str, fields: Value) -> bool {
        let Some(runner) = self.runner.get() else { return false };
        let mut event_object = Map::from_iter([("type".to_owned(), Value::from(event))]);
        event_object.extend(fields.as_object().cloned().unwrap_or_default());
        let outcome = runner.emit_raw(event, Value::Object(event_object).to_string()).await;
        let result = outcome.ok().and_then(|outcome| outcome.result);
        result
            .and_then(|result| serde_json::from_str::<Value>(result.get()).ok())
            .is_some_and(|result| result["cancel"] == true)
    }
}

fn text(answer: Option<Value>) -> Option<String> {
    answer.and_then(|value| value.as_str().map(str::to_owned))
}

impl UiContext for PlayHost {
    fn select(&self, dialog: Dialog) -> Answer<Option<String>> {
        self.ask(Kind::Select, dialog, text)
    }
    fn confirm(&self, dialog: Dialog) -> Answer<bool> {
        self.ask(Kind::Confirm, dialog, |answer| answer == Some(Value::Bool(true)))
    }
    fn input(&self, dialog: Dialog) -> Answer<Option<String>> {
        self.ask(Kind::Input, dialog, text)
    }
    fn editor(&self, dialog: Dialog) -> Answer<Option<String>> {
        self.ask(Kind::Editor, dialog, text)
    }
    fn custom(&self, id: u32, component: u64) -> Answer<()> {
        let (closed, closes) = oneshot::channel();
        self.wish(Wish::Show { id, component, closed });
        Box::pin(async move {
            // A screen that is gone closes it too.
            let _ = closes.await;
            Ok(())
        })
    }
    fn custom_render(&self, component: u64) {
        self.wish(Wish::Draw(component));
    }
    fn custom_stop(&self, _component: u64) {
        self.wish(Wish::Stop);
    }
    fn custom_start(&self, _component: u64) {
        self.wish(Wish::Start);
    }
    fn close(&self, id: u32) {
        self.wish(Wish::Close(id));
    }
    fn notify(&self, message: &str, level: &str) {
        self.wish(Wish::Notify { level: level.to_owned(), message: message.to_owned() });
    }
    fn set_status(&self, key: &str, text: Option<&str>) {
        self.wish(Wish::Status { key: key.to_owned(), text: text.map(str::to_owned) });
    }
    fn set_editor_text(&self, text: &str) {
        *lock(&self.editor_text) = text.to_owned();
        self.wish(Wish::EditorText(text.to_owned()));
    }
    fn editor_text(&self) -> String {
        lock(&self.editor_text).clone()
    }
}

impl HostBridge for PlayHost {
    fn ui(&self) -> Option<Arc<dyn UiContext>> {
        Some(Arc::new(self.clone()))
    }
    fn send_message(&self, message: Value, _options: Value) {
        if let Value::Object(fields) = message.clone() {
            lock(&self.session).append("custom_message", fields);
        }
        self.wish(Wish::Message(message));
    }
    fn append_entry(&self, custom_type: &str, data: Option<Value>) {
        let mut fields = Map::from_iter([("customType".to_owned(), Value::from(custom_type))]);
        fields.extend(data.map(|data| ("data".to_owned(), data)));
        lock(&self.session).append("custom", fields);
    }
    fn session_version(&self) -> Option<u64> {
        Some(lock(&self.session).version())
    }
    fn session_read(&self, getter: &str, args: &[Value]) -> Result<Option<Value>, HostError> {
        Ok(lock(&self.session).read(getter, args))
    }
    fn new_session(&self, _parent: Option<String>, entries: Vec<Value>) -> Answer<bool> {
        let host = self.clone();
        Box::pin(async move {
            if host.emit("session_before_switch", json!({ "reason": "new" })).await {
                return Ok(true);
            }
            let previous = lock(&host.session).file();
            lock(&host.session).start_next(entries);
            host.emit("session_switch", json!({ "reason": "new", "previousSessionFile": previous })).await;
            Ok(false)
        })
    }
    fn branch(&self, entry_id: String) -> Answer<bool> {
        let host = self.clone();
        Box::pin(async move {
            if host.emit("session_before_branch", json!({ "entryId": entry_id })).await {
                return Ok(true);
            }
            if !lock(&host.session).go_to(&entry_id) {
                return Err(HostError::new(format!("there is no entry {entry_id}")));
            }
            let file = lock(&host.session).file();
            host.emit("session_branch", json!({ "previousSessionFile": file })).await;
            Ok(false)
        })
    }
    fn navigate_tree(&self, id: String, _summarize: Option<bool>) -> Answer<bool> {
        let moved = lock(&self.session).go_to(&id);
        Box::pin(std::future::ready(if moved {
            Ok(false)
        } else {
            Err(HostError::new(format!("there is no entry {id}")))
        }))
    }
}

/// A host that shows every call before it forwards it.
pub struct Shown<H> {
    pub host: H,
    pub wishes: mpsc::UnboundedSender<Wish>,
}

impl<H: Host> Shown<H> {
    fn show(&self, call: &HostCall) {
        let _ = self.wishes.send(Wish::Call { name: call.name.clone(), args: call.args.clone() });
    }
}

impl<H: Host> Host for Shown<H> {
    fn has_ui(&self) -> bool {
        self.host.has_ui()
    }
    fn session_version(&self) -> Option<u64> {
        self.host.session_version()
    }
    fn call(&self, call: HostCall) -> Answer<Option<Value>> {
        self.show(&call);
        self.host.call(call)
    }
    fn call_sync(&self, call: HostCall) -> Result<Option<Value>, HostError> {
        // Asked with every emit; it would bury the calls hooks make themselves.
        if call.name != "ctx.getModel" {
            self.show(&call);
        }
        self.host.call_sync(call)
    }
    fn notify(&self, call: HostCall) {
        if call.name != "ui.customRender" {
            self.show(&call);
        }
        self.host.notify(call);
    }
    fn cancel(&self, id: u32) {
        self.host.cancel(id);
    }
}
