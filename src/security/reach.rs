//! What the hooks of a project reach in it beyond their own directories.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Component, Path, PathBuf};

use super::reader::Reader;
use super::snapshot::{FileMark, ImportMark, ProjectSnapshot};
use super::trust::TrustError;
use crate::loader::{
    ResolveContext, ResolveMode, Resolved, StaticImport, decode_source, resolve, static_imports, tsconfig_files,
};

impl Reader {
    /// Adds what the files under `keys` import, and what that imports, as long as it lies in the project.
    pub(super) fn follow_imports(&mut self, keys: HashSet<String>) -> Result<(), TrustError> {
        self.imported = true;
        let context = ResolveContext::default();
        let mut pending: Vec<String> = keys.into_iter().collect();
        let mut seen = HashSet::new();
        while let Some(key) = pending.pop() {
            let Some(real) = self.snapshot.files.get(&key).map(|mark| mark.real.clone()) else { continue };
            if !seen.insert(key.clone()) {
                continue;
            }
            let imports = self.imports_of(&real, &context);
            let marks = imports
                .into_iter()
                .filter_map(|StaticImport { specifier, mode }| mark(specifier, mode, &real, &context));
            pending.extend(self.read_imports(&key, marks.collect())?);
        }
        Ok(())
    }

    /// Nothing for what does not compile: it cannot run either.
    fn imports_of(&self, real: &Path, context: &ResolveContext) -> BTreeSet<StaticImport> {
        let Some(bytes) = self.contents.get(real) else { return BTreeSet::new() };
        let imports = decode_source(bytes.to_vec(), real).and_then(|source| static_imports(&source, real, context));
        imports.unwrap_or_default()
    }

    /// Reads where the imports of a file lead in the project; the answer is the keys of that.
    fn read_imports(&mut self, key: &str, imports: Vec<ImportMark>) -> Result<Vec<String>, TrustError> {
        let mut keys = Vec::new();
        for ImportMark { mode, leads_to, .. } in &imports {
            let Some(target) = leads_to else { continue };
            let Ok(inside) = target.strip_prefix(&self.snapshot.project).map(Path::to_path_buf) else { continue };
            // `require` asks Node's rules first, which prefer another extension than the loader does.
            let preferred = ["js", "json", "cjs"].iter().map(|extension| inside.with_extension(extension));
            let preferred = preferred.filter(|_| *mode == ResolveMode::Require);
            for path in preferred.chain([inside.clone()]) {
                self.read_any(&path)?;
                keys.extend(path.to_str().map(|key| key.replace(std::path::MAIN_SEPARATOR, "/")));
            }
        }
        if let Some(mark) = self.snapshot.files.get_mut(key) {
            mark.imports = imports;
        }
        Ok(keys)
    }

    /// Reads what a record names and the discovery of today does not, and where the imports it knows lead today. Nothing is parsed
    /// again: a file with the same bytes has the same imports, and one with others has changed anyway.
    pub(super) fn into_recorded(
        mut self,
        recorded: &BTreeMap<String, FileMark>,
    ) -> Result<ProjectSnapshot, TrustError> {
        self.imported = true;
        for key in recorded.keys() {
            // A record is our own file, but a path out of the project would be read all the same.
            let inside = Path::new(key).components().all(|part| matches!(part, Component::Normal(_)));
            if inside && !self.snapshot.files.contains_key(key) {
                self.read_any(Path::new(key))?;
            }
        }
        let context = ResolveContext::default();
        for (key, then) in recorded {
            let now = self.snapshot.files.get(key);
            let Some(now) = now.filter(|now| now.sha256 == then.sha256 && now.real == then.real) else { continue };
            let real = now.real.clone();
            let imports = then.imports.iter().map(|import| ImportMark {
                leads_to: lead(&import.specifier, import.mode, &real, &context).flatten(),
                ..import.clone()
            });
            self.read_imports(key, imports.collect())?;
        }
        self.read_configuration()?;
        Ok(self.into_snapshot())
    }

    /// Adds the `package.json` and `tsconfig.json` above every file, and what the latter extend: they say where imports lead and
    /// what the compiler makes of a file.
    pub(super) fn read_configuration(&mut self) -> Result<(), TrustError> {
        self.imported = true;
        let mut directories = BTreeSet::new();
        for (key, mark) in &self.snapshot.files {
            let real = mark.real.strip_prefix(&self.snapshot.project).ok().map(Path::to_path_buf);
            for path in real.into_iter().chain([PathBuf::from(key)]) {
                directories.extend(path.ancestors().skip(1).map(Path::to_path_buf));
            }
        }
        for directory in directories {
            self.read_any(&directory.join("package.json"))?;
            let tsconfig = self.snapshot.project.join(&directory).join("tsconfig.json");
            if !tsconfig.is_file() {
                continue;
            }
            for file in tsconfig_files(&tsconfig) {
                if let Ok(inside) = file.strip_prefix(&self.snapshot.project).map(Path::to_path_buf) {
                    self.read_any(&inside)?;
                }
            }
        }
        Ok(())
    }
}

fn mark(specifier: String, mode: ResolveMode, referrer: &Path, context: &ResolveContext) -> Option<ImportMark> {
    let leads_to = lead(&specifier, mode, referrer, context)?;
    Some(ImportMark { specifier, mode, leads_to })
}

/// The file an import leads to; `None` for what no file of a project can ever stand for.
fn lead(specifier: &str, mode: ResolveMode, referrer: &Path, context: &ResolveContext) -> Option<Option<PathBuf>> {
    match resolve(specifier, referrer, mode, context) {
        Ok(Resolved::File(path)) => Some(path.to_str().is_some().then_some(path)),
        Ok(Resolved::NodeBuiltin(_) | Resolved::BunBuiltin(_) | Resolved::Data(_)) => None,
        // It may be installed one day.
        Ok(Resolved::Host(_)) | Err(_) => Some(None),
    }
}
