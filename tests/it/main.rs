//! The one test binary: each would link the whole engine.

mod lifecycle;
mod spec;
