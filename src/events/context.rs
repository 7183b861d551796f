//! The conversation as one model call gets it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::messages::Message;
use super::values::{Extra, read};

/// `context`: the messages of one model call, a deep copy that handlers may edit.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContextEvent {
    /// The messages.
    #[serde(deserialize_with = "read::list")]
    pub messages: Vec<Message>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// What a `context` handler may return, and what the emit gives back.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContextResult {
    /// The messages to use instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages: Option<Vec<Message>>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}
