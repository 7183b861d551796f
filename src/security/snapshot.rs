//! What a project's hooks consist of: every file that could run, read once, with its hash.
//!
//! Trust is given to bytes, not to names. So the bytes that were hashed are kept and handed to
//! the loader: whatever happens to the files after the check, what runs is what was checked.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use path_clean::PathClean;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::trust::TrustError;

/// Files a snapshot may hold; a hook directory with more is not one a person has read.
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
}

/// The hook files of a project, and every file of the hook directories they stand in.
#[derive(Debug, Clone)]
pub struct ProjectSnapshot {
    project: PathBuf,
    files: BTreeMap<String, FileMark>,
    contents: HashMap<PathBuf, Arc<[u8]>>,
}

/// What a snapshot says about a module that is about to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coverage {
    /// It is in the snapshot with the same bytes.
    Same,
    /// It is in the snapshot with other bytes.
    Changed,
    /// It is in the project but not in the snapshot.
    NotRecorded,
    /// It is no file of the project.
    Outside,
}

impl ProjectSnapshot {
    /// Reads the files of a project. `files` are hook files or directories inside `project_dir`,
    /// absolute or relative to it; of each, the whole hook directory is read too: the nearest
    /// parent called `hooks`, else its own directory unless that is the project itself. Files that
    /// do not exist are left out, so that their appearance later counts as a change.
    ///
    /// # Errors
    /// When the project directory cannot be read, a file lies outside of it, a name is not UTF-8,
    /// or there is more than [`MAX_FILES`] or [`MAX_BYTES`].
    pub fn take<P: AsRef<Path>>(
        project_dir: &Path,
        files: impl IntoIterator<Item = P>,
    ) -> Result<ProjectSnapshot, TrustError> {
        let project = real_path(project_dir)?;
        let mut reader = Reader {
            snapshot: ProjectSnapshot { project, files: BTreeMap::new(), contents: HashMap::new() },
            bytes: 0,
            seen: HashSet::new(),
        };
        for file in files {
            let key = reader.snapshot.key_of(project_dir, file.as_ref())?;
            if let Some(dir) = hook_dir(&key) {
                reader.read_any(&dir)?;
            }
            reader.read_any(&key)?;
        }
        Ok(reader.snapshot)
    }

    /// The real path of the project.
    pub fn project(&self) -> &Path {
        &self.project
    }

    /// The files by their path inside the project (`/` between the parts).
    pub fn files(&self) -> &BTreeMap<String, FileMark> {
        &self.files
    }

    /// One hash over all files, their paths and where these really lead, in hex.
    pub fn digest(&self) -> String {
        digest_of(&self.files)
    }

    /// The bytes of a file by its real path, as they were hashed.
    pub fn bytes(&self, real: &Path) -> Option<&Arc<[u8]>> {
        self.contents.get(real)
    }

    /// Whether a module that is about to run is what the snapshot holds. `real` has all links
    /// followed.
    pub fn check(&self, real: &Path, bytes: &[u8]) -> Coverage {
        match self.contents.get(real) {
            Some(known) if known[..] == *bytes => Coverage::Same,
            Some(_) => Coverage::Changed,
            None if real.starts_with(&self.project) => Coverage::NotRecorded,
            None => Coverage::Outside,
        }
    }

    /// Adds files by their path inside the project, for those that a record names and the
    /// discovery of today does not.
    pub(super) fn extend<'a>(self, keys: impl IntoIterator<Item = &'a String>) -> Result<Self, TrustError> {
        let bytes = self.files.values().map(|mark| mark.size).sum();
        let mut reader = Reader { snapshot: self, bytes, seen: HashSet::new() };
        for key in keys {
            // A record is our own file, but a path out of the project would be read all the same.
            let inside = Path::new(key).components().all(|part| matches!(part, Component::Normal(_)));
            if inside && !reader.snapshot.files.contains_key(key) {
                reader.read_any(Path::new(key))?;
            }
        }
        Ok(reader.snapshot)
    }

    /// The path of a file inside the project, without `.` and `..`.
    fn key_of(&self, given_project: &Path, file: &Path) -> Result<PathBuf, TrustError> {
        let absolute = if file.is_absolute() { file.clean() } else { self.project.join(file).clean() };
        absolute
            .strip_prefix(&self.project)
            .or_else(|_| absolute.strip_prefix(given_project.clean()))
            .map(Path::to_path_buf)
            .map_err(|_| TrustError::Outside { file: file.to_path_buf(), project: self.project.clone() })
    }
}

