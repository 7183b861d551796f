//! Lines that wait to be written, with a cap on their bytes.
//!
//! A host that does not read must not make the engine grow: who sends waits for room, in the order
//! of asking, and what nobody misses is dropped instead.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::{Notify, Semaphore};

use super::park;
use super::stdio::AtOnce;

/// Bytes that may wait.
pub const MAX_QUEUED_BYTES: usize = 32 * 1024 * 1024;

/// Lines below this size are put together into one write.
const JOIN_BYTES: usize = 64 * 1024;

/// Lines up to this size may go past the writer.
const AT_ONCE_BYTES: usize = 4096;

/// Why a line was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotSent {
    /// Nobody reads any more.
    #[error("the connection is closed")]
    Closed,
    /// There was no room for so long.
    #[error("the other side did not read for {} ms", .0.as_millis())]
    TimedOut(Duration),
}

#[derive(Debug, Default)]
struct Queue {
    /// The writer is at work: what comes now must come after that.
    writing: bool,
    lines: VecDeque<Item>,
    dropped: u64,
    closing: bool,
}

#[derive(Debug)]
struct Item {
    line: Vec<u8>,
    /// A later line of the same key may take its place.
    key: Option<String>,
    /// Room it holds until it is written.
    cost: usize,
}

struct Shared {
    /// Writes short lines past the writer while it has nothing to do.
    at_once: Option<AtOnce>,
    queue: Mutex<Queue>,
    /// Something to write, or the end.
    wake: Notify,
    room: Semaphore,
    max: usize,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Shared").field("queue", &self.queue).field("max", &self.max).finish_non_exhaustive()
    }
}

impl Shared {
    /// Writes a short line now, if nothing is before it. `Err` gives back what is left of it.
    fn write_now(&self, mut line: Vec<u8>) -> Result<(), Vec<u8>> {
        let Some(at_once) = self.at_once.as_ref().filter(|_| line.len() <= AT_ONCE_BYTES) else { return Err(line) };
        let mut queue = self.lock();
        if queue.writing || queue.closing || !queue.lines.is_empty() {
            return Err(line);
        }
        let count = at_once(&line);
        if count >= line.len() {
            return Ok(());
        }
        if count == 0 {
            return Err(line);
        }
        // Its rest is the first thing that is written, before anybody else gets the lock.
        let rest = line.split_off(count);
        queue.lines.push_back(Item { line: rest, key: None, cost: 0 });
        drop(queue);
        self.wake.notify_one();
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        // Nothing in here can leave the queue half changed.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A line over the cap takes all the room there is: it goes alone.
    fn cost(&self, line: &[u8]) -> u32 {
        u32::try_from(line.len().min(self.max)).unwrap_or(u32::MAX)
    }

    fn push(&self, line: Vec<u8>, key: Option<String>, cost: u32) {
        self.lock().lines.push_back(Item { line, key, cost: cost as usize });
        self.wake.notify_one();
    }
}

/// The end of a queue that lines are put into. Cheap to clone; when the last one is dropped, the
/// writer writes what is left and ends.
#[derive(Debug, Clone)]
pub struct LineSender(Arc<Sending>);

#[derive(Debug)]
struct Sending(Arc<Shared>);

impl Drop for Sending {
    fn drop(&mut self) {
        self.0.lock().closing = true;
        self.0.wake.notify_one();
    }
}

/// The end of a queue that writes.
#[derive(Debug)]
pub struct LineWriter(Arc<Shared>);

/// A queue for at most `max` bytes, see [`MAX_QUEUED_BYTES`].
pub fn line_queue(max: usize) -> (LineSender, LineWriter) {
    line_queue_with(max, None)
}

/// The same with a way past the writer for short lines.
pub fn line_queue_with(max: usize, at_once: Option<AtOnce>) -> (LineSender, LineWriter) {
    let max = max.clamp(1, u32::MAX as usize);
    let shared =
        Arc::new(Shared { at_once, queue: Mutex::default(), wake: Notify::new(), room: Semaphore::new(max), max });
    (LineSender(Arc::new(Sending(shared.clone()))), LineWriter(shared))
}

impl LineSender {
    fn shared(&self) -> &Shared {
        &self.0.0
    }

    /// Puts a line (with its newline) into the queue as soon as there is room.
    ///
    /// # Errors
    /// [`NotSent::Closed`] when nobody reads any more.
    pub async fn send(&self, line: Vec<u8>) -> Result<(), NotSent> {
        let shared = self.shared();
        let Err(line) = shared.write_now(line) else { return Ok(()) };
        let cost = shared.cost(&line);
        shared.room.acquire_many(cost).await.map_err(|_| NotSent::Closed)?.forget();
        shared.push(line, None, cost);
        Ok(())
    }

    /// The same on a thread that stands still meanwhile; `None` waits for ever.
    ///
    /// # Errors
    /// [`NotSent::TimedOut`] when there was no room for so long.
    pub fn send_blocking(&self, line: Vec<u8>, limit: Option<Duration>) -> Result<(), NotSent> {
        park::wait_on(self.send(line), limit).unwrap_or(Err(NotSent::TimedOut(limit.unwrap_or_default())))
    }

