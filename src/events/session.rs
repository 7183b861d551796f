//! Sessions: start, switch, branch, tree, shutdown.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::compaction::SignalState;
use super::entries::SessionEntry;
use super::values::{Extra, read};

/// Why another session is opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum SwitchReason {
    /// An empty one.
    New,
    /// One from before.
    Resume,
    /// A copy of the current one.
    Fork,
    /// A reason this version does not know.
    #[serde(untagged)]
    Other(String),
}

/// `session_start`: the session is loaded.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionStartEvent {
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `session_before_switch`: another session is about to be opened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionBeforeSwitchEvent {
    /// Why.
    pub reason: SwitchReason,
    /// The file of the session to be opened, when there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_session_file: Option<String>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `session_switch`: another session was opened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionSwitchEvent {
    /// Why.
    pub reason: SwitchReason,
    /// The file of the session before, absent when it had none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_session_file: Option<String>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `session_before_branch`: a branch is about to start at an entry.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionBeforeBranchEvent {
    /// The entry.
    #[serde(deserialize_with = "read::id")]
    pub entry_id: String,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `session_branch`: a branch was started.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionBranchEvent {
    /// The file of the session before, absent when it had none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_session_file: Option<String>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// What a move in the session tree would leave behind.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TreePreparation {
    /// The entry to move to.
    #[serde(deserialize_with = "read::id")]
    pub target_id: String,
    /// The entry the session stands at.
    #[serde(default, deserialize_with = "read::id_or_null")]
    pub old_leaf_id: Option<String>,
    /// The last entry both share.
    #[serde(default, deserialize_with = "read::id_or_null")]
    pub common_ancestor_id: Option<String>,
    /// The entries of the branch that is left.
    #[serde(default, deserialize_with = "read::list")]
    pub entries_to_summarize: Vec<SessionEntry>,
    /// Whether the person asked for a summary of them.
    #[serde(default, deserialize_with = "read::flag")]
    pub user_wants_summary: bool,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `session_before_tree`: a move in the session tree is about to happen.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionBeforeTreeEvent {
    /// What it would leave behind.
    pub preparation: Box<TreePreparation>,
    /// Aborted when the host gives the move up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<SignalState>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `session_tree`: a move in the session tree happened.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionTreeEvent {
    /// The entry the session stands at.
    #[serde(default, deserialize_with = "read::id_or_null")]
    pub new_leaf_id: Option<String>,
    /// The entry it stood at.
    #[serde(default, deserialize_with = "read::id_or_null")]
    pub old_leaf_id: Option<String>,
    /// The summary of the branch that was left, when one was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary_entry: Option<Box<SessionEntry>>,
    /// Whether a hook made that summary.
    #[serde(default, deserialize_with = "read::flag_or_null", skip_serializing_if = "Option::is_none")]
    pub from_extension: Option<bool>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `session_shutdown`: the agent ends. Handlers have 2 s.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionShutdownEvent {
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// What a `session_before_switch` handler may return.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionBeforeSwitchResult {
    /// Whether to stay.
    #[serde(default, deserialize_with = "read::flag_or_null", skip_serializing_if = "Option::is_none")]
    pub cancel: Option<bool>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// What a `session_before_branch` handler may return.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionBeforeBranchResult {
    /// Whether to stay.
    #[serde(default, deserialize_with = "read::flag_or_null", skip_serializing_if = "Option::is_none")]
    pub cancel: Option<bool>,
    /// Whether to branch without putting the conversation back.
    #[serde(default, deserialize_with = "read::flag_or_null", skip_serializing_if = "Option::is_none")]
    pub skip_conversation_restore: Option<bool>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A summary that a hook made of a branch that is left.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TreeSummary {
    /// The text.
    pub summary: String,
    /// What the hook wants to find again.
    #[serde(default, deserialize_with = "read::present", skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// What a `session_before_tree` handler may return.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionBeforeTreeResult {
    /// Whether to stay.
    #[serde(default, deserialize_with = "read::flag_or_null", skip_serializing_if = "Option::is_none")]
    pub cancel: Option<bool>,
    /// The summary to use instead of the agent's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<TreeSummary>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}
