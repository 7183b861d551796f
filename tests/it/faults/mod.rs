//! Hooks and hosts that misbehave.

mod support;
mod zoo;
