//! What a project's hooks consist of: every file that could run, read once, with its hash.
//!
//! Trust is given to bytes, not to names. What is in the hook directories is taken whole; of the rest of the project, what the hooks
//! reach by literal imports, and the files that say where imports lead.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::reader::Reader;
use super::trust::TrustError;
use crate::loader::ResolveMode;

/// Files a snapshot may hold; a project whose hooks consist of more is not one a person has read.
pub const MAX_FILES: usize = 10_000;
/// Bytes it may hold.
pub const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// One file as it was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileMark {
    /// Where it really is, all links followed.
    pub real: PathBuf,
    /// SHA-256 of its bytes in hex.
    pub sha256: String,
    /// Its size in bytes.
    pub size: u64,
    /// It stands in no hook directory: hooks import it, or it says where imports lead.
    #[serde(default)]
    pub imported: bool,
    /// Its literal imports, where the hooks reach it.
    #[serde(default)]
    pub imports: Vec<ImportMark>,
}

/// One literal import of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportMark {
    /// As written.
    pub specifier: String,
    /// How it is asked for.
    pub mode: ResolveMode,
    /// The file it leads to, all links followed; `None` where there is none on disk.
    pub leads_to: Option<PathBuf>,
}

/// The hook files of a project, every file of the hook directories they stand in, and what they reach in the project.
#[derive(Debug, Clone)]
pub struct ProjectSnapshot {
    pub(super) project: PathBuf,
    pub(super) files: BTreeMap<String, FileMark>,
}

impl ProjectSnapshot {
    /// Reads the files of a project. `files` are hook files or directories inside `project_dir`,
    /// absolute or relative to it; of each, the whole hook directory is read too: the nearest
    /// parent called `hooks`, else its own directory unless that is the project itself. Files that
    /// do not exist are left out, so that their appearance later counts as a change.
    ///
    /// Literal imports are followed as the loader resolves them, as long as they stay in the project, `node_modules` included.
    /// With each file come the `package.json` and `tsconfig.json` of the directories above it.
    ///
    /// # Errors
    /// When the project directory cannot be read, a file lies outside of it, a name is not UTF-8,
    /// or there is more than [`MAX_FILES`] or [`MAX_BYTES`].
    pub fn take<P: AsRef<Path>>(
        project_dir: &Path,
        files: impl IntoIterator<Item = P>,
    ) -> Result<ProjectSnapshot, TrustError> {
        let mut reader = Reader::new(project_dir)?;
        let hooks = reader.read_hooks(project_dir, files)?;
        reader.follow_imports(hooks)?;
        reader.read_configuration()?;
        Ok(reader.into_snapshot())
    }

    /// The real path of the project.
    pub fn project(&self) -> &Path {
        &self.project
    }

    /// The files by their path inside the project (`/` between the parts).
    pub fn files(&self) -> &BTreeMap<String, FileMark> {
        &self.files
    }

    /// One hash over all files, their paths and where these and their imports really lead, in hex.
    pub fn digest(&self) -> String {
        digest_of(&self.files)
    }
}

/// One hash over marks, as [`ProjectSnapshot::digest`] and a record make it.
pub(super) fn digest_of(files: &BTreeMap<String, FileMark>) -> String {
    let mut hash = Sha256::new();
    let mut add = |part: &[u8]| {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    };
    for (path, mark) in files {
        add(path.as_bytes());
        add(mark.real.as_os_str().as_encoded_bytes());
        add(mark.sha256.as_bytes());
        add(&(mark.imports.len() as u64).to_le_bytes());
        for import in &mark.imports {
            add(import.specifier.as_bytes());
            add(if import.mode == ResolveMode::Import { b"import" } else { b"require" });
            add(import.leads_to.as_deref().map_or(b"", |path| path.as_os_str().as_encoded_bytes()));
        }
    }
    hex(&hash.finalize())
}

/// Lower-case hex.
pub(super) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
