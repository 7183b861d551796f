//! CPU time of a thread, readable from another thread. Time a thread spends waiting – for a child process, a pipe, a lock – does not count,
//! and neither does a busy machine.

use std::time::Duration;

/// The CPU clock of the thread it was made on.
#[derive(Clone, Copy)]
pub struct CpuClock {
    #[cfg(target_os = "linux")]
    id: libc::clockid_t,
    #[cfg(not(target_os = "linux"))]
    started: std::time::Instant,
}

impl CpuClock {
    /// The clock of the calling thread.
    pub fn of_this_thread() -> CpuClock {
        #[cfg(target_os = "linux")]
        {
            let mut id = 0;
            // SAFETY: the calling thread exists, and `id` outlives the call.
            let failed = unsafe { libc::pthread_getcpuclockid(libc::pthread_self(), &mut id) };
            CpuClock { id: if failed == 0 { id } else { libc::CLOCK_MONOTONIC } }
        }
        #[cfg(not(target_os = "linux"))]
        CpuClock { started: std::time::Instant::now() }
    }

    /// What the thread has used so far; `None` once the thread is gone. Where no such clock exists, time that has passed.
    pub fn now(self) -> Option<Duration> {
        #[cfg(target_os = "linux")]
        {
            let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
            // SAFETY: `time` outlives the call; a clock of a thread that is gone makes the call fail.
            let failed = unsafe { libc::clock_gettime(self.id, &mut time) };
            (failed == 0).then(|| Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32))
        }
        #[cfg(not(target_os = "linux"))]
        Some(self.started.elapsed())
    }
}

#[cfg(test)]
mod tests {
    use super::CpuClock;
    use std::time::{Duration, Instant};

    #[test]
    #[cfg(target_os = "linux")]
    fn waiting_is_free_and_spinning_is_not() {
        let clock = CpuClock::of_this_thread();
        let before = clock.now().unwrap();
        std::thread::sleep(Duration::from_millis(80));
        let waited = clock.now().unwrap() - before;
        assert!(waited < Duration::from_millis(40), "{waited:?}");
        let start = Instant::now();
        while clock.now().unwrap() - before < Duration::from_millis(60) {
            assert!(start.elapsed() < Duration::from_secs(20));
        }
    }
}
