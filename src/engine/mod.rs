//! The JavaScript engine and everything that names it. Rooms above talk to it through [`EngineHandle`]; `js/` is its other half.

mod children;
mod cpu_clock;
mod entry;
mod extensions;
mod generation;
mod handle;
mod hook_port;
mod inspect;
mod js_error;
mod limits;
mod linger;
mod load;
mod memory;
mod modules;
mod node_services;
mod ops;
mod platform;
mod port;
mod process;
mod rate_limit;
mod runtime;
mod shared;
mod suspicion;
mod tls;
mod watchdog;

pub use children::end_all;
pub use generation::{GenerationOptions, LoadEntry, LoadFailure};
pub use handle::{EngineGone, EngineHandle, Envelope, ReplyTo, Thrown};
pub use inspect::{DebugTarget, Inspector, PATIENCE};
pub use limits::Budget;
pub use modules::LoaderOptions;
pub use ops::env::is_name as is_variable_name;
pub use platform::{ENGINE, engine_version, init_platform};
pub use port::Registration;
pub use shared::{HookError, LateRegistration, LoadedHook, RegisteredCommand, Shared};
