//! The scopes that the names of a program belong to. The resolver gives every scope a context of its own; a pass that invents a name
//! marks it with another one, so new contexts tell invented names.

use std::collections::HashSet;

use swc_core::common::SyntaxContext;
use swc_core::ecma::ast::{Ident, Program};
use swc_core::ecma::visit::{Visit, VisitWith, noop_visit_type};

/// Every context that occurs in the program.
pub(super) fn contexts(program: &Program) -> HashSet<SyntaxContext> {
    let mut collector = Collector(HashSet::new());
    program.visit_with(&mut collector);
    collector.0
}

struct Collector(HashSet<SyntaxContext>);

impl Visit for Collector {
    noop_visit_type!();

    fn visit_ident(&mut self, ident: &Ident) {
        self.0.insert(ident.ctxt);
    }
}
