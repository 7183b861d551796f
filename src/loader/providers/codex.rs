//! `codex`: flat folders, the type in front of the name.

use super::files::{add_folder, tool_without_extension};
use super::provider::{HookProvider, Level, ProviderFinding, Surroundings};

/// `~/.codex/hooks/*.{ts,js}`, then `<cwd>/.codex/hooks/*.{ts,js}`.
pub(super) struct Codex;

impl HookProvider for Codex {
    fn id(&self) -> &str {
        "codex"
    }

    fn display_name(&self) -> &str {
        "OpenAI Codex"
    }

    fn priority(&self) -> i32 {
        70
    }

    fn find(&self, around: &Surroundings<'_>) -> Result<ProviderFinding, String> {
        let mut finding = ProviderFinding::default();
        for (top, level) in [(around.home, Level::User), (around.cwd, Level::Project)] {
            add_folder(&top.join(".codex/hooks"), level, Some(top), &mut finding, classify);
        }
        Ok(finding)
    }
}

/// `pre-bash.ts` → `pre`, `bash`; a name without such a prefix is a `pre` hook for its own name.
fn classify(name: &str) -> Option<(String, String)> {
    if !name.ends_with(".ts") && !name.ends_with(".js") {
        return None;
    }
    let stem = tool_without_extension(name);
    let typed = ["pre", "post"].into_iter().find_map(|hook_type| {
        let tool = stem.strip_prefix(hook_type)?.strip_prefix('-')?;
        Some((hook_type.to_string(), tool.to_string()))
    });
    Some(typed.unwrap_or_else(|| ("pre".to_string(), stem.clone())))
}
