//! `hookrt serve` over its pipes, as an agent drives it (`docs/protocol.md`).

mod apart;
mod bad_hosts;
mod calls;
mod emits;
mod environment;
mod faults;
mod held;
mod loading;
pub mod peer;
mod reload;
