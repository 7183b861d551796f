//! What keeps one handler from taking the isolate for itself: a budget of CPU time, charged to whoever runs, and a heap limit.
//!
//! A watchdog thread asks every running isolate for an interrupt each [`TICK`]; the interrupt, on the isolate's own thread, reads from the
//! async context which handler runs and charges it. A handler over its budget is terminated; native code that serves no interrupts is
//! terminated from outside, and when it ignores that, too, its thread is given up (`on_abandon`). Code that holds the thread without running –
//! `Atomics.wait`, a read of a pipe nobody writes to – uses no CPU time; it has a limit of its own.

use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use deno_core::{JsRuntime, v8};

use super::cpu_clock::CpuClock;
use super::port::NO_HOOK;
use super::running::ScriptPlace;
use super::{running, stack, watchdog};

/// How often running isolates are looked at.
pub const TICK: Duration = Duration::from_millis(10);
/// How long code may ignore its termination before its thread is given up.
const IGNORED: Duration = Duration::from_secs(1);
/// How long a part that is not torn may take to its end; the largest takes a tenth of a second, on a busy machine more.
const WHOLE: Duration = Duration::from_secs(5);
/// A thread that has had less than one part in so many of the time is blocked; on a busy machine it gets more, and looking at it costs less.
const BLOCKED_SHARE: u32 = 50;

/// What one handler, factory or module may take.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    /// Of CPU time.
    pub cpu: Duration,
    /// Of time in which it holds the thread without running.
    pub blocked: Duration,
}

/// Who runs: a hook (−1 for the engine) in an emit (0 outside of one).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Owner {
    pub hook: i32,
    pub emit: u64,
}

/// Owner of what the engine itself does.
pub const NOBODY: Owner = Owner { hook: NO_HOOK, emit: 0 };

/// Why a handler was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// It used up its CPU budget.
    Cpu,
    /// It held the thread for too long without running.
    Blocked,
    /// The heap limit was reached while it ran.
    Memory,
}

/// A handler that was stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stopped {
    pub owner: Owner,
    pub cause: Cause,
    /// Where it was, when it was JavaScript of a file that ran.
    pub place: Option<ScriptPlace>,
}

/// Limits of one isolate, shared with the watchdog.
pub struct Limits {
    isolate: v8::IsolateHandle,
    clock: CpuClock,
    budget: Budget,
    state: Mutex<State>,
    /// Called once, on the watchdog's thread, when the isolate's thread is given up.
    on_abandon: Box<dyn Fn(Owner) + Send + Sync>,
    /// Itself, for the interrupt, which outlives any borrow.
    this: Weak<Limits>,
}

#[derive(Default)]
struct State {
    /// Whether JavaScript runs, and who when nobody else is named.
    running: Option<Owner>,
    /// Whose module is being loaded.
    loads: Option<Owner>,
    /// Number of the stay in JavaScript.
    stay: u64,
    /// Stay and CPU time at which the last charge ended.
    charged: Option<(u64, Duration)>,
    charges: HashMap<Owner, Duration>,
    /// CPU and wall time at which an interrupt was asked for that has not come yet.
    asked: Option<(Duration, Instant)>,
    /// CPU and wall time since which the thread has hardly run.
    quiet_since: Option<(Duration, Instant)>,
    /// The thread waits for the host's part of a call – a child process – whose time has a limit of its own.
    in_host: bool,
    /// Code of the host runs on the thread: its CPU time is nobody's, but it must not hold the thread for ever.
    in_host_code: bool,
    /// CPU time at which the clock was stopped for one of the two.
    paused: Option<Duration>,
    /// Whom the last interrupt of this stay found running.
    last_owner: Option<Owner>,
    /// The handlers that have begun and are not over: emit to hook.
    open: HashMap<u64, i32>,
    stopped: Option<Stopped>,
    /// When the termination was ordered.
    terminated: Option<Instant>,
    /// Parts under way that are not to be torn; see [`Limits::whole`].
    whole: u32,
    abandoned: bool,
}

impl State {
    /// Who runs, as far as that is known from outside: native code tells nobody, but where one handler alone is open it is that one.
    fn suspect(&self) -> Option<Owner> {
        let mut open = self.open.iter().map(|(emit, hook)| Owner { hook: *hook, emit: *emit });
        let alone = open.next().filter(|_| open.next().is_none());
        self.last_owner.or(self.running.filter(|owner| owner.hook >= 0)).or(alone).or(self.running)
    }
}

impl Limits {
    /// Limits for the isolate that lives on the calling thread.
    pub fn new(js: &mut JsRuntime, budget: Budget, on_abandon: impl Fn(Owner) + Send + Sync + 'static) -> Arc<Limits> {
        let isolate = js.v8_isolate().thread_safe_handle();
        running::set_context(js.main_context());
        let clock = CpuClock::of_this_thread();
        let limits = Arc::new_cyclic(|this| Limits {
            isolate,
            clock,
            budget,
            state: Mutex::default(),
            on_abandon: Box::new(on_abandon),
            this: this.clone(),
        });
        watchdog::watch(&limits);
        limits
    }

