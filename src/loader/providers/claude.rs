//! `claude`: `.claude/hooks` of the user, then of the project.

use super::files::{add_pre_and_post, tool_without_shell_extension};
use super::provider::{HookProvider, Level, ProviderFinding, Surroundings};

/// `~/.claude/hooks/{pre,post}`, then `<cwd>/.claude/hooks/{pre,post}`.
pub(super) struct Claude;

impl HookProvider for Claude {
    fn id(&self) -> &str {
        "claude"
    }

    fn display_name(&self) -> &str {
        "Claude Code"
    }

    fn priority(&self) -> i32 {
        80
    }

    fn find(&self, around: &Surroundings<'_>) -> Result<ProviderFinding, String> {
        let mut finding = ProviderFinding::default();
        for (top, level) in [(around.home, Level::User), (around.cwd, Level::Project)] {
            let root = top.join(".claude/hooks");
            add_pre_and_post(&root, level, Some(top), tool_without_shell_extension, &mut finding);
        }
        Ok(finding)
    }
}
