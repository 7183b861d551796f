//! Runs the hooks of an event, one after the other, and sums up their verdicts.

use std::ffi::OsString;
use std::sync::Arc;
use std::time::Instant;

use tokio::sync::watch;

use super::error::LifecycleError;
use super::events::EventName;
use super::feedback::Feedback;
use super::hook::{Action, Hook};
use super::outcome::{BlockKind, Decision, Outcome};
use super::output::HookOutput;
use super::payload::{Args, LifecycleEvent, ToolUse};
use super::process::{self, Job};
use super::prompt::{HOOK_PERMISSION, PermissionAnswer, PermissionRequest};
use super::settings::{LifecycleSettings, LoadedHooks};
use super::verdict::{Verdict, judge};

/// Largest `HOOK_ARGS_JSON`, in bytes; above it the variable is empty and stdin alone carries the arguments. Linux takes
/// no single variable of 128 KiB or more.
const MAX_ARGS_IN_ENV: usize = 32 * 1024;

/// The hooks of one project, ready to run. Cheap to clone; clones share everything.
#[derive(Debug, Clone)]
pub struct LifecycleDispatcher {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    settings: LifecycleSettings,
    loaded: LoadedHooks,
    /// Observe-only events still running.
    observing: watch::Sender<usize>,
}

impl LifecycleDispatcher {
    /// Loads the hooks. Never fails: what is wrong stands in [`warnings`](Self::warnings).
    pub fn new(settings: LifecycleSettings) -> Self {
        let loaded = LoadedHooks::load(&settings);
        if let Some(error) = &loaded.file_error {
            tracing::error!(target: "hookrt::lifecycle", "{error}");
        }
        LifecycleDispatcher { shared: Arc::new(Shared { settings, loaded, observing: watch::Sender::new(0) }) }
    }

    /// Notices about the configuration: an ignored file, bad entries, unknown packs. One line each.
    pub fn warnings(&self) -> &[String] {
        &self.shared.loaded.warnings
    }

    /// Hooks that run, in order.
    pub fn hooks(&self) -> &[Hook] {
        &self.shared.loaded.active
    }

    /// Hooks of a file that is not trusted; they never run.
    pub fn untrusted_hooks(&self) -> &[Hook] {
        &self.shared.loaded.untrusted
    }

    /// Why the hooks file could not be read at all.
    pub fn file_error(&self) -> Option<&LifecycleError> {
        self.shared.loaded.file_error.as_ref()
    }

    /// Whether an event would do anything, so that a host can skip preparing its arguments.
    pub fn concerns(&self, event: EventName, tool: Option<&str>) -> bool {
        self.enforced_error(event).is_some() || self.hooks().iter().any(|hook| hook.selects(event, tool))
    }

    /// Runs the hooks of an event. Observe-only events return at once and run in the background; the others return when
    /// their hooks are through (and, for `ask`, a person has answered). Dropping the future kills what is running.
    pub async fn run(&self, event: LifecycleEvent) -> Outcome {
        let name = event.name();
        if name.is_observe_only() {
            let outcome = Outcome::new(name, event.tool());
            self.observe(event);
            return outcome;
        }
        self.run_to_end(event).await
    }

    /// Runs the hooks of any event and waits for them, observe-only ones too.
    pub async fn run_to_end(&self, event: LifecycleEvent) -> Outcome {
        let name = event.name();
        let mut outcome = Outcome::new(name, event.tool());
        if let Some(error) = self.enforced_error(name) {
            outcome.state(Decision::Deny);
            outcome.block(BlockKind::Configuration, error.to_string());
            return outcome;
        }
        let mut feedback = Feedback::default();
        let mut questions: Vec<String> = Vec::new();
        for hook in self.hooks().iter().filter(|hook| hook.selects(name, event.tool())) {
            let output = self.execute(hook, &event).await;
            let (verdict, warning) = judge(hook, name, &output);
            outcome.warnings.extend(warning);
            if name == EventName::PostToolUse {
                feedback.add(hook.protocol, &output);
            }
            outcome.outputs.push(output);
            match verdict {
                Verdict::Proceed => {}
                Verdict::Allow => outcome.state(Decision::Allow),
                Verdict::Ask { reason } => {
                    outcome.state(Decision::Ask);
                    if !questions.contains(&reason) {
                        questions.push(reason);
                    }
                }
                Verdict::Block { reason } => {
                    outcome.state(Decision::Deny);
                    let reason = reason.unwrap_or_else(|| outcome.failed_hooks());
                    outcome.block(BlockKind::Hook, reason);
                    break;
                }
            }
        }
        outcome.feedback = feedback.finish();
        if !outcome.blocked && !questions.is_empty() {
            self.ask(&event, questions.join("\n"), &mut outcome).await;
        }
        outcome
    }

