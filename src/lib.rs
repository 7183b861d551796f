//! An embedded scripting engine for JavaScript and TypeScript hook factories of coding agents.

#[cfg(all(feature = "v8", feature = "quickjs"))]
compile_error!(
    "hookrt runs on one engine: build with the default feature `v8`, or with `--no-default-features --features quickjs`"
);
#[cfg(not(any(feature = "v8", feature = "quickjs")))]
compile_error!(
    "hookrt needs an engine: build with the default feature `v8`, or with `--no-default-features --features quickjs`"
);

pub mod cli;
mod engine;
mod error;
pub mod events;
pub mod host;
pub mod lifecycle;
pub mod loader;
pub mod runner;
pub mod security;
pub mod serve;
pub mod ui;

pub use engine::{ENGINE, HookError, LoadedHook, RegisteredCommand, engine_version, init_platform};
pub use error::Error;
pub use runner::{HookRunner, HookToolWrapper, LoadHooksResult, RunnerOptions, load_hooks};
