//! The 25 events of hooks, what handlers may return, and the message and session entry shapes
//! they carry (`hooks.md §3`).
//!
//! Every type is a serde type in the wire form: camelCase keys, unions told apart by `type` or
//! `role`. Three rules hold throughout:
//!
//! - **Unknown fields pass through.** Each struct keeps what it does not know in `extra`, each
//!   union has an `Other` variant with the raw value.
//! - **Input is read with tolerance.** Ids may be numbers, numbers may be floats, flags follow
//!   JavaScript truthiness. A known event without a required field is an error that names both;
//!   a message, entry or content block of an odd shape is kept raw instead.
//! - **Absent is not null.** An optional field that is absent is not written.
//!
//! The types also describe themselves as JSON Schema, from which the typings and the protocol
//! description are checked.

mod agent;
mod compaction;
mod context;
mod entries;
mod event;
mod messages;
mod name;
mod result;
mod session;
mod tagged;
mod tool;
mod values;

#[cfg(test)]
mod samples;

pub use agent::*;
pub use compaction::*;
pub use context::*;
pub use entries::*;
pub use event::{Event, OtherEvent};
pub use messages::*;
pub use name::EventName;
pub use result::{HandlerResult, ResultShapeError};
pub use session::*;
pub use tool::*;
pub use values::{Extra, Number, Timestamp, Value, is_truthy, js_string};
