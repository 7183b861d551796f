//! `xcsh`: `.xcsh/hooks` of the user, then of the project.

use super::files::{add_pre_and_post, tool_without_shell_extension};
use super::provider::{HookProvider, Level, ProviderFinding, Surroundings};

/// `~/.xcsh/hooks/{pre,post}`, then `<cwd>/.xcsh/hooks/{pre,post}`.
pub(super) struct Xcsh;

impl HookProvider for Xcsh {
    fn id(&self) -> &str {
        "xcsh"
    }

    fn display_name(&self) -> &str {
        "xcsh"
    }

    fn priority(&self) -> i32 {
        80
    }

    fn find(&self, around: &Surroundings<'_>) -> Result<ProviderFinding, String> {
        let mut finding = ProviderFinding::default();
        for (top, level) in [(around.home, Level::User), (around.cwd, Level::Project)] {
            let root = top.join(".xcsh/hooks");
            add_pre_and_post(&root, level, Some(top), tool_without_shell_extension, &mut finding);
        }
        Ok(finding)
    }
}
