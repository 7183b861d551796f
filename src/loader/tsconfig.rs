//! `tsconfig.json`: the nearest one, `extends` followed, the keys that change loading.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value};

use super::error::LoaderError;
use super::transpile::{CompilerOptions, JsxMode};

/// What a tsconfig says, with everything it extends merged in.
#[derive(Debug, Clone, Default)]
pub struct TsConfig {
    /// The file it was read from.
    pub path: PathBuf,
    pub compiler: CompilerOptions,
    /// Absolute.
    pub base_url: Option<PathBuf>,
    /// Patterns of `paths` with their targets, which are absolute and may contain one `*`.
    pub paths: Vec<(String, Vec<String>)>,
}

impl TsConfig {
    /// Where `paths` sends a bare specifier: candidate paths, best pattern only. Empty when no
    /// pattern matches.
    pub fn mapped(&self, specifier: &str) -> Vec<PathBuf> {
        let best = self
            .paths
            .iter()
            .filter_map(|(pattern, targets)| match pattern.split_once('*') {
                None => (pattern == specifier).then_some((usize::MAX, "", targets)),
                Some((head, tail)) => {
                    let fits = specifier.len() >= head.len() + tail.len();
                    let star = specifier.strip_prefix(head)?.strip_suffix(tail);
                    star.filter(|_| fits).map(|star| (head.len(), star, targets))
                }
            })
            .max_by_key(|(head, ..)| *head);
        let Some((_, star, targets)) = best else {
            return Vec::new();
        };
        targets.iter().map(|target| path_clean::clean(target.replacen('*', star, 1))).collect()
    }
}

type Entry = Option<Arc<TsConfig>>;

/// Configurations by folder.
#[derive(Debug, Default)]
pub struct TsConfigCache {
    by_directory: Mutex<HashMap<PathBuf, Entry>>,
}

impl TsConfigCache {
    /// The configuration that governs `path`: the nearest `tsconfig.json` above it. Files inside
    /// `node_modules` have none.
    pub fn governing(&self, path: &Path) -> Result<Entry, LoaderError> {
        if path.components().any(|part| part.as_os_str() == "node_modules") {
            return Ok(None);
        }
        for directory in path.ancestors().skip(1) {
            if let Some(config) = self.in_directory(directory)? {
                return Ok(Some(config));
            }
        }
        Ok(None)
    }

    fn in_directory(&self, directory: &Path) -> Result<Entry, LoaderError> {
        let cached = {
            let known = self.by_directory.lock().unwrap_or_else(PoisonError::into_inner);
            known.get(directory).cloned()
        };
        if let Some(entry) = cached {
            return Ok(entry);
        }
        let path = directory.join("tsconfig.json");
        let entry = match path.is_file() {
            true => Some(Arc::new(load(&path)?)),
            false => None,
        };
        let mut known = self.by_directory.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(directory.to_path_buf(), entry.clone());
        Ok(entry)
    }
}

/// Reads a configuration and everything it extends. Errors (`Config`): not JSON with comments, a
/// cycle of `extends`. A base that cannot be found is logged and left out: its package may simply
/// not be installed where the hook runs.
pub fn load(path: &Path) -> Result<TsConfig, LoaderError> {
    let mut merged = Merged::default();
    merge(path, &mut Vec::new(), &mut merged)?;
    let option = |name: &str| merged.options.get(name);
    let flag = |name: &str| option(name).and_then(Value::as_bool);
    let text = |name: &str| option(name).and_then(Value::as_str).map(str::to_string);
    Ok(TsConfig {
        path: path.to_path_buf(),
        compiler: CompilerOptions {
            experimental_decorators: flag("experimentalDecorators").unwrap_or(false),
            emit_decorator_metadata: flag("emitDecoratorMetadata").unwrap_or(false),
            jsx: match text("jsx").map(|jsx| jsx.to_ascii_lowercase()).as_deref() {
                Some("react") => JsxMode::Classic,
                Some("react-jsxdev") => JsxMode::AutomaticDev,
                _ => JsxMode::Automatic,
            },
            jsx_import_source: text("jsxImportSource"),
            jsx_factory: text("jsxFactory"),
            jsx_fragment_factory: text("jsxFragmentFactory"),
            verbatim_module_syntax: flag("verbatimModuleSyntax").unwrap_or(false),
            use_define_for_class_fields: flag("useDefineForClassFields"),
        },
        base_url: merged.base_url,
        paths: merged.paths,
    })
}

