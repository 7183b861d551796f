//! When to look whether an emit that has been open for long can still be settled: rarely, and ever more rarely.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::Sleep;

/// Wait before the first look.
const FIRST: Duration = Duration::from_secs(1);
/// Longest wait between two looks; a look costs a garbage collection.
const LONGEST: Duration = Duration::from_secs(60);

/// A timer that runs while anybody waits.
#[derive(Default)]
pub struct Suspicion {
    timer: Option<(Pin<Box<Sleep>>, Duration)>,
}

impl Suspicion {
    /// Ready when it is time to look.
    pub fn poll(&mut self, cx: &mut Context<'_>, anybody_waits: bool) -> Poll<()> {
        if !anybody_waits {
            self.timer = None;
            return Poll::Pending;
        }
        let (timer, wait) = self.timer.get_or_insert_with(|| (Box::pin(tokio::time::sleep(FIRST)), FIRST));
        if timer.as_mut().poll(cx).is_pending() {
            return Poll::Pending;
        }
        let next = (*wait * 3).min(LONGEST);
        self.timer = Some((Box::pin(tokio::time::sleep(next)), next));
        Poll::Ready(())
    }
}