    /// Puts a line into the queue if there is room.
    ///
    /// # Errors
    /// Gives the line back when there is none.
    pub fn try_send(&self, line: Vec<u8>) -> Result<(), Vec<u8>> {
        self.try_push(line, None)
    }

    /// Puts a line into the queue if there is room and nobody waits for it, else drops and counts it:
    /// for logs and requests to render again. Says whether it was taken.
    pub fn offer(&self, line: Vec<u8>) -> bool {
        let taken = self.try_push(line, None).is_ok();
        if !taken {
            self.shared().lock().dropped += 1;
        }
        taken
    }

    /// Puts a line into the queue for which only the newest of its `key` matters: without room it takes
    /// the place of a waiting one of that key. `Err` gives the line back when there is none: then
    /// it must wait like any other.
    pub fn replace(&self, key: &str, line: Vec<u8>) -> Result<(), Vec<u8>> {
        let Err(line) = self.try_push(line, Some(key)) else {
            return Ok(());
        };
        let mut queue = self.shared().lock();
        let old = queue.lines.iter_mut().rev().find(|item| item.key.as_deref() == Some(key));
        match old {
            // Status texts differ by little; the room of the old one stands for the new one.
            Some(item) => {
                item.line = line;
                queue.dropped += 1;
                Ok(())
            }
            None => Err(line),
        }
    }

    /// Puts a line into the queue whether there is room or not: for the few short lines without which
    /// the other side would wait for ever.
    pub fn force(&self, line: Vec<u8>) {
        self.shared().push(line, None, 0);
    }

    /// How many lines were dropped or replaced since the last call.
    pub fn take_dropped(&self) -> u64 {
        std::mem::take(&mut self.shared().lock().dropped)
    }

    /// Waits until there is room again, at once when there is: to stop reading while the other side does
    /// not read either. An `Err` means the connection is closed.
    ///
    /// # Errors
    /// [`NotSent::Closed`].
    pub async fn ready(&self) -> Result<(), NotSent> {
        self.shared().room.acquire().await.map(drop).map_err(|_| NotSent::Closed)
    }

    /// Whether nobody reads any more.
    pub fn is_closed(&self) -> bool {
        self.shared().room.is_closed()
    }

    /// Takes no more lines; what is queued is still written.
    pub fn close(&self) {
        self.shared().room.close();
        self.shared().lock().closing = true;
        self.shared().wake.notify_one();
    }

    fn try_push(&self, line: Vec<u8>, key: Option<&str>) -> Result<(), Vec<u8>> {
        let shared = self.shared();
        let Err(line) = shared.write_now(line) else { return Ok(()) };
        let cost = shared.cost(&line);
        match shared.room.try_acquire_many(cost) {
            Ok(permit) => {
                permit.forget();
                shared.push(line, key.map(str::to_owned), cost);
                Ok(())
            }
            Err(_) => Err(line),
        }
    }
}

impl LineWriter {
    /// Writes lines until every sender is gone or closed and nothing is left, or until writing fails;
    /// then senders get [`NotSent::Closed`].
    ///
    /// # Errors
    /// Those of the stream.
    pub async fn run<W: AsyncWrite + Unpin>(self, mut output: W) -> io::Result<()> {
        let mut owed = 0;
        loop {
            let (batch, cost, waiting) = self.take();
            if batch.is_empty() {
                output.flush().await?;
                self.give_back(&mut owed);
                if self.0.lock().closing && self.0.lock().lines.is_empty() {
                    return output.shutdown().await;
                }
                self.0.wake.notified().await;
                continue;
            }
            output.write_all(&batch).await?;
            owed += cost;
            // Room is given back in one piece when half was read, so that senders do not wake for
            // every line of a slow reader.
            if waiting <= self.0.max / 2 {
                output.flush().await?;
                self.give_back(&mut owed);
            }
        }
    }

    /// The next lines to write in one go, the room they hold, and the bytes still waiting.
    fn take(&self) -> (Vec<u8>, usize, usize) {
        let mut queue = self.0.lock();
        let mut cost = 0;
        let mut batch = Vec::new();
        while let Some(next) = queue.lines.front() {
            if !batch.is_empty() && batch.len() + next.line.len() > JOIN_BYTES {
                break;
            }
            let Some(item) = queue.lines.pop_front() else {
                break;
            };
            cost += item.cost;
            if batch.is_empty() {
                batch = item.line;
            } else {
                batch.extend_from_slice(&item.line);
            }
        }
        queue.writing = !batch.is_empty();
        let waiting = queue.lines.iter().map(|item| item.cost).sum();
        (batch, cost, waiting)
    }

    fn give_back(&self, owed: &mut usize) {
        self.0.room.add_permits(std::mem::take(owed));
    }
}

impl Drop for LineWriter {
    fn drop(&mut self) {
        self.0.room.close();
        self.0.lock().lines.clear();
    }
}

#[cfg(test)]
#[path = "queue_tests.rs"]
mod tests;
