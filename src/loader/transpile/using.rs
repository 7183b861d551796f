//! Prepares `using` at the top level of a file for lowering. The lowered form wraps what follows in
//! a `try` block but leaves functions and exports outside, so everything they may refer to has to
//! become function-scoped first.

use swc_core::common::DUMMY_SP;
use swc_core::ecma::ast::*;
use swc_core::ecma::utils::{find_pat_ids, private_ident};
use swc_core::ecma::visit::{VisitMut, noop_visit_mut_type};

/// Turns top-level `let`/`const` into `var` and splits exported values into a declaration and an
/// export list, when the top level holds a `using` declaration.
pub(super) struct HoistAroundUsing;

impl VisitMut for HoistAroundUsing {
    noop_visit_mut_type!();

    fn visit_mut_script(&mut self, script: &mut Script) {
        if script.body.iter().any(is_using) {
            script.body.iter_mut().for_each(function_scoped);
        }
    }

    fn visit_mut_module(&mut self, module: &mut Module) {
        let has_using = |item: &ModuleItem| item.as_stmt().is_some_and(is_using);
        if !module.body.iter().any(has_using) {
            return;
        }
        let mut exported: Vec<(Ident, Option<&str>)> = Vec::new();
        for item in &mut module.body {
            match item {
                ModuleItem::Stmt(stmt) => function_scoped(stmt),
                ModuleItem::ModuleDecl(ModuleDecl::ExportDecl(ExportDecl { decl: Decl::Var(var), .. })) => {
                    let names: Vec<Ident> = find_pat_ids(&var.decls);
                    exported.extend(names.into_iter().map(|name| (name, None)));
                    let mut stmt = Stmt::Decl(Decl::Var(var.clone()));
                    function_scoped(&mut stmt);
                    *item = ModuleItem::Stmt(stmt);
                }
                ModuleItem::ModuleDecl(ModuleDecl::ExportDefaultExpr(default)) => {
                    let name = private_ident!("_default");
                    let declaration = VarDecl {
                        span: default.span,
                        kind: VarDeclKind::Var,
                        decls: vec![VarDeclarator {
                            span: default.span,
                            name: Pat::Ident(name.clone().into()),
                            init: Some(default.expr.clone()),
                            definite: false,
                        }],
                        ..Default::default()
                    };
                    exported.push((name, Some("default")));
                    *item = ModuleItem::Stmt(Stmt::Decl(Decl::Var(Box::new(declaration))));
                }
                ModuleItem::ModuleDecl(_) => {}
            }
        }
        if !exported.is_empty() {
            let specifiers = exported.into_iter().map(specifier).collect();
            module.body.push(ModuleItem::ModuleDecl(ModuleDecl::ExportNamed(NamedExport {
                span: DUMMY_SP,
                specifiers,
                src: None,
                type_only: false,
                with: None,
            })));
        }
    }
}

fn is_using(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Decl(Decl::Using(_)))
}

fn function_scoped(stmt: &mut Stmt) {
    if let Stmt::Decl(Decl::Var(var)) = stmt {
        var.kind = VarDeclKind::Var;
    }
}

fn specifier((name, exported): (Ident, Option<&str>)) -> ExportSpecifier {
    ExportSpecifier::Named(ExportNamedSpecifier {
        span: DUMMY_SP,
        orig: ModuleExportName::Ident(name),
        exported: exported.map(|name| ModuleExportName::Ident(Ident::new_no_ctxt(name.into(), DUMMY_SP))),
        is_type_only: false,
    })
}
