//! Modules as deno_core asks for them: resolution and code come from the loader room, this file translates.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::{Arc, LazyLock};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use deno_core::url::Url;
use deno_core::{
    ModuleLoadOptions, ModuleLoadReferrer, ModuleLoadResponse, ModuleLoader, ModuleSource, ModuleSourceCode,
    ModuleSpecifier, ModuleType, RequestedModuleType, ResolutionKind, SourceCodeCacheInfo, v8,
};
use deno_error::{JsErrorBox, JsErrorClass as _};
use regex::Regex;

use super::builtins::Builtins;
use super::code_guard::CodeGuard;
use super::js_error::at;
use super::permissions::CodeAccess;
use super::platform::HAS_CODE_CACHE;
use super::running::ScriptPlace;
use super::shared::Shared;
use crate::loader::{
    BlobKind, CacheKey, LoadedModule, LoaderError, ModuleKind, Place, ResolveContext, ResolveMode, Resolved, SourceMap,
    TranspileCache, cjs_export_names, cjs_wrapper, code_frame, file_url_to_path, load_module, path_to_file_url,
    read_text, resolve, utf8_path,
};
use crate::security::TrustedProject;

/// Scheme of the modules that ship with the engine.
const SHIPPED: &str = "hookrt";
/// Code shorter than this compiles faster than its compiled form is read from disk, in bytes.
const CODE_CACHE_FROM: usize = 1024;

/// How modules are found.
#[derive(Debug, Clone, Default)]
pub struct LoaderOptions {
    /// Installations of the agent whose packages serve hooks before the shipped ones (decision 13).
    pub package_roots: Vec<PathBuf>,
    /// `None` means the person's own cache directory.
    pub cache: Option<TranspileCache>,
    /// The project of which only recorded code may run; `None`: any code may.
    pub trusted_project: Option<Arc<TrustedProject>>,
}

/// The module loader of one generation.
pub struct Loader {
    /// Told of every file, so that edits can be watched for.
    shared: Arc<Shared>,
    context: ResolveContext,
    cache: TranspileCache,
    access: CodeAccess,
    guard: Arc<CodeGuard>,
    /// Source maps of what was loaded, by the name the engine knows the script under.
    maps: RefCell<HashMap<String, Rc<str>>>,
    /// Where the compiled form of what was loaded is kept, by the same name.
    code_keys: RefCell<HashMap<String, CacheKey>>,
    builtins: OnceCell<Builtins>,
    /// A debugger may look at what was loaded.
    inspected: bool,
    /// The next file to run begins with a stop for the debugger.
    stop: Cell<bool>,
}

impl Loader {
    pub fn new(options: LoaderOptions, shared: Arc<Shared>, access: CodeAccess, inspected: bool) -> Self {
        let guard = Arc::new(CodeGuard::new(options.trusted_project));
        Loader {
            shared,
            context: ResolveContext::new(options.package_roots).guarded(guard.clone()),
            cache: options.cache.unwrap_or_else(TranspileCache::from_env),
            access,
            guard,
            maps: RefCell::default(),
            code_keys: RefCell::default(),
            builtins: OnceCell::new(),
            inspected,
            stop: Cell::new(false),
        }
    }

    /// The runtime is ready: builtins are evaluated from now on with this.
    pub fn set_builtins(&self, builtins: Builtins) {
        // A generation has one runtime.
        let _ = self.builtins.set(builtins);
    }

    /// Whether the next file that is loaded stops at its first statement.
    pub fn stop_in_next(&self, stop: bool) {
        self.stop.set(stop);
    }

    /// URL of a hook's own module, found or named as `path`, which may be loaded with what lies beside it.
    pub fn entry_url(&self, path: &str, file: &Path) -> Result<ModuleSpecifier, String> {
        self.access.add_entry(file);
        self.guard.add_entry(Path::new(path), file);
        let url = path_to_file_url(file);
        Url::parse(&url).map_err(|error| format!("{}: {error}", file.display()))
    }

    /// What `require(specifier)` in the file `referrer` stands for; `None` leaves it to Node's own rules.
    pub fn resolve_require(&self, specifier: &str, referrer: &str) -> Result<Option<String>, String> {
        match resolve(specifier, Path::new(referrer), ResolveMode::Require, &self.context) {
            Ok(Resolved::File(path)) => {
                self.guard.add_import(Path::new(referrer), &path);
                utf8_path(&path).map(|path| Some(path.to_owned()))
            }
            Ok(Resolved::NodeBuiltin(name)) => Ok(Some(name)),
            Ok(Resolved::Host(name)) => Ok(Some(format!("{SHIPPED}:{}", shipped_file(&name)))),
            Ok(Resolved::BunBuiltin(name)) => bun_module(&name).map(Some),
            Ok(Resolved::Data(_)) => Ok(None),
            Err(error) => Err(error),
        }
        .map_err(|error| error.to_string())
    }

