//! What an import names: a file that is there, something the engine brings, or an error that says what was asked for.

use std::path::Path;

use hookrt::loader::{LoaderError, ResolveContext, ResolveMode, Resolved, resolve};
use proptest::prelude::*;
use proptest::sample::select;

use super::mutate::mutated;
use super::{corpus, fuzz};

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    std::fs::write(path, text).expect("a file");
}

fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["hooks/a.ts", "hooks/b.ts", "hooks/lib/index.ts", "hooks/data.json", "hooks/a b.ts"] {
        write(folder.path(), name, "1");
    }
    write(
        folder.path(),
        "tsconfig.json",
        r#"{"compilerOptions":{"baseUrl":".","paths":{"@/*":["hooks/*"],"~/*":["none/*"]}}}"#,
    );
    write(folder.path(), "package.json", r##"{"imports":{"#inner":"./hooks/b.ts","#inner/*":"./hooks/*.ts"}}"##);
    write(
        folder.path(),
        "node_modules/left/package.json",
        r#"{"name":"left","exports":{".":{"import":"./m.mjs","default":"./c.js"},"./deep":"./m.mjs","./none":null}}"#,
    );
    write(folder.path(), "node_modules/left/m.mjs", "1");
    write(folder.path(), "node_modules/left/c.js", "1");
    write(folder.path(), "node_modules/@scope/right/package.json", r#"{"name":"@scope/right","main":"sub"}"#);
    write(folder.path(), "node_modules/@scope/right/sub.js", "1");
    folder
}

#[test]
fn any_specifier_is_a_file_or_an_error_that_names_it() {
    let project = project();
    let referrer = project.path().join("hooks/a.ts");
    let known: Vec<Vec<u8>> =
        corpus("specifiers").iter().flat_map(|file| file.split(|byte| *byte == b'\n').map(<[u8]>::to_vec)).collect();
    let specifiers = prop_oneof![
        9 => mutated(known).prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
        1 => "\\PC{0,40}",
    ];
    let modes = select(vec![ResolveMode::Import, ResolveMode::Require]);
    fuzz("tests/corpus/specifiers.regressions", (specifiers, modes), |(specifier, mode)| {
        // A context of its own: what is remembered would hide what happens at first.
        match resolve(&specifier, &referrer, mode, &ResolveContext::default()) {
            Ok(Resolved::File(path)) => prop_assert!(path.is_absolute() && path.is_file(), "{}", path.display()),
            Ok(Resolved::Data(url) | Resolved::BunBuiltin(url)) => prop_assert_eq!(url, specifier),
            Ok(Resolved::NodeBuiltin(url)) => {
                // One that there is not, `node:fs//`, comes through as it is: the engine says so.
                prop_assert!(url.trim_end_matches('/').ends_with(specifier.trim_end_matches('/')), "{url}");
            }
            Ok(Resolved::Host(name)) => prop_assert!(!name.is_empty()),
            Err(error @ (LoaderError::NotFound { .. } | LoaderError::Specifier { .. })) => {
                prop_assert!(error.to_string().contains(&specifier), "{error}");
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
        Ok(())
    });
}
