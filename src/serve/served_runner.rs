//! One runner of a connection: its hooks once they are loaded, its host, its open requests.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde_json::{Value, json};
use tokio::sync::watch;

use super::engine_messages::{ErrorParams, RegisteredParams, WarningParams};
use super::fault;
use super::message::RpcError;
use super::mirror::State;
use super::remote_host::RemoteHost;
use crate::runner::{HookRunner, RunnerOptions};

/// A runner by the name its host gave it.
pub struct ServedRunner {
    pub name: String,
    pub host: Arc<RemoteHost>,
    /// What its hooks are loaded with.
    pub options: RunnerOptions,
    /// Reload on edits.
    pub watch: bool,
    runner: OnceLock<HookRunner>,
    load_began: AtomicBool,
    /// `runner.initialize` came, maybe before the hooks were loaded.
    initialized: AtomicBool,
    disposed: watch::Sender<bool>,
    screen: Mutex<Value>,
    watcher: Mutex<Option<notify::RecommendedWatcher>>,
}

impl ServedRunner {
    pub fn new(name: String, host: Arc<RemoteHost>, options: RunnerOptions, watch: bool) -> ServedRunner {
        ServedRunner {
            name,
            host,
            options,
            watch,
            runner: OnceLock::new(),
            load_began: AtomicBool::new(false),
            initialized: AtomicBool::new(false),
            disposed: watch::Sender::new(false),
            screen: Mutex::new(json!({})),
            watcher: Mutex::default(),
        }
    }

    /// Directory its relative paths count from.
    pub fn cwd(&self) -> &PathBuf {
        &self.options.cwd
    }

    /// Notes that loading begins.
    ///
    /// # Errors
    /// When it did before.
    pub fn begin_load(&self) -> Result<(), RpcError> {
        if self.load_began.swap(true, Ordering::Relaxed) {
            return Err(fault::wrong_time(format!("the hooks of runner {:?} were loaded before", self.name)));
        }
        Ok(())
    }

    /// Takes the runner over the loaded hooks and tells its host of what happens there.
    pub fn loaded(&self, runner: HookRunner) -> &HookRunner {
        let (host, name) = (self.host.clone(), self.name.clone());
        runner.on_error(move |error| host.tell("hooks.error", &ErrorParams::new(&name, error)));
        let (host, name) = (self.host.clone(), self.name.clone());
        runner.on_warning(move |message| host.tell("hooks.warning", &WarningParams { runner: &name, message }));
        let (host, name) = (self.host.clone(), self.name.clone());
        runner.on_registration(move |late| host.tell("hooks.registered", &RegisteredParams::new(&name, late)));
        let runner = self.runner.get_or_init(|| runner);
        for doubt in runner.doubts() {
            self.host.tell("hooks.warning", &WarningParams { runner: &self.name, message: &doubt });
        }
        if self.initialized.load(Ordering::Relaxed) {
            runner.initialize();
        }
        self.show_screen();
        if self.is_disposed() {
            runner.shutdown();
        }
        runner
    }

    /// The runner over the loaded hooks.
    ///
    /// # Errors
    /// While there is none.
    pub fn get(&self) -> Result<&HookRunner, RpcError> {
        self.runner.get().ok_or_else(|| {
            let began = self.load_began.load(Ordering::Relaxed);
            let what = if began { "still load" } else { "were not loaded" };
            fault::wrong_time(format!("the hooks of runner {:?} {what}", self.name))
        })
    }

    /// The host is ready for messages, entries and dialogs.
    pub fn initialize(&self, has_ui: bool, state: Option<&State>) {
        self.host.set_has_ui(has_ui);
        if let Some(state) = state {
            self.set_state(state);
        }
        self.initialized.store(true, Ordering::Relaxed);
        if let Some(runner) = self.runner.get() {
            runner.initialize();
        }
    }

    /// Takes over pushed state.
    pub fn set_state(&self, state: &State) {
        self.host.set_state(state);
        let mut screen = self.screen.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(terminal) = state.terminal {
            screen["terminal"] = json!(terminal);
        }
        if let Some(theme) = &state.theme {
            screen["theme"] = theme_options(theme);
        }
        drop(screen);
        if state.terminal.is_some() || state.theme.is_some() {
            self.show_screen();
        }
    }

    fn show_screen(&self) {
        let screen = self.screen.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(runner) = self.runner.get().filter(|_| screen.as_object().is_some_and(|fields| !fields.is_empty()))
        {
            runner.reconfigure(screen);
        }
    }

    /// Keeps the watcher of its files; the one before ends.
    pub fn keep_watcher(&self, watcher: Option<notify::RecommendedWatcher>) {
        *self.watcher.lock().unwrap_or_else(PoisonError::into_inner) = watcher;
    }

    /// Ends it: open emits fail, programs of its hooks are killed.
    pub fn dispose(&self) {
        self.disposed.send_replace(true);
        self.keep_watcher(None);
        if let Some(runner) = self.runner.get() {
            runner.shutdown();
        }
    }

    pub fn is_disposed(&self) -> bool {
        *self.disposed.borrow()
    }

    /// Resolves when it is disposed of.
    pub async fn when_disposed(&self) {
        // The sender is here, so this ends with a value only.
        let _ = self.disposed.subscribe().wait_for(|disposed| *disposed).await;
    }
}

/// A theme of the host as `RunnerOptions::theme` has it.
fn theme_options(theme: &Value) -> Value {
    match theme {
        Value::String(mode) => json!({ "mode": mode }),
        other => other.clone(),
    }
}
