//! What a runner's handle and its engine thread know together, readable from any thread without crossing into the isolate.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use super::port::Registration;

/// A failure that went to the error listeners (`hooks.md §4`).
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HookError {
    /// Path of the hook as given; `<engine>` when no hook owns the failure.
    pub hook_path: String,
    /// Name of the event, `unhandled` for stray failures, `command:NAME` for commands.
    pub event: String,
    /// Message of what was thrown.
    pub error: String,
    /// Mapped stack trace, when there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stack: Option<String>,
}

/// A slash command a hook registered.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RegisteredCommand {
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Path of the registering hook as given.
    pub hook_path: String,
}

/// A hook that loaded.
#[derive(Debug, Clone, Default)]
pub struct LoadedHook {
    /// Path as given to `loadHooks`.
    pub path: String,
    /// Absolute path of the module.
    pub resolved_path: String,
    /// Handlers per event, in the order of the first registration of each event.
    pub handlers: Vec<(String, usize)>,
    pub commands: Vec<(String, Option<String>)>,
    pub renderers: Vec<String>,
}

type Listener = Arc<dyn Fn(&HookError) + Send + Sync>;
type WarningListener = Arc<dyn Fn(&str) + Send + Sync>;

/// Registrations, listeners and counters of one runner.
#[derive(Default)]
pub struct Shared {
    hooks: RwLock<Vec<Option<LoadedHook>>>,
    handled: RwLock<HashMap<String, usize>>,
    listeners: Mutex<Vec<(u64, Listener)>>,
    warnings: Mutex<Option<WarningListener>>,
    next_id: AtomicU64,
}

impl Shared {
    /// A number no other emit, call or listener of this runner has.
    pub fn next_id(&self) -> u64 {
        self.next_id.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Makes room for hook `index` before its factory runs.
    pub fn begin_hook(&self, index: usize, path: &str, resolved_path: &str) {
        let mut hooks = write(&self.hooks);
        if hooks.len() <= index {
            hooks.resize(index + 1, None);
        }
        hooks[index] = Some(LoadedHook {
            path: path.to_owned(),
            resolved_path: resolved_path.to_owned(),
            ..LoadedHook::default()
        });
    }

    /// Takes hook `index` and all it registered out: it failed to load.
    pub fn drop_hook(&self, index: usize) {
        let dropped = write(&self.hooks).get_mut(index).and_then(Option::take);
        let mut handled = write(&self.handled);
        for (event, count) in dropped.into_iter().flat_map(|hook| hook.handlers) {
            if let Some(all) = handled.get_mut(&event) {
                *all -= count;
            }
        }
    }

    /// Notes a registration of hook `index`.
    pub fn register(&self, index: usize, kind: Registration, name: &str, description: Option<&str>) {
        let mut hooks = write(&self.hooks);
        let Some(hook) = hooks.get_mut(index).and_then(Option::as_mut) else { return };
        match kind {
            Registration::Handler => {
                match hook.handlers.iter_mut().find(|(event, _)| event == name) {
                    Some((_, count)) => *count += 1,
                    None => hook.handlers.push((name.to_owned(), 1)),
                }
                *write(&self.handled).entry(name.to_owned()).or_default() += 1;
            }
            Registration::Command => {
                let command = (name.to_owned(), description.map(str::to_owned));
                match hook.commands.iter_mut().find(|(known, _)| known == name) {
                    Some(known) => *known = command,
                    None => hook.commands.push(command),
                }
            }
            Registration::Renderer => {
                if !hook.renderers.iter().any(|known| known == name) {
                    hook.renderers.push(name.to_owned());
                }
            }
        }
    }

    /// Whether any hook handles `event`; handlers of the old `session` event see today's session events too (`docs/dialects.md`).
    pub fn has_handlers(&self, event: &str) -> bool {
        let handled = read(&self.handled);
        let has = |name: &str| handled.get(name).is_some_and(|count| *count > 0);
        has(event) || (event.starts_with("session_") && has("session"))
    }

    /// The hooks that loaded, in load order, with their position in the load list.
    pub fn hooks(&self) -> Vec<(usize, LoadedHook)> {
        read(&self.hooks).iter().enumerate().filter_map(|(index, hook)| Some((index, hook.clone()?))).collect()
    }

    /// Path of hook `index` as given, for messages.
    pub fn hook_path(&self, index: i32) -> String {
        let known = usize::try_from(index).ok().and_then(|index| read(&self.hooks).get(index).cloned().flatten());
        known.map_or_else(|| "<engine>".to_owned(), |hook| hook.path)
    }

    /// Adds an error listener and returns the number to remove it with.
    pub fn on_error(&self, listener: Listener) -> u64 {
        let id = self.next_id();
        lock(&self.listeners).push((id, listener));
        id
    }

    pub fn remove_listener(&self, id: u64) {
        lock(&self.listeners).retain(|(known, _)| *known != id);
    }

    /// Tells every error listener. One that panics is logged and disturbs nobody (decision 18).
    pub fn report(&self, error: &HookError) {
        let listeners: Vec<Listener> = lock(&self.listeners).iter().map(|(_, listener)| listener.clone()).collect();
        for listener in listeners {
            let told = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| listener(error)));
            if told.is_err() {
                tracing::error!(hook = %error.hook_path, "an error listener panicked");
            }
        }
    }

    /// Who hears warnings; `None` sends them to the log.
    pub fn set_warning_listener(&self, listener: Option<WarningListener>) {
        *lock(&self.warnings) = listener;
    }

    pub fn warn(&self, message: &str) {
        let listener = lock(&self.warnings).clone();
        match listener {
            Some(listener) => listener(message),
            None => tracing::warn!("{message}"),
        }
    }
}

// A poisoned lock only means that a thread panicked while it held these plain values; they are still whole.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn read<T>(lock: &RwLock<T>) -> std::sync::RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(lock: &RwLock<T>) -> std::sync::RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}
