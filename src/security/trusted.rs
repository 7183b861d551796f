//! What may run of a project that is trusted by a record.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use path_clean::PathClean;
use sha2::{Digest, Sha256};

use super::snapshot::{ProjectSnapshot, hex};

/// What a record says about a module that is about to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coverage {
    /// It is recorded with the same bytes.
    Same,
    /// It is recorded with other bytes.
    Changed,
    /// It is in the project but not recorded.
    NotRecorded,
    /// It is no file of the project.
    Outside,
}

/// A project that a record trusts, and the hashes of that record.
#[derive(Debug, Clone)]
pub struct TrustedProject {
    project: PathBuf,
    hooks: HashSet<PathBuf>,
    hashes: HashMap<PathBuf, String>,
}

impl TrustedProject {
    /// `hooks` are those that run because of the record, absolute or relative to `project_dir`.
    pub fn new<P: AsRef<Path>>(
        snapshot: &ProjectSnapshot,
        project_dir: &Path,
        hooks: impl IntoIterator<Item = P>,
    ) -> TrustedProject {
        TrustedProject {
            project: snapshot.project().to_path_buf(),
            hooks: hooks.into_iter().map(|hook| project_dir.join(hook).clean()).collect(),
            hashes: snapshot.files().values().map(|mark| (mark.real.clone(), mark.sha256.clone())).collect(),
        }
    }

    /// Whether the hook at `path`, as it was found, runs because of the record. Others run because somebody named them.
    pub fn is_hook(&self, path: &Path) -> bool {
        self.hooks.contains(path)
    }

    /// Whether a module that is about to run is what was trusted. `real` has all links followed, `bytes` are those that would run.
    pub fn check(&self, real: &Path, bytes: &[u8]) -> Coverage {
        match self.hashes.get(real) {
            Some(known) if *known == hex(&Sha256::digest(bytes)) => Coverage::Same,
            Some(_) => Coverage::Changed,
            None if real.starts_with(&self.project) => Coverage::NotRecorded,
            None => Coverage::Outside,
        }
    }
}