    /// The isolate's thread goes into JavaScript. `owner` is charged for what no handler owns.
    pub fn enter(&self, owner: Owner) {
        let mut state = self.state();
        state.running = Some(owner);
        state.last_owner = None;
        state.quiet_since = None;
        state.stay += 1;
        drop(state);
        watchdog::wake();
    }

    /// Whose module is being loaded from now on.
    pub fn loads(&self, owner: Option<Owner>) {
        self.state().loads = owner;
    }

    /// [`Limits::enter`] for the one whose module is being loaded; false when JavaScript runs already.
    pub fn enter_for_load(&self) -> bool {
        let state = self.state();
        let owner = state.loads.unwrap_or(NOBODY);
        let enters = state.running.is_none();
        drop(state);
        if enters {
            self.enter(owner);
        }
        enters
    }

    /// The isolate's thread is back. What was stopped meanwhile, if anything; the isolate can run again.
    pub fn leave(&self) -> Option<Stopped> {
        let mut state = self.state();
        state.running = None;
        if std::mem::take(&mut state.whole) > 0 {
            stack::more(false);
        }
        state.asked = None;
        // Timers and the engine itself have their budget in each stay: nothing ever ends them, so what they use must not add up.
        state.charges.retain(|owner, _| owner.emit != 0);
        let stopped = state.stopped.take();
        if stopped.is_some() || state.terminated.take().is_some() {
            state.terminated = None;
            self.isolate.cancel_terminate_execution();
        }
        stopped
    }

    /// A handler is over: its charges are forgotten.
    pub fn forget(&self, emit: u64) {
        let mut state = self.state();
        state.open.remove(&emit);
        if !state.charges.is_empty() {
            state.charges.retain(|owner, _| owner.emit != emit);
        }
    }

    /// The handler that is under way in an emit.
    pub fn open_handler(&self, emit: u64) -> Option<Owner> {
        self.state().open.get(&emit).map(|hook| Owner { hook: *hook, emit })
    }

    /// A handler begins: it has its whole budget.
    pub fn begin(&self, owner: Owner) {
        let mut state = self.state();
        state.last_owner = Some(owner);
        state.open.insert(owner.emit, owner.hook);
        state.quiet_since = None;
        if !state.charges.is_empty() {
            state.charges.remove(&owner);
        }
    }

    /// The running code waits for something that has a limit of its own, or is back from there. What passes meanwhile is not charged.
    pub fn in_host(&self, waits: bool) {
        let mut state = self.state();
        state.in_host = waits;
        self.pause(&mut state, waits);
    }

    /// Runs code of the host. Its CPU time is not charged.
    pub fn in_host_code<T>(&self, code: impl FnOnce() -> T) -> T {
        let mut state = self.state();
        state.in_host_code = true;
        self.pause(&mut state, true);
        drop(state);
        let outcome = code();
        let mut state = self.state();
        state.in_host_code = false;
        self.pause(&mut state, false);
        outcome
    }

    /// Stops the clock, or lets it run on where it stood: what ran before the pause is still to be charged.
    fn pause(&self, state: &mut State, begins: bool) {
        state.quiet_since = None;
        let now = self.clock.now();
        if begins {
            state.paused = now;
        } else if let (Some(now), Some(paused)) = (now, state.paused.take()) {
            let passed = now.saturating_sub(paused);
            state.charged = state.charged.map(|(stay, since)| (stay, since + passed));
            state.asked = state.asked.map(|(cpu, since)| (cpu + passed, since));
        }
    }

    /// A part of the engine begins or ends that must not be torn in the middle: a stop waits for its end. Such parts nest.
    pub fn whole(&self, begins: bool) {
        let mut state = self.state();
        if begins {
            state.whole += 1;
            if state.whole == 1 {
                stack::more(true);
            }
            if state.terminated.is_some() {
                self.isolate.cancel_terminate_execution();
            }
        } else {
            state.whole = state.whole.saturating_sub(1);
            if state.whole == 0 {
                stack::more(false);
                if state.terminated.is_some() {
                    self.isolate.terminate_execution();
                }
            }
        }
    }

    /// The heap limit is reached; called on the isolate's thread in the middle of an allocation.
    pub fn out_of_memory(&self) {
        let mut state = self.state();
        let Some(owner) = state.suspect() else { return };
        self.stop(&mut state, owner, Cause::Memory);
    }

    /// Whether the isolate's thread was given up; what it still says counts for nothing.
    pub fn is_abandoned(&self) -> bool {
        self.state().abandoned
    }

