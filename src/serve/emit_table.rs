//! The host's open requests under which hooks run, by their own id and by the number the engine gave them.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::message::Id;

/// Open emits and commands of one runner.
#[derive(Debug, Default)]
pub struct EmitTable(Mutex<Open>);

#[derive(Debug, Default)]
struct Open {
    by_number: HashMap<u64, Id>,
    by_id: HashMap<Id, u64>,
}

impl EmitTable {
    /// Request `id` runs under `number`.
    pub fn open(&self, number: u64, id: &Id) {
        let mut open = self.lock();
        open.by_number.insert(number, id.clone());
        open.by_id.insert(id.clone(), number);
    }

    /// It was answered.
    pub fn close(&self, number: u64) {
        let mut open = self.lock();
        if let Some(id) = open.by_number.remove(&number) {
            open.by_id.remove(&id);
        }
    }

    /// The request behind a number, while it is open.
    pub fn id_of(&self, number: u64) -> Option<Id> {
        self.lock().by_number.get(&number).cloned()
    }

    /// The number of an open request.
    pub fn number_of(&self, id: &Id) -> Option<u64> {
        self.lock().by_id.get(id).copied()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Open> {
        // Nothing in here can leave the maps half changed.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
