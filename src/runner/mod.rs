//! The runner: an ordered list of hooks and the emits over it (`hooks.md §4, §5, §8`).

mod emit;
mod load;
mod options;
mod outcome;
pub mod rules;
mod tool_wrapper;

pub use emit::{EmitError, HookRunner, Subscription};
pub use load::{LoadError, LoadHooksResult, load_hooks};
pub use options::{InputMutation, RunnerOptions};
pub use outcome::{BlockedBy, HandlerTrace, RawOutcome, ToolCallOutcome};
pub(crate) use tool_wrapper::failure_reason;
pub use tool_wrapper::{HookToolWrapper, ToolError, ToolOutcome, ToolRun};
