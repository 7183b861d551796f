//! Who waits for the envelope of an emit or call. The list stands outside the isolate's thread: whoever gives that thread up, or ends it
//! while a hook blocks it, tells everybody at once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::mpsc;

use super::handle::ReplyTo;
use super::request::Request;

/// The receivers by the number of their emit or call; `None` once nobody is answered any more.
#[derive(Clone)]
pub struct Waiting(Arc<Mutex<Option<HashMap<u64, ReplyTo>>>>);

impl Default for Waiting {
    fn default() -> Self {
        Waiting(Arc::new(Mutex::new(Some(HashMap::new()))))
    }
}

impl Waiting {
    /// `reply` gets the envelope of emit or call `id`.
    pub fn add(&self, id: u64, reply: ReplyTo) {
        let turned_away = match self.lock().as_mut() {
            Some(open) => open.insert(id, reply),
            None => Some(reply),
        };
        drop(turned_away); // tells, so not under the lock
    }

    /// Who waits for `id`, taken off the list.
    pub fn take(&self, id: u64) -> Option<ReplyTo> {
        self.lock().as_mut()?.remove(&id)
    }

    pub fn has(&self, id: u64) -> bool {
        self.lock().as_ref().is_some_and(|open| open.contains_key(&id))
    }

    pub fn is_empty(&self) -> bool {
        self.lock().as_ref().is_none_or(HashMap::is_empty)
    }

    /// From now on nobody is answered; dropping what this gives tells those who waited that the engine is gone.
    pub fn close(&self) -> Vec<ReplyTo> {
        let open = self.lock().take();
        open.unwrap_or_default().into_values().collect()
    }

    // A poisoned lock only means that a thread panicked while it held these plain values.
    fn lock(&self) -> MutexGuard<'_, Option<HashMap<u64, ReplyTo>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The thread of one isolate, from outside.
#[derive(Clone)]
pub struct Thread {
    pub(super) requests: mpsc::UnboundedSender<Request>,
    pub(super) waiting: Waiting,
    /// Number under which the system knows it.
    pub(super) system_id: i32,
}

impl Thread {
    /// Tells the isolate; one that is gone has nothing to be told.
    pub fn tell(&self, request: Request) -> bool {
        self.requests.send(request).is_ok()
    }

    /// Sends emit or call `id`, whose envelope goes to `reply`.
    pub fn ask(&self, id: u64, request: Request, reply: ReplyTo) {
        self.waiting.add(id, reply);
        if !self.tell(request) {
            drop(self.waiting.take(id));
        }
    }

    /// Ends it; who waits is told before a hook that blocks the thread lets it go.
    pub fn end(&self) {
        self.tell(Request::Shutdown);
        drop(self.waiting.close());
    }

    /// Waits until it has ended.
    pub async fn ended(&self) {
        self.requests.closed().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::EngineGone;

    fn thread() -> (Thread, mpsc::UnboundedReceiver<Request>) {
        let (requests, receiver) = mpsc::unbounded_channel();
        (Thread { requests, waiting: Waiting::default(), system_id: 0 }, receiver)
    }

    #[test]
    fn who_waits_behind_a_blocked_thread_is_told_when_it_ends() {
        let (thread, _blocked) = thread();
        let (reply, mut envelope) = ReplyTo::channel();
        thread.ask(1, Request::Cancel { id: 1 }, reply);
        assert!(envelope.try_recv().is_err(), "nobody has answered");
        thread.end();
        assert!(matches!(envelope.try_recv(), Ok(Err(EngineGone))));

        let (reply, mut late) = ReplyTo::channel();
        thread.ask(2, Request::Cancel { id: 2 }, reply);
        assert!(matches!(late.try_recv(), Ok(Err(EngineGone))));
    }

    #[test]
    fn who_asks_a_thread_that_is_gone_is_told() {
        let (thread, gone) = thread();
        drop(gone);
        let (reply, mut envelope) = ReplyTo::channel();
        thread.ask(1, Request::Cancel { id: 1 }, reply);
        assert!(matches!(envelope.try_recv(), Ok(Err(EngineGone))));
        assert!(thread.waiting.is_empty());
    }
}
