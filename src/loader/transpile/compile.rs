//! The one entry of the compiler: text in, runnable code out.

use std::path::Path;

use serde::{Deserialize, Serialize};
use swc_core::common::errors::{DiagnosticBuilder, Emitter as DiagnosticEmitter, HANDLER, Handler, Level};
use swc_core::common::source_map::SourceMapGenConfig;
use swc_core::common::sync::Lrc;
use swc_core::common::{BytePos, FileName, GLOBALS, Globals, LineCol, Mark, SourceMap, Span};
use swc_core::ecma::ast::{EsVersion, Pass, Program};
use swc_core::ecma::codegen::text_writer::JsWriter;
use swc_core::ecma::codegen::{Config as CodegenConfig, Emitter};
use swc_core::ecma::transforms::base::helpers::{HELPERS, Helpers};
use swc_core::ecma::transforms::base::resolver;

use super::cjs_exports::{self, CjsExports};
use super::contexts::contexts;
use super::es_to_cjs;
use super::facts::Facts;
use super::lower;
use super::options::{PackageType, TranspileOptions};
use super::parse::{self, Parsed};
use super::prelude;
use crate::loader::error::LoaderError;
use crate::loader::source_map;
use crate::loader::source_text::FileKind;

/// How the code is to be evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ModuleKind {
    Esm,
    CommonJs,
}

/// Compiled code of one file. Nothing in it depends on where the file stands, so that equal files
/// share a cache entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transpiled {
    pub code: String,
    /// `mappings` of the version 3 source map; `None` when the code is the source itself.
    pub mappings: Option<String>,
    pub kind: ModuleKind,
    /// What the file assigns to its exports; empty for ES modules.
    pub cjs_exports: CjsExports,
}

impl Transpiled {
    /// The version 3 source map as JSON, naming `source` (a path or URL) as the only source, with
    /// its text when a debugger is to show it.
    pub fn source_map(&self, source: &str, content: Option<&str>) -> Option<String> {
        let mappings = self.mappings.as_deref()?;
        Some(source_map::to_json(mappings, source, content))
    }
}

/// Stacks for the compiler, largest first: it recurses over the syntax tree, and a hook may nest
/// deeply. Address space only, until a file needs it; where that is limited a smaller one must do.
const STACK_BYTES: [usize; 3] = [512 << 20, 64 << 20, 8 << 20];

/// Runs `work`, which walks the syntax tree of `path`, where there is stack for it. A panic of the compiler is an error of this file and nothing
/// else.
fn on_deep_stack<T: Send>(path: &Path, work: impl Fn() -> Result<T, LoaderError> + Sync) -> Result<T, LoaderError> {
    let internal = |message: String| LoaderError::Internal { path: path.to_path_buf(), message };
    let on_stack = |size: usize| {
        std::thread::scope(|scope| {
            let compiler = std::thread::Builder::new()
                .name("hookrt-transpile".to_string())
                .stack_size(size)
                .spawn_scoped(scope, &work)?;
            let failed = || internal("the TypeScript compiler failed on it".to_string());
            let done = compiler.join().unwrap_or_else(|_| Err(failed()));
            // The end of a scoped thread unparks this one; a debugger that pauses the isolate would take that for its own signal.
            std::thread::park_timeout(std::time::Duration::ZERO);
            Ok::<_, std::io::Error>(done)
        })
    };
    let no_thread = |error| internal(format!("cannot start a thread: {error}"));
    STACK_BYTES[1..]
        .iter()
        .fold(on_stack(STACK_BYTES[0]), |done, size| done.or_else(|_| on_stack(*size)))
        .map_err(no_thread)?
}

/// Compiles `text`, which is the decoded content of `path` (only its name matters).
///
/// Handles everything decision 14 of `hooks.md` lists. Errors: `Syntax` with a code frame, `Internal` when
/// the compiler itself fails.
pub fn transpile(text: &str, path: &Path, options: &TranspileOptions) -> Result<Transpiled, LoaderError> {
    on_deep_stack(path, || transpile_here(text, path, options))
}

/// Lets `look` see the program of `text`.
pub fn inspect<T: Send>(
    text: &str,
    path: &Path,
    kind: FileKind,
    look: impl Fn(&Program, &SourceMap) -> T + Sync,
) -> Result<T, LoaderError> {
    on_deep_stack(path, || {
        let Parsed { program, source_map, .. } = parse::parse(text, path, kind)?;
        Ok(look(&program, &source_map))
    })
}

