//! What one host may ask of the engine: every method, and the state of the connection they share.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::{RawValue, to_raw_value};
use tokio::runtime::Handle;
use tokio::sync::Notify;

use super::fault;
use super::handshake::{self, InitializeParams};
use super::message::{Code, Notification, Request, RpcError, read_params};
use super::methods::{commands, components, emits, lifecycle, loading, runners, state, status_line, tools};
use super::peer::{Handler, Peer, Reply};
use super::served_runner::ServedRunner;
use crate::engine::Inspector;
use crate::security::PermissionSet;

/// What the host said of itself.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    pub cwd: PathBuf,
    pub package_roots: Vec<PathBuf>,
}

/// What runners are like that say nothing of it.
#[derive(Clone, Default)]
pub struct Defaults {
    /// Reload on edits.
    pub watch: bool,
    /// Where debuggers attach.
    pub inspector: Option<Inspector>,
    /// What hooks may reach; a host can only narrow it.
    pub permissions: PermissionSet,
}

/// One connection; clones share it.
#[derive(Clone)]
pub struct Connection(Arc<Inner>);

struct Inner {
    peer: Peer,
    runtime: Handle,
    defaults: Defaults,
    settings: Mutex<Option<Settings>>,
    runners: Mutex<HashMap<String, Arc<ServedRunner>>>,
    closing: AtomicBool,
    ended: Notify,
}

impl Connection {
    pub fn new(peer: Peer, runtime: Handle, defaults: Defaults) -> Connection {
        Connection(Arc::new(Inner {
            peer,
            runtime,
            defaults,
            settings: Mutex::default(),
            runners: Mutex::default(),
            closing: AtomicBool::new(false),
            ended: Notify::new(),
        }))
    }

    pub fn peer(&self) -> &Peer {
        &self.0.peer
    }

    pub fn runtime(&self) -> &Handle {
        &self.0.runtime
    }

    pub fn defaults(&self) -> &Defaults {
        &self.0.defaults
    }

    /// What `initialize` said; the engine's own directory before it.
    pub fn settings(&self) -> Settings {
        lock(&self.0.settings).clone().unwrap_or_default()
    }

    /// Waits for `shutdown`.
    pub async fn ended(&self) {
        self.0.ended.notified().await;
    }

    /// Disposes every runner; requests fail from now on.
    pub fn close(&self) {
        self.0.closing.store(true, Ordering::Relaxed);
        let runners: Vec<_> = lock(&self.0.runners).drain().collect();
        for (_, runner) in runners {
            runner.dispose();
        }
    }

    /// Adds a runner.
    ///
    /// # Errors
    /// [`Code::RUNNER_EXISTS`].
    pub fn add(&self, runner: ServedRunner) -> Result<(), RpcError> {
        let mut runners = lock(&self.0.runners);
        if runners.contains_key(&runner.name) {
            let message = format!("there is a runner {:?} already", runner.name);
            return Err(RpcError::new(Code::RUNNER_EXISTS, message));
        }
        runners.insert(runner.name.clone(), Arc::new(runner));
        Ok(())
    }

    /// A runner by its name.
    ///
    /// # Errors
    /// [`Code::UNKNOWN_RUNNER`].
    pub fn runner(&self, name: &str) -> Result<Arc<ServedRunner>, RpcError> {
        lock(&self.0.runners).get(name).cloned().ok_or_else(|| unknown_runner(name))
    }

    /// Takes a runner out.
    ///
    /// # Errors
    /// [`Code::UNKNOWN_RUNNER`].
    pub fn remove(&self, name: &str) -> Result<Arc<ServedRunner>, RpcError> {
        lock(&self.0.runners).remove(name).ok_or_else(|| unknown_runner(name))
    }

    /// Answers with `work`'s outcome, from a task of its own.
    pub fn answer_later<T: Serialize>(
        &self,
        reply: Reply,
        work: impl Future<Output = Result<T, RpcError>> + Send + 'static,
    ) {
        let connection = self.clone();
        self.0.runtime.spawn(async move {
            let outcome = work.await;
            connection.answer(reply, outcome);
        });
    }

    /// Answers now, or as soon as there is room.
    pub fn answer<T: Serialize>(&self, reply: Reply, outcome: Result<T, RpcError>) {
        let outcome = outcome.and_then(|result| {
            to_raw_value(&result).map_err(|error| RpcError::new(Code::INTERNAL, format!("unwritable result: {error}")))
        });
        reply.send_soon(outcome.as_deref(), &self.0.runtime);
    }

