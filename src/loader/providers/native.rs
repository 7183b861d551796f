//! `native`: the agent's own folders.

use super::files::{add_pre_and_post, tool_without_extension};
use super::provider::{HookProvider, Level, ProviderFinding, Surroundings};

/// `<cwd>/.xcsh/hooks`, then `~/.xcsh/agent/hooks`; `PI_CONFIG_DIR` replaces `.xcsh` in the second.
/// The only provider that does not look at `.gitignore`.
pub(super) struct Native;

impl HookProvider for Native {
    fn id(&self) -> &str {
        "native"
    }

    fn display_name(&self) -> &str {
        "Native"
    }

    fn priority(&self) -> i32 {
        100
    }

    fn find(&self, around: &Surroundings<'_>) -> Result<ProviderFinding, String> {
        let mut finding = ProviderFinding::default();
        let config = (around.env)("PI_CONFIG_DIR").filter(|name| !name.is_empty());
        let user = around.home.join(config.as_deref().unwrap_or(".xcsh")).join("agent/hooks");
        let project = around.cwd.join(".xcsh/hooks");
        for (root, level) in [(project, Level::Project), (user, Level::User)] {
            add_pre_and_post(&root, level, None, tool_without_extension, &mut finding);
        }
        Ok(finding)
    }
}
