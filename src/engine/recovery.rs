//! After a stop: the handler fails, its emit goes on, the isolate is fit to run again, or given up.

use super::entry::{Arg, Entry};
use super::generation::Generation;
use super::js_error::with_place;
use super::limits::{Cause, NOBODY, Owner, Stopped};
use super::{memory, running};

/// What puts the isolate in order after a stop.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Recovery {
    None,
    UnderWay,
    /// It was stopped itself.
    Failed,
}

impl Generation {
    /// A handler was stopped: it fails, its emit goes on with the next handler, and the isolate is fit to run again.
    pub(super) fn recover(&mut self, mut stopped: Stopped) {
        if stopped.owner == NOBODY || stopped.cause == Cause::Memory {
            // Nobody was charged before it ended, or whoever was last; the async context still stands as the stopped code left it.
            stopped.owner = running::owner(self.js.v8_isolate()).unwrap_or(stopped.owner);
        }
        let message = match stopped.cause {
            Cause::Cpu => format!("timed out: used more than {} ms of CPU time", self.budget.cpu.as_millis()),
            Cause::Blocked => format!(
                "timed out: held the thread for more than {} ms without running (a synchronous wait or read)",
                self.budget.blocked.as_millis()
            ),
            Cause::Memory => {
                self.shared.fault(stopped.owner.hook);
                if !memory::restore(&mut self.js, &self.limits, self.heap_limit) {
                    self.shared.lose(stopped.owner.hook, "its memory could not be freed");
                }
                format!("out of memory: the heap limit is {} MiB", self.heap_limit / (1024 * 1024))
            }
        };
        let Owner { hook, emit } = stopped.owner;
        let place = stopped.place.map(|place| self.loader.original_place(place)).unwrap_or_default();
        if emit == 0 && self.default_owner == stopped.owner && hook >= 0 {
            // The hook's own module, which `load` waits for.
            self.load_stopped = Some(with_place(&message, &place));
            return;
        }
        if std::mem::replace(&mut self.recovery, Recovery::UnderWay) != Recovery::None {
            // Code of a hook runs in it, and ends as little as before.
            self.recovery = Recovery::Failed;
            self.shared.lose(hook, "it stopped what puts the engine in order again");
            drop(self.port.waiting().close());
            return;
        }
        self.invoke(Entry::Stopped, [Arg::Id(emit), Arg::Index(hook), Arg::Text(&message), Arg::Text(&place)]);
        if self.recovery == Recovery::UnderWay {
            self.recovery = Recovery::None;
        }
    }
}
