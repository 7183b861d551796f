//! Entries of a session file, told apart by `type`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

use super::messages::{Content, Message};
use super::tagged::keep_odd_shapes;
use super::values::{Extra, Timestamp, read};

/// What every entry but the header has.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EntryHead {
    /// The entry.
    #[serde(deserialize_with = "read::id")]
    pub id: String,
    /// The entry it follows; null at the root.
    #[serde(default, deserialize_with = "read::id_or_null")]
    pub parent_id: Option<String>,
    /// When it was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<Timestamp>,
}

/// `session`: the first line of a session file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionHeader {
    /// The session.
    #[serde(deserialize_with = "read::id")]
    pub id: String,
    /// When it began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<Timestamp>,
    /// The directory it began in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The session it was made from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_session: Option<String>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `message`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MessageEntry {
    /// Id, parent, time.
    #[serde(flatten)]
    pub head: EntryHead,
    /// The message.
    pub message: Box<Message>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `compaction`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CompactionEntry {
    /// Id, parent, time.
    #[serde(flatten)]
    pub head: EntryHead,
    /// What stands for the messages left out.
    pub summary: String,
    /// The first entry that stays.
    #[serde(deserialize_with = "read::id")]
    pub first_kept_entry_id: String,
    /// Tokens in use before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens_before: Option<Number>,
    /// What a hook wants to find again.
    #[serde(default, deserialize_with = "read::present", skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `branch_summary`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BranchSummaryEntry {
    /// Id, parent, time.
    #[serde(flatten)]
    pub head: EntryHead,
    /// What stands for the branch.
    pub summary: String,
    /// What a hook wants to find again.
    #[serde(default, deserialize_with = "read::present", skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `custom`: what `pi.appendEntry` wrote.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomEntry {
    /// Id, parent, time.
    #[serde(flatten)]
    pub head: EntryHead,
    /// The name the hook finds its entries by.
    pub custom_type: String,
    /// What the hook wrote.
    #[serde(default, deserialize_with = "read::present", skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `custom_message`: a message of a hook, seen by the model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomMessageEntry {
    /// Id, parent, time.
    #[serde(flatten)]
    pub head: EntryHead,
    /// The name a message renderer registers for.
    pub custom_type: String,
    /// What the model sees.
    #[serde(default)]
    pub content: Content,
    /// Whether the person sees it.
    #[serde(default, deserialize_with = "read::flag")]
    pub display: bool,
    /// What the renderer sees.
    #[serde(default, deserialize_with = "read::present", skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `label`: a name a person gave an entry.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LabelEntry {
    /// Id, parent, time.
    #[serde(flatten)]
    pub head: EntryHead,
    /// The entry.
    #[serde(deserialize_with = "read::id")]
    pub target_id: String,
    /// The name; absent takes it away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// An entry whose own fields stay as the host gives them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlainEntry {
    /// Id, parent, time.
    #[serde(flatten)]
    pub head: EntryHead,
    /// Its own fields.
    #[serde(flatten)]
    pub extra: Extra,
}

/// One entry of a session.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(clippy::large_enum_variant, reason = "sessions hold mostly the large variants")]
pub enum SessionEntry {
    /// The first line of the file.
    Session(SessionHeader),
    /// A message.
    Message(MessageEntry),
    /// How hard the model thinks, from here on.
    ThinkingLevelChange(PlainEntry),
    /// The model, from here on.
    ModelChange(PlainEntry),
    /// The context window, from here on.
    ContextChange(PlainEntry),
    /// The provider's service tier, from here on.
    ServiceTierChange(PlainEntry),
    /// A compaction.
    Compaction(CompactionEntry),
    /// The summary of a branch that was left.
    BranchSummary(BranchSummaryEntry),
    /// Data of a hook.
    Custom(CustomEntry),
    /// A message of a hook.
    CustomMessage(CustomMessageEntry),
    /// A name for an entry.
    Label(LabelEntry),
    /// Rules that were injected.
    TtsrInjection(PlainEntry),
    /// Tools chosen from a server.
    McpToolSelection(PlainEntry),
    /// What the session began with.
    SessionInit(PlainEntry),
    /// The agent's mode, from here on.
    ModeChange(PlainEntry),
    /// An entry this version does not know, as it came.
    #[serde(untagged)]
    Other(Extra),
}

keep_odd_shapes!(SessionEntry by "type" {
    "session" => Session,
    "message" => Message,
    "thinking_level_change" => ThinkingLevelChange,
    "model_change" => ModelChange,
    "context_change" => ContextChange,
    "service_tier_change" => ServiceTierChange,
    "compaction" => Compaction,
    "branch_summary" => BranchSummary,
    "custom" => Custom,
    "custom_message" => CustomMessage,
    "label" => Label,
    "ttsr_injection" => TtsrInjection,
    "mcp_tool_selection" => McpToolSelection,
    "session_init" => SessionInit,
    "mode_change" => ModeChange,
});
