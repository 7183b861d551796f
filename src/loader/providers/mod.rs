//! Where hooks are looked for: one provider per convention (`hooks.md §2`).

mod claude;
mod codex;
mod files;
mod loose;
mod native;
mod plugins;
mod provider;
mod xcsh;

pub use provider::{FoundHook, HookProvider, Level, ProviderFinding, Surroundings};

/// The providers of the table in `hooks.md §2`, in registration order.
pub fn builtin_providers() -> Vec<Box<dyn HookProvider>> {
    vec![
        Box::new(native::Native),
        Box::new(xcsh::Xcsh),
        Box::new(claude::Claude),
        Box::new(plugins::Plugins),
        Box::new(codex::Codex),
        Box::new(loose::Loose),
    ]
}
