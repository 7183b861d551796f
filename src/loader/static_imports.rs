//! What a file imports as far as its text tells, without running it.

use std::collections::BTreeSet;
use std::path::Path;

use swc_core::ecma::ast::*;
use swc_core::ecma::visit::{Visit, VisitWith, noop_visit_type};

use super::error::LoaderError;
use super::module_resolver::ResolveContext;
use super::node_modules::ResolveMode;
use super::source_text::FileKind;
use super::transpile::{ModuleKind, inspect, transpile};

/// A module that is asked for by a literal name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct StaticImport {
    pub specifier: String,
    pub mode: ResolveMode,
}

/// The literal imports and requires of `source`, which is the text of `path`; nothing for files that are data.
///
/// They are those of the compiled code: what only types need is not among them, what JSX needs is. Rather too many than too few:
/// whatever is called like `require` counts as it.
///
/// # Errors
/// When the file does not compile.
pub fn static_imports(
    source: &str,
    path: &Path,
    context: &ResolveContext,
) -> Result<BTreeSet<StaticImport>, LoaderError> {
    let is_declaration = [".d.ts", ".d.mts", ".d.cts"].iter().any(|end| path.to_string_lossy().ends_with(end));
    if is_declaration || FileKind::from_path(path).is_none_or(|kind| kind == FileKind::Json) {
        return Ok(BTreeSet::new());
    }
    let compiled = transpile(source, path, &context.transpile_options(path)?)?;
    let kind = if compiled.kind == ModuleKind::Esm { FileKind::Mjs } else { FileKind::Cjs };
    inspect(&compiled.code, path, kind, |program, _| {
        let mut collector = Collector::default();
        program.visit_with(&mut collector);
        collector.found
    })
}

#[derive(Default)]
struct Collector {
    found: BTreeSet<StaticImport>,
    /// Variables that hold what `createRequire` gave.
    requires: BTreeSet<String>,
}

impl Collector {
    fn add(&mut self, specifier: String, mode: ResolveMode) {
        self.found.insert(StaticImport { specifier, mode });
    }

    fn is_require(&self, name: &str) -> bool {
        self.requires.contains(name) || name.to_ascii_lowercase().contains("require")
    }

    /// How a call of `callee` asks for a module, if it does.
    fn mode_of(&self, callee: &Callee) -> Option<ResolveMode> {
        let callee = match callee {
            Callee::Import(_) => return Some(ResolveMode::Import),
            Callee::Super(_) => return None,
            Callee::Expr(callee) => unwrapped(callee),
        };
        match callee {
            Expr::Ident(name) => self.is_require(&name.sym).then_some(ResolveMode::Require),
            Expr::Call(call) => is_create_require(call).then_some(ResolveMode::Require),
            // `module.require(…)`, `require.resolve(…)`, `import.meta.resolve(…)`
            Expr::Member(member) => match (unwrapped(&member.obj), &member.prop) {
                (Expr::MetaProp(_), MemberProp::Ident(name)) => {
                    (&*name.sym == "resolve").then_some(ResolveMode::Import)
                }
                (Expr::Ident(object), _) if self.is_require(&object.sym) => Some(ResolveMode::Require),
                (_, MemberProp::Ident(name)) => self.is_require(&name.sym).then_some(ResolveMode::Require),
                _ => None,
            },
            _ => None,
        }
    }
}

impl Visit for Collector {
    noop_visit_type!();

    fn visit_module_decl(&mut self, decl: &ModuleDecl) {
        let from = match decl {
            ModuleDecl::Import(import) => Some(&import.src),
            ModuleDecl::ExportNamed(export) => export.src.as_ref(),
            ModuleDecl::ExportAll(export) => Some(&export.src),
            _ => None,
        };
        if let Some(from) = from {
            self.add(from.value.to_string_lossy().into_owned(), ResolveMode::Import);
        }
        decl.visit_children_with(self);
    }

    fn visit_var_declarator(&mut self, declarator: &VarDeclarator) {
        if let (Pat::Ident(name), Some(init)) = (&declarator.name, &declarator.init)
            && let Expr::Call(call) = unwrapped(init)
            && is_create_require(call)
        {
            self.requires.insert(name.sym.to_string());
        }
        declarator.visit_children_with(self);
    }

    fn visit_call_expr(&mut self, call: &CallExpr) {
        if let Some(mode) = self.mode_of(&call.callee)
            && let Some(specifier) = call.args.first().and_then(|argument| literal(&argument.expr))
        {
            self.add(specifier, mode);
        }
        call.visit_children_with(self);
    }
}

/// `createRequire(…)`, `module.createRequire(…)`, under any name that ends like it.
fn is_create_require(call: &CallExpr) -> bool {
    let Callee::Expr(callee) = &call.callee else { return false };
    match unwrapped(callee) {
        Expr::Ident(name) => name.sym.ends_with("createRequire"),
        Expr::Member(member) => member.prop.is_ident_with("createRequire"),
        _ => false,
    }
}

fn unwrapped(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(paren) => unwrapped(&paren.expr),
        other => other,
    }
}

fn literal(expr: &Expr) -> Option<String> {
    match unwrapped(expr) {
        Expr::Lit(Lit::Str(text)) => Some(text.value.to_string_lossy().into_owned()),
        Expr::Tpl(template) if template.exprs.is_empty() => {
            template.quasis.first()?.cooked.as_ref().map(|text| text.to_string_lossy().into_owned())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str, source: &str) -> Vec<String> {
        let path = Path::new("/nowhere").join(name);
        let imports = static_imports(source, &path, &ResolveContext::default()).unwrap();
        imports.into_iter().map(|import| format!("{:?} {}", import.mode, import.specifier)).collect()
    }

    #[test]
    fn every_literal_way_to_ask_for_a_module() {
        let source = r#"
            import a, { type T } from "./a"; import type B from "./types"; export * from "./c"; export { d } from "./d";
            import "./e"; import f from "./f.md" with { type: "text" }; import { Unused } from "./types2";
            const lazy = async () => [await import("./g"), await import(`./h`), require("./i"), import.meta.resolve("./j")];
            const load = createRequire(import.meta.url); load("./k"); require.resolve("./l"); import("./" + a);
            export default () => [a, f, lazy];
        "#;
        let expected = [
            "Import ./a",
            "Import ./c",
            "Import ./d",
            "Import ./e",
            "Import ./f.md",
            "Import ./g",
            "Import ./h",
            "Require ./i",
            "Import ./j",
            "Require ./k",
            "Require ./l",
        ];
        let found = found("a.ts", source);
        for import in expected {
            assert!(found.contains(&import.to_owned()), "{import}: {found:?}");
        }
        assert!(!found.iter().any(|import| import.contains("types")), "{found:?}");
    }

    #[test]
    fn what_the_compiler_adds_counts() {
        assert!(found("a.tsx", "export default <b/>").contains(&"Import react/jsx-runtime".to_owned()));
        assert_eq!(found("a.cjs", "exports.a = require('./b')"), ["Require ./b"]);
        assert_eq!(found("a.ts", "import b = require('./b'); export = b"), ["Require ./b"]);
    }

    #[test]
    fn data_imports_nothing() {
        for name in ["a.json", "a.md", "a.d.ts", "a.sh"] {
            assert!(found(name, "import './x'").is_empty(), "{name}");
        }
    }
}
