//! A tool between its hooks (`hooks.md §5`): asked before it runs, shown its result after.

use std::future::Future;

use serde_json::{Value, json};

use super::emit::{EmitError, HookRunner};
use super::outcome::BlockedBy;
use crate::events::ToolCallEvent;
use crate::json_text;
use crate::lifecycle::{LifecycleDispatcher, PreVerdict};

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

/// Wraps tool calls with the hooks of a runner and, when given, with shell lifecycle hooks around them (`lifecycle.md`, "Together with
/// JS/TS hooks"): `PreToolUse`, `tool_call`, the tool, `tool_result`, then `PostToolUse` or `PostToolUseFailure`.
#[derive(Clone)]
pub struct HookToolWrapper {
    runner: HookRunner,
    lifecycle: Option<Lifecycle>,
}

#[derive(Clone)]
struct Lifecycle {
    dispatcher: LifecycleDispatcher,
    session: String,
}

impl HookToolWrapper {
    pub fn new(runner: HookRunner) -> Self {
        HookToolWrapper { runner, lifecycle: None }
    }

    /// Shell lifecycle hooks run around the tool, too, and see this session id.
    pub fn with_lifecycle(mut self, dispatcher: LifecycleDispatcher, session: impl Into<String>) -> Self {
        self.lifecycle = Some(Lifecycle { dispatcher, session: session.into() });
        self
    }

    /// Runs `tool` unless a hook blocks it. `tool` gets the input it shall run with: the host's, or the hooks' edit of it under
    /// `inputMutation: apply`. A handler that throws, or an engine that is gone, blocks (fail-safe).
    pub async fn execute<F, Run>(&self, tool_name: &str, tool_call_id: &str, input: Value, tool: F) -> ToolOutcome
    where
        F: FnOnce(Value) -> Run,
        Run: Future<Output = Result<ToolRun, ToolError>>,
    {
        if let Some(Lifecycle { dispatcher, session }) = &self.lifecycle
            && let PreVerdict::Block(reason) = dispatcher.pre_tool_use(session, tool_name, tool_call_id, &input).await
        {
            return ToolOutcome::Blocked { reason, by: None };
        }
        let event = ToolCallEvent {
            tool_name: tool_name.to_owned(),
            tool_call_id: tool_call_id.to_owned(),
            input,
            ..ToolCallEvent::default()
        };
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
        let outcome = self.show_result(tool_name, tool_call_id, &input, ran).await;
        self.after(tool_name, tool_call_id, &input, outcome).await
    }

    /// Shows the result to the `tool_result` handlers and applies what they replace.
    async fn show_result(
        &self,
        tool_name: &str,
        tool_call_id: &str,
        input: &Value,
        ran: Result<ToolRun, ToolError>,
    ) -> ToolOutcome {
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
            "type": "tool_result",
            "toolName": tool_name,
            "toolCallId": tool_call_id,
            "input": input,
            "content": content,
            "isError": ran.is_err(),
        });
        if let (Some(details), Some(fields)) = (details, event.as_object_mut()) {
            fields.insert("details".to_owned(), details);
        }
        // `tool_result` handlers never fail the call: their errors went to the listeners, and without an engine the
        // tool's own result stands.
        let outcome = self.runner.emit_raw("tool_result", event.to_string()).await.ok();
        let patch = outcome.and_then(|outcome| json_text::value(outcome.result?.get()).ok());
        match (ran, patch) {
            (Err(error), _) => ToolOutcome::Failed(error),
            (Ok(run), None) => ToolOutcome::Ok(run),
            (Ok(run), Some(patch)) => ToolOutcome::Ok(ToolRun {
                content: given(&patch, "content").unwrap_or(run.content),
                details: given(&patch, "details").or(run.details),
            }),
        }
    }

    /// Runs the shell hooks that follow a tool; their feedback goes after whatever content is final.
    async fn after(&self, tool_name: &str, tool_call_id: &str, input: &Value, outcome: ToolOutcome) -> ToolOutcome {
        let Some(Lifecycle { dispatcher, session }) = &self.lifecycle else { return outcome };
        match outcome {
            ToolOutcome::Ok(mut run) => {
                if let Some(feedback) = dispatcher.post_tool_use(session, tool_name, tool_call_id, input).await {
                    append_text(&mut run.content, feedback);
                }
                ToolOutcome::Ok(run)
            }
            ToolOutcome::Failed(error) => {
                dispatcher.post_tool_use_failure(session, tool_name, tool_call_id, "error");
                ToolOutcome::Failed(error)
            }
            blocked @ ToolOutcome::Blocked { .. } => blocked,
        }
    }
}

/// Adds a text block after the content of a result.
fn append_text(content: &mut Value, text: String) {
    match content {
        Value::Array(blocks) => blocks.push(json!({ "type": "text", "text": text })),
        Value::String(existing) => {
            existing.push('\n');
            existing.push_str(&text);
        }
        other => *other = json!([{ "type": "text", "text": text }]),
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
