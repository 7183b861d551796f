use super::Tree;
use crate::loader::{JsxMode, LoaderError};

#[test]
fn extends_are_merged_and_paths_mapped() {
    let tree = Tree::new(&[
        (
            "tsconfig.json",
            "\u{feff}{ // comment\n \"extends\": [\"./base\", \"@acme/config/strict\"], /* x */\n \"compilerOptions\": {\"jsx\": \"react\",},}",
        ),
        (
            "base.json",
            r#"{"compilerOptions":{"experimentalDecorators":true,"jsx":"react-jsx","paths":{"~/*":["./src/*"],"~/special":["./special.ts"],"types":["./t.d.ts"]}}}"#,
        ),
        (
            "node_modules/@acme/config/strict.json",
            r#"{"compilerOptions":{"experimentalDecorators":false,"useDefineForClassFields":false}}"#,
        ),
        ("src/util.ts", ""),
        ("special.ts", ""),
        ("t.d.ts", ""),
        ("hooks/h.ts", ""),
        ("other/tsconfig.json", r#"{"compilerOptions":{"baseUrl":"src","paths":{"$lib":["lib/index"]}}}"#),
        ("other/src/lib/index.ts", ""),
        ("other/src/direct.ts", ""),
        ("other/h.ts", ""),
        ("node_modules/m/index.js", ""),
        ("node_modules/types/index.js", ""),
    ]);
    let options = tree.context.transpile_options(&tree.path("hooks/h.ts")).unwrap().compiler;
    assert!(!options.experimental_decorators, "the later base wins");
    assert_eq!(options.jsx, JsxMode::Classic, "own options win");
    assert_eq!(options.use_define_for_class_fields, Some(false));
    for (specifier, from, expected) in [
        ("~/util", "hooks/h.ts", "src/util.ts"),
        ("~/util.js", "hooks/h.ts", "src/util.ts"),
        ("~/special", "hooks/h.ts", "special.ts"),
        ("$lib", "other/h.ts", "other/src/lib/index.ts"),
        ("direct", "other/h.ts", "other/src/direct.ts"),
        ("m", "other/h.ts", "node_modules/m/index.js"),
        ("types", "hooks/h.ts", "node_modules/types/index.js"),
        ("fs", "other/h.ts", r#"NodeBuiltin("node:fs")"#),
    ] {
        assert_eq!(tree.import(specifier, from), expected, "{specifier}");
    }
    let inside = tree.context.tsconfig(&tree.path("node_modules/m/index.js")).unwrap();
    assert!(inside.is_none(), "packages are not governed by the project's tsconfig");
}

#[test]
fn cycles_and_bad_files_are_errors_a_missing_base_is_not() {
    let tree = Tree::new(&[
        ("a/tsconfig.json", r#"{"extends":"./b.json"}"#),
        ("a/b.json", r#"{"extends":"./tsconfig.json"}"#),
        ("b/tsconfig.json", "{"),
        ("c/tsconfig.json", r#"{"extends":"not-installed/x.json","compilerOptions":{"experimentalDecorators":true}}"#),
        ("d/tsconfig.json", ""),
    ]);
    for folder in ["a", "b"] {
        let error = tree.context.tsconfig(&tree.path(&format!("{folder}/h.ts"))).unwrap_err();
        assert!(matches!(error, LoaderError::Config { .. }), "{error}");
    }
    let config = tree.context.tsconfig(&tree.path("c/h.ts")).unwrap().unwrap();
    assert!(config.compiler.experimental_decorators);
    assert!(tree.context.tsconfig(&tree.path("d/h.ts")).unwrap().is_some());
}