    /// Node's own rules found `found` for a `require` in the file `referrer`.
    pub fn note_required(&self, found: &str, referrer: &str) {
        self.guard.add_import(Path::new(referrer), Path::new(found));
    }

    /// Whether the file behind `url` is CommonJS. Files that cannot be read are left to Node's rules.
    pub fn is_common_js(&self, url: &Url) -> bool {
        let Ok(path) = file_url_to_path(url.as_str()) else { return false };
        self.module(&path).is_ok_and(|module| module.transpiled.kind == ModuleKind::CommonJs)
    }

    /// # Errors
    /// `NotCapable` when the file is no code that hooks may load.
    pub fn check_access(&self, path: &Path) -> Result<(), JsErrorBox> {
        self.access.check(path)
    }

    /// The text that `require` compiles, or parses when it is JSON.
    pub fn require_source(&self, path: &Path) -> Result<String, JsErrorBox> {
        if path.extension().is_some_and(|extension| extension == "json") {
            let (text, _) = self.context.read_source(path).map_err(|error| load_error(&error))?;
            return Ok(text);
        }
        let module = self.module(path).map_err(|error| load_error(&error))?;
        self.remember_map(&path.to_string_lossy(), &module);
        Ok(self.runnable(module))
    }

    fn module(&self, path: &Path) -> Result<LoadedModule, LoaderError> {
        self.shared.note_file(path);
        load_module(path, &self.context, &self.cache)
    }

    fn remember_map(&self, name: &str, module: &LoadedModule) {
        let url = path_to_file_url(&module.path);
        if let Some(map) = module.transpiled.source_map(&url, None) {
            self.maps.borrow_mut().insert(name.to_owned(), map.into());
        }
    }

    /// A place of a script as stack traces have it, in the file as it was written.
    pub fn original_place(&self, place: ScriptPlace) -> String {
        let maps = self.maps.borrow();
        let map = maps.get(&place.script).and_then(|map| SourceMap::from_json(map));
        let original = map.and_then(|map| map.lookup(place.line, place.column));
        at(&place.script, original.unwrap_or((place.line, place.column)))
    }

    /// The code as the engine gets it: with its source map where a debugger is to show the file as it was written.
    fn runnable(&self, module: LoadedModule) -> String {
        let map = if self.inspected {
            module.transpiled.source_map(&path_to_file_url(&module.path), Some(&module.source))
        } else {
            None
        };
        let mut code = module.transpiled.code;
        if self.stop.take() {
            stop_at_first_statement(&mut code);
        }
        if let Some(map) = map {
            code.push_str("\n//# sourceMappingURL=data:application/json;base64,");
            code.push_str(&BASE64_STANDARD.encode(map));
        }
        code
    }

    /// The compiled form of the script `name`, and that the engine shall hand it over when there is none or it does not fit. The engine compares
    /// no more than the length of the text, so `key` must be a hash of all of it.
    fn code_cache(&self, name: &str, length: usize, key: impl FnOnce() -> CacheKey) -> Option<SourceCodeCacheInfo> {
        // What a debugger looks at is not what runs otherwise.
        if !HAS_CODE_CACHE || self.inspected || length < CODE_CACHE_FROM || self.cache.directory().is_none() {
            return None;
        }
        let key = key();
        let data = self.cache.get_blob(&key, BlobKind::CodeCache).map(Cow::Owned);
        self.code_keys.borrow_mut().insert(name.to_owned(), key);
        Some(SourceCodeCacheInfo { hash: 0, data })
    }

    fn load_file(
        &self,
        specifier: &ModuleSpecifier,
        requested: &RequestedModuleType,
    ) -> Result<ModuleSource, JsErrorBox> {
        let path = file_url_to_path(specifier.as_str()).map_err(|error| load_error(&error))?;
        // The engine makes a TypeError of whatever an import fails with; the name stands in its message then.
        self.access.check(&path).map_err(|error| {
            JsErrorBox::new(error.get_class(), format!("{}: {}", error.get_class(), error.get_message()))
        })?;
        match requested {
            RequestedModuleType::Json => {
                let (text, _) = self.context.read_source(&path).map_err(|error| load_error(&error))?;
                return Ok(source(ModuleType::Json, text, specifier));
            }
            RequestedModuleType::Text => {
                let text = self.context.read_text(&path).map_err(|error| load_error(&error))?;
                return Ok(source(ModuleType::Text, text, specifier));
            }
            _ => {}
        }
        if let Some(text) = text_module(&path, &self.context)? {
            return Ok(source(ModuleType::JavaScript, text, specifier));
        }
        let module = self.module(&path).map_err(|error| load_error(&error))?;
        if module.transpiled.kind == ModuleKind::CommonJs {
            let names = cjs_export_names(&path, &self.context, &self.cache);
            return Ok(source(ModuleType::JavaScript, cjs_wrapper(&path.to_string_lossy(), &names), specifier));
        }
        self.remember_map(specifier.as_str(), &module);
        let cache_key = module.cache_key.clone();
        let code = self.runnable(module);
        let code_cache = self.code_cache(specifier.as_str(), code.len(), || cache_key);
        Ok(ModuleSource::new(ModuleType::JavaScript, ModuleSourceCode::String(code.into()), specifier, code_cache))
    }
}

