//! What discovery found, as it is shown: one row a file, with its state and why.

use std::collections::HashSet;

use serde::Serialize;

use super::discover::{Discovery, HookItem, HookState};
use super::providers::Level;

/// What discovery found.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct Listing {
    /// Everything, in order.
    pub items: Vec<ListedHook>,
    pub warnings: Vec<String>,
    /// Providers that contributed, in priority order.
    pub providers: Vec<String>,
}

/// A discovered file.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct ListedHook {
    pub path: String,
    pub name: String,
    /// `pre` or `post`; empty for a file that is no hook.
    pub r#type: String,
    pub tool: String,
    /// `user` or `project`.
    pub level: Level,
    /// Id of the provider.
    pub provider: String,
    /// `active`, `shadowed`, `disabled`, `untrusted`, `not a module` or `invalid`.
    pub state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

impl From<&Discovery> for Listing {
    fn from(discovery: &Discovery) -> Listing {
        // A file that two providers find runs once, in its first place (`hooks.md §2`).
        let mut seen = HashSet::new();
        let first = |item: &&HookItem| {
            !matches!(item.state, HookState::Active | HookState::Untrusted)
                || seen.insert(path_clean::clean(&item.path))
        };
        Listing {
            items: discovery.found.iter().filter(first).map(ListedHook::from).collect(),
            warnings: discovery.warnings.clone(),
            providers: discovery.providers.clone(),
        }
    }
}

impl From<&HookItem> for ListedHook {
    fn from(item: &HookItem) -> ListedHook {
        let (state, why) = match &item.state {
            // Loading it is an error (`hooks.md §2`), so that a gate nobody runs does not go unnoticed.
            HookState::Active if item.shell => {
                ("not a module", Some("a shell hook: `hookrt lifecycle` runs those, from hooks.json".to_owned()))
            }
            HookState::Active => ("active", None),
            HookState::Shadowed { by } => ("shadowed", Some(format!("by {}", by.display()))),
            HookState::Disabled => ("disabled", Some("switched off, or its provider is".to_owned())),
            HookState::Invalid { reason } => ("invalid", Some(reason.clone())),
            HookState::NotAModule { reason } => ("not a module", Some(reason.clone())),
            HookState::Untrusted => {
                ("untrusted", Some("a file of the project: read it, then run `hookrt trust` there".to_owned()))
            }
        };
        ListedHook {
            path: item.path.to_string_lossy().into_owned(),
            name: item.name.clone(),
            r#type: item.hook_type.clone(),
            tool: item.tool.clone(),
            level: item.level,
            provider: item.provider.clone(),
            state,
            why,
        }
    }
}
