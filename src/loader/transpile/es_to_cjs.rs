//! `import … from` inside a CommonJS file (`export = f` next to ES imports): each becomes a
//! `require` call, in front of everything else as imports are evaluated first.

use swc_core::common::sync::Lrc;
use swc_core::common::{DUMMY_SP, FileName, Mark, SourceMap, SyntaxContext};
use swc_core::ecma::ast::*;
use swc_core::ecma::parser::{EsSyntax, Syntax, parse_file_as_expr};
use swc_core::ecma::utils::DropSpan;
use swc_core::ecma::visit::VisitMutWith;

/// Takes the ES imports out of `program`, which becomes a script.
pub(super) fn imports_to_require(program: Program, unresolved: Mark) -> Program {
    let module = match program {
        Program::Module(module) => module,
        script => return script,
    };
    let unresolved = SyntaxContext::empty().apply_mark(unresolved);
    let mut required = Vec::new();
    let mut body = Vec::new();
    for item in module.body {
        match item {
            ModuleItem::Stmt(stmt) => body.push(stmt),
            ModuleItem::ModuleDecl(ModuleDecl::Import(import)) => {
                required.push(require_stmt(&import, unresolved));
            }
            // Exports never get here: a file with them is an ES module. Type-only forms are gone.
            ModuleItem::ModuleDecl(_) => {}
        }
    }
    required.append(&mut body);
    Program::Script(Script { span: module.span, body: required, shebang: None })
}

fn require_stmt(import: &ImportDecl, unresolved: SyntaxContext) -> Stmt {
    let require = || -> Box<Expr> {
        Box::new(Expr::Call(CallExpr {
            span: import.span,
            callee: Callee::Expr(Box::new(Expr::Ident(Ident::new("require".into(), DUMMY_SP, unresolved)))),
            args: vec![Box::new(Expr::Lit(Lit::Str((*import.src).clone()))).into()],
            ..Default::default()
        }))
    };
    // Requiring a module twice yields the same object, so every binding asks anew.
    let decls: Vec<VarDeclarator> = import
        .specifiers
        .iter()
        .map(|specifier| {
            let (name, init) = match specifier {
                ImportSpecifier::Namespace(namespace) => (Pat::Ident(namespace.local.clone().into()), require()),
                ImportSpecifier::Default(default) => (Pat::Ident(default.local.clone().into()), default_of(require())),
                ImportSpecifier::Named(named) => named_binding(named, require()),
            };
            VarDeclarator { span: import.span, name, init: Some(init), definite: false }
        })
        .collect();
    if decls.is_empty() {
        return Stmt::Expr(ExprStmt { span: import.span, expr: require() });
    }
    Stmt::Decl(Decl::Var(Box::new(VarDecl {
        span: import.span,
        kind: VarDeclKind::Const,
        decls,
        ..Default::default()
    })))
}

fn named_binding(named: &ImportNamedSpecifier, required: Box<Expr>) -> (Pat, Box<Expr>) {
    let imported = match &named.imported {
        None => named.local.sym.to_string(),
        Some(ModuleExportName::Ident(name)) => name.sym.to_string(),
        Some(ModuleExportName::Str(name)) => name.value.to_string_lossy().into_owned(),
    };
    if imported == "default" {
        return (Pat::Ident(named.local.clone().into()), default_of(required));
    }
    let pattern = Pat::Object(ObjectPat {
        span: named.span,
        props: vec![ObjectPatProp::KeyValue(KeyValuePatProp {
            key: PropName::Str(imported.as_str().into()),
            value: Box::new(Pat::Ident(named.local.clone().into())),
        })],
        optional: false,
        type_ann: None,
    });
    (pattern, required)
}

/// The default import of a CommonJS module: `exports.default` when it was compiled from ES, else
/// the whole of `module.exports`.
fn default_of(required: Box<Expr>) -> Box<Expr> {
    const INTEROP: &str = "(m) => m && m.__esModule && (\"default\" in m) ? m.default : m";
    let map = Lrc::new(SourceMap::default());
    let file = map.new_source_file(Lrc::new(FileName::Anon), INTEROP.to_string());
    let parsed = parse_file_as_expr(&file, Syntax::Es(EsSyntax::default()), EsVersion::latest(), None, &mut Vec::new());
    let Ok(mut interop) = parsed else {
        return required;
    };
    interop.visit_mut_with(&mut DropSpan);
    Box::new(Expr::Call(CallExpr {
        callee: Callee::Expr(Box::new(Expr::Paren(ParenExpr { span: DUMMY_SP, expr: interop }))),
        args: vec![required.into()],
        ..Default::default()
    }))
}
