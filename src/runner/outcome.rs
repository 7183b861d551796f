//! What an emit gave.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::engine::Envelope;
use crate::events::ToolCallResult;

/// Who ended an emit: the hook and, when known, the line of its file (of the throw, else of the registration).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BlockedBy {
    /// Its position in the load list.
    #[serde(default, skip_serializing)]
    pub hook: Option<usize>,
    pub hook_path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
}

/// One handler call of an emit, recorded when [`RunnerOptions::trace`](super::RunnerOptions::trace) is on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HandlerTrace {
    pub hook_path: String,
    pub event: String,
    /// Milliseconds from call to settled result.
    pub ms: f64,
    /// `none`, `object`, `block`, `cancel`, `error`, or the type of a value that was not an object.
    pub kind: String,
}

/// The outcome of an emit with its payloads as JSON text.
#[derive(Debug, Default)]
pub struct RawOutcome {
    /// The folded result; `None` when there is none.
    pub result: Option<Box<RawValue>>,
    /// The edited input of a tool call, under [`InputMutation::Apply`](super::InputMutation::Apply).
    pub input: Option<Box<RawValue>>,
    /// Who ended the emit early.
    pub by: Option<BlockedBy>,
    pub trace: Vec<HandlerTrace>,
}

impl RawOutcome {
    pub(super) fn of(envelope: Envelope) -> RawOutcome {
        // What the engine wrote itself is well-formed; a trace that is not would only cost the trace.
        let by = envelope.by.and_then(|by| serde_json::from_str(by.get()).ok());
        let trace = envelope.trace.and_then(|trace| serde_json::from_str(trace.get()).ok()).unwrap_or_default();
        RawOutcome { result: envelope.result, input: envelope.input, by, trace }
    }
}

/// The outcome of a `tool_call` that no handler's throw ended.
#[derive(Debug, Default)]
pub struct ToolCallOutcome {
    /// The last result, or the one that blocks.
    pub result: Option<ToolCallResult>,
    /// What the tool shall run with, when a handler edited it under `inputMutation: apply`.
    pub input: Option<serde_json::Value>,
    /// Who blocked.
    pub by: Option<BlockedBy>,
    pub trace: Vec<HandlerTrace>,
}
