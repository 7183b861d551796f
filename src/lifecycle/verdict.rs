//! What a finished hook decided (`lifecycle.md`, Verdicts).

use super::claude_code;
use super::config::clip;
use super::events::EventName;
use super::hook::{Hook, Protocol};
use super::output::HookOutput;

/// What one hook decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// No decision.
    Proceed,
    /// Explicitly allowed; other hooks may still object.
    Allow,
    /// A person has to confirm.
    Ask { reason: String },
    /// Stop here. Without a reason the failed hooks speak for themselves.
    Block { reason: Option<String> },
}

impl Verdict {
    pub(crate) fn block(reason: impl Into<String>) -> Self {
        Verdict::Block { reason: Some(reason.into()) }
    }
}

/// Judges a finished hook. The second part is a warning for the log.
pub(crate) fn judge(hook: &Hook, event: EventName, output: &HookOutput) -> (Verdict, Option<String>) {
    let (verdict, warning) = if event.is_blockable() && hook.protocol == Protocol::ClaudeCode {
        claude_code::decide(output, hook.block_on_failure)
    } else if output.exit == 0 {
        (Verdict::Proceed, None)
    } else if event.is_blockable() && hook.block_on_failure {
        (Verdict::Block { reason: None }, None)
    } else if event == EventName::PostToolUse && hook.protocol == Protocol::ClaudeCode && output.exit == 2 {
        // Not a failure: this is how such a hook gives its stderr to the model.
        (Verdict::Proceed, None)
    } else {
        (Verdict::Proceed, Some(output.failure()))
    };
    (verdict, warning.map(|text| warning_line(hook, event, output, &text)))
}

fn warning_line(hook: &Hook, event: EventName, output: &HookOutput, text: &str) -> String {
    let mut line = format!("{event} hook `{}` ({}): {text}", clip(&output.command), hook.source.describe());
    let stderr = output.stderr.trim();
    // Of a command that never ran it says the same, with the reason.
    let stderr = if output.could_not_start() { stderr.trim_start_matches("could not start ") } else { stderr };
    if output.exit != 0 && !stderr.is_empty() {
        line.push_str(": ");
        line.push_str(&clip(stderr));
    }
    line
}
