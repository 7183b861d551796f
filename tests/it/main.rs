//! The one test binary: each would link the whole engine.

mod cli;
mod engine;
mod faults;
mod fuzz;
mod host;
mod inspect;
mod lifecycle;
mod play;
mod resources;
mod serve;
mod spec;
mod typings;
