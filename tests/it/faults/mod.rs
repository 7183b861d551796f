//! Hooks and hosts that misbehave.

mod hosts;
mod strays;
mod support;
mod time;
mod zoo;
