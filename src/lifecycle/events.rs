//! The eleven event names and what each of them may do (`lifecycle.md`, Events).

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use super::error::LifecycleError;

/// A moment in an agent's life at which shell hooks run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EventName {
    /// Before a tool runs; a hook may block it.
    PreToolUse,
    /// After a tool completed; a hook may give text back to the model.
    PostToolUse,
    /// After a tool failed.
    PostToolUseFailure,
    /// A turn completed.
    Stop,
    /// Before a user prompt is stored; a hook may block it.
    UserPromptSubmit,
    /// Before compaction.
    PreCompact,
    /// A child agent ended.
    SubagentStop,
    /// A top-level session was created.
    SessionStart,
    /// A session was removed or archived.
    SessionEnd,
    /// Compaction succeeded.
    PostCompact,
    /// A user cancelled a running turn.
    Interrupt,
}

/// How the lifecycle path treats the hooks of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    /// Awaited, and a hook may veto what is about to happen.
    Blockable,
    /// Awaited, but what happened cannot be vetoed.
    Awaited,
    /// Started and forgotten; the decision protocol does not apply.
    ObserveOnly,
}

/// One row per event: the name on the wire and its class.
const TABLE: [(EventName, &str, Class); 11] = [
    (EventName::PreToolUse, "PreToolUse", Class::Blockable),
    (EventName::PostToolUse, "PostToolUse", Class::Awaited),
    (EventName::PostToolUseFailure, "PostToolUseFailure", Class::ObserveOnly),
    (EventName::Stop, "Stop", Class::Awaited),
    (EventName::UserPromptSubmit, "UserPromptSubmit", Class::Blockable),
    (EventName::PreCompact, "PreCompact", Class::Awaited),
    (EventName::SubagentStop, "SubagentStop", Class::Awaited),
    (EventName::SessionStart, "SessionStart", Class::ObserveOnly),
    (EventName::SessionEnd, "SessionEnd", Class::ObserveOnly),
    (EventName::PostCompact, "PostCompact", Class::ObserveOnly),
    (EventName::Interrupt, "Interrupt", Class::ObserveOnly),
];

impl EventName {
    /// Every event, in the order of the contract's table.
    pub fn all() -> impl Iterator<Item = EventName> {
        TABLE.iter().map(|row| row.0)
    }

    /// The name as hooks.json, `HOOK_EVENT` and the command line spell it.
    pub fn as_str(self) -> &'static str {
        self.row().1
    }

    /// Whether a hook can veto what the event announces.
    pub fn is_blockable(self) -> bool {
        self.row().2 == Class::Blockable
    }

    /// Whether the event is fire-and-forget: never delays, never decides.
    pub fn is_observe_only(self) -> bool {
        self.row().2 == Class::ObserveOnly
    }

    /// Whether the event is about a tool, so that `HOOK_TOOL` and matchers have something to look at.
    pub fn has_tool(self) -> bool {
        matches!(self, EventName::PreToolUse | EventName::PostToolUse | EventName::PostToolUseFailure)
    }

    fn row(self) -> (EventName, &'static str, Class) {
        // The table is in declaration order; a unit test holds it to that.
        TABLE[self as usize]
    }
}

impl FromStr for EventName {
    type Err = LifecycleError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        TABLE
            .iter()
            .find(|row| row.1 == name)
            .map(|row| row.0)
            .ok_or_else(|| LifecycleError::UnknownEvent { name: name.to_owned() })
    }
}

impl fmt::Display for EventName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl Serialize for EventName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_declaration_order() {
        for (index, row) in TABLE.iter().enumerate() {
            assert_eq!(row.0 as usize, index, "{}", row.1);
            assert_eq!(row.1.parse::<EventName>().ok(), Some(row.0));
        }
    }

    #[test]
    fn names_are_case_sensitive() {
        assert!("pretooluse".parse::<EventName>().is_err());
    }
}
