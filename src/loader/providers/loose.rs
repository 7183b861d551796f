//! `loose`: module files directly in a `hooks` folder, as users of the sibling agents keep them.

use super::files::add_folder;
use super::provider::{HookProvider, Level, ProviderFinding, Surroundings};
use crate::loader::source_text::FileKind;

/// `<cwd>/.{xcsh,omp,pi}/hooks/*`, then `~/.{xcsh,omp,pi}/agent/hooks/*`; for every tool.
pub(super) struct Loose;

const FOLDERS: [&str; 3] = [".xcsh", ".omp", ".pi"];

impl HookProvider for Loose {
    fn id(&self) -> &str {
        "loose"
    }

    fn display_name(&self) -> &str {
        "Loose files"
    }

    fn priority(&self) -> i32 {
        60
    }

    fn find(&self, around: &Surroundings<'_>) -> Result<ProviderFinding, String> {
        let mut finding = ProviderFinding::default();
        for (top, below, level) in [(around.cwd, "hooks", Level::Project), (around.home, "agent/hooks", Level::User)] {
            for folder in FOLDERS {
                let folder = top.join(folder).join(below);
                add_folder(&folder, level, Some(top), &mut finding, classify);
            }
        }
        Ok(finding)
    }
}

/// Only module files: the folder also holds `pre`, `post` and whatever the agent keeps there.
fn classify(name: &str) -> Option<(String, String)> {
    let path = std::path::Path::new(name);
    path.extension()?;
    match FileKind::from_path(path)? {
        FileKind::Json => None,
        _ => Some(("pre".to_string(), "*".to_string())),
    }
}
