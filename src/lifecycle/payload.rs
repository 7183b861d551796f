//! What an event tells its hooks.
//!
//! The payloads of observe-only events have no field that could hold conversation text, a summary or tool output
//! (`lifecycle.md`, Events): a host cannot leak what it has no place to put.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::error::LifecycleError;
use super::events::EventName;

/// Event arguments as JSON text. The text reaches the hook's stdin byte for byte.
#[derive(Clone, PartialEq, Eq)]
pub struct Args(Arc<str>);

impl Args {
    /// Takes JSON text as it is; only white space around the value is dropped.
    pub fn from_json(text: &str) -> Result<Self, LifecycleError> {
        let raw: &RawValue = serde_json::from_str(text).map_err(|source| LifecycleError::Args { source })?;
        Ok(Args(Arc::from(raw.get())))
    }

    /// The arguments of an event that has none: `{}`.
    pub fn empty() -> Self {
        Args(Arc::from("{}"))
    }

    /// The JSON text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn from_payload(payload: &impl Serialize) -> Self {
        // The payloads are flat structs of strings, numbers and booleans; those always serialise.
        serde_json::to_string(payload).map_or_else(|_| Args::empty(), |text| Args(Arc::from(text)))
    }
}

impl From<&Value> for Args {
    fn from(value: &Value) -> Self {
        Args(Arc::from(value.to_string()))
    }
}

impl fmt::Debug for Args {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Arguments can be megabytes and can hold secrets; logs get the size.
        write!(formatter, "Args({} bytes)", self.0.len())
    }
}

/// A short machine-readable reason. Anything that is not one word of at most 64 letters, digits or `_ - . :` becomes
/// `error`, so that no error message (and with it tool output) can travel as a reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct ReasonCode(String);

impl ReasonCode {
    /// Keeps a code, replaces free text by `error`.
    pub fn new(text: &str) -> Self {
        let is_code = !text.is_empty()
            && text.len() <= 64
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.:".contains(&byte));
        ReasonCode(if is_code { text } else { "error" }.to_owned())
    }

    /// The code.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A tool call, before or after it ran.
#[derive(Debug, Clone)]
pub struct ToolUse {
    /// The session the call belongs to.
    pub session_id: String,
    /// Tool id, as matchers see it.
    pub tool: String,
    /// Id of this call; shown at the permission prompt.
    pub call_id: Option<String>,
    /// The tool's arguments.
    pub args: Args,
}

/// Payload of `PostToolUseFailure`. Never the output.
#[derive(Debug, Clone, Serialize)]
pub struct ToolFailure {
    /// The session the call belongs to.
    #[serde(rename = "sessionID")]
    pub session_id: String,
    /// Tool id.
    pub tool: String,
    /// Id of the failed call.
    #[serde(rename = "callID")]
    pub call_id: String,
    /// Why it failed.
    pub reason: ReasonCode,
    /// Milliseconds since 1970.
    pub time: u64,
}

/// A completed turn.
#[derive(Debug, Clone)]
pub struct TurnEnd {
    /// The session of the turn.
    pub session_id: String,
}

/// Payload of `UserPromptSubmit`.
#[derive(Debug, Clone, Serialize)]
pub struct UserPrompt {
    /// The session the prompt is for.
    #[serde(skip)]
    pub session_id: String,
    /// The text parts of the prompt joined by newlines.
    pub prompt: String,
}

impl UserPrompt {
    /// Joins the text parts of a prompt by newlines.
    pub fn from_parts<Part: AsRef<str>>(session_id: impl Into<String>, parts: &[Part]) -> Self {
        let parts: Vec<&str> = parts.iter().map(AsRef::as_ref).collect();
        UserPrompt { session_id: session_id.into(), prompt: parts.join("\n") }
    }
}

/// Payload of `PreCompact`.
#[derive(Debug, Clone, Serialize)]
pub struct CompactionPlan {
    /// The session about to be compacted.
    #[serde(skip)]
    pub session_id: String,
    /// Whether the agent decided by itself.
    pub auto: bool,
    /// Whether the context had overflowed.
    pub overflow: bool,
}

/// How a child agent ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SubagentStatus {
    /// It finished.
    Completed,
    /// It failed.
    Failed,
}

/// Payload of `SubagentStop`.
#[derive(Debug, Clone, Serialize)]
pub struct SubagentEnd {
    /// The child's session.
    #[serde(skip)]
    pub session_id: String,
    /// Name of the agent that ran.
    pub agent: String,
    /// How it ended.
    pub status: SubagentStatus,
}

/// Payload of `SessionStart`.
#[derive(Debug, Clone, Serialize)]
pub struct SessionCreated {
    /// The new session.
    #[serde(rename = "sessionID")]
    pub session_id: String,
    /// Its title.
    pub title: String,
    /// Milliseconds since 1970.
    pub time: u64,
}

/// Why a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SessionEndReason {
    /// It was removed.
    Remove,
    /// It was archived.
    Archive,
}

/// Payload of `SessionEnd`.
#[derive(Debug, Clone, Serialize)]
pub struct SessionClosed {
    /// The session that ended.
    #[serde(rename = "sessionID")]
    pub session_id: String,
    /// Why.
    pub reason: SessionEndReason,
}

