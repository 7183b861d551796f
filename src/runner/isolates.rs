//! Which hooks share an isolate: those that may reach the same. JavaScript of one isolate has one set of permissions.

use std::path::PathBuf;

use super::load::module_file;
use super::options::RunnerOptions;
use crate::engine::{IsolateOptions, check_permissions};
use crate::host::HookSource;
use crate::loader::{ResolveContext, resolve_hook_path};
use crate::security::{PermissionError, PermissionSet};

/// The isolates of a generation and who lives in which.
pub(super) struct Isolates {
    pub(super) options: Vec<IsolateOptions>,
    /// By position in the load list.
    of: Vec<usize>,
}

impl Isolates {
    /// # Errors
    /// When permissions are said in a way that cannot be used. No hook runs then: what was meant to be forbidden is not known.
    pub(super) fn plan(sources: &[HookSource], options: &RunnerOptions) -> Result<Isolates, PermissionError> {
        check_permissions("permissions", &options.permissions)?;
        for (place, set) in options.policy.entries() {
            check_permissions(place, set)?;
        }
        let mut isolates = Isolates { options: Vec::new(), of: Vec::new() };
        let context = ResolveContext::new(options.package_roots.clone());
        for source in sources {
            let number = match source {
                HookSource::File(path) => {
                    let paths = if options.policy.is_empty() { Vec::new() } else { paths(path, options, &context) };
                    isolates.number(options.policy.permissions_for(&options.permissions, paths), options)
                }
                // It only has its place in the order there.
                HookSource::Host { .. } => 0,
            };
            isolates.of.push(number);
        }
        if isolates.options.is_empty() {
            isolates.number(options.permissions.clone(), options);
        }
        Ok(isolates)
    }

    /// The isolate of the hook at `position` and what it may reach.
    pub(super) fn of(&self, position: usize) -> (usize, PermissionSet) {
        let number = self.of.get(position).copied().unwrap_or_default();
        (number, self.options[number].permissions.clone())
    }

    fn number(&mut self, permissions: PermissionSet, options: &RunnerOptions) -> usize {
        if let Some(known) = self.options.iter().position(|isolate| isolate.permissions == permissions) {
            return known;
        }
        let narrowed = permissions != options.permissions;
        let confined_by =
            options.policy.file().filter(|_| narrowed).map(|file| format!("{} narrows this hook", file.display()));
        self.options.push(IsolateOptions { permissions, confined_by });
        self.options.len() - 1
    }
}

/// Every path of a hook: as resolved, its module, and where that really is.
fn paths(path: &str, options: &RunnerOptions, context: &ResolveContext) -> Vec<PathBuf> {
    let resolved = resolve_hook_path(path, &options.cwd, &options.home).ok();
    let file = module_file(path, &options.cwd, &options.home, context).ok();
    let real = file.as_deref().and_then(|file| std::fs::canonicalize(file).ok());
    resolved.into_iter().chain(file).chain(real).collect()
}
