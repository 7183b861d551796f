//! Reading what an emit gave back into the type of its event.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::name::EventName;
use super::*;

/// A result whose fields do not have the shape of its event, for example a `compaction` without
/// its `summary`.
#[derive(Debug, thiserror::Error)]
#[error("the result of a {event} handler has an odd shape: {source}")]
pub struct ResultShapeError {
    /// The event.
    pub event: EventName,
    /// Which field, and what is wrong with it.
    #[source]
    pub source: serde_json::Error,
}

/// What handlers of one event may return.
pub trait HandlerResult: Serialize + DeserializeOwned {
    /// The event.
    const EVENT: EventName;

    /// Reads a result. What is not an object counts as none (`hooks.md §4`).
    ///
    /// # Errors
    /// When a field the event defines has a shape it cannot be read from.
    fn from_value(value: Value) -> Result<Option<Self>, ResultShapeError> {
        if !value.is_object() {
            return Ok(None);
        }
        serde_json::from_value(value).map(Some).map_err(|source| ResultShapeError { event: Self::EVENT, source })
    }
}

macro_rules! results {
    ($($event:ident => $result:ident),+ $(,)?) => {
        $(impl HandlerResult for $result {
            const EVENT: EventName = EventName::$event;
        })+
    };
}

results! {
    SessionBeforeSwitch => SessionBeforeSwitchResult,
    SessionBeforeBranch => SessionBeforeBranchResult,
    SessionBeforeCompact => SessionBeforeCompactResult,
    SessionCompacting => SessionCompactingResult,
    SessionBeforeTree => SessionBeforeTreeResult,
    Context => ContextResult,
    BeforeAgentStart => BeforeAgentStartResult,
    ToolCall => ToolCallResult,
    ToolResult => ToolResultPatch,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn blocks(value: Value) -> Option<bool> {
        ToolCallResult::from_value(value).unwrap().map(|result| result.block)
    }

    #[test]
    fn block_follows_truthiness() {
        for value in [json!({"block": 1}), json!({"block": "false"}), json!({"block": []}), json!({"block": {}})] {
            assert_eq!(blocks(value.clone()), Some(true), "{value}");
        }
        for value in [json!({"block": 0}), json!({"block": null}), json!({"block": ""}), json!({}), json!({"x": true})]
        {
            assert_eq!(blocks(value.clone()), Some(false), "{value}");
        }
    }

    #[test]
    fn what_is_not_an_object_is_no_result() {
        for value in [json!(null), json!(true), json!("x"), json!([]), json!([{"block": true}]), json!(7)] {
            assert_eq!(blocks(value.clone()), None, "{value}");
        }
    }

    #[test]
    fn a_reason_is_text_whatever_it_was() {
        let reason = |value| ToolCallResult::from_value(value).unwrap().unwrap().reason_or_default().to_owned();
        assert_eq!(reason(json!({"block": true, "reason": 42})), "42");
        assert_eq!(reason(json!({"block": true, "reason": {"a": 1}})), "[object Object]");
        assert_eq!(reason(json!({"block": true, "reason": ""})), ToolCallResult::DEFAULT_REASON);
        assert_eq!(reason(json!({"block": true, "reason": null})), ToolCallResult::DEFAULT_REASON);
    }

    #[test]
    fn odd_content_of_a_patch_is_kept() {
        for content in [json!("text"), json!(7), json!([null]), json!([{"type": "text"}]), json!([{"type": "new"}])] {
            let patch = ToolResultPatch::from_value(json!({"content": content, "more": 1})).unwrap().unwrap();
            assert_eq!(serde_json::to_value(&patch).unwrap(), json!({"content": content, "more": 1}));
        }
    }

    #[test]
    fn a_compaction_without_its_fields_is_told() {
        let error = SessionBeforeCompactResult::from_value(json!({"compaction": {"summary": "s"}})).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("session_before_compact") && text.contains("firstKeptEntryId"), "{text}");
    }
}
