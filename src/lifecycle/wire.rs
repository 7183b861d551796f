//! Events from loose JSON, for callers that only have text (the command line, a peer over a pipe).
//!
//! Fields a payload has no place for are dropped here and named to the caller, never handed on.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::error::LifecycleError;
use super::events::EventName;
use super::payload::{
    Args, CompactionDone, CompactionPlan, CompactionReason, LifecycleEvent, ReasonCode, SessionClosed, SessionCreated,
    SessionEndReason, SubagentEnd, SubagentStatus, ToolFailure, ToolUse, TurnEnd, TurnInterrupted, UserPrompt,
};

/// What the event is about, besides its arguments.
#[derive(Debug, Clone, Copy, Default)]
pub struct Subject<'a> {
    /// Session id; empty when there is none.
    pub session_id: &'a str,
    /// Tool id, for the three tool events.
    pub tool: Option<&'a str>,
    /// Id of the tool call.
    pub call_id: Option<&'a str>,
}

/// An event read from loose JSON.
#[derive(Debug, Clone)]
pub struct ReadEvent {
    /// The event with its typed payload.
    pub event: LifecycleEvent,
    /// Fields of the arguments the payload has no place for; hooks do not see them.
    pub dropped: Vec<String>,
}

impl LifecycleEvent {
    /// Builds an event from its name and JSON arguments. Missing fields get the plainest value (empty text, `false`,
    /// the current time); fields of the wrong type are an error.
    pub fn read(name: EventName, subject: Subject<'_>, args: &Args) -> Result<ReadEvent, LifecycleError> {
        if matches!(name, EventName::PreToolUse | EventName::PostToolUse) {
            let payload = ToolUse {
                session_id: subject.session_id.to_owned(),
                tool: subject.tool.unwrap_or_default().to_owned(),
                call_id: subject.call_id.map(str::to_owned),
                args: args.clone(),
            };
            let event = match name {
                EventName::PreToolUse => LifecycleEvent::PreToolUse(payload),
                _ => LifecycleEvent::PostToolUse(payload),
            };
            return Ok(ReadEvent { event, dropped: Vec::new() });
        }
        let mut fields = Fields::read(name, args)?;
        let session_id = match fields.take("sessionID")? {
            Some(id) => id,
            None => subject.session_id.to_owned(),
        };
        let event = fields.event(session_id, subject)?;
        let dropped = fields.map.into_iter().map(|(key, _)| key).collect();
        Ok(ReadEvent { event, dropped })
    }
}

struct Fields {
    name: EventName,
    map: Map<String, Value>,
}

impl Fields {
    fn read(name: EventName, args: &Args) -> Result<Self, LifecycleError> {
        let map = serde_json::from_str(args.as_str()).map_err(|source| LifecycleError::Payload {
            event: name.as_str(),
            field: "(whole)",
            source,
        })?;
        Ok(Fields { name, map })
    }

    fn take<T: DeserializeOwned>(&mut self, field: &'static str) -> Result<Option<T>, LifecycleError> {
        match self.map.remove(field) {
            None => Ok(None),
            Some(value) => serde_json::from_value(value).map_err(|source| LifecycleError::Payload {
                event: self.name.as_str(),
                field,
                source,
            }),
        }
    }

    fn text(&mut self, field: &'static str) -> Result<String, LifecycleError> {
        Ok(self.take(field)?.unwrap_or_default())
    }

    fn time(&mut self) -> Result<u64, LifecycleError> {
        Ok(self.take("time")?.unwrap_or_else(now_ms))
    }

    fn event(&mut self, session_id: String, subject: Subject<'_>) -> Result<LifecycleEvent, LifecycleError> {
        Ok(match self.name {
            // The two whose arguments belong to the tool were answered before.
            EventName::PreToolUse | EventName::PostToolUse | EventName::Stop => {
                LifecycleEvent::Stop(TurnEnd { session_id })
            }
            EventName::PostToolUseFailure => {
                let tool: Option<String> = self.take("tool")?;
                let call_id: Option<String> = self.take("callID")?;
                LifecycleEvent::PostToolUseFailure(ToolFailure {
                    session_id,
                    tool: subject.tool.map(str::to_owned).or(tool).unwrap_or_default(),
                    call_id: subject.call_id.map(str::to_owned).or(call_id).unwrap_or_default(),
                    reason: ReasonCode::new(&self.text("reason")?),
                    time: self.time()?,
                })
            }
            EventName::UserPromptSubmit => {
                LifecycleEvent::UserPromptSubmit(UserPrompt { session_id, prompt: self.text("prompt")? })
            }
            EventName::PreCompact => LifecycleEvent::PreCompact(CompactionPlan {
                session_id,
                auto: self.take("auto")?.unwrap_or_default(),
                overflow: self.take("overflow")?.unwrap_or_default(),
            }),
            EventName::SubagentStop => LifecycleEvent::SubagentStop(SubagentEnd {
                session_id,
                agent: self.text("agent")?,
                status: self.take("status")?.unwrap_or(SubagentStatus::Completed),
            }),
            EventName::SessionStart => LifecycleEvent::SessionStart(SessionCreated {
                session_id,
                title: self.text("title")?,
                time: self.time()?,
            }),
            EventName::SessionEnd => LifecycleEvent::SessionEnd(SessionClosed {
                session_id,
                reason: self.take("reason")?.unwrap_or(SessionEndReason::Remove),
            }),
            EventName::PostCompact => LifecycleEvent::PostCompact(CompactionDone {
                session_id,
                reason: self.take("reason")?.unwrap_or(CompactionReason::Manual),
            }),
            EventName::Interrupt => LifecycleEvent::Interrupt(TurnInterrupted { session_id }),
        })
    }
}

/// Milliseconds since 1970, the unit of every `time` in a payload.
pub(crate) fn now_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}
