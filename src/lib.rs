//! An embedded scripting engine for JavaScript and TypeScript hook factories of coding agents.
//!
//! A hook is a file whose default export is called once with `pi` and registers handlers. [`load_hooks`] loads hook files into an isolate of
//! their own; the [`HookRunner`] it gives emits events to them from any thread, and a [`HookToolWrapper`] runs a tool between its hooks.
//!
//! ```
//! use hookrt::events::ToolCallEvent;
//! use hookrt::{RunnerOptions, load_hooks};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let project = tempfile::tempdir()?;
//! let source = r#"
//!     export default function (pi: any) {
//!         pi.on("tool_call", (event: any) => {
//!             if (/rm -rf/.test(event.input.command)) return { block: true, reason: "not on my watch" };
//!         });
//!     }
//! "#;
//! std::fs::write(project.path().join("gate.ts"), source)?;
//!
//! hookrt::init_platform(); // first thing in `main`, before other threads exist
//! let loaded = load_hooks(&["gate.ts"], RunnerOptions::new(project.path())).await?;
//! assert!(loaded.errors.is_empty());
//!
//! let event = ToolCallEvent {
//!     tool_name: "bash".into(),
//!     tool_call_id: "1".into(),
//!     input: serde_json::json!({ "command": "rm -rf /" }),
//!     ..Default::default()
//! };
//! let verdict = loaded.runner.emit_tool_call(&event).await?.result.expect("the hook answers");
//! assert!(verdict.block);
//! assert_eq!(verdict.reason.as_deref(), Some("not on my watch"));
//! # Ok(())
//! # }
//! ```
//!
//! What hooks ask of the agent (dialogs, messages, session, models) goes to the [`host::Host`] in [`RunnerOptions`]; without one they get
//! the documented defaults. [`lifecycle`] runs shell hooks, [`serve`] speaks the protocol of agents in other languages, [`cli`] is the
//! `hookrt` command.

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
mod json_text;
pub mod lifecycle;
pub mod loader;
pub mod runner;
pub mod security;
pub mod serve;
pub mod ui;

pub use engine::{
    DebugTarget, ENGINE, HookError, Inspector, LateRegistration, LoadedHook, RegisteredCommand, Registration, Thrown,
    engine_version, init_platform,
};
pub use error::Error;
pub use runner::{
    DiscoverAndLoadResult, HookRunner, HookToolWrapper, LoadHooksResult, RunnerOptions, discover_and_load_hooks,
    load_hooks,
};
