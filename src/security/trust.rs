//! Which projects' own hooks may run: a record per project in the user's state directory.
//!
//! A project's hook files come with its repository, so they are somebody else's code until the
//! person says otherwise. What a record holds is the content of that moment, what the hooks import
//! from the project included: an edit, a new file, a link or an import that leads elsewhere – each
//! makes the project untrusted again.

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use path_clean::PathClean;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::env::{Env, UserDirError, state_dir};
use super::reader::Reader;
use super::snapshot::{FileMark, ProjectSnapshot, digest_of, hex};
use super::trusted::TrustedProject;

/// The variable that trusts every project of this process, when it is exactly `1`.
pub const TRUST_VARIABLE: &str = "HOOKRT_TRUST_PROJECT";

/// Records of version 1 did not cover what hooks import from outside their directories.
const VERSION: u32 = 2;

/// Why trust could not be looked up or recorded. None of them means "trusted".
#[derive(Debug, thiserror::Error)]
pub enum TrustError {
    /// The state directory has no place.
    #[error(transparent)]
    Dir(#[from] UserDirError),
    /// A file or directory of the project cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// A hook file that is not in the project.
    #[error("{} is not inside the project {}", file.display(), project.display())]
    Outside {
        /// The file.
        file: PathBuf,
        /// The project.
        project: PathBuf,
    },
    /// A name that a record cannot hold.
    #[error("{} has a name that is not UTF-8", path.display())]
    Name {
        /// Which.
        path: PathBuf,
    },
    /// More than a person can have read.
    #[error("the hooks of {} with what they import are too much (limits: 10000 files, 64 MiB)", project.display())]
    TooMuch {
        /// The project.
        project: PathBuf,
    },
    /// A record cannot be read or written.
    #[error("cannot use the trust record {}: {source}", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// A record that does not cover what hooks import.
    #[error("{} was trusted by an older version, which did not record what hooks import", project.display())]
    Outdated {
        /// The project.
        project: PathBuf,
    },
    /// A record that others could have written.
    #[error("the trust record {} can be written by other users", path.display())]
    Exposed {
        /// The file.
        path: PathBuf,
    },
}

impl TrustError {
    /// What a person can do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            TrustError::Dir(_) => Some("set HOOKRT_STATE_DIR to an absolute directory"),
            TrustError::Name { .. } => Some("rename the file, or name it explicitly with --hook"),
            TrustError::TooMuch { .. } => Some("move what is no hook out of the hook directories, and import less"),
            TrustError::Record { .. } => Some("remove the file and run `hookrt trust` again"),
            TrustError::Outdated { .. } => Some("run `hookrt trust` again"),
            TrustError::Exposed { .. } => Some("check who wrote it, then `chmod go-w` it or run `hookrt trust` again"),
            TrustError::Read { .. } | TrustError::Outside { .. } => None,
        }
    }
}

/// Who trusts a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrustedBy {
    /// `HOOKRT_TRUST_PROJECT=1`: whatever it holds.
    Environment,
    /// A record: exactly what it held then.
    Record,
}

/// What happened to a file since it was trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It has other content.
    Edited,
    /// It leads to another file.
    Moved,
    /// It is the same, but one of its imports leads elsewhere.
    Redirected,
}

/// A file that is not what was trusted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChangedFile {
    /// Its path inside the project.
    pub path: String,
    /// What happened.
    pub change: Change,
}

/// Whether the hooks of a project may run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TrustState {
    /// They may.
    Trusted {
        /// On whose word.
        by: TrustedBy,
    },
    /// Nobody said so.
    Untrusted,
    /// Somebody did, about other content.
    Changed {
        /// What is different, in the order of the paths.
        files: Vec<ChangedFile>,
    },
}

impl TrustState {
    /// Whether they may run.
    pub fn is_trusted(&self) -> bool {
        matches!(self, TrustState::Trusted { .. })
    }
}

/// What was trusted, when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TrustRecord {
    version: u32,
    /// The real path of the project.
    pub project: PathBuf,
    /// One hash over all files, in hex.
    pub digest: String,
    /// Seconds since the epoch.
    pub recorded_at: u64,
    /// The files by their path inside the project.
    pub files: BTreeMap<String, FileMark>,
}

/// The records of one user.
#[derive(Debug, Clone)]
pub struct TrustStore {
    dir: PathBuf,
    trust_all: bool,
}

impl TrustStore {
    /// The store of the user whom the environment describes.
    ///
    /// # Errors
    /// When it names no usable state directory.
    pub fn open(env: Env<'_>) -> Result<TrustStore, TrustError> {
        let trust_all = env(TRUST_VARIABLE).is_some_and(|value| value == "1");
        Ok(TrustStore { dir: state_dir(env)?.join("trust"), trust_all })
    }

