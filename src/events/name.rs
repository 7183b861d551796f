//! The names of events: one enum, 25 known names, anything else kept as it came.

use std::borrow::Cow;
use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

macro_rules! event_names {
    ($($variant:ident => $wire:literal),+ $(,)?) => {
        /// The name of an event as `pi.on` and `emit` take it (`hooks.md §3`).
        ///
        /// A name that is not one of the 25 is [`EventName::Other`]: newer agents add events, so
        /// registering for one and emitting one must both work.
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum EventName {
            $(#[doc = concat!("`", $wire, "`")] $variant,)+
            /// An event this version does not know.
            Other(String),
        }

        impl EventName {
            /// The 25 known events in the order of `hooks.md §3`.
            pub const ALL: [EventName; 25] = [$(EventName::$variant),+];

            /// The name on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    $(EventName::$variant => $wire,)+
                    EventName::Other(name) => name,
                }
            }

            /// The event of that name; never fails, case matters.
            pub fn parse(name: &str) -> EventName {
                match name {
                    $($wire => EventName::$variant,)+
                    other => EventName::Other(other.to_owned()),
                }
            }
        }
    };
}

event_names! {
    SessionStart => "session_start",
    SessionBeforeSwitch => "session_before_switch",
    SessionSwitch => "session_switch",
    SessionBeforeBranch => "session_before_branch",
    SessionBranch => "session_branch",
    SessionBeforeCompact => "session_before_compact",
    SessionCompacting => "session.compacting",
    SessionCompact => "session_compact",
    SessionBeforeTree => "session_before_tree",
    SessionTree => "session_tree",
    SessionShutdown => "session_shutdown",
    Context => "context",
    BeforeAgentStart => "before_agent_start",
    AgentStart => "agent_start",
    AgentEnd => "agent_end",
    TurnStart => "turn_start",
    TurnEnd => "turn_end",
    AutoCompactionStart => "auto_compaction_start",
    AutoCompactionEnd => "auto_compaction_end",
    AutoRetryStart => "auto_retry_start",
    AutoRetryEnd => "auto_retry_end",
    TtsrTriggered => "ttsr_triggered",
    TodoReminder => "todo_reminder",
    ToolCall => "tool_call",
    ToolResult => "tool_result",
}

impl EventName {
    /// For a name that reads like a slip of one of the 25: which one was probably meant.
    pub fn meant(name: &str) -> Option<EventName> {
        if EventName::parse(name).is_known() {
            return None;
        }
        // Names of newer agents are legal; only what differs by a letter or two, or in how words are joined, is taken for a slip.
        let plain = |name: &str| name.replace(['_', '.', '-', ' '], "").to_lowercase();
        let distance = |known: &EventName| strsim::osa_distance(&plain(known.as_str()), &plain(name));
        let nearest = EventName::ALL.into_iter().min_by_key(distance)?;
        (distance(&nearest) <= 2 && plain(name).len() > 4).then_some(nearest)
    }

    /// Whether it is one of the 25.
    pub fn is_known(&self) -> bool {
        !matches!(self, EventName::Other(_))
    }

    /// Whether a truthy `block` in a result refuses what the event announces: `tool_call` only.
    pub fn is_blockable(&self) -> bool {
        matches!(self, EventName::ToolCall)
    }

    /// Whether a truthy `cancel` in a result stops what the event announces: exactly the four
    /// `session_before_*` events, not a prefix (`hooks.md §4`).
    pub fn is_cancellable(&self) -> bool {
        matches!(
            self,
            EventName::SessionBeforeSwitch
                | EventName::SessionBeforeBranch
                | EventName::SessionBeforeCompact
                | EventName::SessionBeforeTree
        )
    }

    /// Whether the event carries a `signal` that the isolate rebuilds as a live `AbortSignal`.
    pub fn has_signal(&self) -> bool {
        matches!(self, EventName::SessionBeforeCompact | EventName::SessionBeforeTree)
    }
}

impl fmt::Display for EventName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<&str> for EventName {
    fn from(name: &str) -> Self {
        EventName::parse(name)
    }
}

impl FromStr for EventName {
    type Err = Infallible;

    fn from_str(name: &str) -> Result<Self, Infallible> {
        Ok(EventName::parse(name))
    }
}

impl Serialize for EventName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for EventName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = Cow::<'de, str>::deserialize(deserializer)?;
        Ok(EventName::parse(&name))
    }
}

impl JsonSchema for EventName {
    fn schema_name() -> Cow<'static, str> {
        "EventName".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let known: Vec<&str> = EventName::ALL.iter().map(EventName::as_str).collect();
        json_schema!({
            "description": "The name of an event; others than the known ones are accepted.",
            "anyOf": [{ "enum": known }, { "type": "string" }],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_name_survives_the_wire() {
        for name in EventName::ALL {
            assert_eq!(EventName::parse(name.as_str()), name);
            assert!(name.is_known());
        }
    }

    #[test]
    fn an_unknown_name_is_kept_with_its_case() {
        let name: EventName = serde_json::from_str("\"Tool_Call\"").unwrap();
        assert_eq!(name, EventName::Other("Tool_Call".into()));
        assert_eq!(serde_json::to_string(&name).unwrap(), "\"Tool_Call\"");
    }

    #[test]
    fn a_slip_is_told_from_a_name_of_a_newer_agent() {
        for slip in ["tool-call", "toolCall", "tool_cal", "Tool_Call", "session_compacting", "before_agent_stat"] {
            assert!(EventName::meant(slip).is_some(), "{slip}");
        }
        assert_eq!(EventName::meant("tool_reslut"), Some(EventName::ToolResult));
        for fine in
            ["tool_call", "session", "user_bash", "model_select", "input", "tool_execution_start", "agent_stop", ""]
        {
            assert_eq!(EventName::meant(fine), None, "{fine}");
        }
    }

    #[test]
    fn cancel_belongs_to_four_events_and_block_to_one() {
        let count = |f: fn(&EventName) -> bool| EventName::ALL.iter().filter(|n| f(n)).count();
        assert_eq!(count(EventName::is_cancellable), 4);
        assert_eq!(count(EventName::is_blockable), 1);
        assert!(!EventName::parse("session_before_lunch").is_cancellable());
    }
}
