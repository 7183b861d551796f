//! A host that writes down what hooks ask and answers dialogs from a list: for the command line and for tests.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};

use super::call::{BoxFuture, Host, HostCall, HostError};
use super::scripted_component::{ComponentDriver, Script};

/// A host call as it is shown: `{"call":"ui.notify","args":["hi"]}`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RecordedCall {
    pub call: String,
    pub args: Vec<Value>,
}

/// Records every call in order. With answers it has a user interface: each dialog takes the next answer, an object with the dialog's kind as
/// key (`{"confirm":true}`, `{"select":"Yes"}`); `null` or a missing answer is a cancelled dialog. A custom component takes
/// `{"custom": {keys?, width?, rows?, close?}}`: the keys are typed into it and what it draws is recorded as `component.lines`.
#[derive(Default)]
pub struct RecordingHost {
    has_ui: bool,
    calls: Arc<Mutex<Vec<RecordedCall>>>,
    components: OnceLock<Arc<dyn ComponentDriver>>,
    answers: Mutex<VecDeque<Value>>,
    state: Mutex<serde_json::Map<String, Value>>,
    unused: Mutex<Vec<String>>,
    /// Raised with every change of the state.
    version: AtomicU64,
}

const DIALOGS: [&str; 4] = ["select", "confirm", "input", "editor"];

impl RecordingHost {
    /// Without a user interface.
    pub fn headless() -> Self {
        RecordingHost::default()
    }

    /// With a user interface whose dialogs are answered in order.
    pub fn with_answers(answers: Vec<Value>) -> Self {
        RecordingHost { has_ui: true, answers: Mutex::new(answers.into()), ..RecordingHost::default() }
    }

    /// What draws components; without it one is closed at once.
    pub fn set_component_driver(&self, driver: Arc<dyn ComponentDriver>) {
        // Set once, by the one place that loads the hooks.
        let _ = self.components.set(driver);
    }

    /// More answers for the dialogs to come.
    pub fn push_answers(&self, answers: Vec<Value>) {
        lock(&self.answers).extend(answers);
    }

    /// Answers that no dialog has asked for, which are then forgotten.
    pub fn take_unused_answers(&self) -> Vec<Value> {
        lock(&self.answers).drain(..).collect()
    }

    /// What reads and calls other than dialogs answer: call name → value (`"ctx.isIdle": false`). A call that is awaited may take its time:
    /// `{"$after": ms, "value": …}`.
    pub fn set_state(&self, state: serde_json::Map<String, Value>) {
        *lock(&self.state) = state;
        self.version.fetch_add(1, Ordering::Relaxed);
    }

    /// The calls since the last time this was asked.
    pub fn take_calls(&self) -> Vec<RecordedCall> {
        std::mem::take(&mut lock(&self.calls))
    }

    /// What went wrong with the answers: a dialog that found an answer of another kind.
    pub fn take_mismatches(&self) -> Vec<String> {
        std::mem::take(&mut lock(&self.unused))
    }

    fn record(&self, call: &HostCall) {
        lock(&self.calls).push(RecordedCall { call: call.name.clone(), args: call.args.clone() });
    }

    fn dialog(&self, kind: &str) -> Option<Value> {
        let answer = lock(&self.answers).pop_front()?;
        let Value::Object(fields) = &answer else { return None };
        if let Some(value) = fields.get(kind) {
            return (!value.is_null()).then(|| value.clone());
        }
        lock(&self.unused).push(format!(
            "the hook opened a {kind} dialog, but the next answer is {answer}; the dialog counts as cancelled"
        ));
        None
    }
}

impl RecordingHost {
    /// Shows a component as its answer says.
    fn custom(&self, call: &HostCall) -> BoxFuture<Result<Option<Value>, HostError>> {
        let closed = Box::pin(std::future::ready(Ok(None)));
        let (Some(answer), Some(driver)) = (self.dialog("custom"), self.components.get().cloned()) else {
            return closed;
        };
        let script: Script = match serde_json::from_value(answer) {
            Ok(script) => script,
            Err(error) => {
                lock(&self.unused).push(format!("a custom answer is {{keys?, width?, rows?, close?}}: {error}"));
                return closed;
            }
        };
        let id = call.args.first().and_then(Value::as_u64).unwrap_or_default();
        let calls = self.calls.clone();
        Box::pin(async move {
            let seen = |lines| lock(&calls).push(RecordedCall { call: "component.lines".to_owned(), args: lines });
            script.play(driver, id, seen).await;
            Ok(None)
        })
    }
}

/// `{"$after": ms, "value": …}`: an answer that takes its time.
fn slow_answer(value: &Value) -> Option<(Duration, Value)> {
    let after = value.get("$after")?.as_u64()?;
    Some((Duration::from_millis(after), value.get("value").cloned().unwrap_or_default()))
}

/// A poisoned lock only means that a thread panicked while it held these plain values.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl Host for RecordingHost {
    fn has_ui(&self) -> bool {
        self.has_ui
    }

    fn session_version(&self) -> Option<u64> {
        Some(self.version.load(Ordering::Relaxed))
    }

    fn call(&self, call: HostCall) -> BoxFuture<Result<Option<Value>, HostError>> {
        self.record(&call);
        if let Some((after, value)) = lock(&self.state).get(&call.name).and_then(slow_answer) {
            return Box::pin(async move {
                tokio::time::sleep(after).await;
                Ok(Some(value))
            });
        }
        let answer = match call.name.strip_prefix("ui.") {
            Some("custom") => return self.custom(&call),
            Some(kind) if DIALOGS.contains(&kind) => Ok(self.dialog(kind)),
            _ => match lock(&self.state).get(&call.name) {
                Some(value) => Ok(Some(value.clone())),
                None => match call.name.as_str() {
                    "ctx.newSession" | "ctx.branch" | "ctx.navigateTree" => Ok(Some(json!({"cancelled": false}))),
                    "ai.complete" => Err(HostError::not_offered(&call.name)),
                    _ => Ok(None),
                },
            },
        };
        Box::pin(std::future::ready(answer))
    }

    fn call_sync(&self, call: HostCall) -> Result<Option<Value>, HostError> {
        Ok(lock(&self.state).get(&call.name).cloned())
    }

    fn notify(&self, call: HostCall) {
        // How often a component asks to be drawn depends on the clock.
        if call.name != "ui.customRender" {
            self.record(&call);
        }
    }
}
