//! The three tool events as a tool wrapper calls them.
//!
//! Around a tool: `PreToolUse`, then the `tool_call` handlers, the tool, the `tool_result` handlers, then `PostToolUse`
//! or `PostToolUseFailure`.

use super::dispatch::LifecycleDispatcher;
use super::outcome::Outcome;
use super::payload::{Args, LifecycleEvent, ReasonCode, ToolFailure, ToolUse};
use super::wire::now_ms;

/// Whether a tool may run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PreVerdict {
    /// It may.
    Allow,
    /// It may not; the text is the error for host and model.
    Block(String),
}

impl From<&Outcome> for PreVerdict {
    fn from(outcome: &Outcome) -> Self {
        outcome.error_message().map_or(PreVerdict::Allow, PreVerdict::Block)
    }
}

impl LifecycleDispatcher {
    /// Runs `PreToolUse`, asking a person where hooks want one.
    pub async fn pre_tool_use(&self, session: &str, tool: &str, call_id: &str, args: impl Into<Args>) -> PreVerdict {
        let outcome = self.run(LifecycleEvent::PreToolUse(tool_use(session, tool, call_id, args.into()))).await;
        outcome.log(session);
        PreVerdict::from(&outcome)
    }

    /// Runs `PostToolUse`. The text, if any, is to be appended after the tool's own (final) output; it never replaces it.
    pub async fn post_tool_use(
        &self,
        session: &str,
        tool: &str,
        call_id: &str,
        args: impl Into<Args>,
    ) -> Option<String> {
        let outcome = self.run(LifecycleEvent::PostToolUse(tool_use(session, tool, call_id, args.into()))).await;
        outcome.log(session);
        outcome.feedback
    }

    /// Starts `PostToolUseFailure` and returns at once. `reason` is a code such as `error`, `timeout` or `aborted`; free
    /// text is replaced by `error`, so that no output travels in it.
    pub fn post_tool_use_failure(&self, session: &str, tool: &str, call_id: &str, reason: &str) {
        self.observe(LifecycleEvent::PostToolUseFailure(ToolFailure {
            session_id: session.to_owned(),
            tool: tool.to_owned(),
            call_id: call_id.to_owned(),
            reason: ReasonCode::new(reason),
            time: now_ms(),
        }));
    }
}

fn tool_use(session: &str, tool: &str, call_id: &str, args: Args) -> ToolUse {
    ToolUse { session_id: session.to_owned(), tool: tool.to_owned(), call_id: Some(call_id.to_owned()), args }
}
