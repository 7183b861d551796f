//! Hot reload: the same hooks anew in the next generation, swapped in once it stands.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use super::emit::HookRunner;
use super::load::{LoadError, load_generation};
use crate::engine::EngineHandle;
use crate::error::Error;
use crate::host::tell;

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
        old.shared().forgive();
        let (new, errors) = load_generation(&inner.sources, &inner.options, old.shared().next()).await?;
        let known = self.load_errors();
        if errors.iter().any(|error| !known.contains(error)) {
            new.shutdown();
            return Ok(Reloaded { kept: true, generation: old.shared().generation(), errors });
        }
        self.take_over(&old, new, errors.clone());
        Ok(Reloaded { kept: false, generation: self.engine().shared().generation(), errors })
    }

    /// The generation that answers: the running one, or the next one when that is lost.
    ///
    /// # Errors
    /// When no new isolate can be started.
    pub(super) async fn sound_engine(&self) -> Result<EngineHandle, Error> {
        let engine = self.engine();
        if !engine.shared().is_lost() {
            return Ok(engine);
        }
        let inner = &self.inner;
        let _turn = inner.reloading.lock().await;
        let old = self.engine();
        if !old.shared().is_lost() {
            return Ok(old); // somebody else has made it meanwhile
        }
        let (new, errors) = load_generation(&inner.sources, &inner.options, old.shared().next()).await?;
        let gates = old.shared().hooks().into_iter();
        let mut gates = gates.filter(|(_, hook)| hook.handlers.iter().any(|(event, _)| event == "tool_call"));
        if let Some((_, gate)) = gates.find(|(index, _)| errors.iter().any(|error| error.hook == *index)) {
            new.shared().miss_gate(&gate.path);
        } else if let Some(path) = old.shared().missing_gate() {
            new.shared().miss_gate(path);
        }
        self.take_over(&old, new.clone(), errors.clone());
        let rebuilt = Reloaded { kept: false, generation: new.shared().generation(), errors };
        let listener = inner.rebuilt.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(listener) = listener {
            tell("the listener for rebuilds", || listener(&rebuilt));
        }
        Ok(new)
    }

    /// Who hears that the engine made a new generation by itself, because the one before was lost.
    pub fn on_rebuilt(&self, listener: impl Fn(&Reloaded) + Send + Sync + 'static) {
        *self.inner.rebuilt.lock().unwrap_or_else(PoisonError::into_inner) = Some(std::sync::Arc::new(listener));
    }

    fn take_over(&self, old: &EngineHandle, new: EngineHandle, errors: Vec<LoadError>) {
        let inner = &self.inner;
        if inner.live.load(Ordering::Relaxed) {
            new.go_live();
        }
        if let Some(settings) = inner.settings.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            new.reconfigure(settings);
        }
        *inner.errors.lock().unwrap_or_else(PoisonError::into_inner) = errors;
        *inner.engine.write().unwrap_or_else(PoisonError::into_inner) = new;
        old.shutdown();
    }
}
