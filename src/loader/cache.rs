//! The transpile cache on disk.
//!
//! Entries are named by a hash of everything the result depends on, so none is ever updated: a
//! writer puts a temporary file next to it and renames. Any number of processes may do so at once
//! and die at any moment; a reader sees a whole entry or none. Every entry carries a checksum of its
//! payload, and one that does not match is treated as absent and written anew.
//!
//! The directory is the user's own (mode 0700). Code that may write there runs with the user's
//! rights already: the checksum guards against accidents, not against the user. A hook cannot choose
//! the name of another hook's entry, since it is the hash of that hook's source.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use sha2::{Digest, Sha256};

use super::source_text::FileKind;
use super::transpile::{TranspileOptions, Transpiled};

const MAGIC: &[u8; 8] = b"hookrt1\n";
/// Total size above which the oldest entries are removed, in bytes.
const MAX_TOTAL_BYTES: u64 = 256 << 20;
/// How often the size is looked at.
const PRUNE_INTERVAL: Duration = Duration::from_secs(24 * 60 * 60);
/// Leftovers of killed writers older than this are removed.
const STALE_TEMPORARY: Duration = Duration::from_secs(60 * 60);

/// What a blob is; entries of different kinds with the same key stand side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlobKind {
    /// A [`Transpiled`] as JSON.
    Transpiled,
    /// The engine's compiled form of the code; only valid for one engine version, which the engine
    /// checks itself.
    CodeCache,
}

impl BlobKind {
    fn extension(self) -> &'static str {
        match self {
            Self::Transpiled => "js",
            Self::CodeCache => "code",
        }
    }
}

/// Names and texts of the compiler's own sources.
macro_rules! sources {
    ($($name:literal),+ $(,)?) => { &[$(($name, include_str!(concat!("transpile/", $name)))),+] };
}

const COMPILER_SOURCES: &[(&str, &str)] = sources![
    "cjs_exports.rs",
    "compile.rs",
    "contexts.rs",
    "es_to_cjs.rs",
    "facts.rs",
    "lower.rs",
    "mod.rs",
    "options.rs",
    "parse.rs",
    "prelude.rs",
    "using.rs",
];

/// Of the compiler's sources: builds of one version that compile in different ways share a directory.
const COMPILER: u64 = fingerprint(COMPILER_SOURCES);

/// FNV-1a, for the compiler of this crate can run it.
const fn fingerprint(sources: &[(&str, &str)]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    let mut source = 0;
    while source < sources.len() {
        let text = sources[source].1.as_bytes();
        let mut at = 0;
        while at < text.len() {
            hash = (hash ^ text[at] as u64).wrapping_mul(0x0000_0100_0000_01b3);
            at += 1;
        }
        source += 1;
    }
    hash
}

/// Hash of a source, its kind and options, and the versions of compiler and crate.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CacheKey(String);

impl CacheKey {
    /// The key of a file's compiled form.
    pub fn new(text: &str, kind: FileKind, options: &TranspileOptions) -> Self {
        let options = serde_json::to_string(options).unwrap_or_default();
        let compiler = format!("{COMPILER:x}");
        Self::of(&[env!("CARGO_PKG_VERSION"), swc_core::SWC_CORE_VERSION, &compiler, kind.tag(), &options, text])
    }

    /// The key of a script that ships with the engine. No file of a hook has it, whatever its text.
    pub fn of_shipped(specifier: &str, text: &str) -> Self {
        Self::of(&[env!("CARGO_PKG_VERSION"), "shipped", specifier, text])
    }

    fn of(parts: &[&str]) -> Self {
        let mut hash = Sha256::new();
        for part in parts {
            // The length keeps neighbours from flowing into each other.
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part.as_bytes());
        }
        Self(hex(&hash.finalize()))
    }
}

/// A cache directory, or none when there is no writable one.
#[derive(Debug, Clone)]
pub struct TranspileCache {
    directory: Option<PathBuf>,
}

impl TranspileCache {
    /// The user's cache: `HOOKRT_CACHE_DIR` (empty: no cache), else `$XDG_CACHE_HOME/hookrt` or
    /// `~/.cache/hookrt`, on macOS `~/Library/Caches/hookrt`.
    pub fn from_env() -> Self {
        match default_directory(|name| std::env::var_os(name).map(PathBuf::from)) {
            Some(directory) => Self::at(&directory),
            None => Self::disabled(),
        }
    }

    /// A cache in `directory`, which is created; disabled when that is not possible.
    pub fn at(directory: &Path) -> Self {
        if !directory.is_absolute() || create_private(directory).is_err() {
            tracing::debug!(directory = %directory.display(), "transpile cache is off");
            return Self::disabled();
        }
        let cache = Self { directory: Some(directory.to_path_buf()) };
        cache.prune_when_due();
        cache
    }

    /// A cache that keeps nothing.
    pub fn disabled() -> Self {
        Self { directory: None }
    }

