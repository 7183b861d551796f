//! What hooks are let do: whose files run at all (trust) and what running ones may reach
//! (policy).

pub mod env;
pub mod flags;
pub mod permission_set;
pub mod policy;
mod reach;
mod reader;
mod show;
pub mod snapshot;
mod strict_json;
pub mod trust;
pub mod trusted;

#[cfg(test)]
mod trust_tests;

pub use flags::{PermissionError, PermissionFlags, SYS};
pub use permission_set::{Grant, Kind, PermissionSet, Scope};
pub use policy::{Policy, parse_set};
pub use snapshot::ProjectSnapshot;
pub use trust::{TrustError, TrustState, TrustStore, TrustedBy};
pub use trusted::{Coverage, TrustedProject};
