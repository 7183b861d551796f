//! One isolate with its loaded hooks, on a thread of its own. Requests come over a channel; the thread drives the JavaScript event loop
//! while it waits for the next one, so timers, watchers and open emits go on.

use std::future::poll_fn;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use deno_core::stats::RuntimeActivityStatsFilter;
use deno_core::{JsRuntime, PollEventLoopOptions};
use tokio::sync::mpsc;

use super::apart::Apart;
use super::builtins::Builtins;
use super::children;
use super::entry::{self, Arg, Entry};
use super::hook_port::HookPort;
use super::inspect::Inspector;
use super::limits::{Budget, Limits, NOBODY, Owner};
use super::linger::Linger;
use super::memory;
use super::modules::Loader;
use super::permissions::{CodeAccess, container};
use super::port::NO_HOOK;
use super::recovery::Recovery;
use super::request::{GenerationOptions, Request};
use super::runtime::{EntryPoints, StartOptions, start};
use super::shared::Shared;
use super::suspicion::Suspicion;
use super::waiting::{Thread, Waiting};
use super::{stack, uncaught};

/// Starts the thread of isolate `number` and waits until it stands. Emits for hooks of other isolates go `apart`.
pub fn spawn(options: GenerationOptions, number: usize, apart: Apart) -> Result<Thread, String> {
    super::platform::init_platform();
    let (requests, receiver) = mpsc::unbounded_channel();
    let waiting = Waiting::default();
    let place = (number, apart, waiting.clone());
    let (started, ready) = std::sync::mpsc::channel();
    std::thread::Builder::new()
        .name("hookrt-engine".to_owned())
        // Deeply nested values and deep recursion of hooks are turned back long before this ends.
        .stack_size(16 * 1024 * 1024)
        .spawn(move || {
            let running = children::EngineThread::begin();
            run_thread(options, place, receiver, &started, running.number());
        })
        .map_err(|error| format!("cannot start the engine's thread: {error}"))?;
    match ready.recv() {
        Ok(Ok(system_id)) => Ok(Thread { requests, waiting, system_id }),
        Ok(Err(message)) => Err(message),
        Err(_) => Err("the engine's thread ended while it started".to_owned()),
    }
}

fn run_thread(
    options: GenerationOptions,
    place: (usize, Apart, Waiting),
    mut receiver: mpsc::UnboundedReceiver<Request>,
    started: &std::sync::mpsc::Sender<Result<i32, String>>,
    system_id: i32,
) {
    let runtime =
        match tokio::runtime::Builder::new_current_thread().enable_all().start_paused(options.paused_clock).build() {
            Ok(runtime) => runtime,
            Err(error) => {
                let _ = started.send(Err(format!("cannot start the engine's event loop: {error}")));
                return;
            }
        };
    let local = tokio::task::LocalSet::new();
    local.block_on(&runtime, async move {
        match Generation::start(options, place) {
            Ok(mut generation) => {
                let _ = started.send(Ok(system_id));
                generation.run(&mut receiver).await;
                // What hooks left running ends with them: reload and dispose tell no hook of it.
                // Who waits for an answer is told before that: a dialog that is closed must not read as a handler's consent.
                drop(generation.port.waiting().close());
                generation.invoke(Entry::Dispose, []);
                // The channel closes last: who waits for that finds everything disposed.
                drop(generation);
                drop(receiver);
            }
            Err(message) => {
                let _ = started.send(Err(message));
            }
        }
    });
}