    /// Where entries are kept, if anywhere.
    pub fn directory(&self) -> Option<&Path> {
        self.directory.as_deref()
    }

    /// The cached compilation; `None` also when the entry is damaged.
    pub fn get(&self, key: &CacheKey) -> Option<Transpiled> {
        let payload = self.get_blob(key, BlobKind::Transpiled)?;
        serde_json::from_slice(&payload).ok()
    }

    /// Keeps a compilation. Failing to is not an error: the next process compiles again.
    pub fn put(&self, key: &CacheKey, transpiled: &Transpiled) {
        if let Ok(payload) = serde_json::to_vec(transpiled) {
            self.put_blob(key, BlobKind::Transpiled, &payload);
        }
    }

    /// Any bytes kept under a key.
    pub fn get_blob(&self, key: &CacheKey, kind: BlobKind) -> Option<Vec<u8>> {
        let mut bytes = fs::read(self.entry(key, kind)?).ok()?;
        let header = MAGIC.len() + 32;
        if bytes.len() < header || !bytes.starts_with(MAGIC) {
            return None;
        }
        let payload = bytes.split_off(header);
        (Sha256::digest(&payload).as_slice() == &bytes[MAGIC.len()..]).then_some(payload)
    }

    /// Keeps bytes under a key, replacing what is there.
    pub fn put_blob(&self, key: &CacheKey, kind: BlobKind, payload: &[u8]) {
        let Some(entry) = self.entry(key, kind) else {
            return;
        };
        if let Err(error) = write_entry(&entry, payload) {
            tracing::debug!(entry = %entry.display(), %error, "cannot write cache entry");
        }
    }

    fn entry(&self, key: &CacheKey, kind: BlobKind) -> Option<PathBuf> {
        let directory = self.directory.as_ref()?;
        let (fan, rest) = key.0.split_at(2);
        Some(directory.join(fan).join(format!("{rest}.{}", kind.extension())))
    }

    /// Removes the oldest entries above the size limit, at most once a day over all processes.
    fn prune_when_due(&self) {
        let Some(directory) = &self.directory else {
            return;
        };
        let marker = directory.join("pruned");
        let due = match fs::metadata(&marker).and_then(|m| m.modified()) {
            Ok(time) => age(time) > PRUNE_INTERVAL,
            Err(_) => true,
        };
        // The marker first: of several processes that start at once one prunes, mostly.
        if due && fs::write(&marker, b"").is_ok() {
            prune(directory, MAX_TOTAL_BYTES);
        }
    }
}

fn write_entry(entry: &Path, payload: &[u8]) -> std::io::Result<()> {
    let directory = entry.parent().unwrap_or(Path::new("/"));
    create_private(directory)?;
    let mut file = tempfile::Builder::new().prefix(".tmp-").tempfile_in(directory)?;
    file.write_all(MAGIC)?;
    file.write_all(&Sha256::digest(payload))?;
    file.write_all(payload)?;
    file.persist(entry).map_err(|error| error.error)?;
    Ok(())
}

fn create_private(directory: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(directory)
}

fn prune(directory: &Path, limit: u64) {
    let mut entries = Vec::new();
    let mut total = 0u64;
    let fans = fs::read_dir(directory).into_iter().flatten().flatten();
    for file in fans.flat_map(|fan| fs::read_dir(fan.path()).into_iter().flatten().flatten()) {
        let Ok(metadata) = file.metadata() else {
            continue;
        };
        let modified = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        let temporary = file.file_name().to_string_lossy().starts_with(".tmp-");
        if temporary {
            if age(modified) > STALE_TEMPORARY {
                let _ = fs::remove_file(file.path());
            }
            continue;
        }
        total += metadata.len();
        entries.push((modified, metadata.len(), file.path()));
    }
    entries.sort();
    for (_, size, path) in entries {
        if total <= limit {
            break;
        }
        if fs::remove_file(&path).is_ok() {
            total -= size;
        }
    }
}

fn age(time: SystemTime) -> Duration {
    // A time in the future is a clock that was wrong then: as good as old.
    SystemTime::now().duration_since(time).unwrap_or(PRUNE_INTERVAL * 2)
}