    /// Starts the hooks of an event and returns at once. Nothing they do reaches the caller. Works without a runtime too.
    pub fn observe(&self, event: LifecycleEvent) {
        if !self.concerns(event.name(), event.tool()) {
            return;
        }
        let guard = Observing::start(self.clone());
        let work = async move {
            let session = event.session_id().to_owned();
            guard.dispatcher.run_to_end(event).await.log(&session);
            drop(guard);
        };
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn(work)),
            Err(_) => observe_without_runtime(work),
        }
    }

    /// Waits until no observe-only event is running any more, for hosts that are about to exit.
    pub async fn settle(&self) {
        let mut observing = self.shared.observing.subscribe();
        // The sender lives as long as this dispatcher, so waiting cannot fail.
        let _ = observing.wait_for(|running| *running == 0).await;
    }

    fn enforced_error(&self, event: EventName) -> Option<&LifecycleError> {
        self.file_error().filter(|_| self.shared.settings.enforce && event.is_blockable())
    }

    async fn ask(&self, event: &LifecycleEvent, reason: String, outcome: &mut Outcome) {
        let LifecycleEvent::PreToolUse(ToolUse { session_id, tool, call_id, args }) = event else {
            // No tool call to hang a prompt on.
            return outcome.block(BlockKind::Hook, reason);
        };
        let request = PermissionRequest {
            permission: HOOK_PERMISSION,
            session_id: session_id.clone(),
            tool: tool.clone(),
            call_id: call_id.clone(),
            args: args.clone(),
            reason: reason.clone(),
        };
        let refusal = match self.shared.settings.prompt.ask(request).await {
            PermissionAnswer::Granted => {
                outcome.reason = Some(reason);
                return;
            }
            PermissionAnswer::Declined => format!("The user declined permission for tool {tool}: {reason}"),
            PermissionAnswer::Unattended => {
                format!(
                    "Permission for tool {tool} was declined: {reason} (no user interface is available to confirm it)"
                )
            }
        };
        outcome.block(BlockKind::PermissionDeclined, refusal);
    }

    async fn execute(&self, hook: &Hook, event: &LifecycleEvent) -> HookOutput {
        let base = HookOutput { command: hook.command(), pack: hook.pack.clone(), ..HookOutput::default() };
        match &hook.action {
            Action::Pack(pack) => {
                let started = Instant::now();
                let printed = pack.run(&event.args());
                HookOutput {
                    exit: printed.exit,
                    stdout: printed.stdout,
                    stderr: printed.stderr,
                    ms: milliseconds(started.elapsed()),
                    ..base
                }
            }
            Action::Command { command, cwd, time_limit, pass_env } => {
                let general = self.shared.settings.time_limit;
                let args = event.args();
                let mut env = self.shared.settings.env.for_hooks(pass_env);
                set_hook_variables(&mut env, hook, event, &args);
                let job = Job {
                    command: command.clone(),
                    cwd: cwd.clone(),
                    env,
                    stdin: args,
                    limit: time_limit.map_or(general, |limit| limit.min(general)),
                };
                let limit = job.limit;
                let finished = process::run(job, &self.shared.settings.slots).await;
                HookOutput {
                    exit: finished.exit,
                    stdout: finished.stdout,
                    stderr: finished.stderr,
                    timed_out: finished.timed_out,
                    truncated: finished.truncated,
                    ms: milliseconds(finished.elapsed),
                    limit,
                    ..base
                }
            }
        }
    }
}

/// The protocol's own variables, after scrubbing; inherited ones of the same name are replaced, even by an empty value.
fn set_hook_variables(env: &mut Vec<(OsString, OsString)>, hook: &Hook, event: &LifecycleEvent, args: &Args) {
    let small = |text: &str| -> String {
        // A NUL cannot be in an environment; a huge id would keep the process from starting.
        if text.len() > MAX_ARGS_IN_ENV { String::new() } else { text.replace('\0', "") }
    };
    let variables = [
        ("HOOK_EVENT", event.name().as_str().to_owned()),
        ("HOOK_TOOL", small(event.tool().unwrap_or_default())),
        ("HOOK_SESSION_ID", small(event.session_id())),
        ("HOOK_ARGS_JSON", small(args.as_str())),
        ("HOOK_ARGS_STDIN", "1".to_owned()),
        ("HOOK_PACK", small(hook.pack().unwrap_or_default())),
    ];
    env.retain(|(name, _)| !variables.iter().any(|variable| name == variable.0));
    env.extend(variables.map(|(name, value)| (OsString::from(name), OsString::from(value))));
}

fn milliseconds(elapsed: std::time::Duration) -> u64 {
    u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX)
}

/// Counts an observed event for as long as it runs, however it ends.
struct Observing {
    dispatcher: LifecycleDispatcher,
}

impl Observing {
    fn start(dispatcher: LifecycleDispatcher) -> Self {
        dispatcher.shared.observing.send_modify(|running| *running += 1);
        Observing { dispatcher }
    }
}

impl Drop for Observing {
    fn drop(&mut self) {
        self.dispatcher.shared.observing.send_modify(|running| *running = running.saturating_sub(1));
    }
}

/// A caller outside any runtime still must not wait: the event gets a thread of its own until its hooks are through.
fn observe_without_runtime(work: impl Future<Output = ()> + Send + 'static) {
    let spawned = std::thread::Builder::new().name("lifecycle-observe".to_owned()).spawn(move || {
        match tokio::runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime.block_on(work),
            Err(error) => tracing::error!(target: "hookrt::lifecycle", "observe-only hooks did not run: {error}"),
        }
    });
    if let Err(error) = spawned {
        tracing::error!(target: "hookrt::lifecycle", "observe-only hooks did not run: {error}");
    }
}