/// Puts the stop on the first line, so that every line keeps its number, and behind a directive, which would be none any more.
fn stop_at_first_statement(code: &mut String) {
    static DIRECTIVE: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r#"^(?:\s|//[^\n]*\n|/\*[\s\S]*?\*/)*["']use strict["']"#).ok());
    match DIRECTIVE.as_ref().and_then(|directive| directive.find(code)).map(|found| found.end()) {
        Some(end) => code.insert_str(end, ";debugger"),
        None => code.insert_str(0, "debugger;"),
    }
}

/// Files that are imported for their text: Bun and the agents allow it without an attribute.
fn text_module(path: &Path, context: &ResolveContext) -> Result<Option<String>, JsErrorBox> {
    let is_text = path
        .extension()
        .is_some_and(|extension| ["txt", "md"].iter().any(|known| extension.eq_ignore_ascii_case(known)));
    if !is_text {
        return Ok(None);
    }
    let text = context.read_text(path).map_err(|error| load_error(&error))?;
    Ok(Some(format!("export default {};\n", serde_json::Value::String(text))))
}

fn source(kind: ModuleType, code: String, specifier: &ModuleSpecifier) -> ModuleSource {
    ModuleSource::new(kind, ModuleSourceCode::String(code.into()), specifier, None)
}

fn load_error(error: &LoaderError) -> JsErrorBox {
    JsErrorBox::generic(error.explained(""))
}

/// An import that cannot be served, with the line that asks for it.
fn import_error(error: &LoaderError, specifier: &str, referrer: &Path) -> JsErrorBox {
    let place = read_text(referrer).ok().and_then(|source| {
        let (line, column) = asking_place(&source, specifier)?;
        Some(format!("\n({}:{line}:{column})\n{}", referrer.display(), code_frame(&source, line, column)))
    });
    JsErrorBox::generic(error.explained(&place.unwrap_or_default()))
}

/// Where `specifier` is imported: the first line that has it where an import has its specifier, else the first one that has it at all.
fn asking_place(source: &str, specifier: &str) -> Option<Place> {
    let quoted = [format!("\"{specifier}\""), format!("'{specifier}'")];
    let lines = source.lines().enumerate();
    let mentions: Vec<(usize, &str)> = lines
        .filter_map(|(index, text)| Some((index, &text[..quoted.iter().find_map(|quoted| text.find(quoted))?])))
        .collect();
    let imports = |before: &str| ["from", "import", "("].iter().any(|end| before.trim_end().ends_with(end));
    let (index, before) = mentions.iter().find(|(_, before)| imports(before)).or(mentions.first())?;
    Some((u32::try_from(index + 1).ok()?, u32::try_from(before.chars().count() + 1).ok()?))
}

/// File name of a shipped package: subpaths other than typebox's are the package itself.
fn shipped_file(name: &str) -> String {
    match name.split_once('/') {
        Some(("typebox", subpath)) => format!("typebox-{subpath}"),
        Some((package, _)) => package.to_owned(),
        None => name.to_owned(),
    }
}

/// The builtins of Node that there are.
fn node_builtin(name: &str) -> Result<String, LoaderError> {
    if deno_node::is_builtin_node_module(name.strip_prefix("node:").unwrap_or(name)) {
        return Ok(name.to_owned());
    }
    Err(LoaderError::Builtin { message: format!("there is no builtin module {name}") })
}

fn bun_module(name: &str) -> Result<String, LoaderError> {
    match name {
        "bun" => Ok(format!("{SHIPPED}:bun")),
        "bun:sqlite" => Ok(format!("{SHIPPED}:bun-sqlite")),
        _ => Err(LoaderError::Builtin {
            message: format!(
                "{name} is not available: hookrt offers the modules \"bun\" and \"bun:sqlite\", and node's own builtins"
            ),
        }),
    }
}

