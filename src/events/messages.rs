//! Messages by `role`, and the content blocks they are made of.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

use super::tagged::keep_odd_shapes;
use super::values::{Extra, read};

/// `{type: "text", text}`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TextContent {
    /// The text.
    pub text: String,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `{type: "image", data, mimeType}`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImageContent {
    /// The bytes in base64.
    pub data: String,
    /// For example `image/png`.
    pub mime_type: String,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `{type: "thinking", thinking}`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ThinkingContent {
    /// The text of the thought.
    pub thinking: String,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `{type: "redactedThinking", data}`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RedactedThinkingContent {
    /// The opaque text of the provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `{type: "toolCall", id, name, arguments}`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolCallContent {
    /// The id that the tool result repeats.
    #[serde(deserialize_with = "read::id")]
    pub id: String,
    /// The tool.
    pub name: String,
    /// Its arguments.
    #[serde(default)]
    pub arguments: Value,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// One block of content.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum ContentBlock {
    /// Text.
    Text(TextContent),
    /// An image.
    Image(ImageContent),
    /// A thought of the model.
    Thinking(ThinkingContent),
    /// A thought that the provider hides.
    RedactedThinking(RedactedThinkingContent),
    /// A call of a tool.
    ToolCall(ToolCallContent),
    /// A block this version does not know, as it came.
    #[serde(untagged)]
    Other(Extra),
}

keep_odd_shapes!(ContentBlock by "type" {
    "text" => Text,
    "image" => Image,
    "thinking" => Thinking,
    "redactedThinking" => RedactedThinking,
    "toolCall" => ToolCall,
});

impl ContentBlock {
    /// A text block.
    pub fn text(text: impl Into<String>) -> ContentBlock {
        ContentBlock::Text(TextContent { text: text.into(), extra: Extra::new() })
    }
}

/// Content: text alone or a list of blocks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Content {
    /// Text alone.
    Text(String),
    /// Blocks in order.
    Blocks(Vec<ContentBlock>),
    /// Neither, as it came.
    Other(Value),
}

impl Default for Content {
    fn default() -> Self {
        Content::Blocks(Vec::new())
    }
}

/// `user` and `developer`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserMessage {
    /// What was said.
    pub content: Content,
    /// Milliseconds since the epoch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<Number>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `assistant`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AssistantMessage {
    /// Text, thoughts and tool calls in order.
    pub content: Content,
    /// The wire API of the provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub api: Option<String>,
    /// The provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// The model id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Tokens and cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// `stop`, `length`, `toolUse`, `error` or `aborted`; other words pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<String>,
    /// Why it failed, with `stopReason: "error"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_message: Option<String>,
    /// Milliseconds since the epoch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<Number>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Tokens of one model call; `cost` stays as the host gives it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Tokens sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Number>,
    /// Tokens received.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Number>,
    /// Tokens read from the provider's cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_read: Option<Number>,
    /// Tokens written to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write: Option<Number>,
    /// All of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_tokens: Option<Number>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `toolResult`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolResultMessage {
    /// The call it answers.
    #[serde(deserialize_with = "read::id")]
    pub tool_call_id: String,
    /// The tool.
    pub tool_name: String,
    /// What the model sees.
    pub content: Content,
    /// What the host's display sees.
    #[serde(default, deserialize_with = "read::present", skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    /// Whether the tool failed.
    #[serde(default)]
    pub is_error: bool,
    /// Milliseconds since the epoch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<Number>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `bashExecution`: a command the person ran.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BashExecutionMessage {
    /// The command line.
    pub command: String,
    /// stdout and stderr as shown.
    #[serde(default)]
    pub output: String,
    /// Absent or null when it was killed.
    #[serde(default, deserialize_with = "read::present", skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<Value>,
    /// Milliseconds since the epoch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<Number>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `pythonExecution`: code the person ran.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PythonExecutionMessage {
    /// The code.
    pub code: String,
    /// Output as shown.
    #[serde(default)]
    pub output: String,
    /// Absent or null when it was killed.
    #[serde(default, deserialize_with = "read::present", skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<Value>,
    /// Milliseconds since the epoch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<Number>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `custom` and, from older agents, `hookMessage`: what `pi.sendMessage` sent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomMessage {
    /// The name a message renderer registers for.
    pub custom_type: String,
    /// What the model sees.
    pub content: Content,
    /// Whether the person sees it.
    #[serde(default, deserialize_with = "read::flag")]
    pub display: bool,
    /// What the renderer sees.
    #[serde(default, deserialize_with = "read::present", skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    /// `user` or `agent`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attribution: Option<String>,
    /// Milliseconds since the epoch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<Number>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `branchSummary` and `compactionSummary`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SummaryMessage {
    /// What stands for the messages left out.
    pub summary: String,
    /// Milliseconds since the epoch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<Number>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `fileMention`: files named in a prompt.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileMentionMessage {
    /// One object a file, as the host gives it.
    pub files: Vec<Value>,
    /// Milliseconds since the epoch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<Number>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// One message of a conversation, told apart by `role`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "role", rename_all = "camelCase")]
#[allow(clippy::large_enum_variant, reason = "lists of messages are mostly the large variant")]
pub enum Message {
    /// The person.
    User(UserMessage),
    /// The agent's own instructions.
    Developer(UserMessage),
    /// The model.
    Assistant(AssistantMessage),
    /// A tool.
    ToolResult(ToolResultMessage),
    /// A command the person ran.
    BashExecution(BashExecutionMessage),
    /// Code the person ran.
    PythonExecution(PythonExecutionMessage),
    /// A hook.
    Custom(CustomMessage),
    /// A hook, in older agents.
    HookMessage(CustomMessage),
    /// A branch left behind.
    BranchSummary(SummaryMessage),
    /// A part that was compacted.
    CompactionSummary(SummaryMessage),
    /// Files named in a prompt.
    FileMention(FileMentionMessage),
    /// A role this version does not know, as it came.
    #[serde(untagged)]
    Other(Extra),
}

keep_odd_shapes!(Message by "role" {
    "user" => User,
    "developer" => Developer,
    "assistant" => Assistant,
    "toolResult" => ToolResult,
    "bashExecution" => BashExecution,
    "pythonExecution" => PythonExecution,
    "custom" => Custom,
    "hookMessage" => HookMessage,
    "branchSummary" => BranchSummary,
    "compactionSummary" => CompactionSummary,
    "fileMention" => FileMention,
});

impl Message {
    /// What the person says.
    pub fn user(text: impl Into<String>, timestamp_ms: u64) -> Message {
        Message::User(UserMessage {
            content: Content::Text(text.into()),
            timestamp: Some(timestamp_ms.into()),
            extra: Extra::new(),
        })
    }
}