    fn is_whole(&self) -> bool {
        self.state().whole > 0
    }

    /// One look of the watchdog. True while there is something to look at.
    pub fn look(&self) -> bool {
        let Some(cpu) = self.clock.now() else { return false };
        let mut state = self.state();
        let Some(default) = state.running else { return false };
        if state.abandoned {
            return false;
        }
        if let Some(since) = state.terminated {
            let whole = state.whole > 0;
            if since.elapsed() > if whole { WHOLE } else { IGNORED } {
                state.abandoned = true;
                let owner = state.stopped.as_ref().map_or(default, |stopped| stopped.owner);
                drop(state);
                if whole {
                    self.ask(); // and there the thread stops
                }
                (self.on_abandon)(owner);
                return false;
            }
            return true;
        }
        if state.in_host {
            return true;
        }
        if self.is_blocked(&mut state, cpu) {
            let owner = state.suspect().unwrap_or(default);
            self.stop(&mut state, owner, Cause::Blocked);
            return true;
        }
        if state.in_host_code {
            return true;
        }
        match state.asked {
            None => {
                if state.charged.is_none_or(|(stay, _)| stay != state.stay) {
                    state.charged = Some((state.stay, cpu));
                }
                state.asked = Some((cpu, Instant::now()));
                drop(state);
                self.ask();
            }
            Some((asked_at, _)) => {
                // Native code that serves no interrupt: only the CPU it burns counts, not what it waits for.
                if cpu.saturating_sub(asked_at) > self.budget.cpu {
                    let owner = state.suspect().unwrap_or(default);
                    self.stop(&mut state, owner, Cause::Cpu);
                }
            }
        }
        true
    }

    /// Whether the thread has hardly run for longer than it may.
    fn is_blocked(&self, state: &mut State, cpu: Duration) -> bool {
        let (cpu_then, then) = *state.quiet_since.get_or_insert_with(|| (cpu, Instant::now()));
        let passed = then.elapsed();
        if cpu.saturating_sub(cpu_then) > passed / BLOCKED_SHARE + TICK {
            state.quiet_since = None;
            return false;
        }
        passed > self.budget.blocked
    }

    fn stop(&self, state: &mut State, owner: Owner, cause: Cause) {
        if state.stopped.is_none() {
            state.stopped = Some(Stopped { owner, cause, place: None });
            state.terminated = Some(Instant::now());
            if state.whole == 0 {
                self.isolate.terminate_execution();
            }
        }
    }

    /// Asks for an interrupt, which charges whoever it finds running.
    fn ask(&self) {
        let data = Weak::into_raw(self.this.clone()).cast_mut().cast::<c_void>();
        if !self.isolate.request_interrupt(on_interrupt, data) {
            // The isolate is gone; nobody will call back for the pointer.
            // SAFETY: it came from `into_raw` just now.
            drop(unsafe { Weak::from_raw(data.cast::<Limits>()) });
        }
    }

    /// Charges whoever runs, on the isolate's thread. True when that stopped it.
    fn charge(&self, owner: Option<Owner>) -> bool {
        let Some(cpu) = self.clock.now() else { return false };
        let mut state = self.state();
        state.asked = None;
        let Some(default) = state.running else { return false };
        let owner = owner.unwrap_or(default);
        state.last_owner = Some(owner).filter(|owner| owner.hook >= 0);
        let since = match state.charged {
            Some((stay, since)) if stay == state.stay => since,
            _ => cpu,
        };
        let stay = state.stay;
        state.charged = Some((stay, cpu));
        let used = state.charges.entry(owner).or_default();
        *used += cpu.saturating_sub(since);
        let is_over = *used > self.budget.cpu;
        if is_over {
            self.stop(&mut state, owner, Cause::Cpu);
        }
        is_over
    }

    fn note_place(&self, place: Option<ScriptPlace>) {
        if let Some(stopped) = &mut self.state().stopped {
            stopped.place = place;
        }
    }

    // A poisoned lock only means that a thread panicked while it held these plain values.
    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

unsafe extern "C" fn on_interrupt(isolate: v8::UnsafeRawIsolatePtr, data: *mut c_void) {
    // SAFETY: `data` is the pointer `look` made for exactly this call.
    let Some(limits) = unsafe { Weak::from_raw(data.cast::<Limits>()) }.upgrade() else { return };
    // SAFETY: the engine calls this on the isolate's own thread, with the isolate entered.
    let mut isolate = unsafe { v8::Isolate::from_raw_isolate_ptr(isolate) };
    while limits.is_abandoned() && limits.is_whole() {
        // Endless code in a part that must not be torn: a microtask of a hook that ran there. It never goes on.
        std::thread::park();
    }
    if limits.charge(running::owner(&mut isolate)) {
        limits.note_place(running::place(&mut isolate));
    }
}
