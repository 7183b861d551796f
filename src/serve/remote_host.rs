//! The agent at the other end of the connection, as the hooks of one runner see it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

use super::emit_table::EmitTable;
use super::engine_messages::{HostInvokeParams, HostLoadParams};
use super::message::{Code, Id, RpcError, encode_call};
use super::mirror::{Append, Mirror, Read, Snapshot, State};
use super::peer::{CallError, Peer};
use super::pending::NoAnswer;
use crate::host::{BoxFuture, Host, HostCall, HostError};
use crate::json_text;
use crate::ui::StatusLine;

/// How long a hook's synchronous read may take, the way there and back.
pub const SYNC_READ: Duration = Duration::from_millis(5000);

/// The host of one runner.
pub struct RemoteHost {
    peer: Peer,
    runner: String,
    pub(super) emits: EmitTable,
    mirror: Mutex<Mirror>,
    status: Mutex<StatusLine>,
    has_ui: AtomicBool,
}

/// Params of every call of a hook.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct CallParams<'a> {
    pub runner: &'a str,
    /// Position of the calling hook in the load list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hook: Option<usize>,
    /// The open request of the host under which this happens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emit: Option<Id>,
    /// The JavaScript arguments in order.
    pub args: &'a [Value],
}

/// Result of every call of a hook.
#[derive(Debug, Default, Deserialize, schemars::JsonSchema)]
pub struct CallResult {
    /// Absent is `undefined`.
    #[serde(default)]
    pub value: Option<Value>,
}

impl RemoteHost {
    pub fn new(peer: Peer, runner: &str) -> RemoteHost {
        RemoteHost {
            peer,
            runner: runner.to_owned(),
            emits: EmitTable::default(),
            mirror: Mutex::default(),
            status: Mutex::default(),
            has_ui: AtomicBool::new(false),
        }
    }

    /// From now on there is a user interface, or none.
    pub fn set_has_ui(&self, has_ui: bool) {
        self.has_ui.store(has_ui, Ordering::Relaxed);
    }

    pub fn take_snapshot(&self, snapshot: Snapshot) {
        lock(&self.mirror).snapshot(snapshot);
    }

    pub fn append(&self, append: Append) {
        lock(&self.mirror).append(append);
    }

    pub fn set_state(&self, state: &State) {
        lock(&self.mirror).set(state);
    }

    /// Sets a status text, or takes it away.
    pub fn set_status(&self, key: &str, text: Option<&str>) {
        lock(&self.status).set(key, text);
    }

    /// Forgets every status text: the hooks that set them are gone.
    pub fn clear_status(&self) {
        lock(&self.status).clear();
    }

    /// The status texts as one line of at most `width` columns.
    pub fn status_line(&self, width: usize) -> String {
        lock(&self.status).render(width)
    }

    /// Tells the host something of this runner; a connection that is gone has nobody to miss it.
    pub fn tell(&self, method: &str, params: &impl Serialize) {
        if let Some(params) = raw(params) {
            let _ = self.peer.notify_blocking(method, Some(&params));
        }
    }

    /// The same from a task of the runtime, which must not stand still.
    pub fn tell_soon(&self, method: &str, params: &impl Serialize, runtime: &tokio::runtime::Handle) {
        let Some(params) = raw(params) else { return };
        let (peer, method) = (self.peer.clone(), method.to_owned());
        runtime.spawn(async move {
            let _ = peer.notify(&method, Some(&params)).await;
        });
    }

    fn params(&self, call: &HostCall) -> Option<Box<RawValue>> {
        let emit = if call.emit == 0 { None } else { self.emits.id_of(call.emit) };
        let params = match (call.name.as_str(), call.args.as_slice()) {
            ("host.load", [generation, host]) => {
                return raw(&HostLoadParams { runner: &self.runner, hook: call.hook, generation, host });
            }
            ("host.invoke", [generation, event, index, payload]) => {
                let (runner, hook) = (self.runner.as_str(), call.hook);
                return raw(&HostInvokeParams { runner, hook, generation, emit, event, index, payload });
            }
            (_, args) => CallParams { runner: &self.runner, hook: call.hook, emit, args },
        };
        to_raw_value(&params).ok()
    }

