//! Stray failures of a hook, at most so many a second: an interval that throws a thousand times must not drown everything else.

use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Reports let through per hook and window.
const PER_WINDOW: u32 = 10;
const WINDOW: Duration = Duration::from_secs(1);

/// Decides which reports pass, per hook index.
#[derive(Debug, Default)]
pub struct RateLimit {
    windows: HashMap<i32, Window>,
}

#[derive(Debug)]
struct Window {
    began: Instant,
    passed: u32,
    held_back: u32,
}

/// What becomes of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passage {
    /// It passes.
    Pass,
    /// It passes, and before it so many were held back.
    PassAfter(u32),
    /// It is held back and counted.
    HeldBack,
}

impl RateLimit {
    /// Decides about a report of `hook` at `now`.
    pub fn admit(&mut self, hook: i32, now: Instant) -> Passage {
        let window = self.windows.entry(hook).or_insert(Window { began: now, passed: 0, held_back: 0 });
        let mut held_back = 0;
        if now.duration_since(window.began) >= WINDOW {
            held_back = window.held_back;
            *window = Window { began: now, passed: 0, held_back: 0 };
        }
        if window.passed == PER_WINDOW {
            window.held_back += 1;
            return Passage::HeldBack;
        }
        window.passed += 1;
        if held_back == 0 { Passage::Pass } else { Passage::PassAfter(held_back) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_a_second_then_a_count() {
        let mut limit = RateLimit::default();
        let start = Instant::now();
        let passed = (0..50).filter(|_| limit.admit(1, start) == Passage::Pass).count();
        assert_eq!(passed, 10);
        assert_eq!(limit.admit(2, start), Passage::Pass, "every hook has its own window");
        assert_eq!(limit.admit(1, start + WINDOW), Passage::PassAfter(40));
        assert_eq!(limit.admit(1, start + WINDOW), Passage::Pass);
    }
}
