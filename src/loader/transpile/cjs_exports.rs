//! Which names a CommonJS file exports, found without running it, so that ES modules can import
//! them by name.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use swc_core::common::Mark;
use swc_core::ecma::ast::*;
use swc_core::ecma::visit::{Visit, VisitWith, noop_visit_type};

/// Names assigned to the exports of a CommonJS file, each once, in source order.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CjsExports {
    pub names: Vec<String>,
    /// Specifiers whose exports are exported as well (`__exportStar(require("./x"), exports)`).
    pub reexports: Vec<String>,
}

impl CjsExports {
    fn add(&mut self, name: String) {
        if !self.names.contains(&name) {
            self.names.push(name);
        }
    }

    fn add_reexport(&mut self, specifier: String) {
        if !self.reexports.contains(&specifier) {
            self.reexports.push(specifier);
        }
    }
}

pub(super) fn analyze(program: &Program, unresolved: Mark) -> CjsExports {
    let mut analyzer = Analyzer { unresolved, found: CjsExports::default(), required: HashMap::new() };
    program.visit_with(&mut analyzer);
    analyzer.found
}

struct Analyzer {
    unresolved: Mark,
    found: CjsExports,
    /// Variables that hold the result of a `require` call.
    required: HashMap<Id, String>,
}

impl Analyzer {
    fn is_free(&self, expr: &Expr, name: &str) -> bool {
        matches!(expr, Expr::Ident(i) if &*i.sym == name && i.ctxt.has_mark(self.unresolved))
    }

    /// `exports` or `module.exports`. Any binding called `exports` counts: bundles pass the real one
    /// to a function under that name, and a name too many is merely undefined.
    fn is_exports(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Paren(paren) => self.is_exports(&paren.expr),
            Expr::Member(member) => self.is_module_exports(member),
            Expr::Ident(ident) => &*ident.sym == "exports",
            _ => false,
        }
    }

    fn is_module_exports(&self, member: &MemberExpr) -> bool {
        self.is_free(&member.obj, "module") && property_name(&member.prop).as_deref() == Some("exports")
    }

    /// The specifier of `require("x")`, also inside an interop helper such as `_interop(require("x"))`
    /// or `tslib.__importStar(require("x"))`, or of a variable that holds it.
    fn required_specifier(&self, expr: &Expr) -> Option<String> {
        match expr {
            Expr::Paren(paren) => self.required_specifier(&paren.expr),
            Expr::Ident(ident) => self.required.get(&ident.to_id()).cloned(),
            Expr::Call(call) => {
                let Callee::Expr(callee) = &call.callee else {
                    return None;
                };
                let first = call.args.first()?;
                if self.is_free(callee, "require") {
                    return string_literal(&first.expr);
                }
                match &*first.expr {
                    inner @ Expr::Call(_) if call.args.len() == 1 => self.required_specifier(inner),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// `module.exports = value`.
    fn whole_value(&mut self, value: &Expr) {
        if let Some(specifier) = self.required_specifier(value) {
            self.found.add_reexport(specifier);
            return;
        }
        match value {
            Expr::Paren(paren) => self.whole_value(&paren.expr),
            // `module.exports = exports = { … }`
            Expr::Assign(assign) => self.whole_value(&assign.right),
            Expr::Object(object) => {
                for prop in &object.props {
                    match prop {
                        PropOrSpread::Spread(spread) => {
                            if let Some(specifier) = self.required_specifier(&spread.expr) {
                                self.found.add_reexport(specifier);
                            }
                        }
                        PropOrSpread::Prop(prop) => {
                            if let Some(name) = object_key(prop) {
                                self.found.add(name);
                            }
                        }
                    }
                }
            }
            _ => {}
        }
    }
}

impl Visit for Analyzer {
    noop_visit_type!();

    fn visit_var_declarator(&mut self, declarator: &VarDeclarator) {
        if let (Pat::Ident(name), Some(init)) = (&declarator.name, &declarator.init)
            && let Some(specifier) = self.required_specifier(init)
        {
            self.required.insert(name.to_id(), specifier);
        }
        declarator.visit_children_with(self);
    }

    fn visit_assign_expr(&mut self, assign: &AssignExpr) {
        if let AssignTarget::Simple(SimpleAssignTarget::Member(member)) = &assign.left {
            if self.is_module_exports(member) {
                self.whole_value(&assign.right);
            } else if self.is_exports(&member.obj)
                && let Some(name) = property_name(&member.prop)
            {
                self.found.add(name);
            }
        }
        assign.visit_children_with(self);
    }

    fn visit_call_expr(&mut self, call: &CallExpr) {
        call.visit_children_with(self);
        let Callee::Expr(callee) = &call.callee else {
            return;
        };
        let callee_name = match &**callee {
            Expr::Ident(ident) => Some(ident.sym.to_string()),
            Expr::Member(member) => property_name(&member.prop),
            _ => None,
        };
        let argument = |index: usize| call.args.get(index).map(|arg| &*arg.expr);
        match callee_name.as_deref() {
            Some("defineProperty") => {
                if let (Some(target), Some(Expr::Lit(Lit::Str(name)))) = (argument(0), argument(1))
                    && self.is_exports(target)
                {
                    self.found.add(name.value.to_string_lossy().into_owned());
                }
            }
            // TypeScript's helpers, bare or from tslib.
            Some("__exportStar" | "__export") => {
                if let Some(specifier) = argument(0).and_then(|a| self.required_specifier(a)) {
                    self.found.add_reexport(specifier);
                }
            }
            // `Object.keys(_x).forEach(function (key) { exports[key] = _x[key] })`, as Babel writes it.
            Some("forEach") => {
                if let Expr::Member(member) = &**callee
                    && let Expr::Call(keys) = &*member.obj
                    && let Callee::Expr(keys_callee) = &keys.callee
                    && let Expr::Member(keys_member) = &**keys_callee
                    && self.is_free(&keys_member.obj, "Object")
                    && property_name(&keys_member.prop).as_deref() == Some("keys")
                    && let Some(specifier) = keys.args.first().and_then(|a| self.required_specifier(&a.expr))
                {
                    let mut uses = UsesExports { analyzer: self, found: false };
                    call.args.visit_with(&mut uses);
                    if uses.found {
                        self.found.add_reexport(specifier);
                    }
                }
            }
            _ => {}
        }
    }
}

struct UsesExports<'a> {
    analyzer: &'a Analyzer,
    found: bool,
}

impl Visit for UsesExports<'_> {
    noop_visit_type!();

    fn visit_expr(&mut self, expr: &Expr) {
        self.found |= self.analyzer.is_exports(expr);
        expr.visit_children_with(self);
    }
}

fn string_literal(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Lit(Lit::Str(text)) => Some(text.value.to_string_lossy().into_owned()),
        _ => None,
    }
}

fn property_name(prop: &MemberProp) -> Option<String> {
    match prop {
        MemberProp::Ident(name) => Some(name.sym.to_string()),
        MemberProp::Computed(computed) => string_literal(&computed.expr),
        MemberProp::PrivateName(_) => None,
    }
}

fn object_key(prop: &Prop) -> Option<String> {
    let key = match prop {
        Prop::Shorthand(ident) => return Some(ident.sym.to_string()),
        Prop::KeyValue(prop) => &prop.key,
        Prop::Getter(prop) => &prop.key,
        Prop::Method(prop) => &prop.key,
        Prop::Setter(_) | Prop::Assign(_) => return None,
    };
    match key {
        PropName::Ident(name) => Some(name.sym.to_string()),
        PropName::Str(text) => Some(text.value.to_string_lossy().into_owned()),
        _ => None,
    }
}
