use super::Tree;
use crate::loader::{LoaderError, path_to_file_url};

#[test]
fn every_form_of_a_path_specifier() {
    let tree = Tree::new(&[
        ("h/hook.ts", ""),
        ("h/a.ts", ""),
        ("h/b.tsx", ""),
        ("h/dir/index.ts", ""),
        ("h/c.mjs", ""),
        ("h/d.cjs", ""),
        ("h/e.mts", ""),
        ("h/f.cts", ""),
        ("h/data.json", "{}"),
        ("h/both.ts", ""),
        ("h/both.js", ""),
        ("h/both/index.ts", ""),
        ("h/pkg/package.json", r#"{"main":"lib/m.js"}"#),
        ("h/pkg/lib/m.ts", ""),
        ("h/index.ts", ""),
        ("x/y.ts", ""),
        ("h/v1.2.ts", ""),
    ]);
    for (specifier, expected) in [
        ("./a", "h/a.ts"),
        ("./a.ts", "h/a.ts"),
        ("./a.js", "h/a.ts"),
        ("./b.js", "h/b.tsx"),
        ("./b.jsx", "h/b.tsx"),
        ("./b", "h/b.tsx"),
        ("./dir", "h/dir/index.ts"),
        ("./dir/", "h/dir/index.ts"),
        ("./dir/index.js", "h/dir/index.ts"),
        ("./c.mjs", "h/c.mjs"),
        ("./c", "h/c.mjs"),
        ("./d.cjs", "h/d.cjs"),
        ("./d", "h/d.cjs"),
        ("./e.mts", "h/e.mts"),
        ("./e.mjs", "h/e.mts"),
        ("./e", "h/e.mts"),
        ("./f.cjs", "h/f.cts"),
        ("./data.json", "h/data.json"),
        ("./data", "h/data.json"),
        ("./both", "h/both.ts"),
        ("./both.js", "h/both.js"),
        ("./both/", "h/both/index.ts"),
        ("./pkg", "h/pkg/lib/m.ts"),
        (".", "h/index.ts"),
        ("./", "h/index.ts"),
        ("../x/y", "x/y.ts"),
        ("./nope/../a", "h/a.ts"),
        ("./v1.2", "h/v1.2.ts"),
        ("./a.ts?version=3", "h/a.ts"),
    ] {
        assert_eq!(tree.import(specifier, "h/hook.ts"), expected, "{specifier}");
    }
    let absolute = tree.path("h/a").display().to_string();
    assert_eq!(tree.import(&absolute, "h/hook.ts"), "h/a.ts");
    let url = path_to_file_url(&tree.path("h/a.js"));
    assert_eq!(tree.import(&url, "h/hook.ts"), "h/a.ts");
}

#[test]
fn a_missing_file_lists_what_was_tried() {
    let tree = Tree::new(&[("hook.ts", "")]);
    let error = tree.import_error("./gone.js", "hook.ts");
    let text = error.to_string();
    let tried = ["gone.js, ", "gone.ts, ", "gone.tsx, ", "gone.js.ts"];
    assert!(tried.iter().all(|name| text.contains(name)), "{text}");
    assert!(text.starts_with("Cannot find module './gone.js' imported from "), "{text}");
    assert!(error.hint().is_some());
}

#[test]
fn awkward_file_names() {
    let names = ["a b", "a#b", "50%", "a%20b", "ü", "it's", "[c]", "q?", "b\\s"];
    let tree = Tree::new(&[("hook.ts", "")]);
    for name in names {
        tree.write(&format!("{name}.ts"), "");
        let expected = format!("{name}.ts");
        assert_eq!(tree.import(&format!("./{name}.ts"), "hook.ts"), expected);
        let url = path_to_file_url(&tree.path(&expected));
        assert_eq!(tree.import(&url, "hook.ts"), expected);
    }
    let tree = Tree::new(&[("hook.ts", ""), ("a b.ts", "")]);
    assert_eq!(tree.import("./a%20b.ts", "hook.ts"), "a b.ts");
}

#[test]
fn schemes() {
    let tree = Tree::new(&[("hook.ts", "")]);
    for (specifier, expected) in [
        ("fs", r#"NodeBuiltin("node:fs")"#),
        ("fs/promises", r#"NodeBuiltin("node:fs/promises")"#),
        ("node:test", r#"NodeBuiltin("node:test")"#),
        ("bun:sqlite", r#"BunBuiltin("bun:sqlite")"#),
        ("data:text/javascript,1", r#"Data("data:text/javascript,1")"#),
    ] {
        assert_eq!(tree.import(specifier, "hook.ts"), expected);
    }
    for specifier in ["https://x/y.ts", "npm:chalk", "", "@", "@/x", "@scope", "file://host/x"] {
        let error = tree.import_error(specifier, "hook.ts");
        assert!(matches!(error, LoaderError::Specifier { .. }), "{specifier}: {error}");
    }
}

#[cfg(unix)]
#[test]
fn a_linked_hook_finds_its_own_neighbours() {
    let tree = Tree::new(&[
        ("dotfiles/hook.ts", ""),
        ("dotfiles/util.ts", ""),
        ("dotfiles/node_modules/p/index.js", ""),
        ("hooks/other.ts", ""),
    ]);
    std::os::unix::fs::symlink(tree.path("dotfiles/hook.ts"), tree.path("hooks/hook.ts")).unwrap();
    assert_eq!(tree.import("./util", "hooks/hook.ts"), "dotfiles/util.ts");
    assert_eq!(tree.import("p", "hooks/hook.ts"), "dotfiles/node_modules/p/index.js");
}
