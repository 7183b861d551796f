//! How many hook processes run at once (`lifecycle.md`, Running a command).

use std::sync::{Arc, LazyLock};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Hook processes at once, in one host process.
const PROCESS_WIDE: usize = 4;

static SHARED: LazyLock<HookSlots> = LazyLock::new(|| HookSlots::new(PROCESS_WIDE));

/// Slots for hook processes. Who asks first is served first; who stops waiting leaves the queue.
#[derive(Debug, Clone)]
pub struct HookSlots(Arc<Semaphore>);

impl HookSlots {
    /// The four slots that every dispatcher of this process shares.
    pub fn process_wide() -> Self {
        SHARED.clone()
    }

    /// Slots of one's own, for tests and for hosts that isolate tenants. Zero counts as one.
    pub fn new(count: usize) -> Self {
        HookSlots(Arc::new(Semaphore::new(count.clamp(1, Semaphore::MAX_PERMITS))))
    }

    /// Waits for a slot. `None` cannot happen: the semaphore is never closed.
    pub(crate) async fn acquire(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.0).acquire_owned().await.ok()
    }

    /// Slots free right now.
    pub fn free(&self) -> usize {
        self.0.available_permits()
    }
}

impl Default for HookSlots {
    fn default() -> Self {
        HookSlots::process_wide()
    }
}
