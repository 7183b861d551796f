//! What an import means: one function over all kinds of specifiers (`hooks.md`, decision 13).

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::LoaderError;
use super::file_url::{file_url_to_path, is_file_url};
use super::node_modules::{PackageResolver, ResolveMode, Target, main_of, split_package};
use super::package_json::PackageJsonCache;
use super::packages::{equivalent_packages, host_module, is_node_builtin};
use super::source_text::{FileKind, ReadGuard, read_source_guarded, read_text_guarded};
use super::specifier::{is_path, probe, probe_specifier};
use super::transpile::TranspileOptions;
use super::tsconfig::{TsConfig, TsConfigCache};

/// What a specifier stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolved {
    /// A file; absolute, symlinks followed.
    File(PathBuf),
    /// A Node builtin with its prefix: `node:fs/promises`.
    NodeBuiltin(String),
    /// A module that ships with the engine: `pi-coding-agent`, `pi-ai/models`, `typebox/value`.
    Host(String),
    /// `bun`, `bun:sqlite`, …, as written.
    BunBuiltin(String),
    /// A `data:` URL, as written.
    Data(String),
}

/// Everything resolution knows besides the specifier: one per generation of loaded hooks, since
/// package and tsconfig files are read once and remembered.
#[derive(Debug, Default)]
pub struct ResolveContext {
    package_roots: Vec<PathBuf>,
    packages: PackageJsonCache,
    tsconfigs: TsConfigCache,
    guard: Option<Arc<dyn ReadGuard>>,
}

impl ResolveContext {
    /// `package_roots`: folders of the agent's own installation, each a package folder or one that
    /// holds a `node_modules`. Host packages are taken from there before the engine's own.
    pub fn new(package_roots: Vec<PathBuf>) -> Self {
        Self { package_roots, ..Self::default() }
    }

    /// The same, with a guard over everything that is read as code.
    pub fn guarded(self, guard: Arc<dyn ReadGuard>) -> Self {
        Self { guard: Some(guard), ..self }
    }

    /// Reads a module's source past the guard. Errors: as [`read_source`](super::read_source), and what the guard refuses.
    pub fn read_source(&self, path: &Path) -> Result<(String, FileKind), LoaderError> {
        read_source_guarded(path, self.guard.as_deref())
    }

    /// Reads a text that is imported as such past the guard. Errors: as [`read_text`](super::read_text), and what the guard refuses.
    pub fn read_text(&self, path: &Path) -> Result<String, LoaderError> {
        read_text_guarded(path, self.guard.as_deref())
    }

    /// How a file is to be compiled: its tsconfig and the `type` of its package.
    pub fn transpile_options(&self, path: &Path) -> Result<TranspileOptions, LoaderError> {
        let compiler = self.tsconfig(path)?.map(|config| config.compiler.clone());
        let package = self.packages.nearest(path)?;
        Ok(TranspileOptions {
            compiler: compiler.unwrap_or_default(),
            package_type: package.map(|package| package.package_type).unwrap_or_default(),
        })
    }

    /// The tsconfig that governs a file.
    pub fn tsconfig(&self, path: &Path) -> Result<Option<Arc<TsConfig>>, LoaderError> {
        self.tsconfigs.governing(path)
    }

    /// The file a folder's package.json names as its module, through `exports` or `main`.
    pub(super) fn directory_main(&self, directory: &Path) -> Option<PathBuf> {
        let package = self.packages.in_directory(directory).ok().flatten()?;
        if package.exports.is_some() {
            let mut resolver = self.packages_for(ResolveMode::Import);
            if let Ok(found) = resolver.in_package(directory, "", ".") {
                return Some(found);
            }
        }
        main_of(&package, &mut Vec::new())
    }

    fn packages_for(&self, mode: ResolveMode) -> PackageResolver<'_> {
        PackageResolver { packages: &self.packages, mode, tried: Vec::new() }
    }
}