/// One hash over marks, as [`ProjectSnapshot::digest`] and a record make it.
pub(super) fn digest_of(files: &BTreeMap<String, FileMark>) -> String {
    let mut hash = Sha256::new();
    for (path, mark) in files {
        for part in [path.as_bytes(), mark.real.as_os_str().as_encoded_bytes(), mark.sha256.as_bytes()] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
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

fn real_path(path: &Path) -> Result<PathBuf, TrustError> {
    fs::canonicalize(path).map_err(|source| TrustError::Read { path: path.to_path_buf(), source })
}

/// The directory whose files a hook may import: what a person means by "the hooks of a project".
fn hook_dir(key: &Path) -> Option<PathBuf> {
    let named = key.ancestors().skip(1).find(|dir| dir.file_name().is_some_and(|name| name == "hooks"));
    let own = key.parent().filter(|dir| !dir.as_os_str().is_empty());
    named.or(own).map(Path::to_path_buf)
}

struct Reader {
    snapshot: ProjectSnapshot,
    bytes: u64,
    /// Real directories that were walked under their key: a link into a parent must not loop.
    seen: HashSet<PathBuf>,
}

impl Reader {
    fn read_any(&mut self, key: &Path) -> Result<(), TrustError> {
        let path = self.snapshot.project.join(key);
        let Ok(real) = fs::canonicalize(&path) else {
            return Ok(());
        };
        let meta = fs::metadata(&real).map_err(|source| TrustError::Read { path: path.clone(), source })?;
        if meta.is_dir() {
            return if self.seen.insert(real.clone()) { self.read_dir(key, &real) } else { Ok(()) };
        }
        // Sockets, pipes and devices have no content to trust.
        if meta.is_file() { self.read_file(key, real) } else { Ok(()) }
    }

    fn read_dir(&mut self, key: &Path, real: &Path) -> Result<(), TrustError> {
        let failed = |source| TrustError::Read { path: real.to_path_buf(), source };
        let mut names = Vec::new();
        for entry in fs::read_dir(real).map_err(failed)? {
            names.push(entry.map_err(failed)?.file_name());
        }
        names.sort();
        names.into_iter().try_for_each(|name| self.read_any(&key.join(name)))
    }

    fn read_file(&mut self, key: &Path, real: PathBuf) -> Result<(), TrustError> {
        let Some(name) = key.to_str().filter(|_| real.to_str().is_some()) else {
            return Err(TrustError::Name { path: key.to_path_buf() });
        };
        let name = name.replace(std::path::MAIN_SEPARATOR, "/");
        if self.snapshot.files.contains_key(&name) {
            return Ok(());
        }
        let bytes = match self.snapshot.contents.get(&real) {
            Some(bytes) => bytes.clone(),
            None => self.read_bytes(&real)?,
        };
        let mark = FileMark { sha256: hex(&Sha256::digest(&bytes)), size: bytes.len() as u64, real: real.clone() };
        self.snapshot.contents.insert(real, bytes);
        self.snapshot.files.insert(name, mark);
        if self.snapshot.files.len() > MAX_FILES {
            return Err(self.too_much());
        }
        Ok(())
    }

    fn read_bytes(&mut self, real: &Path) -> Result<Arc<[u8]>, TrustError> {
        let room = MAX_BYTES - self.bytes.min(MAX_BYTES);
        let read = || -> io::Result<Vec<u8>> {
            let mut bytes = Vec::new();
            open_regular(real)?.take(room + 1).read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        let bytes = read().map_err(|source| TrustError::Read { path: real.to_path_buf(), source })?;
        if bytes.len() as u64 > room {
            return Err(self.too_much());
        }
        self.bytes += bytes.len() as u64;
        Ok(bytes.into())
    }

    fn too_much(&self) -> TrustError {
        TrustError::TooMuch { project: self.snapshot.project.clone() }
    }
}

/// Opens a regular file without following a link that took its place since its path was resolved,
/// and without waiting for a pipe that did.
fn open_regular(real: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_CLOEXEC);
    }
    let file = options.open(real)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"))
    }
}