fn transpile_here(text: &str, path: &Path, options: &TranspileOptions) -> Result<Transpiled, LoaderError> {
    let kind = FileKind::from_path(path).unwrap_or(FileKind::Js);
    GLOBALS.set(&Globals::new(), || {
        let Parsed { mut program, comments, source_map, file } = parse::parse(text, path, kind)?;
        let unresolved = Mark::new();
        let top_level = Mark::new();
        let mut resolve = resolver(unresolved, top_level, kind.is_typescript());
        resolve.process(&mut program);
        let facts = Facts::collect(&program, unresolved);
        let module_kind = module_kind(kind, &facts, options.package_type);

        let untouched = !kind.is_typescript()
            && !facts.needs_lowering()
            && (module_kind == ModuleKind::CommonJs && !facts.imports
                || module_kind == ModuleKind::Esm && !facts.needs_prelude());
        if untouched {
            let cjs_exports = exports_of(&program, module_kind, unresolved);
            return Ok(Transpiled { code: without_shebang(text), mappings: None, kind: module_kind, cjs_exports });
        }

        let handler_errors = Lrc::new(std::cell::RefCell::new(Vec::new()));
        let handler = Handler::with_emitter(true, false, Box::new(Collect(handler_errors.clone())));
        if module_kind == ModuleKind::Esm {
            program = Program::Module(parse::into_module(program));
        }
        let written = contexts(&program);
        let input = lower::Input {
            kind,
            module_kind,
            facts: &facts,
            options: &options.compiler,
            comments: &comments,
            source_map: &source_map,
            unresolved,
            top_level,
        };
        HANDLER.set(&handler, || {
            HELPERS.set(&Helpers::new(false), || {
                program = lower::types(std::mem::replace(&mut program, empty()), &input);
                if module_kind == ModuleKind::CommonJs {
                    program = es_to_cjs::imports_to_require(std::mem::replace(&mut program, empty()), unresolved);
                }
                program = lower::syntax(std::mem::replace(&mut program, empty()), &input);
            });
        });
        if let Some((span, message)) = handler_errors.borrow_mut().drain(..).next() {
            return Err(parse::syntax_error(&source_map, &file, path, span, message));
        }
        let cjs_exports = exports_of(&program, module_kind, unresolved);
        // Types are gone now and `import x = require()` has become a call: what is free has changed.
        let emitted = Facts::collect(&program, unresolved);
        // Where no pass invented a name, none can clash; looking for clashes takes time quadratic in the size of the file.
        let invented = facts.needs_lowering() || contexts(&program).iter().any(|context| !written.contains(context));
        program = lower::names(program, invented);
        if let (ModuleKind::Esm, Program::Module(module)) = (module_kind, &mut program) {
            prelude::prepend(module, &emitted);
        }
        let (code, mappings) = emit(&program, &source_map)
            .map_err(|message| LoaderError::Internal { path: path.to_path_buf(), message })?;
        Ok(Transpiled { code, mappings: Some(mappings), kind: module_kind, cjs_exports })
    })
}

fn empty() -> Program {
    Program::Script(Default::default())
}

/// Which kind of module a file is: by extension, then by its syntax, then by `package.json`.
fn module_kind(kind: FileKind, facts: &Facts, package: PackageType) -> ModuleKind {
    let commonjs_names = facts.free_module || facts.free_exports || facts.free_require;
    if matches!(kind, FileKind::Mjs | FileKind::Mts) {
        return ModuleKind::Esm;
    }
    // `import x from "y"; export = f` and `import …; module.exports = f` are CommonJS with its
    // imports lowered to `require`.
    let imports_only = !facts.exports && !facts.top_level_await && !facts.import_meta;
    if facts.export_assign || (imports_only && facts.imports && facts.assigns_exports) {
        return ModuleKind::CommonJs;
    }
    if facts.is_esm() {
        return ModuleKind::Esm;
    }
    if matches!(kind, FileKind::Cjs | FileKind::Cts) || facts.top_level_return {
        return ModuleKind::CommonJs;
    }
    match package {
        PackageType::CommonJs => ModuleKind::CommonJs,
        PackageType::Module => ModuleKind::Esm,
        PackageType::Absent if commonjs_names => ModuleKind::CommonJs,
        PackageType::Absent => ModuleKind::Esm,
    }
}

fn exports_of(program: &Program, kind: ModuleKind, unresolved: Mark) -> CjsExports {
    match kind {
        ModuleKind::Esm => CjsExports::default(),
        ModuleKind::CommonJs => cjs_exports::analyze(program, unresolved),
    }
}

/// A `#!` line would be a syntax error inside the CommonJS function wrapper; the line stays, empty.
fn without_shebang(text: &str) -> String {
    match text.strip_prefix("#!") {
        Some(rest) => format!("//{rest}"),
        None => text.to_string(),
    }
}

struct Collect(Lrc<std::cell::RefCell<Vec<(Span, String)>>>);

impl DiagnosticEmitter for Collect {
    fn emit(&mut self, diagnostic: &mut DiagnosticBuilder<'_>) {
        if matches!(diagnostic.level, Level::Error | Level::Fatal | Level::Bug | Level::PhaseFatal) {
            let span = diagnostic.span.primary_span().unwrap_or_default();
            self.0.borrow_mut().push((span, diagnostic.message()));
        }
    }
}

struct MapConfig;

impl SourceMapGenConfig for MapConfig {
    fn file_name_to_source(&self, _: &FileName) -> String {
        String::new()
    }

    fn inline_sources_content(&self, _: &FileName) -> bool {
        false
    }
}

fn emit(program: &Program, source_map: &Lrc<swc_core::common::SourceMap>) -> Result<(String, String), String> {
    let mut code = Vec::new();
    let mut positions: Vec<(BytePos, LineCol)> = Vec::new();
    {
        let mut writer = JsWriter::new(source_map.clone(), "\n", &mut code, Some(&mut positions));
        // Indentation would make the output of deeply nested data quadratic in size.
        writer.set_indent_str("");
        let mut emitter = Emitter {
            cfg: CodegenConfig::default().with_target(EsVersion::latest()),
            // Comments are dropped: a stale `sourceMappingURL` would be believed.
            comments: None,
            cm: source_map.clone(),
            wr: Box::new(writer),
        };
        emitter.emit_program(program).map_err(|e| e.to_string())?;
    }
    let map = source_map.build_source_map(&positions, None, MapConfig);
    let mut json = Vec::new();
    map.to_writer(&mut json).map_err(|e| e.to_string())?;
    let mappings = source_map::mappings_of_json(&json)?;
    let code = String::from_utf8(code).map_err(|e| e.to_string())?;
    Ok((code, mappings))
}
