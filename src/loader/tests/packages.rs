use super::Tree;
use crate::loader::{LoaderError, ResolveContext, ResolveMode};

#[test]
fn exports_imports_and_mains() {
    let tree = Tree::new(&[
        (
            "package.json",
            r##"{"name":"self","type":"module","exports":{"./own":"./own.ts"},
                "imports":{"#lib/*":"./lib/*.ts","#lib/deep/*":"./lib/d/*.ts","#dep":"dual","#fs":"node:fs","#loop":"#dep"}}"##,
        ),
        ("own.ts", ""),
        ("lib/x.ts", ""),
        ("lib/d/x.ts", ""),
        ("src/hook.ts", ""),
        (
            "node_modules/dual/package.json",
            r#"{"exports":{".":{"bun":"./bun.ts","import":"./i.mjs","require":"./r.cjs"},
                "./f/*":"./files/*.js","./f/secret/*":null,"./dir/":"./files/","./up":"./../evil.js",
                "./first":["bad","./i.mjs"],"./gone":"./gone.js"}}"#,
        ),
        ("node_modules/dual/i.mjs", ""),
        ("node_modules/dual/r.cjs", ""),
        ("node_modules/dual/bun.ts", ""),
        ("node_modules/dual/files/a.js", ""),
        ("node_modules/dual/files/secret/a.js", ""),
        ("node_modules/plain/package.json", r#"{"main":"lib","module":"m.js"}"#),
        ("node_modules/plain/lib/index.js", ""),
        ("node_modules/plain/sub/x.js", ""),
        ("node_modules/esm-only/package.json", r#"{"module":"m.js"}"#),
        ("node_modules/esm-only/m.js", ""),
        ("node_modules/@s/p/index.ts", ""),
        ("node_modules/single.js", ""),
        ("src/node_modules/near/index.js", ""),
        ("node_modules/near/index.js", ""),
    ]);
    for (specifier, expected) in [
        ("dual", "node_modules/dual/i.mjs"),
        ("dual/f/a", "node_modules/dual/files/a.js"),
        ("dual/first", "node_modules/dual/i.mjs"),
        ("plain", "node_modules/plain/lib/index.js"),
        ("plain/sub/x", "node_modules/plain/sub/x.js"),
        ("plain/sub/x.js", "node_modules/plain/sub/x.js"),
        ("esm-only", "node_modules/esm-only/m.js"),
        ("@s/p", "node_modules/@s/p/index.ts"),
        ("single", "node_modules/single.js"),
        ("near", "src/node_modules/near/index.js"),
        ("self/own", "own.ts"),
        ("#lib/x", "lib/x.ts"),
        ("#lib/deep/x", "lib/d/x.ts"),
        ("#dep", "node_modules/dual/i.mjs"),
        ("#fs", r#"NodeBuiltin("node:fs")"#),
    ] {
        assert_eq!(tree.import(specifier, "src/hook.ts"), expected, "{specifier}");
    }
    let required = tree.resolve_as("dual", "src/hook.ts", ResolveMode::Require);
    assert_eq!(required, "node_modules/dual/r.cjs");
    for specifier in ["dual/f/secret/a", "dual/up", "dual/nothing", "self", "#nope", "#loop"] {
        let error = tree.import_error(specifier, "src/hook.ts");
        let fits = matches!(error, LoaderError::Package { .. } | LoaderError::Specifier { .. });
        assert!(fits, "{specifier}: {error}");
    }
    let gone = tree.import_error("dual/gone", "src/hook.ts").to_string();
    assert!(gone.contains("gone.js") && gone.contains("src/hook.ts"), "{gone}");
    let missing = tree.import_error("not-there", "src/hook.ts").to_string();
    assert!(missing.contains("node_modules/not-there"), "{missing}");
}

#[test]
fn host_packages_come_from_own_modules_then_the_agent_then_the_engine() {
    let mut tree = Tree::new(&[
        ("hook/h.ts", ""),
        ("agent/package.json", r#"{"name":"@f5-sales-demo/xcsh","exports":{".":"./main.js"}}"#),
        ("agent/main.js", ""),
        ("agent/node_modules/@sinclair/typebox/index.js", ""),
    ]);
    let pi = "@mariozechner/pi-coding-agent";
    let host = |id: &str| format!("Host({id:?})");
    assert_eq!(tree.import(pi, "hook/h.ts"), host("pi-coding-agent"));
    assert_eq!(tree.import("@sinclair/typebox/value", "hook/h.ts"), host("typebox/value"));

    tree.context = ResolveContext::new(vec![tree.path("agent")]);
    assert_eq!(tree.import(pi, "hook/h.ts"), "agent/main.js");
    // The agent's package does not export this subpath, the engine's module does.
    assert_eq!(tree.import("@oh-my-pi/xcsh/hooks", "hook/h.ts"), host("pi-coding-agent/hooks"));
    let typebox = tree.import("@sinclair/typebox", "hook/h.ts");
    assert_eq!(typebox, "agent/node_modules/@sinclair/typebox/index.js");

    tree.write(&format!("hook/node_modules/{pi}/index.js"), "");
    let own = format!("hook/node_modules/{pi}/index.js");
    assert_eq!(tree.import(pi, "hook/h.ts"), own);
}

#[test]
fn a_broken_package_json_is_named() {
    let tree = Tree::new(&[("hook.ts", ""), ("node_modules/p/package.json", "{,")]);
    let error = tree.import_error("p", "hook.ts");
    assert!(matches!(&error, LoaderError::Config { path, .. } if path.ends_with("p/package.json")));
}