pub(super) struct Generation {
    pub(super) js: JsRuntime,
    pub(super) entry: EntryPoints,
    pub(super) port: Rc<HookPort>,
    pub(super) loader: Rc<Loader>,
    pub(super) shared: Arc<Shared>,
    pub(super) cwd: String,
    pub(super) load_timeout: Duration,
    pub(super) limits: Arc<Limits>,
    pub(super) heap_limit: usize,
    pub(super) budget: Budget,
    /// Who is charged for JavaScript that no handler owns: the hook that loads.
    pub(super) default_owner: Owner,
    pub(super) suspicion: Suspicion,
    /// The emits that wait now have been looked at since the event loop has nothing left.
    pub(super) stall_told: bool,
    pub(super) recovery: Recovery,
    /// Since when somebody waits, and only what keeps nothing alive is left.
    unreferenced_since: Option<Instant>,
    /// Why the module that is being evaluated was stopped.
    pub(super) load_stopped: Option<String>,
    /// Where debuggers attach, until they can.
    pub(super) inspector: Option<Inspector>,
    /// What the event loop said last of an imported module that nothing can finish; it says so in every turn.
    hopeless_import: Option<String>,
}

impl Generation {
    fn start(
        options: GenerationOptions,
        (number, apart, waiting): (usize, Apart, Waiting),
    ) -> Result<Generation, String> {
        let isolate = options.isolates.get(number).ok_or("there is no such isolate")?;
        let cwd = options.cwd.to_string_lossy().into_owned();
        let inspect = options.inspector.is_some();
        let permissions = container(&isolate.permissions).map_err(|error| format!("permissions: {error}"))?;
        let access = CodeAccess::new(&isolate.permissions, permissions.clone())
            .map_err(|error| format!("permissions: {error}"))?;
        let loader = Rc::new(Loader::new(options.loader, options.shared.clone(), access, inspect));
        let shared = options.shared.clone();
        let others = (apart, waiting.clone());
        let port = Rc::new(HookPort::new(shared, options.host.clone(), loader.clone(), others, inspect));
        let mut config = options.config;
        config.insert("generation".to_owned(), options.shared.generation().into());
        config.insert("isolate".to_owned(), serde_json::json!({ "number": number, "of": options.isolates.len() }));
        if let Some(clause) = &isolate.confined_by {
            config.insert("confinedBy".to_owned(), clause.clone().into());
        }
        config.insert("quarantined".to_owned(), options.shared.quarantined().into());
        config.insert("cwd".to_owned(), cwd.clone().into());
        config.insert("hasUI".to_owned(), options.host.has_ui().into());
        config.insert("hasHost".to_owned(), options.host.is_present().into());
        config.insert("node".to_owned(), serde_json::json!({ "argv0": "hookrt", "args": [] }));
        let (mut js, entry) = start(StartOptions {
            port: port.clone(),
            loader: loader.clone(),
            config: serde_json::Value::Object(config).to_string(),
            heap_limit: options.heap_limit,
            env: options.env,
            inspect,
            permissions,
        })?;
        let limits = {
            let shared = options.shared.clone();
            Limits::new(&mut js, options.budget, move |owner| {
                shared.lose(owner.hook, "native code ignored its termination; its thread was given up");
                // Refuses every open tool call, those included that the thread has not seen yet.
                drop(waiting.close());
            })
        };
        stack::begin(js.v8_isolate());
        loader.set_builtins(Builtins { load: entry.load_builtin.clone(), limits: limits.clone() });
        memory::guard(&mut js, &limits);
        port.set_limits(limits.clone());
        uncaught::listen(&mut js, port.clone());
        Ok(Generation {
            js,
            entry,
            port,
            loader,
            shared: options.shared,
            cwd,
            load_timeout: options.load_timeout,
            limits,
            heap_limit: options.heap_limit,
            budget: options.budget,
            default_owner: NOBODY,
            suspicion: Suspicion::default(),
            stall_told: false,
            load_stopped: None,
            recovery: Recovery::None,
            unreferenced_since: None,
            inspector: options.inspector,
            hopeless_import: None,
        })
    }

