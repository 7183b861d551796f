//! A tool between its hooks (`hooks.md §5`): asked before it runs, shown its result after.

use std::future::Future;

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::emit::{EmitError, HookRunner};
use super::outcome::{BlockedBy, ToolCallOutcome};
use crate::json_text;
use crate::lifecycle::{LifecycleDispatcher, PreVerdict};

/// What a tool is called with.
#[derive(Debug, Clone)]
pub struct ToolInput {
    value: Value,
    /// As it was written, for what JavaScript can hold and Rust cannot.
    text: Option<Box<RawValue>>,
}

impl From<Value> for ToolInput {
    fn from(value: Value) -> Self {
        ToolInput { value, text: None }
    }
}

impl ToolInput {
    /// Input as JSON text: hooks see it as JavaScript reads it, the tool the nearest that Rust can hold (a lone surrogate is U+FFFD, a number
    /// past the largest one null).
    ///
    /// # Errors
    /// It is not JSON.
    pub fn from_json(text: Box<RawValue>) -> Result<Self, serde_json::Error> {
        Ok(ToolInput { value: json_text::lossy_value(&text)?, text: Some(text) })
    }
}

impl Serialize for ToolInput {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.text {
            Some(text) => text.serialize(serializer),
            None => self.value.serialize(serializer),
        }
    }
}

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
    pub async fn execute<F, Run>(
        &self,
        tool_name: &str,
        tool_call_id: &str,
        input: impl Into<ToolInput>,
        tool: F,
    ) -> ToolOutcome
    where
        F: FnOnce(Value) -> Run,
        Run: Future<Output = Result<ToolRun, ToolError>>,
    {
        let input = input.into();
        if let Some(Lifecycle { dispatcher, session }) = &self.lifecycle
            && let PreVerdict::Block(reason) =
                dispatcher.pre_tool_use(session, tool_name, tool_call_id, &input.value).await
        {
            return ToolOutcome::Blocked { reason, by: None };
        }
        let asked = match self.ask(tool_name, tool_call_id, &input).await {
            Ok(asked) => asked,
            Err(error) => return blocked_by_failure(&error),
        };
        if let Some(result) = asked.result.filter(|result| result.block) {
            let reason = result.reason.filter(|reason| !reason.is_empty()).unwrap_or_else(|| DEFAULT_REASON.to_owned());
            return ToolOutcome::Blocked { reason, by: asked.by };
        }
        let input = asked.input.map_or(input, ToolInput::from);
        let ran = tool(input.value.clone()).await;
        let outcome = self.show_result(tool_name, tool_call_id, &input, ran).await;
        self.after(tool_name, tool_call_id, &input.value, outcome).await
    }

    /// Asks the `tool_call` handlers; without any nothing is marshalled.
    async fn ask(&self, tool_name: &str, tool_call_id: &str, input: &ToolInput) -> Result<ToolCallOutcome, EmitError> {
        if !self.runner.has_handlers("tool_call") {
            return Ok(ToolCallOutcome::default());
        }
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct ToolCall<'a> {
            tool_name: &'a str,
            tool_call_id: &'a str,
            input: &'a ToolInput,
        }
        let event = serde_json::to_string(&ToolCall { tool_name, tool_call_id, input });
        self.runner.ask(event.map_err(|error| EmitError::Malformed(error.to_string()))?).await
    }

    /// Shows the result to the `tool_result` handlers and applies what they replace.
    async fn show_result(
        &self,
        tool_name: &str,
        tool_call_id: &str,
        input: &ToolInput,
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
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct ToolResult<'a> {
            tool_name: &'a str,
            tool_call_id: &'a str,
            input: &'a ToolInput,
            content: Value,
            is_error: bool,
            #[serde(skip_serializing_if = "Option::is_none")]
            details: Option<Value>,
        }
        let event = ToolResult { tool_name, tool_call_id, input, content, is_error: ran.is_err(), details };
        // `tool_result` handlers never fail the call: their errors went to the listeners, and without an engine the
        // tool's own result stands.
        let outcome = match serde_json::to_string(&event) {
            Ok(event) => self.runner.emit_raw("tool_result", event).await.ok(),
            Err(_) => None,
        };
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
