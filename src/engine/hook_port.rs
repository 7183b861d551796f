//! The engine's side of the ops: registrations and errors go to what the runner shares, calls go to the host.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::future::poll_fn;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use serde_json::value::RawValue;
use tokio::sync::oneshot;

use super::apart::Apart;
use super::children;
use super::handle::{Answer, EngineGone, ReplyTo};
use super::limits::{Limits, Owner};
use super::modules::Loader;
use super::port::{ExecOutput, ExecRequest, HostFailure, LocalFuture, NO_HOOK, Port, PortCall, Registration};
use super::process;
use super::rate_limit::{Passage, RateLimit};
use super::request::Request;
use super::shared::{HookError, Shared};
use super::waiting::{Thread, Waiting};
use crate::host::{Host, HostCall, HostError};
use crate::json_text;
use crate::loader::path_to_file_url;

/// The emit an open host call belongs to, and the switch whose end cancels it.
type OpenCall = (u64, oneshot::Sender<()>);

pub struct HookPort {
    shared: Arc<Shared>,
    host: Arc<dyn Host>,
    loader: Rc<Loader>,
    waiting: Waiting,
    /// Kill switches of running programs; dropping one kills its program.
    programs: Rc<RefCell<HashMap<u32, oneshot::Sender<()>>>>,
    /// Open host calls; a cancelled one resolves with nothing.
    calls: Rc<RefCell<HashMap<u32, OpenCall>>>,
    /// The other isolates of the runner.
    apart: Apart,
    /// The hook whose modules are being evaluated.
    importing: Cell<i32>,
    strays: RefCell<RateLimit>,
    /// Set once the isolate stands.
    limits: OnceCell<Arc<Limits>>,
    /// A debugger may pause the isolate.
    debugged: bool,
}

/// Event name of failures outside of any handler.
const UNHANDLED: &str = "unhandled";

impl HookPort {
    pub fn new(
        shared: Arc<Shared>,
        host: Arc<dyn Host>,
        loader: Rc<Loader>,
        (apart, waiting): (Apart, Waiting),
        debugged: bool,
    ) -> Self {
        HookPort {
            shared,
            host,
            loader,
            waiting,
            programs: Rc::default(),
            calls: Rc::default(),
            apart,
            importing: Cell::new(NO_HOOK),
            strays: RefCell::default(),
            limits: OnceCell::new(),
            debugged,
        }
    }

    /// While hooks are imported a rejection that no hook owns is that of the module: it becomes the load error, not a stray failure.
    pub fn set_importing(&self, hook: i32) {
        self.importing.set(hook);
    }

    pub fn set_limits(&self, limits: Arc<Limits>) {
        let _ = self.limits.set(limits);
    }

    /// Who waits for envelopes.
    pub fn waiting(&self) -> &Waiting {
        &self.waiting
    }

    /// Whether the host has a user interface by now.
    pub fn has_ui(&self) -> bool {
        self.host.has_ui()
    }

    /// Closes what emit or call `id` still asks of the host.
    pub fn cancel_emit(&self, id: u64) {
        let open: Vec<u32> =
            self.calls.borrow().iter().filter(|(_, (emit, _))| *emit == id).map(|(id, _)| *id).collect();
        for call in open {
            self.host_cancel(call);
        }
    }

    fn refuse_retired(&self, name: &str) -> Result<(), HostError> {
        if self.shared.is_retired() {
            return Err(HostError::new(format!("{name}: this hook was unloaded; its ctx is no longer usable")));
        }
        Ok(())
    }

    fn in_host_code<T>(&self, code: impl FnOnce() -> T) -> T {
        match self.limits.get() {
            Some(limits) => limits.in_host_code(code),
            None => code(),
        }
    }

    /// The isolate of hook `hook`.
    fn thread_of(&self, hook: i32) -> Option<&Thread> {
        let number = usize::try_from(hook).map_or(0, |index| self.shared.isolate_of(index));
        self.apart.thread(number)
    }

    /// A failure of the code in `script`, a URL; of nobody when no hook is loaded from it.
    pub fn uncaught(&self, script: &str, message: &str) {
        let mut hooks = self.shared.hooks().into_iter();
        let owner = hooks.find(|(_, hook)| path_to_file_url(hook.resolved_path.as_ref()) == script);
        let owner = owner.and_then(|(index, _)| i32::try_from(index).ok());
        self.hook_error(owner.unwrap_or(NO_HOOK), UNHANDLED, message, None);
    }

