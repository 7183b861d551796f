//! Compaction: a long conversation replaced by a summary, asked for or automatic.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

use super::entries::SessionEntry;
use super::messages::Message;
use super::values::{Extra, read};

/// The wire form of an event's `signal`. The isolate puts a live `AbortSignal` in its place; the
/// host aborts it by its handle, not by this value.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignalState {
    /// Whether it is aborted already.
    #[serde(default, deserialize_with = "read::flag")]
    pub aborted: bool,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Files the compacted part touched. Lists on the wire, `Set`s in the isolate.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileOps {
    /// Files read.
    #[serde(default, deserialize_with = "read::list")]
    pub read: Vec<String>,
    /// Files written.
    #[serde(default, deserialize_with = "read::list")]
    pub written: Vec<String>,
    /// Files edited.
    #[serde(default, deserialize_with = "read::list")]
    pub edited: Vec<String>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// What a compaction would do.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CompactionPreparation {
    /// The first entry that stays.
    #[serde(deserialize_with = "read::id")]
    pub first_kept_entry_id: String,
    /// The messages that go.
    #[serde(default, deserialize_with = "read::list")]
    pub messages_to_summarize: Vec<Message>,
    /// The part of a turn that goes, when the cut runs through one.
    #[serde(default, deserialize_with = "read::list")]
    pub turn_prefix_messages: Vec<Message>,
    /// The messages that stay.
    #[serde(default, deserialize_with = "read::list")]
    pub recent_messages: Vec<Message>,
    /// Whether the cut runs through a turn.
    #[serde(default, deserialize_with = "read::flag")]
    pub is_split_turn: bool,
    /// Tokens in use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens_before: Option<Number>,
    /// The summary of the compaction before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_summary: Option<String>,
    /// What the compaction before wanted kept.
    #[serde(default, deserialize_with = "read::present", skip_serializing_if = "Option::is_none")]
    pub previous_preserve_data: Option<Value>,
    /// Files the part that goes touched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_ops: Option<FileOps>,
    /// The host's settings for compaction, as it gives them.
    #[serde(default, deserialize_with = "read::present", skip_serializing_if = "Option::is_none")]
    pub settings: Option<Value>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// What a compaction made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CompactionResult {
    /// What stands for the messages left out.
    pub summary: String,
    /// The same in a line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub short_summary: Option<String>,
    /// The first entry that stays.
    #[serde(deserialize_with = "read::id")]
    pub first_kept_entry_id: String,
    /// Tokens in use before.
    pub tokens_before: Number,
    /// What a hook wants to find again.
    #[serde(default, deserialize_with = "read::present", skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    /// What the next compaction gets as `previousPreserveData`.
    #[serde(default, deserialize_with = "read::present", skip_serializing_if = "Option::is_none")]
    pub preserve_data: Option<Value>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `session_before_compact`: a compaction is about to start.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionBeforeCompactEvent {
    /// What it would do.
    pub preparation: Box<CompactionPreparation>,
    /// The entries of the current branch.
    #[serde(default, deserialize_with = "read::list")]
    pub branch_entries: Vec<SessionEntry>,
    /// What the person asked the summary to hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub custom_instructions: Option<String>,
    /// Aborted when the host gives the compaction up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<SignalState>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `session.compacting`: the summary is about to be asked for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionCompactingEvent {
    /// The session.
    #[serde(deserialize_with = "read::id")]
    pub session_id: String,
    /// The messages to be summarised.
    #[serde(default, deserialize_with = "read::list")]
    pub messages: Vec<Message>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `session_compact`: a compaction was written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionCompactEvent {
    /// The entry that holds it.
    pub compaction_entry: Box<SessionEntry>,
    /// Whether a hook made the summary.
    #[serde(default, deserialize_with = "read::flag")]
    pub from_extension: bool,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Why the agent compacts by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum AutoCompactionReason {
    /// The context is nearly full.
    Threshold,
    /// The provider refused the context as too long.
    Overflow,
    /// Nothing else is going on.
    Idle,
    /// A reason this version does not know.
    #[serde(untagged)]
    Other(String),
}

/// What the agent does about a full context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AutoCompactionAction {
    /// Compacts in place.
    ContextFull,
    /// Hands over to a new session.
    Handoff,
    /// An action this version does not know.
    #[serde(untagged)]
    Other(String),
}

/// `auto_compaction_start`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AutoCompactionStartEvent {
    /// Why.
    pub reason: AutoCompactionReason,
    /// What is done.
    pub action: AutoCompactionAction,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `auto_compaction_end`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AutoCompactionEndEvent {
    /// What was done.
    pub action: AutoCompactionAction,
    /// What it made, absent when it made nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Box<CompactionResult>>,
    /// Whether it was given up.
    #[serde(default, deserialize_with = "read::flag")]
    pub aborted: bool,
    /// Whether the agent tries again.
    #[serde(default, deserialize_with = "read::flag")]
    pub will_retry: bool,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_message: Option<String>,
    /// Whether there was nothing to do.
    #[serde(default, deserialize_with = "read::flag_or_null", skip_serializing_if = "Option::is_none")]
    pub skipped: Option<bool>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// What a `session_before_compact` handler may return.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionBeforeCompactResult {
    /// Whether not to compact.
    #[serde(default, deserialize_with = "read::flag_or_null", skip_serializing_if = "Option::is_none")]
    pub cancel: Option<bool>,
    /// The compaction to use instead of the agent's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compaction: Option<Box<CompactionResult>>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// What a `session.compacting` handler may return.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionCompactingResult {
    /// Paragraphs to put before the conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<Vec<String>>,
    /// The prompt to use instead of the agent's own.
    #[serde(default, deserialize_with = "read::words", skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// What the next compaction gets as `previousPreserveData`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preserve_data: Option<Extra>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}
