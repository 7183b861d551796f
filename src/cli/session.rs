//! Hooks loaded for one run of the command line, and the result object every verb prints.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Context as _;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::args::{HookArgs, InputMutationArg};
use super::list;
use crate::engine::HookError;
use crate::events::EventName;
use crate::host::{BoxFuture, ComponentDriver, HookSource, RecordedCall, RecordingHost};
use crate::json_text;
use crate::loader::{DiscoverOptions, Discovery, HookState, NOT_UTF8};
use crate::runner::{
    BlockedBy, EmitError, HandlerTrace, HookRunner, InputMutation, LoadError, RunnerOptions, ToolOutcome,
    failure_reason, load_hooks, merge_sources,
};
use crate::security::{PermissionError, Policy};

/// One result object (`hookrt emit`).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EmitResult {
    /// The engine itself failed.
    #[serde(skip)]
    pub failed: bool,
    pub event: String,
    pub result: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<BlockedBy>,
    pub errors: Vec<HookError>,
    pub load_errors: Vec<LoadError>,
    pub warnings: Vec<String>,
    pub calls: Vec<RecordedCall>,
}

/// One result object (`hookrt tool`).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolResult {
    pub outcome: &'static str,
    pub content: Value,
    pub details: Value,
    pub reason: Option<String>,
    pub calls: Vec<RecordedCall>,
    pub errors: Vec<HookError>,
    pub load_errors: Vec<LoadError>,
    pub warnings: Vec<String>,
}

/// Hooks of one run.
pub struct Session {
    pub runner: HookRunner,
    pub host: Arc<RecordingHost>,
    pub load_errors: Vec<LoadError>,
    /// Required hooks that did not load: why every tool call is refused.
    refusal: Option<String>,
    errors: Arc<Mutex<Vec<HookError>>>,
    warnings: Arc<Mutex<Vec<String>>>,
    /// Errors are shown with where they were thrown. Cases leave that out: it differs from engine to engine.
    shows_stacks: Arc<AtomicBool>,
    trace: bool,
}

impl Session {
    /// Loads the hooks of `args`. With answers there is a user interface.
    pub async fn open(args: &HookArgs, answers: Option<Vec<Value>>) -> anyhow::Result<Session> {
        let mut options = runner_options(args)?;
        let chosen = choose_hooks(args, &mut options);
        let mut session = Session::start(&chosen.paths, &chosen.required, options, answers).await?;
        session.shows_stacks.store(true, Ordering::Relaxed);
        if chosen.paths.is_empty() && chosen.refused.is_empty() {
            let advice = if args.discover {
                "none was found (see `hookrt list`)"
            } else {
                "name one with --hook, or say --discover"
            };
            lock(&session.warnings).push(format!("no hook runs: {advice}"));
        }
        session.load_errors.splice(0..0, chosen.refused);
        Ok(session)
    }

    /// Loads `paths`; those among `required` must load. With answers there is a user interface.
    pub async fn start(
        paths: &[String],
        required: &[String],
        mut options: RunnerOptions,
        answers: Option<Vec<Value>>,
    ) -> anyhow::Result<Session> {
        let host = Arc::new(match answers {
            Some(answers) => RecordingHost::with_answers(answers),
            None => RecordingHost::headless(),
        });
        options.host = host.clone();
        let trace = options.trace;
        let loaded = load_hooks(paths, options).await?;
        let session = Session {
            runner: loaded.runner,
            host,
            refusal: refusal(required, &loaded.errors),
            load_errors: loaded.errors,
            errors: Arc::default(),
            warnings: Arc::default(),
            shows_stacks: Arc::default(),
            trace,
        };
        session.listen();
        session.host.set_component_driver(Arc::new(Components(session.runner.clone())));
        session.runner.initialize();
        Ok(session)
    }

    /// For verbs with one list of answers: those no dialog asked for are told with `warnings`.
    pub fn tell_unused(&self, warnings: &mut Vec<String>) {
        let unused = self.host.take_unused_answers();
        warnings.extend(unused.iter().map(|answer| format!("no dialog asked for the answer {answer}")));
    }

    /// Ends the hooks and what they have running; one that spins is left behind after a second.
    pub async fn close(&self) {
        self.runner.close(Duration::from_secs(1)).await;
    }

    fn listen(&self) {
        let (errors, shows_stacks) = (self.errors.clone(), self.shows_stacks.clone());
        self.runner.on_error(move |error| {
            let stack = error.stack.clone().filter(|_| shows_stacks.load(Ordering::Relaxed));
            lock(&errors).push(HookError { stack, ..error.clone() });
        });
        let warnings = self.warnings.clone();
        lock(&warnings).extend(self.runner.doubts());
        self.runner.on_warning(move |warning| lock(&warnings).push(warning.to_owned()));
    }

    /// Why tool calls are refused whatever the hooks say.
    pub fn refusal(&self) -> Option<&str> {
        self.refusal.as_deref()
    }

