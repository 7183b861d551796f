//! Hook paths as people write them (`hooks.md §2`), and the file behind one.

use std::path::{Path, PathBuf};

use super::error::LoaderError;
use super::file_url::{file_url_to_path, is_file_url};
use super::module_resolver::ResolveContext;
use super::specifier::probe;

/// Turns a hook path as written into a path: `~`, `~/x`, `~name` against `home`, `file:` URLs, a
/// leading `@` before `/` or `~/`, Unicode spaces as spaces; anything relative against `cwd`,
/// lexically cleaned. Absolute paths stay as they are. Nothing is looked up on disk.
pub fn resolve_hook_path(text: &str, cwd: &Path, home: &Path) -> Result<PathBuf, LoaderError> {
    let spaced: String = text.chars().map(plain_space).collect();
    let text = match spaced.strip_prefix('@') {
        Some(rest) if rest.starts_with('/') || rest.starts_with("~/") => rest,
        _ => &spaced,
    };
    if is_file_url(text) {
        return file_url_to_path(text);
    }
    if let Some(rest) = text.strip_prefix('~') {
        let below = rest.trim_start_matches('/');
        return Ok(if below.is_empty() { home.to_path_buf() } else { path_clean::clean(home.join(below)) });
    }
    let path = Path::new(text);
    if path.is_absolute() {
        return Ok(path.to_path_buf());
    }
    Ok(path_clean::clean(cwd.join(path)))
}

/// The module file behind a resolved hook path: the file itself, a missing extension added, or for
/// a folder what its package.json names or its `index.*`. The result keeps symlinks.
pub fn hook_entry(path: &Path, context: &ResolveContext) -> Result<PathBuf, LoaderError> {
    // Any existing file is taken as named; what it holds is judged when it is read.
    if path.exists() && !path.is_dir() {
        return Ok(path.to_path_buf());
    }
    let mut tried = Vec::new();
    let main = |folder: &Path| context.directory_main(folder);
    if let Some(found) = probe(path, &main, &mut tried) {
        return Ok(found);
    }
    if path.is_dir() {
        tried.retain(|tried| tried.starts_with(path) && tried != path);
        return Err(LoaderError::Directory { path: path.to_path_buf(), tried });
    }
    Err(LoaderError::NotFound { specifier: path.display().to_string(), referrer: None, tried })
}

/// Typographic spaces (as pasted from documents) read as spaces.
fn plain_space(c: char) -> char {
    match c {
        '\u{00A0}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}' => ' ',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_hook_path() {
        let resolved = |text: &str| resolve_hook_path(text, Path::new("/work/p"), Path::new("/home/u")).unwrap();
        for (text, expected) in [
            ("/a/../b.ts", "/a/../b.ts"),
            ("~", "/home/u"),
            ("~/", "/home/u"),
            ("~/h/x.ts", "/home/u/h/x.ts"),
            ("~name/x.ts", "/home/u/name/x.ts"),
            ("~/../v/x.ts", "/home/v/x.ts"),
            ("hooks/./a/../x.ts", "/work/p/hooks/x.ts"),
            ("../x.ts", "/work/x.ts"),
            ("@/a/x.ts", "/a/x.ts"),
            ("@~/x.ts", "/home/u/x.ts"),
            ("@scope/x.ts", "/work/p/@scope/x.ts"),
            ("a\u{00A0}b\u{3000}c.ts", "/work/p/a b c.ts"),
            ("file:///a%20b/x.ts", "/a b/x.ts"),
            ("", "/work/p"),
        ] {
            assert_eq!(resolved(text), Path::new(expected), "{text}");
        }
        let foreign = resolve_hook_path("file://host/x.ts", Path::new("/"), Path::new("/"));
        assert!(foreign.is_err());
    }

    #[test]
    fn folders_name_their_module() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let entry = |name: &str| hook_entry(&root.join(name), &ResolveContext::default());
        for name in ["index/index.mts", "main/src/m.ts", "main/index.ts", "exports/e.ts", "plain.ts"] {
            std::fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
            std::fs::write(root.join(name), "").unwrap();
        }
        std::fs::write(root.join("main/package.json"), r#"{"main":"./src/m"}"#).unwrap();
        let exports = r#"{"exports":{".":{"types":"./e.d.ts","import":"./e.ts"}}}"#;
        std::fs::write(root.join("exports/package.json"), exports).unwrap();
        std::fs::create_dir(root.join("empty")).unwrap();
        assert_eq!(entry("index").unwrap(), root.join("index/index.mts"));
        assert_eq!(entry("main").unwrap(), root.join("main/src/m.ts"));
        assert_eq!(entry("exports").unwrap(), root.join("exports/e.ts"));
        assert_eq!(entry("plain").unwrap(), root.join("plain.ts"));
        let missing = entry("empty").unwrap_err().to_string();
        assert!(missing.contains("empty/index.ts") && missing.contains("empty/index.jsx"), "{missing}");
    }
}
