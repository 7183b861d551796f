//! What a runner's handle and its engine thread know together, readable from any thread without crossing into the isolate.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use tokio::sync::watch;

use super::port::Registration;
use crate::host::tell;
use crate::security::PermissionSet;

/// A failure that went to the error listeners (`hooks.md §4`).
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HookError {
    /// Position of the hook in the load list; `None` when no hook owns the failure.
    #[serde(skip)]
    pub hook: Option<usize>,
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
    /// Its position in the load list.
    #[serde(skip)]
    pub hook: usize,
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
    /// It lives in the host: a factory handed over as a function.
    pub in_host: bool,
    /// What it may reach; `None` for one that lives in the host.
    pub permissions: Option<PermissionSet>,
    /// Number of the isolate it lives in.
    pub(super) isolate: usize,
    /// What it reached for and was denied: the messages, each once, the first of them.
    pub denials: Vec<String>,
}

type Listener = Arc<dyn Fn(&HookError) + Send + Sync>;
type WarningListener = Arc<dyn Fn(&str) + Send + Sync>;
type RegistrationListener = Arc<dyn Fn(&LateRegistration<'_>) + Send + Sync>;

type LostListener = Arc<dyn Fn() + Send + Sync>;

/// Faults after which a hook's tool calls are refused without running it (decision 9).
const QUARANTINE_AFTER: u32 = 3;

/// Denials that are kept of one hook.
const MAX_DENIALS: usize = 20;

/// Something a hook registered after its runner had told what is registered.
#[derive(Debug, Clone, Copy)]
pub struct LateRegistration<'a> {
    pub generation: u64,
    /// Position in the load list.
    pub hook: usize,
    pub kind: Registration,
    pub name: &'a str,
    pub description: Option<&'a str>,
}

/// Who hears of a runner's failures, and its counter: what every generation of it shares.
#[derive(Default)]
pub struct Reports {
    listeners: Mutex<Vec<(u64, Listener)>>,
    warnings: Mutex<Option<WarningListener>>,
    registrations: Mutex<Option<RegistrationListener>>,
    lost: Mutex<Option<LostListener>>,
    /// How often each hook cost a generation its memory or its thread.
    faults: Mutex<HashMap<i32, u32>>,
    next_id: AtomicU64,
}

/// What is registered in one generation of a runner, and what it reports to.
pub struct Shared {
    generation: u64,
    reports: Arc<Reports>,
    hooks: RwLock<Hooks>,
    handled: RwLock<HashMap<String, usize>>,
    retired: AtomicBool,
    lost: watch::Sender<bool>,
    /// Path of the hook that cost this generation its life, and how.
    loss: OnceLock<(String, String)>,
    /// Path of a hook with a `tool_call` handler that did not come back after a rebuild.
    missing_gate: OnceLock<String>,
    files: Mutex<BTreeSet<PathBuf>>,
}

#[derive(Default)]
struct Hooks {
    list: Vec<Option<LoadedHook>>,
    /// The host knows the list; what is registered from now on has to be told.
    announced: bool,
}

impl Shared {
    /// The first generation of a runner.
    pub fn new() -> Shared {
        Shared::of(0, Arc::default())
    }

    /// The next generation, nothing registered, with the same listeners and counter.
    pub fn next(&self) -> Shared {
        Shared::of(self.generation + 1, self.reports.clone())
    }

    fn of(generation: u64, reports: Arc<Reports>) -> Shared {
        Shared {
            generation,
            reports,
            hooks: RwLock::default(),
            handled: RwLock::default(),
            retired: AtomicBool::new(false),
            lost: watch::Sender::new(false),
            loss: OnceLock::new(),
            missing_gate: OnceLock::new(),
            files: Mutex::default(),
        }
    }

    /// Number of the generation, from 0.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The generation is over: calls of hooks to the host fail from now on.
    pub fn retire(&self) {
        self.retired.store(true, Ordering::Relaxed);
    }

    pub fn is_retired(&self) -> bool {
        self.retired.load(Ordering::Relaxed)
    }