    /// Emits one event and gathers everything that happened. `data` is an object; a `type` in it does not count.
    pub async fn emit(&self, event: &str, data: &RawValue) -> EmitResult {
        if let (Some(reason), "tool_call") = (&self.refusal, event) {
            return self.result(event, raw(&json!({ "block": true, "reason": reason })), None, None);
        }
        let outcome = self.runner.emit_raw(event, data.get().to_owned()).await;
        self.runner.turn(LEFT_BEHIND).await;
        if let Some(meant) = EventName::meant(event) {
            let warning = format!("{event:?} is no event that is known; did you mean {:?}?", meant.as_str());
            lock(&self.warnings).push(warning);
        }
        match outcome {
            Ok(outcome) => {
                self.show_trace(&outcome.trace);
                let result = outcome.result.or_else(|| unchanged(event, data));
                self.result(event, result, outcome.input, outcome.by)
            }
            Err(error) => {
                let by = match &error {
                    EmitError::Thrown(_, by) => by.clone(),
                    _ => {
                        lock(&self.errors).push(engine_error(event, &error));
                        None
                    }
                };
                let result =
                    (event == "tool_call").then(|| raw(&json!({ "block": true, "reason": failure_reason(&error) })));
                let failed = !matches!(error, EmitError::Thrown(..));
                EmitResult { failed, ..self.result(event, result.flatten(), None, by) }
            }
        }
    }

    /// Runs a slash command; the flag says whether it failed.
    pub async fn command(&self, name: &str, args: &str) -> (EmitResult, bool) {
        let outcome = self.runner.run_command(name, args).await;
        self.runner.turn(LEFT_BEHIND).await;
        let event = format!("command:{name}");
        if let Err(error) = &outcome {
            let mut errors = lock(&self.errors);
            // A handler's own throw is there already; an unknown command or a dead engine is not.
            if !errors.iter().any(|known| known.event == event) {
                errors.push(engine_error(&event, error));
            }
        }
        (self.result(&event, None, None, None), outcome.is_err())
    }

    fn result(
        &self,
        event: &str,
        result: Option<Box<RawValue>>,
        input: Option<Box<RawValue>>,
        by: Option<BlockedBy>,
    ) -> EmitResult {
        EmitResult {
            failed: false,
            event: event.to_owned(),
            result,
            input,
            by,
            errors: self.take_errors(),
            load_errors: self.load_errors.clone(),
            warnings: self.take_warnings(),
            calls: self.host.take_calls(),
        }
    }

    /// Gathers everything that happened around a tool call.
    pub fn tool_result(&self, outcome: ToolOutcome) -> ToolResult {
        let (outcome, content, details, reason) = match outcome {
            ToolOutcome::Ok(run) => ("ok", run.content, run.details.unwrap_or_default(), None),
            ToolOutcome::Blocked { reason, .. } => ("blocked", Value::Null, Value::Null, Some(reason)),
            ToolOutcome::Failed(error) => ("error", Value::Null, Value::Null, Some(error.message)),
        };
        ToolResult {
            outcome,
            content,
            details,
            reason,
            calls: self.host.take_calls(),
            errors: self.take_errors(),
            load_errors: self.load_errors.clone(),
            warnings: self.take_warnings(),
        }
    }

    pub fn take_errors(&self) -> Vec<HookError> {
        std::mem::take(&mut lock(&self.errors))
    }

    pub fn take_warnings(&self) -> Vec<String> {
        let mut warnings = std::mem::take(&mut *lock(&self.warnings));
        warnings.extend(self.host.take_mismatches());
        warnings
    }

    fn show_trace(&self, trace: &[HandlerTrace]) {
        for call in trace.iter().filter(|_| self.trace) {
            eprintln!("trace {} {} {:.2} ms {}", call.hook_path, call.event, call.ms, call.kind);
        }
    }

    /// Exit code of a result: 2 for a refused tool call or a cancelled session event, 1 when something did not load, else 0.
    pub fn exit_code(&self, result: &EmitResult) -> u8 {
        let decision = match result.event.as_str() {
            "tool_call" => "block",
            name if name.starts_with("session_before_") => "cancel",
            _ => "",
        };
        let decided = result.result.as_deref().and_then(|result| json_text::value(result.get()).ok());
        if decided.is_some_and(|result| result.get(decision).is_some_and(|value| value == &Value::Bool(true))) {
            return 2;
        }
        let engine_failed = result.failed || result.errors.iter().any(|error| error.hook_path == ENGINE_PATH);
        u8::from(!self.load_errors.is_empty() || engine_failed)
    }
}

/// The components of a runner, for a host that scripts them.
struct Components(HookRunner);

impl ComponentDriver for Components {
    fn render(&self, id: u64, width: u32, rows: u32) -> BoxFuture<Result<Vec<String>, String>> {
        let runner = self.0.clone();
        Box::pin(async move { runner.render_component(id, width, rows).await.map_err(|error| error.to_string()) })
    }

    fn input(&self, id: u64, key: String) -> BoxFuture<Result<(), String>> {
        let runner = self.0.clone();
        Box::pin(async move { runner.input_component(id, &key).await.map_err(|error| error.to_string()) })
    }
}

/// The person's policy file.
pub fn policy() -> Result<Policy, PermissionError> {
    Policy::of_user(&|name: &str| std::env::var_os(name))
}

