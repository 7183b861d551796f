//! Relative, absolute and `file:` specifiers: which file on disk one means (`hooks.md`, decision 13).

use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;

/// Extensions tried for a name without one, first hit wins.
pub(super) const EXTENSIONS: [&str; 9] = ["ts", "tsx", "mts", "cts", "js", "mjs", "cjs", "jsx", "json"];

/// TypeScript spells the extension of the output: which sources may stand behind one.
const SOURCES_OF: [(&str, &[&str]); 4] =
    [("js", &["ts", "tsx"]), ("jsx", &["tsx"]), ("mjs", &["mts"]), ("cjs", &["cts"])];

/// Whether a specifier is a path: `./x`, `../x`, `.`, `..`, `/x`.
pub(super) fn is_path(specifier: &str) -> bool {
    specifier.starts_with("./")
        || specifier.starts_with("../")
        || specifier.starts_with('/')
        || specifier == "."
        || specifier == ".."
}

/// Finds the file meant by a path specifier. Every candidate looked at is added to `tried`.
///
/// A specifier is also a URL, so `%20` may mean a space and `?v=1` may be a query; a file with the
/// literal name comes first.
pub(super) fn probe_specifier(
    specifier: &str,
    directory: &Path,
    directory_main: &dyn Fn(&Path) -> Option<PathBuf>,
    tried: &mut Vec<PathBuf>,
) -> Option<PathBuf> {
    let mut spellings = vec![specifier.to_string()];
    let mut also = |text: String| {
        if !spellings.contains(&text) {
            spellings.push(text);
        }
    };
    let without_query = specifier.split(['?', '#']).next().unwrap_or_default().to_string();
    for text in [specifier.to_string(), without_query.clone()] {
        if let Ok(decoded) = percent_decode_str(&text).decode_utf8() {
            also(decoded.into_owned());
        }
    }
    also(without_query);
    spellings.iter().filter(|text| !text.is_empty() && !text.contains('\0')).find_map(|text| {
        let folder_only =
            text.ends_with('/') || text.ends_with("/.") || text.ends_with("/..") || text == "." || text == "..";
        let path = path_clean::clean(directory.join(text));
        if folder_only {
            return probe_directory(&path, directory_main, tried);
        }
        probe(&path, directory_main, tried)
    })
}

/// Finds the file behind a path: itself, its TypeScript source, with an extension added, as a
/// folder.
pub(super) fn probe(
    path: &Path,
    directory_main: &dyn Fn(&Path) -> Option<PathBuf>,
    tried: &mut Vec<PathBuf>,
) -> Option<PathBuf> {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    let sources = SOURCES_OF.iter().find(|(output, _)| *output == extension).map_or(&[][..], |(_, sources)| sources);
    let rewritten = sources.iter().map(|source| path.with_extension(source));
    let extended = EXTENSIONS.iter().map(|extension| with_suffix(path, extension));
    let exact = std::iter::once(path.to_path_buf());
    exact
        .chain(rewritten)
        .chain(extended)
        .find(|candidate| is_file(candidate, tried))
        .or_else(|| probe_directory(path, directory_main, tried))
}

/// Finds the module a folder stands for: what its package.json names, else `index.*`.
pub(super) fn probe_directory(
    path: &Path,
    directory_main: &dyn Fn(&Path) -> Option<PathBuf>,
    tried: &mut Vec<PathBuf>,
) -> Option<PathBuf> {
    if !path.is_dir() {
        return None;
    }
    directory_main(path).or_else(|| {
        EXTENSIONS
            .iter()
            .map(|extension| path.join("index").with_extension(extension))
            .find(|candidate| is_file(candidate, tried))
    })
}

/// Like [`probe`] for the value of a `main` field, which may not lead back into package.json.
pub(super) fn probe_main(path: &Path, tried: &mut Vec<PathBuf>) -> Option<PathBuf> {
    probe(path, &|_| None, tried)
}

fn is_file(path: &Path, tried: &mut Vec<PathBuf>) -> bool {
    let found = path.is_file();
    if !found {
        tried.push(path.to_path_buf());
    }
    found
}

fn with_suffix(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(".");
    name.push(extension);
    PathBuf::from(name)
}
