//! What an agent plugs into the engine: one raw trait that every call of a hook goes through ([`Host`]), the typed traits most embedders
//! implement instead ([`HostBridge`], [`UiContext`]), and two ready hosts.

mod bridge;
mod call;
mod guarded;
mod recording;
mod scripted_component;

pub use bridge::{BridgeHost, Dialog, HostBridge, UiContext};
pub use call::{
    BoxFuture, HandlerCounts, Headless, HookSource, Host, HostCall, HostError, RegisteredName, Registrations,
};
pub(crate) use guarded::{Guarded, tell};
pub use recording::{RecordedCall, RecordingHost};
pub use scripted_component::ComponentDriver;