    /// Hook `hook` cost the isolate its memory or its thread; a hook that does so often goes into quarantine.
    pub fn fault(&self, hook: i32) {
        let mut faults = lock(&self.reports.faults);
        let count = faults.entry(hook).or_default();
        *count += 1;
        let told = *count == QUARANTINE_AFTER && hook >= 0;
        drop(faults);
        if told {
            let path = self.hook_path(hook);
            self.warn(&format!(
                "{path} broke the engine {QUARANTINE_AFTER} times: its tool calls are refused until it is reloaded"
            ));
        }
    }

    /// Positions of the hooks in quarantine.
    pub fn quarantined(&self) -> Vec<i32> {
        let faults = lock(&self.reports.faults);
        faults
            .iter()
            .filter(|(hook, count)| **hook >= 0 && **count >= QUARANTINE_AFTER)
            .map(|(hook, _)| *hook)
            .collect()
    }

    /// A person reloads: every hook gets a new chance.
    pub fn forgive(&self) {
        lock(&self.reports.faults).clear();
    }

    /// This generation is not worth saving: the next one has to take over. Told once.
    pub fn lose(&self, hook: i32, reason: &str) {
        if self.lost.send_replace(true) {
            return;
        }
        self.fault(hook);
        let path = self.hook_path(hook);
        self.warn(&format!("{path}: {reason}; the hooks are loaded anew"));
        let _ = self.loss.set((path, reason.to_owned()));
        let listener = lock(&self.reports.lost).clone();
        if let Some(listener) = listener {
            listener();
        }
    }

    pub fn is_lost(&self) -> bool {
        *self.lost.borrow()
    }

    /// Path of the hook that made it lost, and the reason.
    pub fn loss(&self) -> Option<&(String, String)> {
        self.loss.get()
    }

    /// The gate at `path` stood in the generation before and is not there any more: tool calls are refused.
    pub fn miss_gate(&self, path: &str) {
        let _ = self.missing_gate.set(path.to_owned());
    }

    pub fn missing_gate(&self) -> Option<&str> {
        self.missing_gate.get().map(String::as_str)
    }

    /// Resolves when this generation is lost.
    pub async fn when_lost(&self) {
        // The sender is part of `self`: it cannot be gone.
        let _ = self.lost.subscribe().wait_for(|lost| *lost).await;
    }

    /// Who makes the next generation when one is lost.
    pub fn on_lost(&self, listener: LostListener) {
        *lock(&self.reports.lost) = Some(listener);
    }

    /// Notes a file that a hook was loaded from or imported.
    pub fn note_file(&self, path: &Path) {
        lock(&self.files).insert(path.to_path_buf());
    }

    /// The files hooks were loaded from and imported so far.
    pub fn files(&self) -> BTreeSet<PathBuf> {
        lock(&self.files).clone()
    }

