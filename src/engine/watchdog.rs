//! One thread that looks at every isolate of the process while JavaScript runs in any, and sleeps otherwise.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, Once, PoisonError, Weak};

use super::limits::{Limits, TICK};

static ISOLATES: Mutex<Vec<Weak<Limits>>> = Mutex::new(Vec::new());
static ASLEEP: AtomicBool = AtomicBool::new(false);
static WORK: (Mutex<bool>, Condvar) = (Mutex::new(false), Condvar::new());
/// Looks without anything running before the thread goes to sleep.
const QUIET_LOOKS: u32 = 100;

/// Adds an isolate; it is dropped from the list when its limits are.
pub fn watch(limits: &Arc<Limits>) {
    static START: Once = Once::new();
    START.call_once(|| {
        // Without the thread nothing is limited, which is no reason not to run.
        if let Err(error) = std::thread::Builder::new().name("hookrt-watchdog".to_owned()).spawn(run) {
            tracing::error!("the watchdog cannot start, hooks run without time limits: {error}");
        }
    });
    let mut isolates = ISOLATES.lock().unwrap_or_else(PoisonError::into_inner);
    isolates.retain(|limits| limits.strong_count() > 0);
    isolates.push(Arc::downgrade(limits));
}

/// JavaScript begins to run somewhere. One atomic load while the watchdog is awake.
pub fn wake() {
    if ASLEEP.load(Ordering::SeqCst) {
        *WORK.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        WORK.1.notify_one();
    }
}

fn run() {
    let mut quiet = 0;
    loop {
        std::thread::sleep(TICK);
        quiet = if look_at_all() { 0 } else { quiet + 1 };
        if quiet >= QUIET_LOOKS {
            sleep_until_woken();
            quiet = 0;
        }
    }
}

/// True while JavaScript runs anywhere.
fn look_at_all() -> bool {
    let isolates: Vec<Arc<Limits>> =
        ISOLATES.lock().unwrap_or_else(PoisonError::into_inner).iter().filter_map(Weak::upgrade).collect();
    // Every one is looked at, whatever the others do.
    isolates.iter().filter(|limits| limits.look()).count() > 0
}

fn sleep_until_woken() {
    let mut woken = WORK.0.lock().unwrap_or_else(PoisonError::into_inner);
    *woken = false;
    ASLEEP.store(true, Ordering::SeqCst);
    // Whoever began before the flag stood is seen here, whoever begins after it sees the flag.
    while !*woken && !look_at_all() {
        woken = WORK.1.wait(woken).unwrap_or_else(PoisonError::into_inner);
    }
    ASLEEP.store(false, Ordering::SeqCst);
}