/// What the arguments say of the runner, without a host. The directory of `--cwd` becomes that of the process.
pub fn runner_options(args: &HookArgs) -> anyhow::Result<RunnerOptions> {
    let cwd = match &args.cwd {
        Some(dir) => std::path::absolute(dir).with_context(|| format!("--cwd {}", dir.display()))?,
        None => std::env::current_dir().context("the current directory cannot be read")?,
    };
    anyhow::ensure!(cwd.is_dir(), "--cwd {} is not a directory", cwd.display());
    anyhow::ensure!(cwd.to_str().is_some(), "--cwd {}: {NOT_UTF8}", cwd.display());
    // One run, one directory: `process.cwd()`, relative file names and `ctx.cwd` agree.
    std::env::set_current_dir(&cwd).with_context(|| format!("--cwd {}", cwd.display()))?;
    let mut options = RunnerOptions::new(cwd);
    options.permissions = args.permissions.clone().into_set(&options.cwd, &options.home);
    options.policy = policy()?;
    options.trace = args.trace;
    options.inspector = args.inspect.listen()?;
    options.load_timeout = Duration::from_millis(args.load_timeout);
    options.cpu_budget = Duration::from_millis(args.cpu_budget);
    options.heap_limit = args.heap_limit.saturating_mul(1024 * 1024);
    options.input_mutation = match args.input_mutation {
        InputMutationArg::Ignore => InputMutation::Ignore,
        InputMutationArg::Apply => InputMutation::Apply,
    };
    Ok(options)
}

/// How long what handlers left behind may take to show its failures.
const LEFT_BEHIND: Duration = Duration::from_secs(1);
/// Stands for the hook path where the engine itself failed.
const ENGINE_PATH: &str = "<engine>";

fn engine_error(event: &str, error: &EmitError) -> HookError {
    let (hook_path, error) = match error {
        EmitError::Lost { hook_path, reason } => (hook_path.clone(), reason.clone()),
        other => (ENGINE_PATH.to_owned(), other.to_string()),
    };
    HookError { hook: None, hook_path, event: event.to_owned(), error, stack: None }
}

/// What an emit without handlers gives: of `context` the messages as they came (`hooks.md §4`).
fn unchanged(event: &str, data: &RawValue) -> Option<Box<RawValue>> {
    if event != "context" {
        return None;
    }
    let data = json_text::lossy_value(data).ok()?;
    raw(&json!({ "messages": data.get("messages")? }))
}

/// The hooks of a run.
pub struct ChosenHooks {
    /// What is loaded, in order.
    pub paths: Vec<String>,
    /// Those of them that must load.
    pub required: Vec<String>,
    /// What was found and is not run.
    pub refused: Vec<LoadError>,
}

/// The hooks that are named, after those that are found when that is wanted. Where a record lets the latter run, the options hold them to it.
pub fn choose_hooks(args: &HookArgs, options: &mut RunnerOptions) -> ChosenHooks {
    let named = args.required.iter().chain(&args.hooks).cloned();
    if !args.discover {
        return ChosenHooks { paths: named.collect(), required: args.required.clone(), refused: Vec::new() };
    }
    let (discovery, trusted) = list::find(&options.cwd, &DiscoverOptions::default(), args.trust);
    let refused = trusted.as_ref().err().map(|reason| untrusted(&discovery, reason)).unwrap_or_default();
    options.trusted_project = trusted.ok().flatten();
    let merge = |discovery: &Discovery, named: Vec<String>| -> Vec<String> {
        let named = named.into_iter().map(HookSource::File).collect();
        let sources = merge_sources(discovery, named, &options.cwd, &options.home);
        sources.iter().map(|source| source.path().to_owned()).collect()
    };
    ChosenHooks {
        paths: merge(&discovery, named.collect()),
        required: merge(&Discovery::default(), args.required.clone()),
        refused,
    }
}

/// The project's own files that are not run: each is an error, for a gate that is missing must not go unnoticed.
fn untrusted(discovery: &Discovery, reason: &str) -> Vec<LoadError> {
    let mut seen = HashSet::new();
    let untrusted =
        discovery.found.iter().filter(|item| item.state == HookState::Untrusted).filter(|item| seen.insert(&item.path));
    let error = |path: String| LoadError {
        hook: usize::MAX,
        path,
        error: format!(
            "Not trusted: a file of the project ({reason})\nhint: read it, then run `hookrt trust`, or pass --trust for this run"
        ),
        place: None,
    };
    untrusted.map(|item| error(item.path.to_string_lossy().into_owned())).collect()
}

fn refusal(required: &[String], errors: &[LoadError]) -> Option<String> {
    let missing: Vec<&str> = errors
        .iter()
        .map(|error| error.path.as_str())
        .filter(|path| required.iter().any(|known| known == path))
        .collect();
    (!missing.is_empty()).then(|| format!("required hook did not load: {}", missing.join(", ")))
}

fn raw(value: &Value) -> Option<Box<RawValue>> {
    serde_json::value::to_raw_value(value).ok()
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
