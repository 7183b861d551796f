//! The moment after an emit in which the isolate's thread stays awake: who asks in a row pays for one wake-up less each time.

use std::time::{Duration, Instant};

use tokio::sync::mpsc::UnboundedReceiver;

/// Longer than a host on the other end of a pipe needs for its next request, shorter than anybody notices as load.
const MOMENT: Duration = Duration::from_micros(50);

/// Whether and until when the thread stays awake.
pub struct Linger {
    until: Option<Instant>,
    /// With one processor nobody could ask meanwhile.
    has_company: bool,
}

impl Default for Linger {
    fn default() -> Self {
        Linger { until: None, has_company: std::thread::available_parallelism().is_ok_and(|count| count.get() > 1) }
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