/// Resolves `specifier` as written in the file `referrer` (absolute).
///
/// Errors: `NotFound` with every path that was tried, `Package` when a package does not offer the
/// subpath, `Specifier` for malformed ones and for schemes hooks cannot import, `Config`.
pub fn resolve(
    specifier: &str,
    referrer: &Path,
    mode: ResolveMode,
    context: &ResolveContext,
) -> Result<Resolved, LoaderError> {
    let invalid =
        |message: &str| LoaderError::Specifier { specifier: specifier.to_string(), message: message.to_string() };
    if specifier.starts_with("node:") {
        return Ok(Resolved::NodeBuiltin(specifier.to_string()));
    }
    if specifier == "bun" || specifier.starts_with("bun:") {
        return Ok(Resolved::BunBuiltin(specifier.to_string()));
    }
    if specifier.starts_with("data:") {
        return Ok(Resolved::Data(specifier.to_string()));
    }
    // Modules are looked for from where a file really stands, so that a linked hook finds its own.
    let referrer = std::fs::canonicalize(referrer).unwrap_or_else(|_| referrer.to_path_buf());
    let directory = referrer.parent().unwrap_or(Path::new("/"));
    let main = |folder: &Path| context.directory_main(folder);
    let mut tried = Vec::new();
    if is_file_url(specifier) || is_path(specifier) {
        let found = if is_file_url(specifier) {
            probe(&file_url_to_path(specifier)?, &main, &mut tried)
        } else {
            probe_specifier(specifier, directory, &main, &mut tried)
        };
        return found.map(real_file).ok_or_else(|| not_found(specifier, &referrer, tried));
    }
    if let Some((scheme, _)) = specifier.split_once(':')
        && scheme.len() > 1
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    {
        return Err(invalid(&format!("'{scheme}:' modules cannot be imported by hooks")));
    }
    let mut packages = context.packages_for(mode);
    if specifier.starts_with('#') {
        // A tsconfig alias may start with `#`, too.
        if let Some(found) = mapped(specifier, &referrer, context, &mut tried)? {
            return Ok(real_file(found));
        }
        return match packages.by_imports(specifier, &referrer).map_err(|e| at(e, &referrer))? {
            Target::File(path) if path.is_file() => Ok(real_file(path)),
            Target::File(path) => Err(not_found(specifier, &referrer, vec![path])),
            Target::Specifier(other) if other.starts_with('#') => {
                Err(invalid("\"imports\" must not lead to another '#' name"))
            }
            Target::Specifier(other) => resolve(&other, &referrer, mode, context),
        };
    }
    if is_node_builtin(specifier.trim_end_matches('/')) {
        return Ok(Resolved::NodeBuiltin(format!("node:{}", specifier.trim_end_matches('/'))));
    }
    if let Some(found) = mapped(specifier, &referrer, context, &mut tried)? {
        return Ok(real_file(found));
    }
    let (name, subpath) = split_package(specifier).ok_or_else(|| invalid("not a valid package name"))?;
    let host = host_module(name, &subpath);
    let own = match packages.self_reference(name, &subpath, &referrer) {
        Ok(None) => packages.in_node_modules(name, &subpath, directory),
        found => found,
    };
    match own {
        Ok(Some(found)) => return Ok(real_file(found)),
        Ok(None) => {}
        // A host package may be installed in a version without this subpath; ours may have it.
        Err(error) if host.is_none() => return Err(at(error, &referrer)),
        Err(_) => {}
    }
    if let Some(host) = host {
        let found = in_package_roots(name, &subpath, mode, context);
        return Ok(found.map_or(Resolved::Host(host), real_file));
    }
    tried.append(&mut packages.tried);
    Err(not_found(specifier, &referrer, tried))
}

/// `paths` and `baseUrl` of the governing tsconfig.
fn mapped(
    specifier: &str,
    referrer: &Path,
    context: &ResolveContext,
    tried: &mut Vec<PathBuf>,
) -> Result<Option<PathBuf>, LoaderError> {
    let Some(config) = context.tsconfig(referrer)? else {
        return Ok(None);
    };
    let main = |folder: &Path| context.directory_main(folder);
    let mut candidates = config.mapped(specifier);
    if let Some(base) = &config.base_url {
        candidates.push(path_clean::clean(base.join(specifier)));
    }
    // Declarations are what `paths` often names for types; they are no modules.
    let is_module = |path: &PathBuf| !path.to_string_lossy().ends_with(".d.ts");
    Ok(candidates.iter().find_map(|candidate| probe(candidate, &main, tried).filter(is_module)))
}

/// A host package in the agent's own installation, under the name asked for or an equivalent one.
fn in_package_roots(name: &str, subpath: &str, mode: ResolveMode, context: &ResolveContext) -> Option<PathBuf> {
    let mut packages = context.packages_for(mode);
    let names = equivalent_packages(name);
    names.iter().find_map(|name| {
        context.package_roots.iter().find_map(|root| {
            let own = context.packages.in_directory(root).ok().flatten();
            if own.and_then(|package| package.name.clone()).as_ref() == Some(name) {
                return packages.in_package(root, name, subpath).ok();
            }
            packages.in_node_modules(name, subpath, root).ok().flatten()
        })
    })
}

fn real_file(path: PathBuf) -> Resolved {
    Resolved::File(std::fs::canonicalize(&path).unwrap_or(path))
}

fn not_found(specifier: &str, referrer: &Path, tried: Vec<PathBuf>) -> LoaderError {
    LoaderError::NotFound { specifier: specifier.to_string(), referrer: Some(referrer.to_path_buf()), tried }
}

/// Names the importing file in an error from inside a package.
fn at(error: LoaderError, importer: &Path) -> LoaderError {
    let referrer = Some(importer.to_path_buf());
    match error {
        LoaderError::NotFound { specifier, tried, .. } => LoaderError::NotFound { specifier, referrer, tried },
        LoaderError::Package { specifier, message, .. } => LoaderError::Package { specifier, referrer, message },
        other => other,
    }
}