    /// A failure that no hook owns.
    pub fn stray_error(&self, message: &str) {
        self.hook_error(NO_HOOK, UNHANDLED, message, None);
    }

    fn host_call_of(&self, call: &PortCall) -> Result<HostCall, HostError> {
        self.refuse_retired(&call.name)?;
        let args = json_text::value(&call.args)
            .and_then(serde_json::from_value)
            .map_err(|error| HostError::new(format!("{}: unreadable arguments: {error}", call.name)))?;
        Ok(HostCall {
            id: call.id,
            hook: usize::try_from(call.hook).ok(),
            emit: call.emit,
            name: call.name.clone(),
            args,
        })
    }

    /// Emit or call `id` is over. True when somebody waited for it.
    fn answer(&self, id: u64, answer: Answer) -> bool {
        if let Some(limits) = self.limits.get() {
            limits.forget(id);
        }
        let reply = self.waiting.take(id);
        let waited = reply.is_some();
        if let Some(reply) = reply {
            reply.send(answer);
        }
        waited
    }
}

impl Port for HookPort {
    fn register(&self, hook: i32, kind: Registration, name: &str, description: Option<&str>) {
        if let Ok(index) = usize::try_from(hook) {
            self.shared.register(index, kind, name, description);
        }
    }

    fn handler_begins(&self, hook: i32, emit: u64) {
        if let Some(limits) = self.limits.get() {
            limits.begin(Owner { hook, emit });
        }
    }

    fn in_host(&self, waits: bool) {
        children::waits_for_child(waits);
        if let Some(limits) = self.limits.get() {
            limits.in_host(waits);
        }
    }

    fn whole(&self, begins: bool) {
        if let Some(limits) = self.limits.get() {
            limits.whole(begins);
        }
    }

    fn emit_done(&self, id: u64, envelope: String) -> bool {
        self.answer(id, Answer::Envelope(envelope))
    }

    fn emit_result(&self, id: u64, result: String) -> bool {
        // SAFETY: it is what the engine's `JSON.stringify` wrote.
        self.answer(id, Answer::Result(unsafe { RawValue::from_string_unchecked(result) }))
    }

    fn hook_error(&self, hook: i32, event: &str, message: &str, stack: Option<&str>) {
        if self.importing.get() != NO_HOOK && hook == NO_HOOK && event == UNHANDLED {
            return;
        }
        if event == UNHANDLED {
            match self.strays.borrow_mut().admit(hook, Instant::now()) {
                Passage::Pass => {}
                Passage::PassAfter(count) => {
                    self.shared.warn(&format!("{}: {count} more failures were not shown", self.shared.hook_path(hook)));
                }
                Passage::HeldBack => return,
            }
        }
        self.shared.report(&HookError {
            hook: usize::try_from(hook).ok(),
            hook_path: self.shared.hook_path(hook),
            event: event.to_owned(),
            error: message.to_owned(),
            stack: stack.map(str::to_owned),
        });
    }

    fn hook_warning(&self, _hook: i32, message: &str) {
        self.shared.warn(message);
    }

    fn hook_denied(&self, hook: i32, message: &str) {
        let hook = if hook == NO_HOOK { self.importing.get() } else { hook };
        if let Ok(index) = usize::try_from(hook) {
            self.shared.note_denial(index, message);
        }
    }

    fn log(&self, hook: i32, level: &str, message: &str, context: Option<&str>) {
        if self.in_host_code(|| self.host.log(usize::try_from(hook).ok(), level, message, context)) {
            return;
        }
        let context = context.map(|context| format!(" {context}")).unwrap_or_default();
        self.print(hook, level, &format!("{message}{context}"));
    }

    fn print(&self, hook: i32, level: &str, text: &str) {
        let hook = if hook == NO_HOOK { "hook".to_owned() } else { self.shared.hook_path(hook) };
        match level {
            "error" => tracing::error!(target: "hookrt::hook", "{hook}: {text}"),
            "warn" => tracing::warn!(target: "hookrt::hook", "{hook}: {text}"),
            "debug" => tracing::debug!(target: "hookrt::hook", "{hook}: {text}"),
            _ => tracing::info!(target: "hookrt::hook", "{hook}: {text}"),
        }
    }

    fn handler_count(&self, hook: i32, event: &str) -> usize {
        usize::try_from(hook).map_or(0, |index| self.shared.handler_count(index, event))
    }