    async fn run(&mut self, requests: &mut mpsc::UnboundedReceiver<Request>) {
        let mut linger = Linger::default();
        loop {
            let wake = poll_fn(|cx| {
                // The channel's waker is asked for only before the thread sleeps: whoever sends while it is awake pays for no wake-up.
                if let Ok(request) = requests.try_recv() {
                    return Poll::Ready(Wake::Request(Some(request)));
                }
                let idle = self.turn(cx);
                if let Ok(request) = requests.try_recv() {
                    return Poll::Ready(Wake::Request(Some(request)));
                }
                let waits = idle && !self.port.waiting().is_empty();
                let stalled = waits && (self.stall_told || !self.may_yet_settle());
                if !waits {
                    self.unreferenced_since = None;
                }
                if stalled && !std::mem::replace(&mut self.stall_told, true) {
                    return Poll::Ready(Wake::Stalled);
                }
                self.stall_told &= stalled;
                if self.suspicion.poll(cx, !self.port.waiting().is_empty()).is_ready() {
                    return Poll::Ready(Wake::Suspicion);
                }
                if let Some(request) = linger.next(requests) {
                    return Poll::Ready(Wake::Request(Some(request)));
                }
                requests.poll_recv(cx).map(Wake::Request)
            })
            .await;
            if self.recovery == Recovery::Failed {
                return; // the isolate is lost, and whoever waited has been told
            }
            let request = match wake {
                Wake::Request(request) => {
                    self.stall_told = false;
                    request
                }
                Wake::Stalled => {
                    self.invoke(Entry::Stalled, []);
                    continue;
                }
                Wake::Suspicion => {
                    self.collect_and_check();
                    continue;
                }
            };
            match request {
                None | Some(Request::Shutdown) => return,
                Some(Request::EndSession) => self.invoke(Entry::Dispose, []),
                Some(Request::Load { entry, reply }) => {
                    let outcome = self.load(&entry).await;
                    if self.limits.is_abandoned() {
                        return; // the next generation has taken over
                    }
                    if outcome.is_err() {
                        self.shared.drop_hook(entry.index);
                    }
                    let _ = reply.send(outcome);
                }
                Some(Request::AddForeignHook { index, path, in_host }) => {
                    let place = [Arg::Id(index as u64), Arg::Text(&path), Arg::Flag(in_host)];
                    self.invoke(Entry::AddForeignHook, place);
                }
                Some(Request::GoLive) => {
                    let has_ui = self.port.has_ui();
                    self.invoke(Entry::GoLive, [Arg::Flag(has_ui)]);
                }
                Some(Request::Turn { reply }) => {
                    poll_fn(|cx| Poll::Ready(self.turn(cx))).await;
                    let _ = reply.send(()); // who asked may have left
                }
                Some(Request::Reconfigure { settings }) => self.invoke(Entry::Reconfigure, [Arg::Text(&settings)]),
                Some(Request::Emit { id, name, event, only }) => {
                    // What is stopped before a handler runs – the event is read – ends this emit.
                    self.default_owner = Owner { hook: NO_HOOK, emit: id };
                    let args = [Arg::Id(id), Arg::Text(&name), Arg::Payload(event)];
                    match (only, args) {
                        (Some(hook), [id, name, event]) => {
                            self.invoke(Entry::Emit, [id, name, event, Arg::Id(hook as u64)])
                        }
                        (None, args) => self.invoke(Entry::Emit, args),
                    }
                    self.default_owner = NOBODY;
                    self.settle(id);
                    linger.begin();
                }
                Some(Request::Call { id, kind, params }) => {
                    self.invoke(Entry::Call, [Arg::Id(id), Arg::Text(kind), Arg::Payload(params)]);
                    self.settle(id);
                }
                Some(Request::Abort { id, reason }) => match reason {
                    Some(reason) => self.invoke(Entry::Abort, [Arg::Id(id), Arg::Text(&reason)]),
                    None => self.invoke(Entry::Abort, [Arg::Id(id)]),
                },
                Some(Request::Cancel { id }) => {
                    self.invoke(Entry::Cancel, [Arg::Id(id)]);
                    self.settle(id);
                    self.port.cancel_emit(id);
                }
            }
        }
    }

