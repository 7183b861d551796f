//! Edges of resolution and compilation, over temporary folders.

mod discovery;
mod packages;
mod specifiers;
mod transpile;
mod tsconfig;

use std::path::{Path, PathBuf};

use super::{LoaderError, ResolveContext, ResolveMode, Resolved, resolve};

/// A temporary folder with files.
pub(super) struct Tree {
    _guard: tempfile::TempDir,
    pub root: PathBuf,
    pub context: ResolveContext,
}

impl Tree {
    pub fn new(files: &[(&str, &str)]) -> Self {
        let guard = tempfile::tempdir().expect("temporary folder");
        // macOS hands out a link; results are real paths.
        let root = std::fs::canonicalize(guard.path()).expect("real path");
        let tree = Self { _guard: guard, root, context: ResolveContext::default() };
        for (name, content) in files {
            tree.write(name, content);
        }
        tree
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    pub fn write(&self, name: &str, content: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new("/"))).expect("folder");
        std::fs::write(path, content).expect("file");
    }

    /// Resolves from `from`; files are given relative to the root, the rest as debug text.
    pub fn resolve_as(&self, specifier: &str, from: &str, mode: ResolveMode) -> String {
        match resolve(specifier, &self.path(from), mode, &self.context) {
            Ok(Resolved::File(path)) => match path.strip_prefix(&self.root) {
                Ok(relative) => relative.display().to_string(),
                Err(_) => path.display().to_string(),
            },
            Ok(other) => format!("{other:?}"),
            Err(error) => format!("error: {error}"),
        }
    }

    pub fn import(&self, specifier: &str, from: &str) -> String {
        self.resolve_as(specifier, from, ResolveMode::Import)
    }

    pub fn import_error(&self, specifier: &str, from: &str) -> LoaderError {
        resolve(specifier, &self.path(from), ResolveMode::Import, &self.context).expect_err(specifier)
    }
}
