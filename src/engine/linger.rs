//! Moments in which a thread stays awake although it has nothing to do: the isolate's after an emit, the caller's until its answer. A wake-up
//! between threads costs more than a handler that returns at once.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::oneshot;

/// Longer than a host on the other end of a pipe needs for its next request, shorter than anybody notices as load.
const MOMENT: Duration = Duration::from_micros(50);

/// What a handler that returns at once needs, there and back; a task that holds its thread for so long is no bad neighbour.
const ANSWER: Duration = Duration::from_micros(25);
/// Emits that do not try to stay awake after one that did in vain.
const IN_VAIN: u32 = 16;

/// With one processor nobody could do anything meanwhile.
fn has_company() -> bool {
    std::thread::available_parallelism().is_ok_and(|count| count.get() > 1)
}

/// Whether and until when the isolate's thread stays awake.
pub struct Linger {
    until: Option<Instant>,
    has_company: bool,
}

impl Default for Linger {
    fn default() -> Self {
        Linger { until: None, has_company: has_company() }
    }
}

impl Linger {
    /// An emit was dealt with.
    pub fn begin(&mut self) {
        if self.has_company {
            self.until = Some(Instant::now() + MOMENT);
        }
    }

    /// What comes in before the moment is over.
    pub fn next<T>(&mut self, requests: &mut UnboundedReceiver<T>) -> Option<T> {
        let until = self.until.take()?;
        while Instant::now() < until {
            if let Ok(request) = requests.try_recv() {
                return Some(request);
            }
            std::hint::spin_loop();
        }
        None
    }
}

/// Whether callers stay awake for their answers.
pub struct Attention {
    /// Emits that are not to try it.
    rest: AtomicU32,
    has_company: bool,
}

impl Default for Attention {
    fn default() -> Self {
        Attention { rest: AtomicU32::new(0), has_company: has_company() }
    }
}

impl Attention {
    /// The answer, if it comes in no time; `receiver` is still to be awaited after `None` only.
    pub fn answer<T>(&self, receiver: &mut oneshot::Receiver<T>) -> Option<Result<T, oneshot::error::TryRecvError>> {
        let rest = self.rest.load(Ordering::Relaxed);
        if !self.has_company || rest > 0 {
            self.rest.store(rest.saturating_sub(1), Ordering::Relaxed);
            return None;
        }
        let until = Instant::now() + ANSWER;
        while Instant::now() < until {
            match receiver.try_recv() {
                Err(oneshot::error::TryRecvError::Empty) => std::hint::spin_loop(),
                answer => return Some(answer),
            }
        }
        self.rest.store(IN_VAIN, Ordering::Relaxed);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_is_there_is_taken_and_a_late_one_stays_to_be_awaited() {
        let attention = Attention { rest: AtomicU32::new(0), has_company: true };
        let (sender, mut receiver) = oneshot::channel();
        sender.send(7).unwrap();
        assert_eq!(attention.answer(&mut receiver), Some(Ok(7)));

        let (sender, mut receiver) = oneshot::channel();
        assert_eq!(attention.answer(&mut receiver), None);
        sender.send(8).unwrap();
        for _ in 0..IN_VAIN {
            assert_eq!(attention.answer(&mut receiver), None, "it rests");
        }
        assert_eq!(attention.answer(&mut receiver), Some(Ok(8)));

        let (sender, mut receiver) = oneshot::channel::<u32>();
        drop(sender);
        assert_eq!(attention.answer(&mut receiver), Some(Err(oneshot::error::TryRecvError::Closed)));
    }
}
