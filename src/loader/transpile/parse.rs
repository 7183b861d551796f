//! Parsing, and syntax errors as people want to read them.

use std::path::Path;

use swc_core::common::comments::SingleThreadedComments;
use swc_core::common::input::StringInput;
use swc_core::common::sync::Lrc;
use swc_core::common::{FileName, SourceFile, SourceMap, Span, Spanned};
use swc_core::ecma::ast::{EsVersion, Module, ModuleItem, Program};
use swc_core::ecma::parser::error::SyntaxError;
use swc_core::ecma::parser::lexer::Lexer;
use swc_core::ecma::parser::{EsSyntax, Parser, Syntax, TsSyntax};

use crate::loader::error::LoaderError;
use crate::loader::frame::code_frame;
use crate::loader::source_text::FileKind;

/// A parsed file with what later passes and error messages need.
pub(super) struct Parsed {
    pub program: Program,
    pub comments: SingleThreadedComments,
    pub source_map: Lrc<SourceMap>,
    pub file: Lrc<SourceFile>,
}

fn syntax_of(kind: FileKind) -> Syntax {
    if kind.is_typescript() {
        return Syntax::Typescript(TsSyntax { tsx: kind == FileKind::Tsx, decorators: true, ..Default::default() });
    }
    Syntax::Es(EsSyntax {
        jsx: true,
        decorators: true,
        decorators_before_export: true,
        import_attributes: true,
        // CommonJS files may return at their top level; elsewhere the engine refuses it.
        allow_return_outside_function: !matches!(kind, FileKind::Mjs),
        auto_accessors: true,
        explicit_resource_management: true,
        ..Default::default()
    })
}

/// Parses `text`; the first error the engine could not live with either ends it.
pub(super) fn parse(text: &str, path: &Path, kind: FileKind) -> Result<Parsed, LoaderError> {
    let source_map = Lrc::new(SourceMap::default());
    let file = source_map.new_source_file(Lrc::new(FileName::Anon), text.to_string());
    let comments = SingleThreadedComments::default();
    let lexer = Lexer::new(syntax_of(kind), EsVersion::latest(), StringInput::from(&*file), Some(&comments));
    let mut parser = Parser::new_from(lexer);
    let parsed = match kind {
        FileKind::Mjs | FileKind::Mts => parser.parse_module().map(Program::Module),
        _ => parser.parse_program(),
    };
    let recovered = parser.take_errors();
    // A recovered error may be the cause of the final one, and stands before it.
    let fatal = recovered.into_iter().find(|error| parsed.is_err() || is_fatal(error.kind()));
    let error = match (&parsed, fatal) {
        (_, Some(error)) => Some(error),
        (Err(error), None) => Some(error.clone()),
        (Ok(_), None) => None,
    };
    if let Some(error) = error {
        let message = error.kind().msg().to_string();
        return Err(syntax_error(&source_map, &file, path, error.span(), message));
    }
    let mut program =
        parsed.map_err(|error| LoaderError::Internal { path: path.to_path_buf(), message: format!("{error:?}") })?;
    match &mut program {
        Program::Module(module) => module.shebang = None,
        Program::Script(script) => script.shebang = None,
    }
    Ok(Parsed { program, comments, source_map, file })
}

/// Makes a module of a script, for code that has no import or export but is to run as ESM.
pub(super) fn into_module(program: Program) -> Module {
    match program {
        Program::Module(module) => module,
        Program::Script(script) => {
            Module { span: script.span, body: script.body.into_iter().map(ModuleItem::Stmt).collect(), shebang: None }
        }
    }
}

/// Builds the error for a span of the file.
pub(super) fn syntax_error(
    source_map: &SourceMap,
    file: &SourceFile,
    path: &Path,
    span: Span,
    message: String,
) -> LoaderError {
    // Spans at the very end, or of generated nodes, lie outside the file.
    let position = if span.lo < file.start_pos { file.start_pos } else { span.lo.min(file.end_pos) };
    let location = source_map.lookup_char_pos(position);
    let line = u32::try_from(location.line).unwrap_or(u32::MAX);
    let column = u32::try_from(location.col.0 + 1).unwrap_or(u32::MAX);
    LoaderError::Syntax { path: path.to_path_buf(), line, column, message, frame: code_frame(&file.src, line, column) }
}

/// Errors the parser recovered from that leave no runnable program. The others are type-level
/// complaints, or early errors that the engine reports itself.
fn is_fatal(kind: &SyntaxError) -> bool {
    matches!(
        kind,
        SyntaxError::TS1003
            | SyntaxError::TS1005
            | SyntaxError::TS1085
            | SyntaxError::TS1109
            | SyntaxError::TS2406
            | SyntaxError::UnterminatedStrLit
            | SyntaxError::NullishCoalescingWithLogicalOp
            | SyntaxError::InitRequiredForUsingDecl
            | SyntaxError::Expected(_, _)
    )
}
