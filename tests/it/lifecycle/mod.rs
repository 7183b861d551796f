//! Shell lifecycle hooks with real processes.
#![cfg(unix)]

mod cli;
mod config;
mod environment;
mod events;
mod feedback;
mod fixtures;
mod packs;
mod payload;
mod process;
mod random;
mod slots;
#[cfg(target_os = "linux")]
mod soak;
pub mod support;
mod verdicts;
