//! Holds code of a project that a record trusts to that record, at the moment it is read.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::loader::{LoaderError, ReadGuard};
use crate::security::{Coverage, TrustedProject};

/// The guard of one isolate's modules. A hook that somebody named runs with whatever it imports; everything else that lies in the
/// project must be recorded with the same bytes.
#[derive(Debug)]
pub struct CodeGuard {
    project: Option<Arc<TrustedProject>>,
    /// Named hooks and what they import, all links followed.
    named: Mutex<HashSet<PathBuf>>,
}

impl CodeGuard {
    /// Without a project everything may run.
    pub fn new(project: Option<Arc<TrustedProject>>) -> CodeGuard {
        CodeGuard { project, named: Mutex::default() }
    }

    /// A hook's own module, found or named as `path`.
    pub fn add_entry(&self, path: &Path, file: &Path) {
        if self.project.as_ref().is_some_and(|project| !project.is_hook(path)) {
            self.add_named(real(file));
        }
    }

    /// An import in `referrer` leads to `target`: what a named hook imports is as good as named.
    pub fn add_import(&self, referrer: &Path, target: &Path) {
        if self.project.is_some() && self.is_named(&real(referrer)) {
            self.add_named(real(target));
        }
    }

    fn add_named(&self, real: PathBuf) {
        self.named.lock().unwrap_or_else(PoisonError::into_inner).insert(real);
    }

    fn is_named(&self, real: &Path) -> bool {
        self.named.lock().unwrap_or_else(PoisonError::into_inner).contains(real)
    }
}

impl ReadGuard for CodeGuard {
    fn check(&self, path: &Path, bytes: &[u8]) -> Result<(), LoaderError> {
        let Some(project) = &self.project else { return Ok(()) };
        let real = real(path);
        let why = match project.check(&real, bytes) {
            Coverage::Same | Coverage::Outside => return Ok(()),
            Coverage::Changed => "was changed since its project was trusted",
            Coverage::NotRecorded => "is not among the files that were trusted with its project",
        };
        if self.is_named(&real) {
            return Ok(());
        }
        Err(LoaderError::Untrusted { path: path.to_path_buf(), why })
    }
}

fn real(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf())
}
