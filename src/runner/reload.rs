//! Hot reload: the same hooks anew in the next generation, swapped in once it stands.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use super::emit::HookRunner;
use super::load::{LoadError, load_generation};
use crate::error::Error;

/// How a reload ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reloaded {
    /// A hook that was there did not load: the running generation stays.
    pub kept: bool,
    /// Number of the generation that runs now.
    pub generation: u64,
    /// What did not load in the new generation.
    pub errors: Vec<LoadError>,
}

impl HookRunner {
    /// Loads the same hooks into a new isolate and swaps it in; timers, watchers and programs of the old one end with it, and what was
    /// open there fails. With a load error that the running generation does not have, that one stays untouched.
    ///
    /// # Errors
    /// When no new isolate can be started; the running generation stays.
    pub async fn reload(&self) -> Result<Reloaded, Error> {
        let inner = &self.inner;
        // One at a time: each builds on the one before.
        let _turn = inner.reloading.lock().await;
        let old = self.engine();
        let (new, errors) = load_generation(&inner.sources, &inner.options, old.shared().next()).await?;
        let known = self.load_errors();
        if errors.iter().any(|error| !known.contains(error)) {
            new.shutdown();
            return Ok(Reloaded { kept: true, generation: old.shared().generation(), errors });
        }
        if inner.live.load(Ordering::Relaxed) {
            new.go_live();
        }
        if let Some(settings) = inner.settings.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            new.reconfigure(settings);
        }
        let generation = new.shared().generation();
        *inner.errors.lock().unwrap_or_else(PoisonError::into_inner) = errors.clone();
        *inner.engine.write().unwrap_or_else(PoisonError::into_inner) = new;
        old.shutdown();
        Ok(Reloaded { kept: false, generation, errors })
    }
}
