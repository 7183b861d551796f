//! The agent's own life: prompts, turns, retries, rules, todos.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

use super::messages::{CustomMessage, ImageContent, Message};
use super::values::{Extra, read};

/// `before_agent_start`: a prompt is about to reach the model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BeforeAgentStartEvent {
    /// What the person wrote.
    pub prompt: String,
    /// Images that go with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub images: Option<Vec<PromptImage>>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// An image of a prompt: an image block with its `type`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum PromptImage {
    /// An image.
    Image(ImageContent),
    /// Something this version does not know, as it came.
    #[serde(untagged)]
    Other(Value),
}

/// `agent_start`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentStartEvent {
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `agent_end`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentEndEvent {
    /// The messages of the run.
    #[serde(default, deserialize_with = "read::list")]
    pub messages: Vec<Message>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `turn_start`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TurnStartEvent {
    /// Counted from 0 in a run.
    pub turn_index: Number,
    /// Milliseconds since the epoch.
    pub timestamp: Number,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `turn_end`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TurnEndEvent {
    /// Counted from 0 in a run.
    pub turn_index: Number,
    /// What the model said.
    pub message: Box<Message>,
    /// What its tools answered.
    #[serde(default, deserialize_with = "read::list")]
    pub tool_results: Vec<Message>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `auto_retry_start`: a failed model call is about to be tried again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AutoRetryStartEvent {
    /// Counted from 1.
    pub attempt: Number,
    /// After which it gives up.
    pub max_attempts: Number,
    /// Milliseconds until then.
    pub delay_ms: Number,
    /// Why it failed.
    pub error_message: String,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `auto_retry_end`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AutoRetryEndEvent {
    /// Whether it worked.
    #[serde(deserialize_with = "read::flag")]
    pub success: bool,
    /// Counted from 1.
    pub attempt: Number,
    /// Why it failed in the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub final_error: Option<String>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `ttsr_triggered`: rules that the model's text set off.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TtsrTriggeredEvent {
    /// The rules, as the host gives them.
    #[serde(default, deserialize_with = "read::list")]
    pub rules: Vec<Value>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `todo_reminder`: the model is reminded of open todos.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TodoReminderEvent {
    /// The todos, as the host gives them.
    #[serde(default, deserialize_with = "read::list")]
    pub todos: Vec<Value>,
    /// Counted from 1.
    pub attempt: Number,
    /// After which it gives up.
    pub max_attempts: Number,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// What a `before_agent_start` handler may return.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BeforeAgentStartResult {
    /// A message to put before the prompt: `{customType, content, display, details?, attribution?}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Box<CustomMessage>>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}
