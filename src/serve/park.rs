//! Waiting for a future on a thread that may not run an executor: the isolate's own, during a
//! blocking read.

use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Waits until the future is done; `None` when `limit` passed first. Works inside an async runtime
/// too, where it blocks that thread. The future must be woken by another thread and must not need
/// the runtime of this one (no timers, no I/O).
pub fn wait_on<F: Future>(future: F, limit: Option<Duration>) -> Option<F::Output> {
    let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return Some(output);
        }
        match deadline {
            None => thread::park(),
            Some(deadline) => {
                let left = deadline.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    return None;
                }
                thread::park_timeout(left);
            }
        }
    }
}