impl ModuleLoader for Loader {
    fn resolve(&self, specifier: &str, referrer: &str, kind: ResolutionKind) -> Result<ModuleSpecifier, JsErrorBox> {
        let parse = |text: &str| Url::parse(text).map_err(|error| JsErrorBox::type_error(format!("{text}: {error}")));
        let is_entry = matches!(kind, ResolutionKind::MainModule) || referrer == "." || referrer.is_empty();
        if is_entry || referrer.starts_with("ext:") || referrer.starts_with("node:") || specifier.starts_with("hookrt:")
        {
            return deno_core::resolve_import(specifier, referrer).map_err(JsErrorBox::from_err);
        }
        let referrer = match file_url_to_path(referrer) {
            Ok(path) => path,
            // Code without a file (a `data:` module, `vm` scripts) imports as if it stood at the root.
            Err(_) => PathBuf::from("/"),
        };
        let found = resolve(specifier, &referrer, ResolveMode::Import, &self.context).and_then(|resolved| {
            Ok(match resolved {
                Resolved::File(path) => {
                    self.guard.add_import(&referrer, &path);
                    utf8_path(&path).map(|_| path_to_file_url(&path))?
                }
                Resolved::NodeBuiltin(name) => node_builtin(&name)?,
                Resolved::Host(name) => format!("{SHIPPED}:{}", shipped_file(&name)),
                Resolved::BunBuiltin(name) => bun_module(&name)?,
                Resolved::Data(url) => url,
            })
        });
        parse(&found.map_err(|error| import_error(&error, specifier, &referrer))?)
    }

    fn resolve_with_scope(
        &self,
        scope: &mut v8::PinScope,
        specifier: &str,
        referrer: &str,
        kind: ResolutionKind,
        _attributes: &HashMap<String, String>,
    ) -> Result<ModuleSpecifier, JsErrorBox> {
        let resolved = self.resolve(specifier, referrer, kind)?;
        if matches!(resolved.scheme(), "node" | SHIPPED)
            && let Some(builtins) = self.builtins.get()
        {
            builtins.load(scope, resolved.as_str())?;
        }
        Ok(resolved)
    }

    fn import_meta_resolve(&self, specifier: &str, referrer: &str) -> Result<ModuleSpecifier, JsErrorBox> {
        let is_file = ["./", "../", "/", "file:"].iter().any(|start| specifier.starts_with(start));
        match self.resolve(specifier, referrer, ResolutionKind::DynamicImport) {
            // As in Node: a file need not exist yet to have a URL.
            Err(_) if is_file => deno_core::resolve_import(specifier, referrer).map_err(JsErrorBox::from_err),
            other => other,
        }
    }

    fn load(
        &self,
        specifier: &ModuleSpecifier,
        _referrer: Option<&ModuleLoadReferrer>,
        options: ModuleLoadOptions,
    ) -> ModuleLoadResponse {
        let load = || match specifier.scheme() {
            "file" => self.load_file(specifier, &options.requested_module_type),
            "data" => data_module(specifier),
            scheme => Err(JsErrorBox::generic(format!("hooks cannot import over {scheme}: ({specifier})"))),
        };
        // Reading and transpiling is our work, not the hook's.
        ModuleLoadResponse::Sync(match self.builtins.get() {
            Some(builtins) => builtins.limits.in_host_code(load),
            None => load(),
        })
    }

    /// Of the lazy scripts that the binary has as text, Node's builtins above all.
    fn get_code_cache(&self, specifier: &ModuleSpecifier, source: &str) -> Option<SourceCodeCacheInfo> {
        let name = specifier.as_str();
        self.code_cache(name, source.len(), || CacheKey::of_shipped(name, source))
    }

    fn code_cache_ready(
        &self,
        specifier: ModuleSpecifier,
        _hash: u64,
        code_cache: &[u8],
    ) -> Pin<Box<dyn Future<Output = ()>>> {
        if let Some(key) = self.code_keys.borrow().get(specifier.as_str()) {
            self.cache.put_blob(key, BlobKind::CodeCache, code_cache);
        }
        Box::pin(std::future::ready(()))
    }

    fn get_source_map(&self, file_name: &str) -> Option<Cow<'_, [u8]>> {
        let maps = self.maps.borrow();
        Some(Cow::Owned(maps.get(file_name)?.as_bytes().to_vec()))
    }

    fn source_map_source_exists(&self, _source_url: &str) -> Option<bool> {
        Some(true)
    }
}

fn data_module(specifier: &ModuleSpecifier) -> Result<ModuleSource, JsErrorBox> {
    let bad = |message: String| JsErrorBox::type_error(format!("unreadable data: URL: {message}"));
    let url = data_url::DataUrl::process(specifier.as_str()).map_err(|error| bad(format!("{error:?}")))?;
    let (bytes, _) = url.decode_to_vec().map_err(|error| bad(format!("{error:?}")))?;
    let text = String::from_utf8(bytes).map_err(|error| bad(error.to_string()))?;
    let mime = url.mime_type();
    match (mime.type_.as_str(), mime.subtype.as_str()) {
        ("application", "json") => Ok(source(ModuleType::Json, text, specifier)),
        _ => Ok(source(ModuleType::JavaScript, text, specifier)),
    }
}
