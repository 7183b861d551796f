//! `hookrt serve` over its pipes, as an agent drives it (`docs/protocol.md`).

mod calls;
mod emits;
mod faults;
mod loading;
mod peer;
mod reload;
