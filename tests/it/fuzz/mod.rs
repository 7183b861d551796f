//! Random input for everything that reads what others wrote. Each target runs for a moment in the ordinary suite, always with the same
//! input; `HOOKRT_FUZZ_SECONDS` (`make fuzz`) gives it so many seconds and new input. What once failed is kept in `tests/corpus/` and tried first.

mod claude_code;
mod hooks_json;
mod mutate;
mod payloads;
mod protocol;
mod specifiers;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, FileFailurePersistence, RngAlgorithm, TestCaseResult, TestRng, TestRunner};

/// How long a target runs in the ordinary suite.
const MOMENT: Duration = Duration::from_secs(2);
/// Input between two looks at the clock.
const BATCH: u32 = 32;

/// Checks random values until the time is over. `regressions` is where seeds of failures are kept.
pub fn fuzz<S: Strategy>(regressions: &'static str, strategy: S, check: impl Fn(S::Value) -> TestCaseResult) {
    let seconds = std::env::var("HOOKRT_FUZZ_SECONDS").ok().and_then(|seconds| seconds.parse().ok());
    let config = Config {
        cases: BATCH,
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(regressions))),
        max_shrink_time: 20_000,
        ..Config::default()
    };
    let mut seeds = match seconds {
        Some(_) => TestRunner::new(config.clone()),
        None => TestRunner::new_with_rng(config.clone(), TestRng::deterministic_rng(RngAlgorithm::ChaCha)),
    };
    let end = Instant::now() + seconds.map_or(MOMENT, Duration::from_secs);
    let mut batches = 0_u64;
    while batches == 0 || Instant::now() < end {
        let mut runner = TestRunner::new_with_rng(config.clone(), seeds.new_rng());
        if let Err(failure) = runner.run(&strategy, &check) {
            panic!("{failure}\n{runner}");
        }
        batches += 1;
    }
    eprintln!("{regressions}: {} inputs", batches * u64::from(BATCH));
}

/// The kept files of a target.
pub fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = corpus_folder().join(target);
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(&folder).expect("a corpus").map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).expect("a file of the corpus")).collect()
}

fn corpus_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus")
}
