//! Late registrations of hooks that live in the host.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::engine::{Registration, Shared};

/// The way from a host to the generations of one runner, also while they still load. Cheap to clone.
#[derive(Clone, Default)]
pub struct HostRegistrations(Arc<Mutex<Vec<Weak<Shared>>>>);

impl HostRegistrations {
    /// A hook of the host registered something after it was loaded. Unknown generations and hooks are ignored.
    pub fn register(&self, generation: u64, hook: usize, kind: Registration, name: &str, description: Option<&str>) {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let shared = known.iter().filter_map(Weak::upgrade).find(|shared| shared.generation() == generation);
        if let Some(shared) = shared.filter(|shared| shared.is_host_hook(hook)) {
            shared.register(hook, kind, name, description);
        }
    }

    pub(super) fn add(&self, shared: &Arc<Shared>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|shared| shared.strong_count() > 0);
        known.push(Arc::downgrade(shared));
    }
}