    /// Answers with params read from the request, or says what is wrong with them.
    fn with<P: DeserializeOwned>(
        &self,
        params: Option<&RawValue>,
        reply: Reply,
        method: impl FnOnce(&Connection, P, Reply),
    ) {
        match read_params(params) {
            Ok(params) => method(self, params, reply),
            Err(error) => self.answer(reply, Err::<(), _>(error)),
        }
    }

    fn initialize(&self, params: InitializeParams, reply: Reply) {
        let mut settings = lock(&self.0.settings);
        if settings.is_some() {
            return self.answer(reply, Err::<(), _>(fault::wrong_time("initialize was called before")));
        }
        let outcome = handshake::answer(&params);
        if outcome.is_ok() {
            tracing::debug!(client = ?params.client, capabilities = ?params.capabilities, "a host connected");
            let cwd = params.cwd.or_else(|| std::env::current_dir().ok()).unwrap_or_else(|| PathBuf::from("/"));
            *settings = Some(Settings { cwd, package_roots: params.package_roots });
        }
        drop(settings);
        self.answer(reply, outcome);
    }

    fn shutdown(&self, reply: Reply) {
        self.close();
        self.answer(reply, Ok(serde_json::json!({})));
        self.0.ended.notify_one();
    }
}

fn unknown_runner(name: &str) -> RpcError {
    RpcError::new(Code::UNKNOWN_RUNNER, format!("there is no runner {name:?}"))
}

impl Handler for Connection {
    fn request(&self, request: Request, reply: Reply) {
        let refuse =
            |reply: Reply, code, message: String| self.answer(reply, Err::<(), _>(RpcError::new(code, message)));
        let params = request.params.as_deref();
        if request.method == "initialize" {
            return match read_params(params) {
                Ok(params) => self.initialize(params, reply),
                Err(error) => self.answer(reply, Err::<(), _>(error)),
            };
        }
        if lock(&self.0.settings).is_none() {
            return refuse(reply, Code::NOT_INITIALIZED, format!("{} before initialize", request.method));
        }
        if self.0.closing.load(Ordering::Relaxed) {
            return refuse(reply, Code::SHUTTING_DOWN, "the engine is shutting down".to_owned());
        }
        match request.method.as_str() {
            "hooks.emit" => emits::emit(self, params, reply),
            "tool.begin" => tools::begin(self, params, reply),
            "tool.result" => tools::result(self, params, reply),
            "runner.create" => self.with(params, reply, runners::create),
            "runner.initialize" => self.with(params, reply, runners::initialize),
            "runner.dispose" => self.with(params, reply, runners::dispose),
            "hooks.load" => self.with(params, reply, loading::load),
            "hooks.discover" => self.with(params, reply, loading::discover),
            "hooks.discoverAndLoad" => self.with(params, reply, loading::discover_and_load),
            "hooks.reload" => self.with(params, reply, loading::reload),
            "commands.list" => self.with(params, reply, commands::list),
            "commands.run" => self.with(params, reply, commands::run),
            "renderers.render" => self.with(params, reply, components::render_message),
            "component.render" => self.with(params, reply, components::render),
            "statusLine.render" => self.with(params, reply, status_line::render),
            "lifecycle.dispatch" => self.with(params, reply, lifecycle::dispatch),
            "shutdown" => self.shutdown(reply),
            method => refuse(reply, Code::UNKNOWN_METHOD, format!("unknown method {method}")),
        }
    }

    fn notification(&self, notification: Notification) {
        if lock(&self.0.settings).is_none() {
            return;
        }
        let params = notification.params.as_deref();
        let outcome = match notification.method.as_str() {
            "mirror.snapshot" => state::snapshot(self, params),
            "mirror.append" => state::append(self, params),
            "mirror.set" => state::set(self, params),
            "signal.abort" => emits::abort(self, params),
            "emit.cancel" => emits::cancel(self, params),
            "component.input" => components::input(self, params),
            "component.invalidate" => components::invalidate(self, params),
            "host.register" => loading::register(self, params),
            "statusLine.set" => status_line::set(self, params),
            "lifecycle.dispatch" => lifecycle::observe(self, params),
            "shutdown" => {
                self.close();
                self.0.ended.notify_one();
                Ok(())
            }
            method => {
                tracing::debug!("unknown notification {method}");
                Ok(())
            }
        };
        // There is no answer to put it in.
        if let Err(error) = outcome {
            tracing::warn!("{}: {}", notification.method, error.message);
        }
    }
}

// A poisoned lock only means that a thread panicked while it held these plain values; they are still whole.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