    /// A number no other emit, call or listener of this runner has.
    pub fn next_id(&self) -> u64 {
        self.reports.next_id.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Makes room for hook `index`, which has registered nothing yet, before its factory runs.
    pub fn begin_hook(&self, index: usize, hook: LoadedHook) {
        let hooks = &mut write(&self.hooks).list;
        if hooks.len() <= index {
            hooks.resize(index + 1, None);
        }
        hooks[index] = Some(hook);
    }

    /// Takes hook `index` and all it registered out: it failed to load.
    pub fn drop_hook(&self, index: usize) {
        let dropped = write(&self.hooks).list.get_mut(index).and_then(Option::take);
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
        let announced = hooks.announced;
        let Some(hook) = hooks.list.get_mut(index).and_then(Option::as_mut) else { return };
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
        let in_host = hook.in_host;
        drop(hooks);
        if announced && !in_host {
            let listener = lock(&self.reports.registrations).clone();
            if let Some(listener) = listener {
                let late = LateRegistration { generation: self.generation, hook: index, kind, name, description };
                tell("the listener for registrations", || listener(&late));
            }
        }
    }

    /// Notes that hook `index` was denied something.
    pub fn note_denial(&self, index: usize, message: &str) {
        if let Some(hook) = write(&self.hooks).list.get_mut(index).and_then(Option::as_mut)
            && hook.denials.len() < MAX_DENIALS
            && !hook.denials.iter().any(|known| known == message)
        {
            hook.denials.push(message.to_owned());
        }
    }

    /// Marks hook `index` as one whose handlers, commands and renderers run in the host.
    pub fn begin_host_hook(&self, index: usize, path: &str) {
        let (path, resolved_path) = (path.to_owned(), path.to_owned());
        self.begin_hook(index, LoadedHook { path, resolved_path, in_host: true, ..LoadedHook::default() });
    }

    /// Whether hook `index` lives in the host.
    pub fn is_host_hook(&self, index: usize) -> bool {
        read(&self.hooks).list.get(index).and_then(Option::as_ref).is_some_and(|hook| hook.in_host)
    }

    /// Number of the isolate that hook `index` lives in.
    pub fn isolate_of(&self, index: usize) -> usize {
        read(&self.hooks).list.get(index).and_then(Option::as_ref).map_or(0, |hook| hook.isolate)
    }

    /// Handlers that hook `index` has for `event` at this moment.
    pub fn handler_count(&self, index: usize, event: &str) -> usize {
        let hooks = read(&self.hooks);
        let hook = hooks.list.get(index).and_then(Option::as_ref);
        hook.and_then(|hook| hook.handlers.iter().find(|(name, _)| name == event)).map_or(0, |(_, count)| *count)
    }

    /// [`Shared::hooks`] for whoever wants to be told what is registered after that (see [`Shared::on_registration`]).
    pub fn announce(&self) -> Vec<(usize, LoadedHook)> {
        let mut hooks = write(&self.hooks);
        hooks.announced = true;
        hooks.listed()
    }

    /// Who hears of registrations after [`Shared::announce`].
    pub fn on_registration(&self, listener: RegistrationListener) {
        *lock(&self.reports.registrations) = Some(listener);
    }

    /// Whether any hook handles `event`; handlers of the old `session` event see today's session events too (`docs/dialects.md`).
    pub fn has_handlers(&self, event: &str) -> bool {
        let handled = read(&self.handled);
        let has = |name: &str| handled.get(name).is_some_and(|count| *count > 0);
        has(event)
            || (event == "tool_call" && self.missing_gate().is_some())
            || (event.starts_with("session_") && has("session"))
            || (event == "session_before_branch" && has("branch"))
    }

    /// The hooks that loaded, in load order, with their position in the load list.
    pub fn hooks(&self) -> Vec<(usize, LoadedHook)> {
        read(&self.hooks).listed()
    }

    /// Path of hook `index` as given, for messages.
    pub fn hook_path(&self, index: i32) -> String {
        let known = usize::try_from(index).ok().and_then(|index| read(&self.hooks).list.get(index).cloned().flatten());
        known.map_or_else(|| "<engine>".to_owned(), |hook| hook.path)
    }

    /// Adds an error listener and returns the number to remove it with.
    pub fn on_error(&self, listener: Listener) -> u64 {
        let id = self.next_id();
        lock(&self.reports.listeners).push((id, listener));
        id
    }

    pub fn remove_listener(&self, id: u64) {
        lock(&self.reports.listeners).retain(|(known, _)| *known != id);
    }

    /// Tells every error listener. One that panics is logged and disturbs nobody (decision 18).
    pub fn report(&self, error: &HookError) {
        let listeners: Vec<Listener> =
            lock(&self.reports.listeners).iter().map(|(_, listener)| listener.clone()).collect();
        for listener in listeners {
            tell("an error listener", || listener(error));
        }
    }

    /// Who hears warnings; `None` sends them to the log.
    pub fn set_warning_listener(&self, listener: Option<WarningListener>) {
        *lock(&self.reports.warnings) = listener;
    }

    pub fn warn(&self, message: &str) {
        let listener = lock(&self.reports.warnings).clone();
        match listener {
            Some(listener) => tell("the listener for warnings", || listener(message)),
            None => tracing::warn!("{message}"),
        }
    }
}

impl Hooks {
    fn listed(&self) -> Vec<(usize, LoadedHook)> {
        self.list.iter().enumerate().filter_map(|(index, hook)| Some((index, hook.clone()?))).collect()
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
