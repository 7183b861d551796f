//! The emit rules (`hooks.md §4`): one table, one row a rule. The loop that reads it runs inside
//! the isolate and gets the table as JSON text.

use serde_json::{Map, Value, json};

use crate::events::EventName;

/// What becomes of the results of the handlers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fold {
    /// They are ignored; the emit returns nothing.
    None,
    /// The last truthy one wins; nothing is merged.
    LastTruthy,
    /// Truthy `messages` become the next handler's `event.messages` and in the end the answer.
    ChainMessages,
    /// The first one with a truthy `message` is kept; later handlers still run.
    FirstMessage,
}

/// What ends the emit before the last handler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// Nothing.
    None,
    /// A result with a truthy `block`.
    Block,
    /// A result with a truthy `cancel`.
    Cancel,
}

/// What becomes of a throw in a handler. It goes to the error listeners in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnThrow {
    /// The emit fails with it; nothing later runs.
    Propagate,
    /// The next handler runs.
    Continue,
}

/// How one event is emitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// What becomes of the results.
    pub fold: Fold,
    /// What ends the emit early.
    pub stop: Stop,
    /// What becomes of a throw.
    pub on_throw: OnThrow,
    /// Whether each handler gets an event object of its own; otherwise all share one.
    pub fresh_event: bool,
    /// The fields of a result that count, read as properties, inherited ones and getters too
    /// (decision fields first). Other own fields pass through.
    pub result_fields: &'static [&'static str],
}

const fn rule(
    fold: Fold,
    stop: Stop,
    on_throw: OnThrow,
    fresh_event: bool,
    result_fields: &'static [&'static str],
) -> Rule {
    Rule { fold, stop, on_throw, fresh_event, result_fields }
}

/// The rule of every event that has no row in [`RULES`], unknown ones included.
pub const DEFAULT_RULE: Rule = rule(Fold::None, Stop::None, OnThrow::Continue, false, &[]);

/// The rows.
#[rustfmt::skip]
pub const RULES: [(EventName, Rule); 9] = [
    //  event                             fold                 stop          a throw             fresh  fields of a result
    (EventName::ToolCall,             rule(Fold::LastTruthy,    Stop::Block,  OnThrow::Propagate, false, &["block", "reason"])),
    (EventName::ToolResult,           rule(Fold::LastTruthy,    Stop::None,   OnThrow::Continue,  false, &["content", "details", "isError", "isWarning"])),
    (EventName::Context,              rule(Fold::ChainMessages, Stop::None,   OnThrow::Continue,  true,  &["messages"])),
    (EventName::BeforeAgentStart,     rule(Fold::FirstMessage,  Stop::None,   OnThrow::Continue,  true,  &["message"])),
    (EventName::SessionBeforeSwitch,  rule(Fold::LastTruthy,    Stop::Cancel, OnThrow::Continue,  false, &["cancel"])),
    (EventName::SessionBeforeBranch,  rule(Fold::LastTruthy,    Stop::Cancel, OnThrow::Continue,  false, &["cancel", "skipConversationRestore"])),
    (EventName::SessionBeforeCompact, rule(Fold::LastTruthy,    Stop::Cancel, OnThrow::Continue,  false, &["cancel", "compaction"])),
    (EventName::SessionBeforeTree,    rule(Fold::LastTruthy,    Stop::Cancel, OnThrow::Continue,  false, &["cancel", "summary"])),
    (EventName::SessionCompacting,    rule(Fold::LastTruthy,    Stop::None,   OnThrow::Continue,  false, &["context", "prompt", "preserveData"])),
];

/// The rule of an event.
pub fn rule_for(event: &EventName) -> Rule {
    RULES.iter().find(|(name, _)| name == event).map_or(DEFAULT_RULE, |(_, rule)| *rule)
}

/// The table as a JSON object from event to
/// `{fold: "none"|"last"|"chain"|"first", stop: "none"|"block"|"cancel", onThrow:
/// "propagate"|"continue", fresh: boolean, fields: string[]}`; `"*"` is every other event.
pub fn rules_json() -> String {
    let mut table = Map::new();
    for (event, rule) in &RULES {
        table.insert(event.as_str().to_owned(), rule.to_json());
    }
    table.insert("*".to_owned(), DEFAULT_RULE.to_json());
    Value::Object(table).to_string()
}

impl Rule {
    fn to_json(self) -> Value {
        json!({
            "fold": match self.fold {
                Fold::None => "none",
                Fold::LastTruthy => "last",
                Fold::ChainMessages => "chain",
                Fold::FirstMessage => "first",
            },
            "stop": match self.stop {
                Stop::None => "none",
                Stop::Block => "block",
                Stop::Cancel => "cancel",
            },
            "onThrow": match self.on_throw {
                OnThrow::Propagate => "propagate",
                OnThrow::Continue => "continue",
            },
            "fresh": self.fresh_event,
            "fields": self.result_fields,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_that_of_the_contract() {
        let table: Value = serde_json::from_str(&rules_json()).unwrap();
        assert_eq!(
            table["tool_call"],
            json!({"fold": "last", "stop": "block", "onThrow": "propagate", "fresh": false, "fields": ["block", "reason"]})
        );
        assert_eq!(table["context"]["fold"], "chain");
        assert_eq!(table["before_agent_start"]["fold"], "first");
        assert_eq!(
            table["*"],
            json!({"fold": "none", "stop": "none", "onThrow": "continue", "fresh": false, "fields": []})
        );
        assert_eq!(table.as_object().unwrap().len(), RULES.len() + 1);
    }

    #[test]
    fn only_tool_call_propagates_and_only_two_events_build_fresh_objects() {
        let with = |f: fn(&Rule) -> bool| -> Vec<EventName> {
            EventName::ALL.into_iter().filter(|name| f(&rule_for(name))).collect()
        };
        assert_eq!(with(|r| r.on_throw == OnThrow::Propagate), [EventName::ToolCall]);
        assert_eq!(with(|r| r.fresh_event), [EventName::Context, EventName::BeforeAgentStart]);
    }

    #[test]
    fn early_stops_belong_to_the_events_that_can_be_stopped() {
        for name in EventName::ALL {
            let rule = rule_for(&name);
            assert_eq!(rule.stop == Stop::Block, name.is_blockable(), "{name}");
            assert_eq!(rule.stop == Stop::Cancel, name.is_cancellable(), "{name}");
            assert_eq!(rule.fold == Fold::None, rule.result_fields.is_empty(), "{name}");
        }
        assert_eq!(rule_for(&EventName::parse("session_before_lunch")), DEFAULT_RULE);
    }
}