    /// Whether the project's hooks may run. `files` are the hook files found in it. Where a record trusts
    /// them, the project says what it covers: only that may run.
    ///
    /// # Errors
    /// See [`TrustError`]; take each as "not trusted".
    pub fn is_trusted<P: AsRef<Path>>(
        &self,
        project_dir: &Path,
        files: impl IntoIterator<Item = P>,
    ) -> Result<(TrustState, Option<TrustedProject>), TrustError> {
        let hooks: Vec<P> = files.into_iter().collect();
        let mut reader = Reader::new(project_dir)?;
        reader.read_hooks(project_dir, &hooks)?;
        if self.trust_all {
            return Ok((TrustState::Trusted { by: TrustedBy::Environment }, None));
        }
        let Some(record) = self.read(&self.path_of(&reader.snapshot.project))? else {
            return Ok((TrustState::Untrusted, None));
        };
        if record.project != reader.snapshot.project {
            return Ok((TrustState::Untrusted, None));
        }
        let snapshot = reader.into_recorded(&record.files)?;
        let files = changes(&record.files, snapshot.files());
        if !files.is_empty() {
            return Ok((TrustState::Changed { files }, None));
        }
        let trusted = TrustedProject::new(&snapshot, project_dir, &hooks);
        Ok((TrustState::Trusted { by: TrustedBy::Record }, Some(trusted)))
    }

    /// Trusts a project with the content of a snapshot; a record of before is replaced.
    ///
    /// # Errors
    /// When the record cannot be written; the one of before is then untouched.
    pub fn record(&self, snapshot: &ProjectSnapshot) -> Result<TrustRecord, TrustError> {
        let record = TrustRecord {
            version: VERSION,
            project: snapshot.project().to_path_buf(),
            digest: snapshot.digest(),
            recorded_at: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
            files: snapshot.files().clone(),
        };
        let path = self.path_of(&record.project);
        self.write(&path, &record).map_err(|source| TrustError::Record { path, source })?;
        Ok(record)
    }

    /// Forgets a project, even one that is gone from the disk. Says whether there was a record.
    ///
    /// # Errors
    /// When the record cannot be removed.
    pub fn revoke(&self, project_dir: &Path) -> Result<bool, TrustError> {
        let project = fs::canonicalize(project_dir).unwrap_or_else(|_| project_dir.clean());
        let path = self.path_of(&project);
        match fs::remove_file(&path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(source) => Err(TrustError::Record { path, source }),
        }
    }

    /// Every record, by project. One that cannot be read is logged and left out.
    ///
    /// # Errors
    /// When the directory cannot be read; none at all is an empty list.
    pub fn list(&self) -> Result<Vec<TrustRecord>, TrustError> {
        let failed = |source| TrustError::Record { path: self.dir.clone(), source };
        let entries = match fs::read_dir(&self.dir) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(source) => return Err(failed(source)),
        };
        let mut records = Vec::new();
        for entry in entries {
            let path = entry.map_err(failed)?.path();
            if path.extension().is_none_or(|ext| ext != "json") {
                continue;
            }
            match self.read(&path) {
                Ok(record) => records.extend(record),
                Err(error) => tracing::warn!("{error}"),
            }
        }
        records.sort_by(|a, b| a.project.cmp(&b.project));
        Ok(records)
    }

    fn path_of(&self, project: &Path) -> PathBuf {
        self.dir.join(hex(&Sha256::digest(project.as_os_str().as_encoded_bytes()))).with_extension("json")
    }

    fn read(&self, path: &Path) -> Result<Option<TrustRecord>, TrustError> {
        let failed = |source| TrustError::Record { path: path.to_path_buf(), source };
        let text = match fs::read(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(failed(source)),
        };
        if is_exposed(path).map_err(failed)? {
            return Err(TrustError::Exposed { path: path.to_path_buf() });
        }
        let record: TrustRecord = serde_json::from_slice(&text).map_err(|error| failed(error.into()))?;
        if record.version < VERSION {
            return Err(TrustError::Outdated { project: record.project });
        }
        let sound = record.version == VERSION && record.digest == digest_of(&record.files);
        if sound { Ok(Some(record)) } else { Err(failed(io::Error::other("unknown version or damaged"))) }
    }

    fn write(&self, path: &Path, record: &TrustRecord) -> io::Result<()> {
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&self.dir)?;
        // Written aside with mode 0600 and renamed: a reader sees the old record or the new one.
        let mut file = tempfile::Builder::new().prefix(".record").tempfile_in(&self.dir)?;
        file.write_all(&serde_json::to_vec_pretty(record)?)?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        Ok(())
    }
}

#[cfg(unix)]
fn is_exposed(path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let meta = fs::symlink_metadata(path)?;
    // SAFETY: geteuid takes nothing, changes nothing and cannot fail.
    let me = unsafe { libc::geteuid() };
    Ok(!meta.is_file() || meta.mode() & 0o022 != 0 || (meta.uid() != me && meta.uid() != 0))
}

#[cfg(not(unix))]
fn is_exposed(_: &Path) -> io::Result<bool> {
    Ok(false)
}

fn changes(then: &BTreeMap<String, FileMark>, now: &BTreeMap<String, FileMark>) -> Vec<ChangedFile> {
    let mut changed: BTreeMap<&String, Change> = BTreeMap::new();
    for (path, mark) in then {
        match now.get(path) {
            None => changed.insert(path, Change::Removed),
            Some(other) if other.real != mark.real => changed.insert(path, Change::Moved),
            Some(other) if other.sha256 != mark.sha256 => changed.insert(path, Change::Edited),
            Some(other) if other.imports != mark.imports => changed.insert(path, Change::Redirected),
            Some(_) => None,
        };
    }
    changed.extend(now.keys().filter(|path| !then.contains_key(*path)).map(|path| (path, Change::Added)));
    changed.into_iter().map(|(path, change)| ChangedFile { path: path.clone(), change }).collect()
}
