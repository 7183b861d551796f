//! A host that writes down what hooks ask and answers dialogs from a list: for the command line and for tests.

use std::collections::VecDeque;
use std::sync::Mutex;

use serde::Serialize;
use serde_json::{Value, json};

use super::call::{BoxFuture, Host, HostCall, HostError};

/// A host call as it is shown: `{"call":"ui.notify","args":["hi"]}`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RecordedCall {
    pub call: String,
    pub args: Vec<Value>,
}

/// Records every call in order. With answers it has a user interface: each dialog takes the next answer, an object with the dialog's kind as
/// key (`{"confirm":true}`, `{"select":"Yes"}`); `null` or a missing answer is a cancelled dialog.
#[derive(Debug, Default)]
pub struct RecordingHost {
    has_ui: bool,
    calls: Mutex<Vec<RecordedCall>>,
    answers: Mutex<VecDeque<Value>>,
    state: Mutex<serde_json::Map<String, Value>>,
    unused: Mutex<Vec<String>>,
}

const DIALOGS: [&str; 5] = ["select", "confirm", "input", "editor", "custom"];

impl RecordingHost {
    /// Without a user interface.
    pub fn headless() -> Self {
        RecordingHost::default()
    }

    /// With a user interface whose dialogs are answered in order.
    pub fn with_answers(answers: Vec<Value>) -> Self {
        RecordingHost { has_ui: true, answers: Mutex::new(answers.into()), ..RecordingHost::default() }
    }

    /// More answers for the dialogs to come.
    pub fn push_answers(&self, answers: Vec<Value>) {
        lock(&self.answers).extend(answers);
    }

    /// Answers that no dialog has asked for, which are then forgotten.
    pub fn take_unused_answers(&self) -> Vec<Value> {
        lock(&self.answers).drain(..).collect()
    }

    /// What synchronous reads answer: call name → value (`"ctx.isIdle": false`).
    pub fn set_state(&self, state: serde_json::Map<String, Value>) {
        *lock(&self.state) = state;
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

/// A poisoned lock only means that a thread panicked while it held these plain values.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl Host for RecordingHost {
    fn has_ui(&self) -> bool {
        self.has_ui
    }

    fn call(&self, call: HostCall) -> BoxFuture<Result<Option<Value>, HostError>> {
        self.record(&call);
        let answer = match call.name.strip_prefix("ui.") {
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
        self.record(&call);
    }
}
