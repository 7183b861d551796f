//! Around a tool: before it runs and after.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::messages::Content;
use super::values::{Extra, read};

/// `tool_call`: a tool is about to run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolCallEvent {
    /// The tool.
    pub tool_name: String,
    /// The id of the call.
    #[serde(deserialize_with = "read::id")]
    pub tool_call_id: String,
    /// Its arguments.
    pub input: Value,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `tool_result`: a tool ended.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolResultEvent {
    /// The tool.
    pub tool_name: String,
    /// The id of the call.
    #[serde(deserialize_with = "read::id")]
    pub tool_call_id: String,
    /// Its arguments.
    #[serde(default)]
    pub input: Value,
    /// What the model sees.
    #[serde(default)]
    pub content: Content,
    /// What the host's display sees; absent when the tool failed.
    #[serde(default, deserialize_with = "read::present", skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    /// Whether the tool failed.
    #[serde(default, deserialize_with = "read::flag_or_null", skip_serializing_if = "Option::is_none")]
    pub is_error: Option<bool>,
    /// Whether it worked with a warning.
    #[serde(default, deserialize_with = "read::flag_or_null", skip_serializing_if = "Option::is_none")]
    pub is_warning: Option<bool>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// What a `tool_call` handler may return.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolCallResult {
    /// Whether to refuse the call; any truthy value does.
    #[serde(default, deserialize_with = "read::flag")]
    pub block: bool,
    /// Why, for the model.
    #[serde(default, deserialize_with = "read::words", skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

impl ToolCallResult {
    /// What a refused call fails with when the hook gives no reason (`hooks.md §5`).
    pub const DEFAULT_REASON: &'static str = "Tool execution was blocked by a hook";

    /// The text a refused call fails with; an empty reason counts as none.
    pub fn reason_or_default(&self) -> &str {
        match self.reason.as_deref() {
            None | Some("") => Self::DEFAULT_REASON,
            Some(reason) => reason,
        }
    }
}

/// What a `tool_result` handler may return; a null field is the same as an absent one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolResultPatch {
    /// What the model shall see instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Content>,
    /// What the host's display shall see instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    /// Typed and not applied (`hooks.md §5`).
    #[serde(default, deserialize_with = "read::flag_or_null", skip_serializing_if = "Option::is_none")]
    pub is_error: Option<bool>,
    /// Typed and not applied.
    #[serde(default, deserialize_with = "read::flag_or_null", skip_serializing_if = "Option::is_none")]
    pub is_warning: Option<bool>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}
