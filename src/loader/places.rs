//! Where a hook's file does what, for failures that carry no place of their own.

use std::path::Path;

use swc_core::common::{SourceMap, Span, Spanned};
use swc_core::ecma::ast::*;
use swc_core::ecma::visit::{Visit, VisitWith, noop_visit_type};

use super::source_text::{FileKind, read_source};
use super::transpile::inspect;

/// A line and a column, both 1-based, the column in characters.
pub type Place = (u32, u32);

/// Places in one file. All are empty for a file that cannot be read or parsed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places {
    /// What the file exports as its default, `module.exports = …` included.
    pub default_export: Option<Place>,
    /// The top-level awaits, in order.
    pub awaits: Vec<Place>,
    /// `throw`s of something that is evidently not made by a constructor or a function, at any depth.
    pub odd_throws: Vec<Place>,
}

impl Places {
    /// Reads them from the file at `path`.
    pub fn of(path: &Path) -> Places {
        let Some(kind) = FileKind::from_path(path) else { return Places::default() };
        let Ok((text, _)) = read_source(path) else { return Places::default() };
        inspect(&text, path, kind, |program, source_map| {
            let mut finder = Finder { source_map, places: Places::default(), depth: 0 };
            program.visit_with(&mut finder);
            finder.places
        })
        .unwrap_or_default()
    }
}

struct Finder<'a> {
    source_map: &'a SourceMap,
    places: Places,
    /// Function nesting; 0 is the module's own level.
    depth: usize,
}

impl Finder<'_> {
    fn place(&self, span: Span) -> Place {
        let at = self.source_map.lookup_char_pos(span.lo);
        (u32::try_from(at.line).unwrap_or(u32::MAX), u32::try_from(at.col.0 + 1).unwrap_or(u32::MAX))
    }

    fn note_await(&mut self, span: Span) {
        if self.depth == 0 {
            self.places.awaits.push(self.place(span));
        }
    }

    fn nested(&mut self, visit: impl FnOnce(&mut Self)) {
        self.depth += 1;
        visit(self);
        self.depth -= 1;
    }
}

fn is_default(name: &ModuleExportName) -> bool {
    match name {
        ModuleExportName::Ident(name) => &*name.sym == "default",
        ModuleExportName::Str(name) => name.value.as_str() == Some("default"),
    }
}

impl Visit for Finder<'_> {
    noop_visit_type!();

    fn visit_module_decl(&mut self, decl: &ModuleDecl) {
        let span = match decl {
            ModuleDecl::ExportDefaultDecl(_) | ModuleDecl::ExportDefaultExpr(_) | ModuleDecl::TsExportAssignment(_) => {
                Some(decl.span())
            }
            ModuleDecl::ExportNamed(named) => named.specifiers.iter().find_map(|specifier| match specifier {
                ExportSpecifier::Named(named) => {
                    is_default(named.exported.as_ref().unwrap_or(&named.orig)).then_some(named.span)
                }
                ExportSpecifier::Default(_) | ExportSpecifier::Namespace(_) => None,
            }),
            _ => None,
        };
        if let Some(span) = span {
            self.places.default_export = Some(self.place(span));
        }
        decl.visit_children_with(self);
    }

    fn visit_assign_expr(&mut self, assign: &AssignExpr) {
        if let AssignTarget::Simple(SimpleAssignTarget::Member(member)) = &assign.left
            && member.obj.is_ident_ref_to("module")
            && member.prop.is_ident_with("exports")
        {
            let place = self.place(assign.span);
            self.places.default_export.get_or_insert(place);
        }
        assign.visit_children_with(self);
    }

    fn visit_throw_stmt(&mut self, throw: &ThrowStmt) {
        if !matches!(&*throw.arg, Expr::New(_) | Expr::Call(_) | Expr::Await(_)) {
            self.places.odd_throws.push(self.place(throw.span));
        }
        throw.visit_children_with(self);
    }

    fn visit_await_expr(&mut self, expr: &AwaitExpr) {
        self.note_await(expr.span);
        expr.visit_children_with(self);
    }

    fn visit_for_of_stmt(&mut self, stmt: &ForOfStmt) {
        if stmt.is_await {
            self.note_await(stmt.span);
        }
        stmt.visit_children_with(self);
    }

    fn visit_using_decl(&mut self, decl: &UsingDecl) {
        if decl.is_await {
            self.note_await(decl.span);
        }
        decl.visit_children_with(self);
    }

    fn visit_function(&mut self, function: &Function) {
        self.nested(|this| function.visit_children_with(this));
    }

    fn visit_arrow_expr(&mut self, arrow: &ArrowExpr) {
        self.nested(|this| arrow.visit_children_with(this));
    }
}

#[cfg(test)]
mod tests {
    use super::Places;

    fn places(text: &str) -> Places {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("hook.ts");
        std::fs::write(&file, text).expect("a file");
        Places::of(&file)
    }

    #[test]
    fn default_exports_of_every_form() {
        for (text, place) in [
            ("// x\nexport default 42", Some((2, 1))),
            ("export default class {}", Some((1, 1))),
            ("const a = 1;\nexport { b, a as default }", Some((2, 13))),
            ("const a = 1;\n  module.exports = a", Some((2, 3))),
            ("export const a = 1", None),
            ("export default (", None),
        ] {
            assert_eq!(places(text).default_export, place, "{text}");
        }
    }

    #[test]
    fn awaits_of_the_module_itself_and_throws_without_an_error() {
        let found = places(
            "await a;\nexport default async () => { await b; throw { message: 5 } };\nfor await (const x of y) {}\nthrow new Error('c')",
        );
        assert_eq!(found.awaits, [(1, 1), (3, 1)]);
        assert_eq!(found.odd_throws, [(2, 39)]);
    }
}