fn default_directory(var: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    if let Some(directory) = var("HOOKRT_CACHE_DIR") {
        return (!directory.as_os_str().is_empty()).then_some(directory);
    }
    let absolute = |name: &str| var(name).filter(|path| path.is_absolute());
    if cfg!(target_os = "macos") {
        return Some(absolute("HOME")?.join("Library/Caches/hookrt"));
    }
    let base = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
    Some(base.join("hookrt"))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache() -> (tempfile::TempDir, TranspileCache) {
        let directory = tempfile::tempdir().unwrap();
        let cache = TranspileCache::at(&directory.path().join("c"));
        (directory, cache)
    }

    fn key(text: &str) -> CacheKey {
        CacheKey::new(text, FileKind::Ts, &TranspileOptions::default())
    }

    #[test]
    fn damaged_entries_are_absent_and_can_be_rewritten() {
        let (_directory, cache) = cache();
        let key = key("a");
        cache.put_blob(&key, BlobKind::CodeCache, b"payload");
        let entry = cache.entry(&key, BlobKind::CodeCache).unwrap();
        let whole = fs::read(&entry).unwrap();
        for length in 0..whole.len() {
            fs::write(&entry, &whole[..length]).unwrap();
            assert_eq!(cache.get_blob(&key, BlobKind::CodeCache), None, "cut to {length}");
        }
        for index in 0..whole.len() {
            let mut flipped = whole.clone();
            flipped[index] ^= 1;
            fs::write(&entry, flipped).unwrap();
            assert_eq!(cache.get_blob(&key, BlobKind::CodeCache), None, "bit {index}");
        }
        cache.put_blob(&key, BlobKind::CodeCache, b"again");
        assert_eq!(cache.get_blob(&key, BlobKind::CodeCache).unwrap(), b"again");
        assert_eq!(cache.get_blob(&key, BlobKind::Transpiled), None);
    }

    #[test]
    fn keys_depend_on_the_whole_compiler() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/loader/transpile");
        let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name()).collect();
        files.sort();
        let named: Vec<_> = COMPILER_SOURCES.iter().map(|(name, _)| std::ffi::OsString::from(name)).collect();
        assert_eq!(named, files);
        assert_ne!(fingerprint(COMPILER_SOURCES), fingerprint(&COMPILER_SOURCES[1..]));
    }

    #[test]
    fn keys_depend_on_every_input() {
        let options = TranspileOptions::default();
        let mut legacy = options.clone();
        legacy.compiler.experimental_decorators = true;
        let keys = [
            CacheKey::new("a", FileKind::Ts, &options),
            CacheKey::new("b", FileKind::Ts, &options),
            CacheKey::new("a", FileKind::Tsx, &options),
            CacheKey::new("a", FileKind::Ts, &legacy),
        ];
        let distinct: std::collections::HashSet<_> = keys.iter().collect();
        assert_eq!(distinct.len(), keys.len());
    }

    #[test]
    fn many_writers_leave_a_whole_entry() {
        let (_directory, cache) = cache();
        let key = key("a");
        std::thread::scope(|scope| {
            for writer in 0..32u8 {
                let (cache, key) = (&cache, &key);
                scope.spawn(move || {
                    for _ in 0..20 {
                        cache.put_blob(key, BlobKind::CodeCache, &vec![writer; 10_000]);
                        let read = cache.get_blob(key, BlobKind::CodeCache).unwrap();
                        assert!(read.len() == 10_000 && read.iter().all(|b| *b == read[0]));
                    }
                });
            }
        });
    }

    #[test]
    fn pruning_removes_the_oldest_first() {
        let (_directory, cache) = cache();
        for (index, text) in ["old", "mid", "new"].into_iter().enumerate() {
            cache.put_blob(&key(text), BlobKind::CodeCache, &[0; 1_000]);
            let entry = cache.entry(&key(text), BlobKind::CodeCache).unwrap();
            let time = SystemTime::UNIX_EPOCH + Duration::from_secs(index as u64 * 100);
            fs::File::options().write(true).open(entry).unwrap().set_modified(time).unwrap();
        }
        prune(cache.directory().unwrap(), 2_500);
        let kept: Vec<bool> =
            ["old", "mid", "new"].map(|text| cache.get_blob(&key(text), BlobKind::CodeCache).is_some()).to_vec();
        assert_eq!(kept, [false, true, true]);
    }

    #[test]
    fn an_unusable_directory_disables_the_cache() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let cache = TranspileCache::at(&file.path().join("below-a-file"));
        assert_eq!(cache.directory(), None);
        cache.put_blob(&key("a"), BlobKind::CodeCache, b"x");
        assert_eq!(cache.get_blob(&key("a"), BlobKind::CodeCache), None);
    }

    #[test]
    fn directory_follows_the_environment() {
        let env = |pairs: &'static [(&str, &str)]| {
            default_directory(move |name| {
                pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| PathBuf::from(value))
            })
        };
        assert_eq!(env(&[("HOOKRT_CACHE_DIR", "/c"), ("HOME", "/h")]), Some("/c".into()));
        assert_eq!(env(&[("HOOKRT_CACHE_DIR", ""), ("HOME", "/h")]), None);
        assert_eq!(env(&[]), None);
        if !cfg!(target_os = "macos") {
            assert_eq!(env(&[("XDG_CACHE_HOME", "/x"), ("HOME", "/h")]), Some("/x/hookrt".into()));
            assert_eq!(env(&[("XDG_CACHE_HOME", "x"), ("HOME", "/h")]), Some("/h/.cache/hookrt".into()));
        }
    }
}