    fn host_call(&self, call: PortCall) -> LocalFuture<Result<Option<String>, HostFailure>> {
        let host_call = match self.host_call_of(&call) {
            Ok(host_call) => host_call,
            Err(error) => return Box::pin(std::future::ready(Err(error.into()))),
        };
        let (cancel, cancelled) = oneshot::channel();
        self.calls.borrow_mut().insert(call.id, (call.emit, cancel));
        let calls = self.calls.clone();
        let mut answer = self.in_host_code(|| self.host.call(host_call));
        let limits = self.limits.get().cloned();
        Box::pin(async move {
            let answer = poll_fn(|cx| match &limits {
                Some(limits) => limits.in_host_code(|| answer.as_mut().poll(cx)),
                None => answer.as_mut().poll(cx),
            });
            let answer = tokio::select! {
                answer = answer => answer,
                _ = cancelled => Ok(None),
            };
            calls.borrow_mut().remove(&call.id);
            Ok(answer?.map(|value| value.to_string()))
        })
    }

    fn host_call_sync(&self, call: PortCall) -> Result<Option<String>, HostFailure> {
        let call = self.host_call_of(&call)?;
        let answer = self.in_host_code(|| self.host.call_sync(call));
        if self.debugged {
            // A host that waited on a channel may have left an `unpark` behind, which a paused debugger would take for its own signal.
            std::thread::park_timeout(std::time::Duration::ZERO);
        }
        let answer = answer?;
        Ok(answer.map(|value| value.to_string()))
    }

    fn host_notify(&self, call: PortCall) -> Result<(), HostFailure> {
        let call = self.host_call_of(&call)?;
        self.in_host_code(|| self.host.notify(call));
        Ok(())
    }

    fn host_cancel(&self, id: u32) {
        // Dropping the switch ends the waiting; a call that is already over has none.
        if self.calls.borrow_mut().remove(&id).is_some() {
            self.in_host_code(|| self.host.cancel(id));
        }
    }

    fn emit_apart(
        &self,
        hook: i32,
        emit: u64,
        name: String,
        event: String,
    ) -> LocalFuture<Result<String, HostFailure>> {
        let (reply, answer) = ReplyTo::channel();
        // A request that is not sent tells by its reply, which is dropped.
        if let Some(thread) = self.thread_of(hook) {
            let only = usize::try_from(hook).ok();
            thread.ask(emit, Request::Emit { id: emit, name, event, only }, reply);
        }
        let shared = self.shared.clone();
        Box::pin(async move {
            answer.await.unwrap_or(Err(EngineGone)).map(Answer::into_text).map_err(|gone| {
                let message = shared.loss().map_or_else(|| gone.to_string(), |(_, reason)| reason.clone());
                HostFailure { message, name: None }
            })
        })
    }

    fn abort_apart(&self, hook: i32, emit: u64, reason: &str) {
        let reason = (!reason.is_empty()).then(|| reason.to_owned());
        if let Some(thread) = self.thread_of(hook) {
            thread.tell(Request::Abort { id: emit, reason });
        }
    }

    fn cancel_apart(&self, hook: i32, emit: u64) {
        if let Some(thread) = self.thread_of(hook) {
            thread.tell(Request::Cancel { id: emit });
        }
    }

    fn session_version(&self) -> Option<u64> {
        self.host.session_version()
    }

    fn session_over(&self) {
        self.programs.borrow_mut().clear();
        for thread in self.apart.threads() {
            // One that is gone has nothing running.
            thread.tell(Request::EndSession);
        }
    }

    fn exec(&self, request: ExecRequest) -> LocalFuture<Result<ExecOutput, String>> {
        let (kill, killed) = oneshot::channel();
        let id = request.id;
        self.programs.borrow_mut().insert(id, kill);
        let programs = self.programs.clone();
        Box::pin(async move {
            let output = process::run(request, killed).await;
            programs.borrow_mut().remove(&id);
            Ok(output)
        })
    }

    fn exec_kill(&self, id: u32) {
        self.programs.borrow_mut().remove(&id);
    }

    fn require_resolve(&self, specifier: &str, referrer: &str) -> Result<Option<String>, String> {
        self.loader.resolve_require(specifier, referrer)
    }

    fn require_found(&self, found: &str, referrer: &str) {
        self.loader.note_required(found, referrer);
    }
}

impl From<HostError> for HostFailure {
    fn from(error: HostError) -> Self {
        HostFailure { message: error.message, name: error.name }
    }
}
