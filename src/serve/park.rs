//! Waiting for a future on a thread that may not run an executor: the isolate's own, during a
//! blocking read.

use std::pin::pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

/// Rung by whoever completes the future. Not `thread::unpark`: one that comes late would be taken by whoever parks the thread next, and a
/// debugger that has the isolate paused does.
#[derive(Default)]
struct Bell {
    rung: Mutex<bool>,
    ringing: Condvar,
}

impl Bell {
    // A poisoned lock only means that a thread panicked while it held a flag.
    fn lock(&self) -> MutexGuard<'_, bool> {
        self.rung.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// False when `deadline` passed first.
    fn wait(&self, deadline: Option<Instant>) -> bool {
        let mut rung = self.lock();
        while !*rung {
            rung = match deadline {
                None => self.ringing.wait(rung).unwrap_or_else(PoisonError::into_inner),
                Some(deadline) => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return false;
                    }
                    self.ringing.wait_timeout(rung, left).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
        *rung = false;
        true
    }
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        *self.lock() = true;
        self.ringing.notify_one();
    }
}

/// Waits until the future is done; `None` when `limit` passed first. Works inside an async runtime
/// too, where it blocks that thread. The future must be woken by another thread and must not need
/// the runtime of this one (no timers, no I/O).
pub fn wait_on<F: Future>(future: F, limit: Option<Duration>) -> Option<F::Output> {
    let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
    let bell = Arc::new(Bell::default());
    let waker = Waker::from(bell.clone());
    let mut context = Context::from_waker(&waker);
    // Outside tokio's budget: on the isolate's thread it is that of a task which can do nothing before this is done.
    let mut future = pin!(tokio::task::coop::unconstrained(future));
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return Some(output);
        }
        if !bell.wait(deadline) {
            return None;
        }
    }
}
