use std::path::Path;

use super::Tree;
use crate::loader::{
    CompilerOptions, LoaderError, ModuleKind, PackageType, SourceMap, TranspileCache, TranspileOptions, Transpiled,
    cjs_export_names, load_module, transpile,
};

fn compile(name: &str, text: &str) -> Transpiled {
    transpile(text, Path::new(name), &TranspileOptions::default()).unwrap()
}

fn code(name: &str, text: &str) -> String {
    compile(name, text).code
}

#[test]
fn imports_are_dropped_as_typescript_does() {
    let text = r#"import { HookAPI } from "gone"; import Def, { type T, v } from "./m";
        import type * as J from "./a.json"; import "./s"; export { B } from "./types";
        export default (pi: HookAPI) => v;"#;
    let out = code("a.ts", text);
    assert!(!out.contains("gone") && !out.contains("a.json") && !out.contains("Def"), "{out}");
    assert!(out.contains(r#"import { v } from "./m";"#), "{out}");
    assert!(out.contains(r#"import "./s";"#) && out.contains(r#"export { B } from "./types";"#), "{out}");

    let verbatim = TranspileOptions {
        compiler: CompilerOptions { verbatim_module_syntax: true, ..Default::default() },
        ..Default::default()
    };
    let out = transpile(text, Path::new("a.ts"), &verbatim).unwrap().code;
    assert!(out.contains("gone") && out.contains("Def") && !out.contains("a.json"), "{out}");

    let js = "import unused from \"./x.js\";\nexport default 1;\n";
    let out = compile("a.js", js);
    assert_eq!(out.code, js, "JavaScript is left as it is");
    assert_eq!(out.mappings, None);
}

#[test]
fn module_kinds() {
    use ModuleKind::{CommonJs, Esm};
    use PackageType::{Absent, CommonJs as Cjs, Module};
    for (name, text, package, expected) in [
        ("a.mjs", "module.exports = 1", Absent, Esm),
        ("a.cjs", "1", Module, CommonJs),
        ("a.cts", "const a: number = 1", Absent, CommonJs),
        ("a.cts", "export default 1", Absent, Esm),
        ("a.js", "export default 1", Cjs, Esm),
        ("a.js", "module.exports = 1", Absent, CommonJs),
        ("a.js", "exports.a = 1", Absent, CommonJs),
        ("a.js", "require('x')", Module, Esm),
        ("a.js", "1", Cjs, CommonJs),
        ("a.js", "const module = {}; module.exports = 1", Absent, Esm),
        ("a.js", "await 1; require('x')", Absent, Esm),
        ("a.js", "import.meta.url; require('x')", Absent, Esm),
        ("a.js", "if (1) return; ", Absent, CommonJs),
        ("a.js", "async () => { await 1 }; exports.a = 1", Absent, CommonJs),
        ("a.js", "import x from 'y'; module.exports = x", Absent, CommonJs),
        ("a.js", "import x from 'y'; export default module.exports", Absent, Esm),
        ("a.ts", "import x from 'y'; export = x", Absent, CommonJs),
        ("a.ts", "import x = require('y'); export default x", Absent, Esm),
        ("a.ts", "import type { A } from 'y'; module.exports = (a: A) => a", Absent, CommonJs),
        ("a.ts", "namespace N { export const x = 1 } module.exports = N", Absent, CommonJs),
        ("a.ts", "", Absent, Esm),
    ] {
        let options = TranspileOptions { package_type: package, ..Default::default() };
        let kind = transpile(text, Path::new(name), &options).unwrap().kind;
        assert_eq!(kind, expected, "{name} ({package:?}): {text}");
    }
}

#[test]
fn node_names_are_declared_only_where_they_are_free() {
    let out = code("a.ts", "import fs = require('fs'); export default [fs, __dirname, import.meta.dir];");
    assert!(out.contains("var require = __hookrt_createRequire(import.meta.url)"), "{out}");
    assert!(out.contains("var __dirname") && !out.contains("var __filename"), "{out}");
    assert!(out.contains("import.meta.dir ??="), "{out}");
    let out = code(
        "a.ts",
        "const require = 1, __dirname = 2; export default [require, import.meta.url, typeof x] as any; type x = typeof __filename;",
    );
    assert!(!out.contains("__hookrt") && !out.contains("var __"), "{out}");
    let out = code("a.mjs", "export default () => require('fs');");
    assert!(out.contains("__hookrt_createRequire"), "{out}");
    let out = code("a.cts", "export = [__dirname, require('x')];");
    assert!(!out.contains("__hookrt") && !out.contains("var __dirname"), "{out}");
}

#[test]
fn positions_map_back_to_the_source() {
    let text = "\u{feff}".to_string()
        + "#!/usr/bin/env bun\r\ninterface A { x: 1 }\r\nenum E { A }\r\nconst d = __dirname;\r\nexport default () => { throw new Error(`a\r\nb`) };\r\nconst raw = String.raw`\r\n\u{1F600}\r\n`;\r\nlet emoji = '\u{1F600}', after = 1;\r\n";
    let text = text.trim_start_matches('\u{feff}');
    let out = compile("a.ts", text);
    let map = SourceMap::from_mappings(out.mappings.as_deref().unwrap());
    let at = |needle: &str| {
        let (line, text) = out.code.lines().enumerate().find(|(_, l)| l.contains(needle)).unwrap();
        map.lookup(line as u32 + 1, text.find(needle).unwrap() as u32 + 1)
    };
    assert_eq!(at("d = __dirname").map(|(line, _)| line), Some(4));
    assert_eq!(at("new Error"), Some((5, 30)));
    assert_eq!(at("after = 1"), Some((10, 19)), "columns count UTF-16 units");
    assert_eq!(at("var __dirname"), None, "generated lines have no position");
    let json = out.source_map("file:///x/a.ts", Some("text")).unwrap();
    assert!(json.contains(r#""sources":["file:///x/a.ts"]"#) && json.contains("sourcesContent"));
}

#[test]
fn syntax_errors_show_the_line() {
    let error = transpile("const a = 1\r\nconst b = = 2\r\n", Path::new("/x/a.ts"), &TranspileOptions::default());
    let Err(LoaderError::Syntax { line, column, frame, .. }) = error else {
        panic!("expected a syntax error, got {error:?}");
    };
    assert_eq!((line, column), (2, 11));
    assert!(frame.contains("> 2 | const b = = 2\n    |           ^"), "{frame}");
    for text in ["export default (pi) => {", "const s = `abc", "class {", "let x: = 1", "import from", "\u{0}", "<div>"]
    {
        let error = transpile(text, Path::new("a.ts"), &TranspileOptions::default());
        assert!(matches!(error, Err(LoaderError::Syntax { .. })), "{text}: {error:?}");
    }
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    for (open, close) in [("(", ")"), ("[", "]"), ("a?.b(", ")")] {
        let text = format!("export default {}1{}", open.repeat(3_000), close.repeat(3_000));
        assert!(transpile(&text, Path::new("a.ts"), &TranspileOptions::default()).is_ok(), "{open}");
    }
}

#[test]
fn export_assignment_lowers_imports_next_to_it() {
    let out = code(
        "a.ts",
        "import { join, type P } from 'path'; import os, * as o from 'os'; import 's'; import { U } from 'u'; export = (x: U) => join(os, o);",
    );
    assert!(out.contains(r#"require("path")"#) || out.contains("require('path')"), "{out}");
    assert!(out.contains("module.exports =") && out.contains("__esModule"), "{out}");
    assert!(!out.contains("import ") && !out.contains("'u'") && !out.contains("export "), "{out}");
}

#[test]
fn class_fields_follow_the_tsconfig() {
    let text = "export class A { b = this.a; u; constructor(public a: number) {} }";
    let native = code("a.ts", text);
    assert!(native.contains("a;\nb = this.a;\nu;"), "{native}");
    let options = TranspileOptions {
        compiler: CompilerOptions { use_define_for_class_fields: Some(false), ..Default::default() },
        ..Default::default()
    };
    let assigned = transpile(text, Path::new("a.ts"), &options).unwrap().code;
    let order = (assigned.find("this.a = a"), assigned.find("b = this.a"));
    assert!(matches!(order, (Some(first), Some(second)) if first < second), "{assigned}");
    assert!(!assigned.contains("u;"), "{assigned}");
}

#[test]
fn jsx_runtime_follows_the_tsconfig() {
    let text = "import React from 'react'; export default <T,>(x: T) => <a b={x}><></></a>;";
    let automatic = code("a.tsx", text);
    assert!(automatic.contains("\"react/jsx-runtime\"") && !automatic.contains("React"), "{automatic}");
    let options = TranspileOptions {
        compiler: CompilerOptions { jsx: crate::loader::JsxMode::Classic, ..Default::default() },
        ..Default::default()
    };
    let classic = transpile(text, Path::new("a.tsx"), &options).unwrap().code;
    assert!(classic.contains("React.createElement") && classic.contains("import React"), "{classic}");
}

#[test]
fn what_an_engine_lacks_is_lowered_without_imports() {
    let text = "using top = r(); export const v = 1; export default () => v;\nclass A { accessor x = 1; @dec m() {} }\nfunction dec(v, c) { return v }\nfunction r() { return null }";
    for name in ["a.ts", "a.js"] {
        let out = code(name, text);
        let gone = ["using ", "accessor x", "@dec", "@swc/helpers", "import "];
        assert!(gone.iter().all(|syntax| !out.contains(syntax)), "{name}: {out}");
        assert!(out.contains("as default") && out.contains("var v = 1"), "{name}: {out}");
    }
    let options = TranspileOptions {
        compiler: CompilerOptions { experimental_decorators: true, ..Default::default() },
        ..Default::default()
    };
    let legacy = transpile(text, Path::new("a.ts"), &options).unwrap().code;
    assert!(legacy.contains("_ts_decorate") && !legacy.contains("accessor x"), "{legacy}");
}

#[test]
fn exports_of_commonjs_files_are_found() {
    for (text, names, reexports) in [
        ("exports.a = exports.b = 1; module.exports.c = 2; exports['d-e'] = 3", &["a", "b", "c", "d-e"][..], &[][..]),
        (
            "module.exports = { a, b: 1, 'c': 2, d() {}, get e() { return 1 }, ...require('x') }",
            &["a", "b", "c", "d", "e"],
            &["x"],
        ),
        (
            "Object.defineProperty(exports, '__esModule', { value: true }); exports.default = 1",
            &["__esModule", "default"],
            &[],
        ),
        ("module.exports = require('./y')", &[], &["./y"]),
        ("tslib.__exportStar(require('./z'), exports); __exportStar(require('./w'), exports)", &[], &["./z", "./w"]),
        (
            "var _q = _interop(require('q')); Object.keys(_q).forEach(function (k) { exports[k] = _q[k]; }); Object.keys(_q).forEach(() => {})",
            &[],
            &["q"],
        ),
        ("0 && (module.exports = { a, b })", &["a", "b"], &[]),
        ("(function (g, f) { f(exports) })(this, function (exports) { exports.umd = 1 }); hidden.x = 1", &["umd"], &[]),
    ] {
        let exports = compile("a.cjs", text).cjs_exports;
        assert_eq!(exports.names, names, "{text}");
        assert_eq!(exports.reexports, reexports, "{text}");
    }
    let tree = Tree::new(&[
        ("a.cjs", "exports.a = 1; __exportStar(require('./b'), exports)"),
        ("b.cjs", "exports.b = 1; module.exports = { ...require('./a.cjs'), ...require('gone') }"),
    ]);
    let names = cjs_export_names(&tree.path("a.cjs"), &tree.context, &TranspileCache::disabled());
    assert_eq!(names, ["a", "b"]);
}

#[test]
fn a_cache_hit_is_the_same_result() {
    let tree = Tree::new(&[("a.ts", "export const x: number = 1;"), ("b.ts", "export const x: number = 1;")]);
    let cache = TranspileCache::at(&tree.path("cache"));
    let load = |name: &str| load_module(&tree.path(name), &tree.context, &cache).unwrap();
    let first = load("a.ts");
    assert_eq!(cache.get(&first.cache_key), Some(first.transpiled.clone()));
    assert_eq!(load("a.ts").transpiled, first.transpiled);
    assert_eq!(load("b.ts").cache_key, first.cache_key, "equal files share an entry");
    tree.write("a.ts", "export const x: number = 2;");
    assert_ne!(load("a.ts").transpiled, first.transpiled);
    tree.write("tsconfig.json", r#"{"compilerOptions":{"verbatimModuleSyntax":true}}"#);
    let fresh = crate::loader::ResolveContext::default();
    assert_ne!(load_module(&tree.path("b.ts"), &fresh, &cache).unwrap().cache_key, first.cache_key);
}

#[test]
fn files_that_are_no_source_text() {
    let tree = Tree::new(&[
        ("gate", "#!/usr/bin/env -S bash -e\nexit 1"),
        ("x.sh", ""),
        ("x.md", ""),
        ("ok", "#!/usr/bin/env node\nmodule.exports = 1"),
    ]);
    std::fs::write(tree.path("u16.ts"), [0xFF, 0xFE, b'a', 0]).unwrap();
    std::fs::write(tree.path("u16be.ts"), b"\0e\0x\0p\0o\0r\0t").unwrap();
    std::fs::write(tree.path("bin.ts"), b"\x7fELF\0\0\0\x01").unwrap();
    std::fs::write(tree.path("latin.ts"), b"a\nb\xe9").unwrap();
    let error = |name: &str| load_module(&tree.path(name), &tree.context, &TranspileCache::disabled()).unwrap_err();
    for (name, expected) in [
        ("u16.ts", "UTF-16"),
        ("u16be.ts", "UTF-16"),
        ("bin.ts", "binary"),
        ("latin.ts", "line 2"),
        ("x.md", "not a JavaScript"),
        ("gone.ts", "Cannot read"),
        ("", "directory"),
    ] {
        assert!(error(name).to_string().contains(expected), "{name}: {}", error(name));
    }
    for name in ["gate", "x.sh"] {
        assert!(matches!(error(name), LoaderError::ShellHook { .. }), "{name}");
        assert!(error(name).hint().is_some_and(|hint| hint.contains("shell hook")));
    }
    let script = load_module(&tree.path("ok"), &tree.context, &TranspileCache::disabled()).unwrap();
    assert!(!script.transpiled.code.starts_with("#!"));
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config { cases: 200, ..Default::default() })]

    #[test]
    fn no_text_panics_the_compiler(text in "[a-z(){}\\[\\]<>=`$'\"/@#;:,.?\\\\ \n\u{feff}\u{1F600}]{0,60}") {
        for name in ["a.ts", "a.tsx", "a.js"] {
            let result = transpile(&text, Path::new(name), &TranspileOptions::default());
            let ours = matches!(result, Err(LoaderError::Internal { .. }));
            proptest::prop_assert!(!ours, "{name}: {text:?}");
        }
    }

    #[test]
    fn any_file_name_survives_its_url(name in "[^/\\x00]{1,20}") {
        let path = path_clean::clean(format!("/x/{name}"));
        let url = crate::loader::path_to_file_url(&path);
        proptest::prop_assert_eq!(crate::loader::file_url_to_path(&url).ok(), Some(path));
    }

    #[test]
    fn no_mappings_panic(text in "[A-Za-z0-9+/,;! ]{0,40}", line in 0u32..9, column in 0u32..99) {
        SourceMap::from_mappings(&text).lookup(line, column);
    }
}
