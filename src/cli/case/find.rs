//! Where cases are.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use ignore::WalkBuilder;

/// Name of the file that makes a folder a case.
pub const CASE_FILE: &str = "case.json";

/// The case folders at or below `root`, byte-sorted. A case holds no other cases; `node_modules` is not searched.
///
/// # Errors
/// `root` cannot be read.
pub fn find_cases(root: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut cases = Vec::new();
    let is_wanted = |name: &std::ffi::OsStr| name != "node_modules";
    let walk = WalkBuilder::new(root)
        .standard_filters(false)
        .sort_by_file_name(|a, b| a.cmp(b))
        .filter_entry(move |entry| is_wanted(entry.file_name()))
        .build();
    for entry in walk {
        let entry = entry.with_context(|| format!("cannot search {}", root.display()))?;
        if entry.file_name() == CASE_FILE && entry.path().is_file() {
            cases.extend(entry.path().parent().map(Path::to_path_buf));
        }
    }
    cases.sort();
    Ok(cases)
}
