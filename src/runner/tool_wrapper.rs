//! A tool between its hooks (`hooks.md §5`): asked before it runs, shown its result after.

use std::future::Future;

use serde_json::{Value, json};

use super::emit::{EmitError, HookRunner};
use super::outcome::BlockedBy;
use crate::events::ToolCallEvent;

/// What a tool gave.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ToolRun {
    /// `(Text | Image)[]`
    pub content: Value,
    pub details: Option<Value>,
}

/// How a wrapped call ended.
#[derive(Debug, Clone, PartialEq)]
pub enum ToolOutcome {
    /// The tool ran; hooks may have replaced content or details.
    Ok(ToolRun),
    /// It did not run.
    Blocked {
        /// Text of the failure the model sees.
        reason: String,
        by: Option<BlockedBy>,
    },
    /// It ran and failed; the error is the tool's own.
    Failed(ToolError),
}

/// A tool's own failure.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ToolError {
    pub message: String,
}

/// Text of a block without a reason.
const DEFAULT_REASON: &str = "Tool execution was blocked by a hook";

/// Wraps tool calls with the hooks of a runner.
#[derive(Clone)]
pub struct HookToolWrapper {
    runner: HookRunner,
}

impl HookToolWrapper {
    pub fn new(runner: HookRunner) -> Self {
        HookToolWrapper { runner }
    }

    /// Runs `tool` unless a hook blocks it. `tool` gets the input it shall run with: the host's, or the hooks' edit of it under
    /// `inputMutation: apply`. A handler that throws, or an engine that is gone, blocks (fail-safe).
    pub async fn execute<F, Run>(&self, tool_name: &str, tool_call_id: &str, input: Value, tool: F) -> ToolOutcome
    where
        F: FnOnce(Value) -> Run,
        Run: Future<Output = Result<ToolRun, ToolError>>,
    {
        let event = ToolCallEvent { tool_name: tool_name.to_owned(), tool_call_id: tool_call_id.to_owned(), input, ..ToolCallEvent::default() };
        let asked = match self.runner.emit_tool_call(&event).await {
            Ok(asked) => asked,
            Err(error) => return blocked_by_failure(&error),
        };
        if let Some(result) = asked.result.filter(|result| result.block) {
            let reason = result.reason.filter(|reason| !reason.is_empty()).unwrap_or_else(|| DEFAULT_REASON.to_owned());
            return ToolOutcome::Blocked { reason, by: asked.by };
        }
        let input = asked.input.unwrap_or(event.input);
        let ran = tool(input.clone()).await;
        self.report(tool_name, tool_call_id, input, ran).await
    }

    async fn report(&self, tool_name: &str, tool_call_id: &str, input: Value, ran: Result<ToolRun, ToolError>) -> ToolOutcome {
        if !self.runner.has_handlers("tool_result") {
            return match ran {
                Ok(run) => ToolOutcome::Ok(run),
                Err(error) => ToolOutcome::Failed(error),
            };
        }
        let (content, details) = match &ran {
            Ok(run) => (run.content.clone(), run.details.clone()),
            Err(error) => (json!([{ "type": "text", "text": error.message }]), None),
        };
        let mut event = json!({
            "type": "tool_result", "toolName": tool_name, "toolCallId": tool_call_id, "input": input, "content": content, "isError": ran.is_err(),
        });
        if let (Some(details), Some(fields)) = (details, event.as_object_mut()) {
            fields.insert("details".to_owned(), details);
        }
        // `tool_result` handlers never fail the call: their errors went to the listeners, and without an engine the tool's own result stands.
        let patch = self.runner.emit_raw("tool_result", event.to_string()).await.ok().and_then(|outcome| outcome.result);
        match ran {
            Err(error) => ToolOutcome::Failed(error),
            Ok(run) => ToolOutcome::Ok(match patch.and_then(|patch| serde_json::from_str::<Value>(patch.get()).ok()) {
                Some(patch) => ToolRun {
                    content: given(&patch, "content").unwrap_or(run.content),
                    details: given(&patch, "details").or(run.details),
                },
                None => run,
            }),
        }
    }
}

/// A field of a patch, unless it is absent or null (`??`).
fn given(patch: &Value, field: &str) -> Option<Value> {
    patch.get(field).filter(|value| !value.is_null()).cloned()
}

/// The text a failed `tool_call` emit blocks with.
pub(crate) fn failure_reason(error: &EmitError) -> String {
    match error {
        EmitError::Thrown(thrown, _) if thrown.is_error => thrown.message.clone(),
        other => format!("Hook failed, blocking execution: {other}"),
    }
}

fn blocked_by_failure(error: &EmitError) -> ToolOutcome {
    let by = match error {
        EmitError::Thrown(_, by) => by.clone(),
        _ => None,
    };
    ToolOutcome::Blocked { reason: failure_reason(error), by }
}
