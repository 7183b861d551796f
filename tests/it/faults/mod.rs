//! Hooks and hosts that misbehave.

mod strays;
mod support;
mod time;
mod zoo;
