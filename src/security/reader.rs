//! Reads the files of a snapshot, each once.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use path_clean::PathClean;
use sha2::{Digest, Sha256};

use super::snapshot::{FileMark, MAX_BYTES, MAX_FILES, ProjectSnapshot, hex};
use super::trust::TrustError;

fn real_path(path: &Path) -> Result<PathBuf, TrustError> {
    fs::canonicalize(path).map_err(|source| TrustError::Read { path: path.to_path_buf(), source })
}

/// The directory whose files a hook may import: what a person means by "the hooks of a project".
fn hook_dir(key: &Path) -> Option<PathBuf> {
    let named = key.ancestors().skip(1).find(|dir| dir.file_name().is_some_and(|name| name == "hooks"));
    let own = key.parent().filter(|dir| !dir.as_os_str().is_empty());
    named.or(own).map(Path::to_path_buf)
}

/// A snapshot while it is taken.
pub(super) struct Reader {
    pub(super) snapshot: ProjectSnapshot,
    /// What was hashed, by its real path.
    pub(super) contents: HashMap<PathBuf, Arc<[u8]>>,
    bytes: u64,
    /// Real directories that were walked under their key: a link into a parent must not loop.
    seen: HashSet<PathBuf>,
    /// What is read now stands in no hook directory.
    pub(super) imported: bool,
}

impl Reader {
    pub(super) fn new(project_dir: &Path) -> Result<Reader, TrustError> {
        let snapshot = ProjectSnapshot { project: real_path(project_dir)?, files: BTreeMap::new() };
        Ok(Reader { snapshot, contents: HashMap::new(), bytes: 0, seen: HashSet::new(), imported: false })
    }

    pub(super) fn into_snapshot(self) -> ProjectSnapshot {
        self.snapshot
    }

    /// Reads the hook files and their directories. The answer: which of it is hooks' own, not packages installed beside them.
    pub(super) fn read_hooks<P: AsRef<Path>>(
        &mut self,
        project_dir: &Path,
        files: impl IntoIterator<Item = P>,
    ) -> Result<HashSet<String>, TrustError> {
        let mut own = HashSet::new();
        for file in files {
            let key = self.key_of(project_dir, file.as_ref())?;
            let places = hook_dir(&key).into_iter().chain([key]);
            for place in places {
                self.read_any(&place)?;
                own.extend(self.snapshot.files.keys().filter(|key| is_own(key, &place)).cloned());
            }
        }
        Ok(own)
    }

    /// The path of a file inside the project, without `.` and `..`.
    fn key_of(&self, given_project: &Path, file: &Path) -> Result<PathBuf, TrustError> {
        let project = &self.snapshot.project;
        let absolute = if file.is_absolute() { file.clean() } else { project.join(file).clean() };
        absolute
            .strip_prefix(project)
            .or_else(|_| absolute.strip_prefix(given_project.clean()))
            .map(Path::to_path_buf)
            .map_err(|_| TrustError::Outside { file: file.to_path_buf(), project: project.clone() })
    }

    /// Reads a file, or a directory with all that is in it; what is not there is left out.
    pub(super) fn read_any(&mut self, key: &Path) -> Result<(), TrustError> {
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

    pub(super) fn read_file(&mut self, key: &Path, real: PathBuf) -> Result<(), TrustError> {
        let Some(name) = key.to_str().filter(|_| real.to_str().is_some()) else {
            return Err(TrustError::Name { path: key.to_path_buf() });
        };
        let name = name.replace(std::path::MAIN_SEPARATOR, "/");
        if self.snapshot.files.contains_key(&name) {
            return Ok(());
        }
        let bytes = match self.contents.get(&real) {
            Some(bytes) => bytes.clone(),
            None => self.read_bytes(&real)?,
        };
        let mark = FileMark {
            sha256: hex(&Sha256::digest(&bytes)),
            size: bytes.len() as u64,
            real: real.clone(),
            imported: self.imported,
            imports: Vec::new(),
        };
        self.contents.insert(real, bytes);
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

/// Whether a file below `place` belongs to the hooks rather than to a package installed there.
fn is_own(key: &str, place: &Path) -> bool {
    Path::new(key)
        .strip_prefix(place)
        .is_ok_and(|below| below.components().all(|part| part.as_os_str() != "node_modules"))
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
