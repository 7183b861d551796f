//! Times and what is made of them.

use std::time::{Duration, Instant};

/// Milliseconds of each of `rounds` calls.
pub fn times(rounds: usize, mut run: impl FnMut()) -> Samples {
    let mut samples = Samples::default();
    for _ in 0..rounds {
        let start = Instant::now();
        run();
        samples.push(start.elapsed());
    }
    samples
}

/// Milliseconds.
#[derive(Default)]
pub struct Samples(Vec<f64>);

impl Samples {
    pub fn push(&mut self, time: Duration) {
        self.0.push(time.as_secs_f64() * 1e3);
    }

    /// The value below which the share `q` of the samples lies.
    pub fn quantile(&self, q: f64) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let at = (sorted.len() as f64 * q) as usize;
        sorted.get(at.min(sorted.len().saturating_sub(1))).copied().unwrap_or(f64::NAN)
    }

    pub fn median(&self) -> f64 {
        self.quantile(0.5)
    }
}

/// CPU time of every child that has ended.
#[cfg(unix)]
pub fn cpu_of_children() -> Duration {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;
    let used =
        getrusage(UsageWho::RUSAGE_CHILDREN).map(|usage| (usage.user_time() + usage.system_time()).num_microseconds());
    Duration::from_micros(used.unwrap_or(0).unsigned_abs())
}

#[cfg(not(unix))]
pub fn cpu_of_children() -> Duration {
    Duration::ZERO
}

/// Resident memory of a running process, in MB (10^6 bytes).
pub fn resident_megabytes(pid: u32) -> Option<f64> {
    let kibibytes = match std::fs::read_to_string(format!("/proc/{pid}/status")) {
        Ok(status) => status.lines().find_map(|line| number(line.strip_prefix("VmRSS:")?)),
        Err(_) => {
            let output = std::process::Command::new("ps").args(["-o", "rss=", "-p", &pid.to_string()]).output().ok()?;
            number(&String::from_utf8_lossy(&output.stdout))
        }
    }?;
    Some(kibibytes * 1024.0 / 1e6)
}

fn number(text: &str) -> Option<f64> {
    text.split_whitespace().next()?.parse().ok()
}