/// The files that [`load`] reads for `path`: itself and what it extends, however far, as long as they can be read.
pub fn tsconfig_files(path: &Path) -> Vec<PathBuf> {
    let mut merged = Merged::default();
    // What is broken is told when a file is compiled.
    let _ = merge(path, &mut Vec::new(), &mut merged);
    merged.files
}

#[derive(Default)]
struct Merged {
    files: Vec<PathBuf>,
    options: Map<String, Value>,
    base_url: Option<PathBuf>,
    paths: Vec<(String, Vec<String>)>,
}

/// Merges the bases of `path`, then its own options over them.
fn merge(path: &Path, chain: &mut Vec<PathBuf>, merged: &mut Merged) -> Result<(), LoaderError> {
    let invalid = |message: String| LoaderError::Config { path: path.to_path_buf(), message };
    let real = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    if chain.contains(&real) {
        return Err(invalid("\"extends\" leads back to this file".to_string()));
    }
    merged.files.push(path.to_path_buf());
    let text = std::fs::read_to_string(path).map_err(|e| invalid(e.to_string()))?;
    let text = text.trim_start_matches('\u{feff}');
    // An empty file counts as `{}`, as for the TypeScript compiler.
    let value: Value = match text.trim() {
        "" => Value::Object(Map::new()),
        text => json5::from_str(text).map_err(|e| invalid(e.to_string()))?,
    };
    let Value::Object(mut file) = value else {
        return Err(invalid("not a JSON object".to_string()));
    };
    let directory = path.parent().unwrap_or(Path::new("/"));
    let bases = match file.remove("extends") {
        Some(Value::String(base)) => vec![base],
        Some(Value::Array(bases)) => bases.iter().filter_map(Value::as_str).map(str::to_string).collect(),
        _ => Vec::new(),
    };
    chain.push(real);
    for base in bases {
        match find_base(&base, directory) {
            Some(base) => merge(&base, chain, merged)?,
            None => {
                tracing::warn!(tsconfig = %path.display(), %base, "extended tsconfig not found")
            }
        }
    }
    chain.pop();
    let Some(Value::Object(mut options)) = file.remove("compilerOptions") else {
        return Ok(());
    };
    if let Some(Value::String(base_url)) = options.remove("baseUrl") {
        merged.base_url = Some(path_clean::clean(directory.join(base_url)));
    }
    if let Some(Value::Object(paths)) = options.remove("paths") {
        // Relative to baseUrl where there is one, else to the file that says `paths`.
        let base = merged.base_url.clone().unwrap_or_else(|| directory.to_path_buf());
        merged.paths = paths.iter().map(|(key, to)| (key.clone(), targets(to, &base))).collect();
    }
    merged.options.append(&mut options);
    Ok(())
}

fn targets(value: &Value, base: &Path) -> Vec<String> {
    let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().filter_map(Value::as_str).map(|target| base.join(target).to_string_lossy().into_owned()).collect()
}

/// The file an `extends` entry means: a path with or without `.json`, or a package.
fn find_base(base: &str, directory: &Path) -> Option<PathBuf> {
    if base.starts_with("./") || base.starts_with("../") || Path::new(base).is_absolute() || base == ".." {
        return config_file(&path_clean::clean(directory.join(base)));
    }
    directory
        .ancestors()
        .map(|ancestor| ancestor.join("node_modules").join(base))
        .find_map(|candidate| config_file(&candidate))
}

fn config_file(path: &Path) -> Option<PathBuf> {
    let mut with_json = path.as_os_str().to_os_string();
    with_json.push(".json");
    let candidates = [path.to_path_buf(), PathBuf::from(with_json), path.join("tsconfig.json")];
    candidates.into_iter().find(|candidate| candidate.is_file())
}
