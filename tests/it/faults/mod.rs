//! Hooks and hosts that misbehave.

mod cycles;
mod hosts;
mod soak;
mod strays;
mod support;
mod time;
mod torn;
mod zoo;
