//! The Node names that Bun also offers in ES modules: `require`, `__dirname`, `__filename`,
//! `import.meta.dir`, `.path`, `.file`. Hooks written for Bun rely on them.

use swc_core::common::sync::Lrc;
use swc_core::common::{FileName, SourceMap};
use swc_core::ecma::ast::{EsVersion, Module, ModuleItem};
use swc_core::ecma::parser::{EsSyntax, Syntax, parse_file_as_module};
use swc_core::ecma::utils::DropSpan;
use swc_core::ecma::visit::VisitMutWith;

use super::facts::Facts;

// `var`, so that a hoisted function which a cyclic import calls early sees undefined, not a throw
// naming a variable its author never declared.
const REQUIRE: &str = r#"import { createRequire as __hookrt_createRequire } from "node:module";
var require = __hookrt_createRequire(import.meta.url);"#;
const FILENAME: &str = "var __filename = import.meta.filename;";
const DIRNAME: &str = "var __dirname = import.meta.dirname;";
const IMPORT_META: &str = r#"import.meta.dir ??= import.meta.dirname;
import.meta.path ??= import.meta.filename;
import.meta.file ??= import.meta.filename?.replace(/^.*[\/]/s, "");"#;

/// Puts the declarations the module leaves free in front of it. The new statements carry no
/// positions, so the source map of everything else stays right. Runs after hygiene, which would
/// rename them.
pub(super) fn prepend(module: &mut Module, facts: &Facts) {
    let mut text = String::new();
    for (needed, part) in [
        (facts.free_require, REQUIRE),
        (facts.free_filename, FILENAME),
        (facts.free_dirname, DIRNAME),
        (facts.import_meta_extra, IMPORT_META),
    ] {
        if needed {
            text.push_str(part);
            text.push('\n');
        }
    }
    if text.is_empty() {
        return;
    }
    let mut items = parse_items(&text);
    items.append(&mut module.body);
    module.body = items;
}

fn parse_items(text: &str) -> Vec<ModuleItem> {
    let map = Lrc::new(SourceMap::default());
    let file = map.new_source_file(Lrc::new(FileName::Anon), text.to_string());
    let parsed =
        parse_file_as_module(&file, Syntax::Es(EsSyntax::default()), EsVersion::latest(), None, &mut Vec::new());
    // Only the constants above are parsed here.
    let mut module = parsed.unwrap_or_default();
    module.visit_mut_with(&mut DropSpan);
    module.body
}
