//! Runners over hooks written to a temporary folder.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use hookrt::HookError;
use hookrt::events::ToolCallEvent;
use hookrt::loader::TranspileCache;
use hookrt::runner::{EmitError, HookRunner, LoadError, RunnerOptions, ToolCallOutcome, load_hooks};
use hookrt::security::Policy;
use serde_json::json;

/// A runner, its folder, and what went wrong in it so far.
pub struct Bench {
    pub runner: HookRunner,
    pub load_errors: Vec<LoadError>,
    pub errors: Arc<Mutex<Vec<HookError>>>,
    _folder: tempfile::TempDir,
}

/// Options that make faults show quickly.
pub fn quick(cwd: &Path) -> RunnerOptions {
    let mut options = RunnerOptions::new(cwd);
    options.cpu_budget = Duration::from_millis(200);
    options.load_timeout = Duration::from_secs(3);
    options.heap_limit = 96 * 1024 * 1024;
    options.cache = Some(TranspileCache::disabled());
    options
}

/// Loads hooks given as source texts, in order.
pub async fn load(sources: &[&str]) -> Bench {
    load_with(sources, |_| {}).await
}

pub async fn load_with(sources: &[&str], change: impl FnOnce(&mut RunnerOptions)) -> Bench {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut paths = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        let path = folder.path().join(format!("hook{index}.ts"));
        std::fs::write(&path, source).expect("the folder is writable");
        paths.push(path.to_string_lossy().into_owned());
    }
    let mut options = quick(folder.path());
    change(&mut options);
    let loaded = load_hooks(&paths, options).await.expect("the engine starts");
    let errors: Arc<Mutex<Vec<HookError>>> = Arc::default();
    let into = errors.clone();
    loaded.runner.on_error(move |error| into.lock().expect("no panic").push(error.clone()));
    loaded.runner.initialize();
    Bench { runner: loaded.runner, load_errors: loaded.errors, errors, _folder: folder }
}

/// Lets the hook of this name reach everything but programs.
pub fn confine(options: &mut RunnerOptions, hook: &str) {
    let path = options.cwd.join(hook).to_string_lossy().into_owned();
    let text = json!({ "hooks": { path: { "deny": { "run": true } } } }).to_string();
    options.policy = Policy::parse(&text, &options.cwd.join("policy.json"), None).expect("a policy");
}

impl Bench {
    /// One tool call with `input.m` set to `mode`.
    pub async fn call(&self, mode: &str) -> Result<ToolCallOutcome, EmitError> {
        call(&self.runner, mode).await
    }

    /// The errors so far, taken.
    pub fn take_errors(&self) -> Vec<HookError> {
        std::mem::take(&mut self.errors.lock().expect("no panic"))
    }
}

/// [`Bench::call`] of any runner.
pub async fn call(runner: &HookRunner, mode: &str) -> Result<ToolCallOutcome, EmitError> {
    let event = ToolCallEvent {
        tool_name: "bash".to_owned(),
        tool_call_id: "t".to_owned(),
        input: json!({ "m": mode, "command": "ls" }),
        ..ToolCallEvent::default()
    };
    runner.emit_tool_call(&event).await
}

/// Waits until it is so; the machine may be busy.
pub async fn until(what: &str, is_so: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !is_so() {
        assert!(Instant::now() < deadline, "{what}: it never came to that");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Whether the tool would run.
pub fn allowed(outcome: &Result<ToolCallOutcome, EmitError>) -> bool {
    matches!(outcome, Ok(outcome) if !outcome.result.as_ref().is_some_and(|result| result.block))
}

/// Some of what the engine's own binding does cannot be mended here.
pub fn on_quickjs() -> bool {
    hookrt::ENGINE == "quickjs"
}

/// `usual` in the ordinary suite, `full` in the long runs that `HOOKRT_SOAK=full` asks for.
pub fn scaled(usual: usize, full: usize) -> usize {
    if std::env::var("HOOKRT_SOAK").is_ok_and(|soak| soak == "full") { full } else { usual }
}
