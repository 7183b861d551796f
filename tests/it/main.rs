//! The one test binary: each would link the whole engine.

mod host;
mod cli;
mod engine;
mod lifecycle;
mod spec;