    fn ask(&self, call: &HostCall) -> Result<Option<Value>, HostError> {
        let params = self.params(call);
        match self.peer.request_blocking(&call.name, params.as_deref(), SYNC_READ) {
            Ok(Ok(answer)) => Ok(value_of(&answer)),
            Ok(Err(error)) => Err(of_host(&call.name, error)),
            Err(CallError::NoAnswer(NoAnswer::TimedOut(limit))) => {
                Err(HostError::new(format!("host did not answer {} within {} ms", call.name, limit.as_millis())))
            }
            Err(error) => Err(HostError::new(format!("{}: {error}", call.name))),
        }
    }

    fn ask_for_snapshot(&self, call: &HostCall) -> Result<(), HostError> {
        let call = HostCall { name: "session.snapshot".to_owned(), args: Vec::new(), ..call.clone() };
        let params = self.params(&call);
        let answer = match self.peer.request_blocking(&call.name, params.as_deref(), SYNC_READ) {
            Ok(Ok(answer)) => answer,
            Ok(Err(error)) => return Err(of_host(&call.name, error)),
            Err(error) => {
                let limit = SYNC_READ.as_millis();
                return Err(match error {
                    CallError::NoAnswer(NoAnswer::TimedOut(_)) => {
                        HostError::new(format!("host did not answer session.snapshot within {limit} ms"))
                    }
                    error => HostError::new(format!("session.snapshot: {error}")),
                });
            }
        };
        let snapshot = serde_json::from_str(answer.get())
            .map_err(|error| HostError::new(format!("session.snapshot: unreadable answer: {error}")))?;
        self.take_snapshot(snapshot);
        Ok(())
    }
}

impl Host for RemoteHost {
    fn has_ui(&self) -> bool {
        self.has_ui.load(Ordering::Relaxed)
    }

    fn session_version(&self) -> Option<u64> {
        lock(&self.mirror).version()
    }

    fn call(&self, call: HostCall) -> BoxFuture<Result<Option<Value>, HostError>> {
        let params = self.params(&call);
        let (peer, runner) = (self.peer.clone(), self.runner.clone());
        Box::pin(async move {
            let name = call.name;
            let gone = |error: CallError| HostError::new(format!("{name}: {error}"));
            let waiting = peer.request(&name, params.as_deref()).await.map_err(gone)?;
            let mut open = OpenCall { peer: &peer, runner: &runner, hook: call.hook, id: Some(waiting.id()) };
            let answer = waiting.await;
            open.id = None;
            match answer.map_err(|error| gone(error.into()))? {
                Ok(answer) if name.starts_with("host.") && answer.get() != "null" => {
                    // Of a gate in the host: what cannot be read must not pass for no result.
                    object(&answer)
                        .map(Some)
                        .map_err(|error| HostError::new(format!("{name}: unreadable answer: {error}")))
                }
                Ok(answer) => Ok(value_of(&answer)),
                Err(error) if name == "host.invoke" && error.code == Code::HOOK_THREW.0 => Ok(Some(thrown(error))),
                Err(error) => Err(of_host(&name, error)),
            }
        })
    }

    fn call_sync(&self, call: HostCall) -> Result<Option<Value>, HostError> {
        let read = lock(&self.mirror).read(&call.name, &call.args);
        match read {
            Read::Known(value) => Ok(value),
            Read::NeedsSnapshot => {
                self.ask_for_snapshot(&call)?;
                match lock(&self.mirror).read(&call.name, &call.args) {
                    Read::Known(value) => Ok(value),
                    Read::NeedsSnapshot | Read::Ask => Ok(None),
                }
            }
            // Read at the start of every emit: a host without models must not make it fail.
            Read::Ask if call.name == "ctx.getModel" => Ok(self.ask(&call).unwrap_or_else(|error| {
                tracing::debug!("{error}");
                None
            })),
            Read::Ask => self.ask(&call),
        }
    }