/// What started a compaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CompactionReason {
    /// The agent.
    Auto,
    /// The user.
    Manual,
}

/// Payload of `PostCompact`.
#[derive(Debug, Clone, Serialize)]
pub struct CompactionDone {
    /// The compacted session.
    #[serde(rename = "sessionID")]
    pub session_id: String,
    /// What started it.
    pub reason: CompactionReason,
}

/// Payload of `Interrupt`.
#[derive(Debug, Clone, Serialize)]
pub struct TurnInterrupted {
    /// The session whose turn was cancelled.
    #[serde(rename = "sessionID")]
    pub session_id: String,
}

/// An event with its payload.
#[derive(Debug, Clone)]
pub enum LifecycleEvent {
    /// Before a tool runs.
    PreToolUse(ToolUse),
    /// After a tool completed.
    PostToolUse(ToolUse),
    /// After a tool failed.
    PostToolUseFailure(ToolFailure),
    /// A turn completed.
    Stop(TurnEnd),
    /// Before a user prompt is stored. Not for synthetic continuation prompts and not in subagent sessions.
    UserPromptSubmit(UserPrompt),
    /// Before compaction.
    PreCompact(CompactionPlan),
    /// A child started by `task` or `task_parallel` ended.
    SubagentStop(SubagentEnd),
    /// A top-level session was created; never for subagents.
    SessionStart(SessionCreated),
    /// A session was removed (once, not per descendant) or archived; unarchiving is none.
    SessionEnd(SessionClosed),
    /// Compaction succeeded; not when it bailed.
    PostCompact(CompactionDone),
    /// A user cancelled a running turn; not for cleanup or a normal end.
    Interrupt(TurnInterrupted),
}

impl LifecycleEvent {
    /// Which of the eleven events this is.
    pub fn name(&self) -> EventName {
        match self {
            LifecycleEvent::PreToolUse(_) => EventName::PreToolUse,
            LifecycleEvent::PostToolUse(_) => EventName::PostToolUse,
            LifecycleEvent::PostToolUseFailure(_) => EventName::PostToolUseFailure,
            LifecycleEvent::Stop(_) => EventName::Stop,
            LifecycleEvent::UserPromptSubmit(_) => EventName::UserPromptSubmit,
            LifecycleEvent::PreCompact(_) => EventName::PreCompact,
            LifecycleEvent::SubagentStop(_) => EventName::SubagentStop,
            LifecycleEvent::SessionStart(_) => EventName::SessionStart,
            LifecycleEvent::SessionEnd(_) => EventName::SessionEnd,
            LifecycleEvent::PostCompact(_) => EventName::PostCompact,
            LifecycleEvent::Interrupt(_) => EventName::Interrupt,
        }
    }

    /// `HOOK_SESSION_ID`.
    pub fn session_id(&self) -> &str {
        match self {
            LifecycleEvent::PreToolUse(payload) | LifecycleEvent::PostToolUse(payload) => &payload.session_id,
            LifecycleEvent::PostToolUseFailure(payload) => &payload.session_id,
            LifecycleEvent::Stop(payload) => &payload.session_id,
            LifecycleEvent::UserPromptSubmit(payload) => &payload.session_id,
            LifecycleEvent::PreCompact(payload) => &payload.session_id,
            LifecycleEvent::SubagentStop(payload) => &payload.session_id,
            LifecycleEvent::SessionStart(payload) => &payload.session_id,
            LifecycleEvent::SessionEnd(payload) => &payload.session_id,
            LifecycleEvent::PostCompact(payload) => &payload.session_id,
            LifecycleEvent::Interrupt(payload) => &payload.session_id,
        }
    }

    /// `HOOK_TOOL`, where the event is about a tool.
    pub fn tool(&self) -> Option<&str> {
        match self {
            LifecycleEvent::PreToolUse(payload) | LifecycleEvent::PostToolUse(payload) => Some(&payload.tool),
            LifecycleEvent::PostToolUseFailure(payload) => Some(&payload.tool),
            _ => None,
        }
    }

    /// The JSON a hook reads.
    pub fn args(&self) -> Args {
        match self {
            LifecycleEvent::PreToolUse(payload) | LifecycleEvent::PostToolUse(payload) => payload.args.clone(),
            LifecycleEvent::PostToolUseFailure(payload) => Args::from_payload(payload),
            LifecycleEvent::Stop(_) => Args::empty(),
            LifecycleEvent::UserPromptSubmit(payload) => Args::from_payload(payload),
            LifecycleEvent::PreCompact(payload) => Args::from_payload(payload),
            LifecycleEvent::SubagentStop(payload) => Args::from_payload(payload),
            LifecycleEvent::SessionStart(payload) => Args::from_payload(payload),
            LifecycleEvent::SessionEnd(payload) => Args::from_payload(payload),
            LifecycleEvent::PostCompact(payload) => Args::from_payload(payload),
            LifecycleEvent::Interrupt(payload) => Args::from_payload(payload),
        }
    }
}
