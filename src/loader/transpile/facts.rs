//! One walk over a resolved program that gathers what decides module kind, lowering and prelude.

use swc_core::common::Mark;
use swc_core::ecma::ast::*;
use swc_core::ecma::visit::{Visit, VisitWith, noop_visit_type};

/// What a program uses. "Free" names are those no declaration of the file binds.
#[derive(Debug, Default, Clone)]
pub(super) struct Facts {
    pub imports: bool,
    pub exports: bool,
    pub export_assign: bool,
    pub import_equals: bool,
    pub top_level_await: bool,
    pub top_level_return: bool,
    pub import_meta: bool,
    /// `import.meta` used in another way than through the members every engine host fills in.
    pub import_meta_extra: bool,
    pub free_require: bool,
    pub free_module: bool,
    pub free_exports: bool,
    pub free_dirname: bool,
    pub free_filename: bool,
    /// `module.exports = …` or `exports.x = …` at any depth.
    pub assigns_exports: bool,
    pub jsx: bool,
    pub decorators: bool,
    pub accessors: bool,
    pub using: bool,
}

impl Facts {
    pub fn collect(program: &Program, unresolved: Mark) -> Self {
        let mut collector = Collector { facts: Facts::default(), unresolved, depth: 0 };
        program.visit_with(&mut collector);
        collector.facts
    }

    /// Syntax only an ES module may contain.
    pub fn is_esm(&self) -> bool {
        self.imports || self.exports || self.top_level_await || self.import_meta
    }

    pub fn needs_prelude(&self) -> bool {
        self.free_require || self.free_dirname || self.free_filename || self.import_meta_extra
    }

    /// Syntax that one of the engines cannot run as it is.
    pub fn needs_lowering(&self) -> bool {
        self.jsx || self.decorators || self.accessors || self.using
    }
}

struct Collector {
    facts: Facts,
    unresolved: Mark,
    /// Function nesting; 0 is the module's own level.
    depth: usize,
}

impl Collector {
    fn nested(&mut self, visit: impl FnOnce(&mut Self)) {
        self.depth += 1;
        visit(self);
        self.depth -= 1;
    }

    fn is_free(&self, ident: &Ident, name: &str) -> bool {
        &*ident.sym == name && ident.ctxt.has_mark(self.unresolved)
    }

    /// `module.exports…` and `exports.x…` as the target of an assignment.
    fn is_exports_target(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Member(member) => match &*member.obj {
                Expr::Ident(object) => {
                    self.is_free(object, "exports")
                        || (self.is_free(object, "module") && member.prop.is_ident_with("exports"))
                }
                object => self.is_exports_target(object),
            },
            _ => false,
        }
    }
}

impl Visit for Collector {
    noop_visit_type!();

    fn visit_module_decl(&mut self, decl: &ModuleDecl) {
        match decl {
            ModuleDecl::Import(_) => self.facts.imports = true,
            ModuleDecl::ExportDecl(_)
            | ModuleDecl::ExportNamed(_)
            | ModuleDecl::ExportDefaultDecl(_)
            | ModuleDecl::ExportDefaultExpr(_)
            | ModuleDecl::ExportAll(_) => self.facts.exports = true,
            ModuleDecl::TsExportAssignment(_) => self.facts.export_assign = true,
            ModuleDecl::TsImportEquals(_) => self.facts.import_equals = true,
            ModuleDecl::TsNamespaceExport(_) => {}
        }
        decl.visit_children_with(self);
    }

    // The body of a namespace may hold `export`, which makes no ES module of the file.
    fn visit_ts_module_decl(&mut self, decl: &TsModuleDecl) {
        if decl.declare {
            return;
        }
        let outer = (self.facts.imports, self.facts.exports, self.facts.import_equals);
        decl.visit_children_with(self);
        (self.facts.imports, self.facts.exports, self.facts.import_equals) = outer;
    }

    fn visit_ident(&mut self, ident: &Ident) {
        if !ident.ctxt.has_mark(self.unresolved) {
            return;
        }
        match &*ident.sym {
            "require" => self.facts.free_require = true,
            "module" => self.facts.free_module = true,
            "exports" => self.facts.free_exports = true,
            "__dirname" => self.facts.free_dirname = true,
            "__filename" => self.facts.free_filename = true,
            _ => {}
        }
    }

    fn visit_meta_prop_expr(&mut self, meta: &MetaPropExpr) {
        if meta.kind == MetaPropKind::ImportMeta {
            self.facts.import_meta = true;
            self.facts.import_meta_extra = true;
        }
    }

    fn visit_member_expr(&mut self, member: &MemberExpr) {
        let is_meta = matches!(&*member.obj, Expr::MetaProp(m) if m.kind == MetaPropKind::ImportMeta);
        if let (true, MemberProp::Ident(name)) = (is_meta, &member.prop)
            && matches!(&*name.sym, "url" | "filename" | "dirname" | "main" | "resolve")
        {
            self.facts.import_meta = true;
            return;
        }
        member.visit_children_with(self);
    }

    fn visit_assign_expr(&mut self, assign: &AssignExpr) {
        if let AssignTarget::Simple(SimpleAssignTarget::Member(member)) = &assign.left
            && self.is_exports_target(&Expr::Member(member.clone()))
        {
            self.facts.assigns_exports = true;
        }
        assign.visit_children_with(self);
    }

    fn visit_await_expr(&mut self, expr: &AwaitExpr) {
        self.facts.top_level_await |= self.depth == 0;
        expr.visit_children_with(self);
    }

    fn visit_for_of_stmt(&mut self, stmt: &ForOfStmt) {
        self.facts.top_level_await |= stmt.is_await && self.depth == 0;
        stmt.visit_children_with(self);
    }

    fn visit_return_stmt(&mut self, stmt: &ReturnStmt) {
        self.facts.top_level_return |= self.depth == 0;
        stmt.visit_children_with(self);
    }

    fn visit_using_decl(&mut self, decl: &UsingDecl) {
        self.facts.using = true;
        self.facts.top_level_await |= decl.is_await && self.depth == 0;
        decl.visit_children_with(self);
    }

    fn visit_function(&mut self, function: &Function) {
        self.nested(|this| function.visit_children_with(this));
    }

    fn visit_arrow_expr(&mut self, arrow: &ArrowExpr) {
        self.nested(|this| arrow.visit_children_with(this));
    }

    fn visit_constructor(&mut self, constructor: &Constructor) {
        self.nested(|this| constructor.visit_children_with(this));
    }

    fn visit_getter_prop(&mut self, getter: &GetterProp) {
        self.nested(|this| getter.visit_children_with(this));
    }

    fn visit_setter_prop(&mut self, setter: &SetterProp) {
        self.nested(|this| setter.visit_children_with(this));
    }

    fn visit_static_block(&mut self, block: &StaticBlock) {
        self.nested(|this| block.visit_children_with(this));
    }

    fn visit_decorator(&mut self, decorator: &Decorator) {
        self.facts.decorators = true;
        decorator.visit_children_with(self);
    }

    fn visit_auto_accessor(&mut self, accessor: &AutoAccessor) {
        self.facts.accessors = true;
        accessor.visit_children_with(self);
    }

    fn visit_jsx_element(&mut self, element: &JSXElement) {
        self.facts.jsx = true;
        element.visit_children_with(self);
    }

    fn visit_jsx_fragment(&mut self, fragment: &JSXFragment) {
        self.facts.jsx = true;
        fragment.visit_children_with(self);
    }
}