    fn notify(&self, call: HostCall) {
        let Some(params) = self.params(&call) else { return };
        let line = encode_call(None, &call.name, Some(&params));
        let sender = self.peer.sender();
        // A connection that is gone takes nothing; the engine ends soon.
        match call.name.as_str() {
            "ui.customRender" => {
                sender.offer(line);
            }
            "ui.setStatus" => {
                let key = call.args.first().and_then(Value::as_str).unwrap_or_default();
                self.set_status(key, call.args.get(1).and_then(Value::as_str));
                if let Err(line) = sender.replace(&format!("{}\n{key}", self.runner), line) {
                    let _ = sender.send_blocking(line, None);
                }
            }
            _ => {
                let _ = self.peer.notify_blocking(&call.name, Some(&params));
            }
        }
    }

    fn log(&self, hook: Option<usize>, level: &str, message: &str, context: Option<&str>) -> bool {
        let mut args = vec![json!(level), json!(message)];
        if let Some(context) = context {
            args.push(serde_json::from_str(context).unwrap_or_else(|_| json!(context)));
        }
        let dropped = self.peer.sender().take_dropped();
        if dropped > 0 {
            let text =
                format!("{dropped} log lines, render requests or status texts were dropped: the host did not read");
            self.offer_log(None, &[json!("warn"), json!(text)]);
        }
        self.offer_log(hook, &args);
        true
    }
}

impl RemoteHost {
    fn offer_log(&self, hook: Option<usize>, args: &[Value]) {
        let params = CallParams { runner: &self.runner, hook, emit: None, args };
        if let Ok(params) = to_raw_value(&params) {
            self.peer.sender().offer(encode_call(None, "log", Some(&params)));
        }
    }
}

/// A call that the host works on. Dropped before the answer came, it tells the host that nobody waits any more.
struct OpenCall<'a> {
    peer: &'a Peer,
    runner: &'a str,
    hook: Option<usize>,
    id: Option<i64>,
}

impl Drop for OpenCall<'_> {
    fn drop(&mut self) {
        let Some(id) = self.id.take() else { return };
        let params = CallParams { runner: self.runner, hook: self.hook, emit: None, args: &[id.into()] };
        if let Ok(params) = to_raw_value(&params) {
            // Without it a dialog would stay open for ever.
            self.peer.sender().force(encode_call(None, "call.cancel", Some(&params)));
        }
    }
}

fn value_of(answer: &RawValue) -> Option<Value> {
    // Hosts answer dialogs with small objects; one that answers nonsense has given no value.
    object::<CallResult>(answer).unwrap_or_default().value
}

/// An answer that has to be an object: to serde a list of the right values would be one, too.
fn object<T: DeserializeOwned>(answer: &RawValue) -> Result<T, serde_json::Error> {
    if !answer.get().starts_with('{') {
        return Err(serde_json::Error::custom("expected an object"));
    }
    json_text::lossy_value(answer).and_then(serde_json::from_value)
}

fn of_host(name: &str, error: RpcError) -> HostError {
    if error.code == Code::UNKNOWN_METHOD.0 {
        return HostError::not_offered(name);
    }
    let given = error.data.as_ref().and_then(|data| data.get("name")).and_then(Value::as_str).map(str::to_owned);
    HostError { message: error.message, name: given }
}

/// A throw of a handler in the host, to be thrown again in its place.
fn thrown(error: RpcError) -> Value {
    let thrown = error.data.unwrap_or_default().get("thrown").cloned().unwrap_or_else(|| json!({ "isError": true }));
    let mut thrown = if thrown.is_object() { thrown } else { json!({ "isError": true }) };
    thrown["message"] = error.message.into();
    json!({ "thrown": thrown })
}

fn raw(value: &impl Serialize) -> Option<Box<RawValue>> {
    to_raw_value(value).ok()
}

// A poisoned lock only means that a thread panicked while it held these plain values; they are still whole.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
