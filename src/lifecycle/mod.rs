//! Shell lifecycle hooks: commands an agent runs at eleven moments of its life.
//!
//! Hooks come from packs, from the project's `.ax-code/hooks.json` (only behind the trust gate) and from the host. They
//! are deterministic side effects and hard blocks; they do not replace a sandbox, and the scrubbed environment they get
//! is none either.
//!
//! ```no_run
//! # async fn example() {
//! use hookrt::lifecycle::{LifecycleDispatcher, LifecycleSettings, PreVerdict};
//!
//! let hooks = LifecycleDispatcher::new(LifecycleSettings::new("/path/to/project"));
//! let args = serde_json::json!({ "command": "git push -f" });
//! if let PreVerdict::Block(reason) = hooks.pre_tool_use("session", "bash", "call", &args).await {
//!     eprintln!("{reason}");
//! }
//! # }
//! ```
//!
//! Everything runs on the caller's tokio runtime, which needs its I/O and time drivers (`enable_all`). Invariants: nothing
//! of an untrusted file runs; a hook's own exit is its verdict; dropping a future leaves no process behind; observe-only
//! events neither wait nor decide.

mod capture;
mod claude_code;
mod config;
mod dispatch;
mod env;
mod error;
mod events;
mod feedback;
mod force_push;
mod hook;
mod json;
mod matcher;
mod outcome;
mod output;
mod packs;
mod payload;
mod process;
mod process_group;
mod prompt;
mod settings;
mod shell_words;
mod slots;
mod tool;
mod verdict;
mod wire;

pub use config::{ConfigProblem, HooksFile, Severity, find_project, hooks_path, read_file, read_project};
pub use dispatch::LifecycleDispatcher;
pub use env::{FULL_ENV_VARIABLE, HostEnv, TRUST_PROJECT_VARIABLE};
pub use error::LifecycleError;
pub use events::EventName;
pub use hook::{Hook, HookSource, HostHook, Protocol};
pub use matcher::Matcher;
pub use outcome::{BlockKind, Decision, Outcome};
pub use output::HookOutput;
pub use packs::{Pack, PackInfo, catalogue, catalogue_markdown};
pub use payload::{
    Args, CompactionDone, CompactionPlan, CompactionReason, LifecycleEvent, ReasonCode, SessionClosed, SessionCreated,
    SessionEndReason, SubagentEnd, SubagentStatus, ToolFailure, ToolUse, TurnEnd, TurnInterrupted, UserPrompt,
};
pub use prompt::{BoxFuture, HOOK_PERMISSION, Headless, PermissionAnswer, PermissionPrompt, PermissionRequest};
pub use settings::{LifecycleSettings, LoadedHooks, TIME_LIMIT};
pub use slots::HookSlots;
pub use tool::PreVerdict;
pub use wire::{ReadEvent, Subject};
