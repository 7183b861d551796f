//! One event of any kind, told apart by `type`.

use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::name::EventName;
use super::tagged;
use super::values::Extra;
use super::*;

/// An event this version does not know.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct OtherEvent {
    /// Its name.
    #[serde(rename = "type")]
    pub name: String,
    /// Everything else it carries.
    #[serde(flatten)]
    pub extra: Extra,
}

macro_rules! events {
    ($($variant:ident($event:ident) = $wire:literal),+ $(,)?) => {
        /// One event, `type` first on the wire (`hooks.md §3`).
        ///
        /// Reading fails when `type` is absent or when a known event lacks a required field; an
        /// event of another name is [`Event::Other`].
        #[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
        #[serde(tag = "type")]
        pub enum Event {
            $(
                #[doc = concat!("`", $wire, "`")]
                #[serde(rename = $wire)]
                $variant($event),
            )+
            /// An event this version does not know.
            #[serde(untagged)]
            Other(OtherEvent),
        }

        impl Event {
            /// Its name.
            pub fn name(&self) -> EventName {
                match self {
                    $(Event::$variant(_) => EventName::$variant,)+
                    Event::Other(event) => EventName::parse(&event.name),
                }
            }

            fn read(name: &str, object: Extra) -> serde_json::Result<Event> {
                match name {
                    $($wire => tagged::variant(object, "type").map(Event::$variant),)+
                    other => {
                        let mut extra = object;
                        extra.shift_remove("type");
                        Ok(Event::Other(OtherEvent { name: other.to_owned(), extra }))
                    }
                }
            }
        }

        $(impl From<$event> for Event {
            fn from(event: $event) -> Event {
                Event::$variant(event)
            }
        })+
    };
}

events! {
    SessionStart(SessionStartEvent) = "session_start",
    SessionBeforeSwitch(SessionBeforeSwitchEvent) = "session_before_switch",
    SessionSwitch(SessionSwitchEvent) = "session_switch",
    SessionBeforeBranch(SessionBeforeBranchEvent) = "session_before_branch",
    SessionBranch(SessionBranchEvent) = "session_branch",
    SessionBeforeCompact(SessionBeforeCompactEvent) = "session_before_compact",
    SessionCompacting(SessionCompactingEvent) = "session.compacting",
    SessionCompact(SessionCompactEvent) = "session_compact",
    SessionBeforeTree(SessionBeforeTreeEvent) = "session_before_tree",
    SessionTree(SessionTreeEvent) = "session_tree",
    SessionShutdown(SessionShutdownEvent) = "session_shutdown",
    Context(ContextEvent) = "context",
    BeforeAgentStart(BeforeAgentStartEvent) = "before_agent_start",
    AgentStart(AgentStartEvent) = "agent_start",
    AgentEnd(AgentEndEvent) = "agent_end",
    TurnStart(TurnStartEvent) = "turn_start",
    TurnEnd(TurnEndEvent) = "turn_end",
    AutoCompactionStart(AutoCompactionStartEvent) = "auto_compaction_start",
    AutoCompactionEnd(AutoCompactionEndEvent) = "auto_compaction_end",
    AutoRetryStart(AutoRetryStartEvent) = "auto_retry_start",
    AutoRetryEnd(AutoRetryEndEvent) = "auto_retry_end",
    TtsrTriggered(TtsrTriggeredEvent) = "ttsr_triggered",
    TodoReminder(TodoReminderEvent) = "todo_reminder",
    ToolCall(ToolCallEvent) = "tool_call",
    ToolResult(ToolResultEvent) = "tool_result",
}

impl Event {
    /// Reads the event of a name from its data, whose own `type` does not count: the form in
    /// which the command line and the protocol take events.
    ///
    /// # Errors
    /// When the data is not an object (null counts as an empty one) or lacks a required field.
    pub fn from_data(name: &str, data: Value) -> serde_json::Result<Event> {
        let object = match data {
            Value::Object(object) => object,
            Value::Null => Extra::new(),
            _ => {
                return Err(serde_json::Error::custom(format_args!("{name}: event data must be an object")));
            }
        };
        Event::read(name, object).map_err(|error| serde_json::Error::custom(format_args!("{name}: {error}")))
    }
}

impl<'de> Deserialize<'de> for Event {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let object = Extra::deserialize(deserializer)?;
        let Some(name) = tagged::tag_of(&object, "type").map(str::to_owned) else {
            return Err(D::Error::custom("an event needs a `type` that is text"));
        };
        Event::from_data(&name, Value::Object(object)).map_err(D::Error::custom)
    }
}