    /// What keeps nothing alive (`unref`) still ends, and may settle what waits; but not for ever is that believed.
    fn may_yet_settle(&mut self) -> bool {
        if !self.has_unreferenced() {
            self.unreferenced_since = None;
            return false;
        }
        self.unreferenced_since.get_or_insert_with(Instant::now).elapsed() < UNREFERENCED
    }

    fn has_unreferenced(&self) -> bool {
        let what = RuntimeActivityStatsFilter::default().with_timers().with_ops();
        !self.js.runtime_activity_stats_factory().capture(&what).dump().active.is_empty()
    }

    /// An interval or a watcher keeps the event loop going although nothing can settle what an emit waits for: then its promise is garbage.
    fn collect_and_check(&mut self) {
        let _ = self.in_js(|js| js.v8_isolate().low_memory_notification());
        self.invoke(Entry::Orphaned, []);
    }

    /// One turn of the event loop. Failures nobody caught have been reported by `js/99_main.js`; what still arrives here is the engine's own.
    pub(super) fn turn(&mut self, cx: &mut Context<'_>) -> bool {
        let mut told: Option<String> = None;
        for _ in 0..64 {
            match self.in_js(|js| js.poll_event_loop(cx, PollEventLoopOptions::default())) {
                Err(Interrupted) => {}
                Ok(Poll::Ready(Ok(()))) => return true,
                Ok(Poll::Pending) => return false,
                Ok(Poll::Ready(Err(error))) => {
                    let message = error.to_string();
                    // Said again at once: nothing is left but a module whose evaluation nothing can end.
                    if told.as_ref() == Some(&message) {
                        return true;
                    }
                    if self.hopeless_import.as_ref() != Some(&message) {
                        self.port.stray_error(&message);
                    }
                    self.hopeless_import = Some(message.clone());
                    told = Some(message);
                }
            }
        }
        cx.waker().wake_by_ref();
        false
    }

    /// Runs JavaScript under the limits. When a handler was stopped meanwhile, what `run` gave counts for nothing: the handler's failure has
    /// been dealt with, and whatever else was under way goes on in the next turn.
    pub(super) fn in_js<T>(&mut self, run: impl FnOnce(&mut JsRuntime) -> T) -> Result<T, Interrupted> {
        self.in_js_as(self.default_owner, run)
    }

    /// [`Generation::in_js`] with `owner` charged for what no handler is known to run.
    fn in_js_as<T>(&mut self, owner: Owner, run: impl FnOnce(&mut JsRuntime) -> T) -> Result<T, Interrupted> {
        self.limits.enter(owner);
        let outcome = run(&mut self.js);
        match self.limits.leave() {
            None => Ok(outcome),
            Some(stopped) => {
                self.recover(stopped);
                Err(Interrupted)
            }
        }
    }

    /// Runs what a call left in the microtask queue, so that handlers that never wait are answered at once.
    fn settle(&mut self, id: u64) {
        if self.port.waiting().has(id) {
            let owner = self.limits.open_handler(id).unwrap_or(self.default_owner);
            let _ = self.in_js_as(owner, |js| {
                deno_core::scope!(scope, js);
                scope.perform_microtask_checkpoint();
            });
        }
    }

    pub(super) fn invoke<const N: usize>(&mut self, entry: Entry, args: [Arg<'_>; N]) {
        let function = entry.of(&self.entry).clone();
        let failure = self.in_js(|js| entry::call(js, &function, args));
        if let Ok(Some(message)) = failure {
            self.port.stray_error(&message);
        }
    }
}

/// Why the thread has something to do.
enum Wake {
    Request(Option<Request>),
    /// The event loop has nothing left, and somebody still waits.
    Stalled,
    /// Somebody has waited for long.
    Suspicion,
}

/// How long what waits is left alone while only timers and the like are there that keep nothing alive.
const UNREFERENCED: Duration = Duration::from_secs(30);

/// Code that ran was stopped by a limit.
pub(super) struct Interrupted;

impl Drop for Generation {
    fn drop(&mut self) {
        super::running::release_context();
        stack::end();
        uncaught::release();
    }
}
