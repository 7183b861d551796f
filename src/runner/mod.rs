//! The runner: an ordered list of hooks and the emits over it (`hooks.md §4, §5, §8`).

mod calls;
mod discover;
mod emit;
mod host_registrations;
mod isolates;
mod load;
mod options;
mod outcome;
mod registered;
mod reload;
pub mod rules;
mod tool_wrapper;

pub use discover::{DiscoverAndLoadResult, discover_and_load_hooks, environment, keep_trusted, merge_sources};
pub use emit::{EmitError, HookRunner, Subscription};
pub use host_registrations::HostRegistrations;
pub use load::{LoadError, LoadHooksResult, load_hooks, load_sources};
pub use options::{InputMutation, LEAST_HEAP_LIMIT_MIB, RunnerOptions};
pub use outcome::{BlockedBy, HandlerTrace, RawOutcome, ToolCallOutcome};
pub use reload::Reloaded;
pub(crate) use tool_wrapper::failure_reason;
pub use tool_wrapper::{HookToolWrapper, ToolError, ToolInput, ToolOutcome, ToolRun};
