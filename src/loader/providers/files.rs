//! Listing hook folders: byte-sorted, not recursive, links followed, dot files left out.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use ignore::Match;
use ignore::gitignore::Gitignore;

use super::provider::{FoundHook, Level, ProviderFinding};
use crate::loader::source_text::strip_shell_extension;

/// The two sub-folders and the hook type each stands for.
pub(super) const TYPES: [&str; 2] = ["pre", "post"];

/// Extensions of text files that are often kept next to hooks. Everything else that is no module
/// stays an item, so that loading it reports an error: a gate nobody runs must not go unnoticed.
const NOT_HOOKS: [&str; 14] =
    ["md", "txt", "json", "jsonc", "map", "yaml", "yml", "toml", "lock", "log", "bak", "orig", "swp", "tsbuildinfo"];

/// How a provider derives the tool from a file name.
pub(super) fn tool_without_extension(name: &str) -> String {
    match name.rfind('.') {
        Some(dot) if dot > 0 => name[..dot].to_string(),
        _ => name.to_string(),
    }
}

/// As above for providers whose hooks were shell scripts: only shell extensions are taken off.
pub(super) fn tool_without_shell_extension(name: &str) -> String {
    strip_shell_extension(name).to_string()
}

/// Adds the hooks in `<root>/pre` and `<root>/post`.
pub(super) fn add_pre_and_post(
    root: &Path,
    level: Level,
    ignores: Option<&Path>,
    tool: fn(&str) -> String,
    finding: &mut ProviderFinding,
) {
    for hook_type in TYPES {
        add_folder(&root.join(hook_type), level, ignores, finding, |name| Some((hook_type.to_string(), tool(name))));
    }
}

/// Adds the hooks directly in `folder`. `classify` gives type and tool of a name, `None` for names
/// the provider does not take. `ignores`: honour `.gitignore` files from here or the repository's
/// root down to the folder.
pub(super) fn add_folder(
    folder: &Path,
    level: Level,
    ignores: Option<&Path>,
    finding: &mut ProviderFinding,
    classify: impl Fn(&str) -> Option<(String, String)>,
) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    let mut names: Vec<OsString> = entries.flatten().map(|entry| entry.file_name()).collect();
    names.sort();
    let ignores = ignores.map(|top| gitignores(folder, top)).unwrap_or_default();
    for name in names {
        let path = folder.join(&name);
        let Some(name) = name.to_str() else {
            finding.warnings.push(format!("File name is not UTF-8: {}", path.display()));
            continue;
        };
        if name.starts_with('.') {
            continue;
        }
        let Some((hook_type, tool)) = classify(name) else {
            continue;
        };
        let mut skip = |reason: &str| {
            finding.skipped.push((path.clone(), level, reason.to_string()));
        };
        let Ok(metadata) = std::fs::metadata(&path) else {
            finding.warnings.push(format!("Failed to read file: {}", path.display()));
            continue;
        };
        if metadata.is_dir() {
            // Folders are not entered, but a link to a packaged hook is a hook.
            if !path.is_symlink() || !has_entry(&path) {
                skip("a folder; providers do not recurse");
                continue;
            }
        } else if let Some(reason) = not_a_hook(name) {
            skip(reason);
            continue;
        }
        if is_ignored(&ignores, &path, metadata.is_dir()) {
            skip("ignored by .gitignore");
            continue;
        }
        if metadata.is_file() && std::fs::File::open(&path).is_err() {
            finding.warnings.push(format!("Failed to read file: {}", path.display()));
            continue;
        }
        finding.hooks.push(FoundHook { name: name.to_string(), path, hook_type, tool, level: Some(level) });
    }
}

fn has_entry(folder: &Path) -> bool {
    folder.join("package.json").is_file()
        || crate::loader::specifier::EXTENSIONS
            .iter()
            .any(|extension| folder.join("index").with_extension(extension).is_file())
}

fn not_a_hook(name: &str) -> Option<&'static str> {
    if [".d.ts", ".d.mts", ".d.cts"].iter().any(|end| name.ends_with(end)) {
        return Some("type declarations, not a module");
    }
    let extension = Path::new(name).extension().and_then(|e| e.to_str()).unwrap_or_default();
    (NOT_HOOKS.contains(&extension) || name.ends_with('~')).then_some("not a module")
}

/// The `.gitignore` files that speak about entries of `folder`, nearest first.
fn gitignores(folder: &Path, top: &Path) -> Vec<Gitignore> {
    let mut found = Vec::new();
    let repository = folder.ancestors().find(|ancestor| ancestor.join(".git").exists());
    let last: PathBuf = repository.unwrap_or(top).to_path_buf();
    for ancestor in folder.ancestors() {
        let file = ancestor.join(".gitignore");
        if file.is_file() {
            found.push(Gitignore::new(file).0);
        }
        if ancestor == last {
            break;
        }
    }
    found
}

fn is_ignored(ignores: &[Gitignore], path: &Path, is_dir: bool) -> bool {
    for ignore in ignores {
        match ignore.matched(path, is_dir) {
            Match::Ignore(_) => return true,
            Match::Whitelist(_) => return false,
            Match::None => {}
        }
    }
    false
}
