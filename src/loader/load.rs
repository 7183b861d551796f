//! One file, ready to run: read, compiled or taken from the cache.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::cache::{CacheKey, TranspileCache};
use super::error::LoaderError;
use super::json_module::json_module;
use super::module_resolver::{ResolveContext, Resolved, resolve};
use super::node_modules::ResolveMode;
use super::source_text::FileKind;
use super::transpile::{CjsExports, ModuleKind, Transpiled, transpile};

/// A loaded file.
#[derive(Debug, Clone)]
pub struct LoadedModule {
    pub path: PathBuf,
    pub kind: FileKind,
    /// The text as written, without byte order mark.
    pub source: String,
    /// What runs. JSON files are ES modules here, their data being the default export.
    pub transpiled: Transpiled,
    /// Under which the engine may keep its code cache.
    pub cache_key: CacheKey,
}

/// Loads the module at `path` (absolute). Errors name the file and, where there is one, the line.
pub fn load_module(path: &Path, context: &ResolveContext, cache: &TranspileCache) -> Result<LoadedModule, LoaderError> {
    let (source, kind) = context.read_source(path)?;
    if kind == FileKind::Json {
        let transpiled = Transpiled {
            code: json_module(&source, path)?,
            mappings: None,
            kind: ModuleKind::Esm,
            cjs_exports: CjsExports::default(),
        };
        let cache_key = CacheKey::new(&source, kind, &Default::default());
        return Ok(LoadedModule { path: path.to_path_buf(), kind, source, transpiled, cache_key });
    }
    let real = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let options = context.transpile_options(&real)?;
    let cache_key = CacheKey::new(&source, kind, &options);
    let transpiled = match cache.get(&cache_key) {
        Some(transpiled) => transpiled,
        None => {
            let transpiled = transpile(&source, path, &options)?;
            cache.put(&cache_key, &transpiled);
            transpiled
        }
    };
    Ok(LoadedModule { path: path.to_path_buf(), kind, source, transpiled, cache_key })
}

/// The names an ES module can import from the CommonJS file at `path`, re-exports followed. Files
/// that cannot be read or resolved add nothing: running the module tells.
pub fn cjs_export_names(path: &Path, context: &ResolveContext, cache: &TranspileCache) -> Vec<String> {
    let mut names = Vec::new();
    let mut seen = HashSet::new();
    let mut pending = vec![path.to_path_buf()];
    while let Some(path) = pending.pop() {
        if !seen.insert(path.clone()) {
            continue;
        }
        let Ok(module) = load_module(&path, context, cache) else {
            continue;
        };
        let exports = module.transpiled.cjs_exports;
        for name in exports.names {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        for specifier in exports.reexports {
            if let Ok(Resolved::File(file)) = resolve(&specifier, &path, ResolveMode::Require, context) {
                pending.push(file);
            }
        }
    }
    names
}
