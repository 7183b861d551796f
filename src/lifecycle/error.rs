//! What can go wrong outside a hook: names, arguments, the configuration file.
//!
//! A hook that fails is no error of this kind; it is part of an [`Outcome`](super::Outcome).

use std::path::PathBuf;

/// An error of the lifecycle room.
#[derive(Debug, thiserror::Error)]
pub enum LifecycleError {
    /// The name is none of the eleven events.
    #[error("unknown lifecycle event `{name}`")]
    UnknownEvent {
        /// The name as given.
        name: String,
    },
    /// The event arguments are not JSON.
    #[error("the event arguments are not valid JSON: {source}")]
    Args {
        /// What the parser said.
        source: serde_json::Error,
    },
    /// The event arguments are JSON, but not the payload of this event.
    #[error("the arguments do not fit {event}: field `{field}`: {source}")]
    Payload {
        /// Name of the event.
        event: &'static str,
        /// The field that does not fit, or `(whole)`.
        field: &'static str,
        /// What the parser said.
        source: serde_json::Error,
    },
    /// The hooks file is there but cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The hooks file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The hooks file is not JSON.
    #[error("{} is not valid JSON: {source}", path.display())]
    Parse {
        /// The hooks file.
        path: PathBuf,
        /// What the parser said, with line and column.
        source: serde_json::Error,
    },
    /// The hooks file is JSON of another shape, so that none of its entries can be found.
    #[error("{}: {message}", path.display())]
    Shape {
        /// The hooks file.
        path: PathBuf,
        /// The field and what was expected there.
        message: String,
    },
}

impl LifecycleError {
    /// What a person can do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            LifecycleError::UnknownEvent { .. } => {
                "the events are PreToolUse, PostToolUse, PostToolUseFailure, Stop, UserPromptSubmit, PreCompact, \
                 SubagentStop, SessionStart, SessionEnd, PostCompact and Interrupt (case matters)"
            }
            LifecycleError::Args { .. } => "pass one JSON value, for example --args '{\"command\":\"ls\"}'",
            LifecycleError::Payload { .. } => "see the event table in the README for the fields of this event",
            LifecycleError::Read { .. } => "make the file readable, or remove it; none of its hooks can run",
            LifecycleError::Parse { .. } => {
                "hooks.json is plain JSON: no comments, no trailing commas; none of its hooks can run"
            }
            LifecycleError::Shape { .. } => {
                "the file is {\"packs\": [name…], \"hooks\": [{\"event\", \"command\", …}…]}; none of its hooks can run"
            }
        }
    }
}
