//! `package.json` files, read once.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value};

use super::error::LoaderError;
use super::transpile::PackageType;

/// The fields of a package.json that matter for resolution.
#[derive(Debug, Clone, Default)]
pub struct PackageJson {
    /// The folder it stands in.
    pub directory: PathBuf,
    pub name: Option<String>,
    pub main: Option<String>,
    pub module: Option<String>,
    /// Key order kept: conditions are matched in it.
    pub exports: Option<Value>,
    pub imports: Option<Map<String, Value>>,
    pub package_type: PackageType,
}

impl PackageJson {
    fn parse(text: &str, path: &Path) -> Result<Self, LoaderError> {
        let invalid = |message: String| LoaderError::Config { path: path.to_path_buf(), message };
        let text = text.trim_start_matches('\u{feff}');
        let value: Value = serde_json::from_str(text).map_err(|e| invalid(e.to_string()))?;
        let Value::Object(mut fields) = value else {
            return Err(invalid("not a JSON object".to_string()));
        };
        let text_field = |name: &str| fields.get(name).and_then(Value::as_str).map(str::to_string);
        let package_type = match fields.get("type").and_then(Value::as_str) {
            Some("module") => PackageType::Module,
            Some("commonjs") => PackageType::CommonJs,
            _ => PackageType::Absent,
        };
        Ok(Self {
            directory: path.parent().unwrap_or(Path::new("/")).to_path_buf(),
            name: text_field("name"),
            main: text_field("main"),
            module: text_field("module"),
            package_type,
            imports: match fields.remove("imports") {
                Some(Value::Object(imports)) => Some(imports),
                _ => None,
            },
            exports: fields.remove("exports").filter(|value| !value.is_null()),
        })
    }
}

type Entry = Option<Arc<PackageJson>>;

/// Package files by folder; absent ones are remembered, too.
#[derive(Debug, Default)]
pub struct PackageJsonCache {
    by_directory: Mutex<HashMap<PathBuf, Entry>>,
}

impl PackageJsonCache {
    /// The package.json in `directory` itself. Errors: it is there but not valid JSON.
    pub fn in_directory(&self, directory: &Path) -> Result<Entry, LoaderError> {
        let cached = {
            let known = self.by_directory.lock().unwrap_or_else(PoisonError::into_inner);
            known.get(directory).cloned()
        };
        if let Some(entry) = cached {
            return Ok(entry);
        }
        let path = directory.join("package.json");
        let entry = match std::fs::read_to_string(&path) {
            Ok(text) => Some(Arc::new(PackageJson::parse(&text, &path)?)),
            Err(_) => None,
        };
        let mut known = self.by_directory.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(directory.to_path_buf(), entry.clone());
        Ok(entry)
    }

    /// The nearest package.json above `path`, not looking past a `node_modules` folder.
    pub fn nearest(&self, path: &Path) -> Result<Entry, LoaderError> {
        for directory in path.ancestors().skip(1) {
            if directory.ends_with("node_modules") {
                break;
            }
            if let Some(package) = self.in_directory(directory)? {
                return Ok(Some(package));
            }
        }
        Ok(None)
    }
}
