//! Requests that wait for their answer.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use serde_json::value::RawValue;
use tokio::sync::oneshot;

use super::message::{Id, RpcError};
use super::park;

/// What the other side answered.
pub type Answer = Result<Box<RawValue>, RpcError>;

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoAnswer {
    /// It took too long.
    #[error("no answer within {} ms", .0.as_millis())]
    TimedOut(Duration),
    /// It was cancelled on this side.
    #[error("the request was cancelled")]
    Cancelled,
    /// The connection ended.
    #[error("the connection is closed")]
    Closed,
}

#[derive(Debug, Default)]
struct Table {
    next: i64,
    open: HashMap<i64, oneshot::Sender<Answer>>,
    closed: bool,
}

/// The open requests of one direction. Ids count up from 1 and are never used twice.
#[derive(Debug, Clone, Default)]
pub struct Pending(Arc<Mutex<Table>>);

impl Pending {
    /// An empty table.
    pub fn new() -> Pending {
        Pending::default()
    }

    /// Opens a request: its id, and what to wait on. Dropping that takes the request back, and its
    /// answer is then an unknown one.
    ///
    /// # Errors
    /// [`NoAnswer::Closed`] after [`Pending::close`].
    pub fn open(&self) -> Result<Waiting, NoAnswer> {
        let (sender, receiver) = oneshot::channel();
        let mut table = self.lock();
        if table.closed {
            return Err(NoAnswer::Closed);
        }
        table.next += 1;
        let id = table.next;
        table.open.insert(id, sender);
        Ok(Waiting { id, receiver, table: self.clone() })
    }

    /// Hands an answer to who waits for it. `false` when nobody does: an unknown id, a second answer,
    /// or one that came too late.
    pub fn settle(&self, id: &Id, answer: Answer) -> bool {
        let sender = match id {
            Id::Number(id) => self.lock().open.remove(id),
            Id::Text(_) => None,
        };
        sender.is_some_and(|sender| sender.send(answer).is_ok())
    }

    /// Ends the wait for a request with [`NoAnswer::Cancelled`]. `false` when it is not open.
    pub fn cancel(&self, id: i64) -> bool {
        self.lock().open.remove(&id).is_some()
    }

    /// Ends every wait with [`NoAnswer::Closed`]; later requests fail at once.
    pub fn close(&self) {
        let open = {
            let mut table = self.lock();
            table.closed = true;
            std::mem::take(&mut table.open)
        };
        drop(open);
    }

    /// How many wait.
    pub fn len(&self) -> usize {
        self.lock().open.len()
    }

    /// Whether nobody waits.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        // Nothing in here can leave the table half changed.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lost(&self) -> NoAnswer {
        if self.lock().closed { NoAnswer::Closed } else { NoAnswer::Cancelled }
    }
}

/// An open request: await it, or [`Waiting::within`], or [`Waiting::block`].
#[derive(Debug)]
pub struct Waiting {
    id: i64,
    receiver: oneshot::Receiver<Answer>,
    table: Pending,
}

impl Waiting {
    /// Its id.
    pub fn id(&self) -> i64 {
        self.id
    }

    /// Waits, at most so long.
    ///
    /// # Errors
    /// See [`NoAnswer`].
    pub async fn within(self, limit: Duration) -> Result<Answer, NoAnswer> {
        tokio::time::timeout(limit, self).await.unwrap_or(Err(NoAnswer::TimedOut(limit)))
    }

    /// Waits on a thread that stands still meanwhile, at most so long.
    ///
    /// # Errors
    /// See [`NoAnswer`].
    pub fn block(self, limit: Duration) -> Result<Answer, NoAnswer> {
        park::wait_on(self, Some(limit)).unwrap_or(Err(NoAnswer::TimedOut(limit)))
    }
}

impl Future for Waiting {
    type Output = Result<Answer, NoAnswer>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.receiver).poll(context).map(|answer| answer.map_err(|_| self.table.lost()))
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.table.lock().open.remove(&self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::message::Code;

    fn answer(text: &str) -> Answer {
        Ok(RawValue::from_string(text.to_owned()).unwrap())
    }

    #[tokio::test]
    async fn answers_find_their_request_in_any_order() {
        let pending = Pending::new();
        let (one, two) = (pending.open().unwrap(), pending.open().unwrap());
        assert_ne!(one.id(), two.id());
        assert!(pending.settle(&Id::Number(two.id()), answer("2")));
        assert!(pending.settle(&Id::Number(one.id()), Err(RpcError::new(Code::HOST, "no"))));
        assert_eq!(one.await.unwrap().unwrap_err().message, "no");
        assert_eq!(two.await.unwrap().unwrap().get(), "2");
        assert!(pending.is_empty());
    }

    #[tokio::test]
    async fn unknown_second_and_late_answers_are_told_apart() {
        let pending = Pending::new();
        let waiting = pending.open().unwrap();
        let id = Id::Number(waiting.id());
        assert!(!pending.settle(&Id::Number(99), answer("1")));
        assert!(!pending.settle(&Id::Text("1".into()), answer("1")));
        assert!(pending.settle(&id, answer("1")));
        assert!(!pending.settle(&id, answer("1")));
        let late = pending.open().unwrap();
        let id = Id::Number(late.id());
        drop(late);
        assert!(!pending.settle(&id, answer("1")));
    }

    #[tokio::test]
    async fn a_wait_ends_at_its_limit_and_takes_the_request_back() {
        let pending = Pending::new();
        let limit = Duration::from_millis(50);
        assert_eq!(pending.open().unwrap().within(limit).await.unwrap_err(), NoAnswer::TimedOut(limit));
        assert!(pending.is_empty());
    }

    #[tokio::test]
    async fn cancelling_and_closing_end_waits() {
        let pending = Pending::new();
        let (one, two) = (pending.open().unwrap(), pending.open().unwrap());
        assert!(pending.cancel(one.id()));
        assert!(!pending.cancel(one.id()));
        assert_eq!(one.await.unwrap_err(), NoAnswer::Cancelled);
        pending.close();
        assert_eq!(two.await.unwrap_err(), NoAnswer::Closed);
        assert_eq!(pending.open().unwrap_err(), NoAnswer::Closed);
    }

    #[test]
    fn a_thread_may_wait_without_a_runtime() {
        let pending = Pending::new();
        let waiting = pending.open().unwrap();
        let (other, id) = (pending.clone(), waiting.id());
        let thread = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(20));
            assert!(other.settle(&Id::Number(id), answer("1")));
        });
        assert_eq!(waiting.block(Duration::from_secs(10)).unwrap().unwrap().get(), "1");
        thread.join().unwrap();
        let limit = Duration::from_millis(10);
        assert_eq!(pending.open().unwrap().block(limit).unwrap_err(), NoAnswer::TimedOut(limit));
        assert!(pending.is_empty());
    }
}
