//! What a provider is given and what it returns.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Whose file it is; project files are repository-controlled code (`hooks.md`, decision 16).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    User,
    Project,
}

/// The machine as discovery sees it.
pub struct Surroundings<'a> {
    /// Absolute.
    pub cwd: &'a Path,
    /// Absolute.
    pub home: &'a Path,
    /// Reads an environment variable.
    pub env: &'a dyn Fn(&str) -> Option<String>,
}

/// A file a provider takes for a hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundHook {
    pub path: PathBuf,
    /// Full file name with extension.
    pub name: String,
    /// `pre` or `post`; anything else makes the item invalid.
    pub hook_type: String,
    /// The tool it is for, `*` for all.
    pub tool: String,
    /// Where it comes from; an item without is skipped with a warning.
    pub level: Option<Level>,
}

/// What one provider found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProviderFinding {
    pub hooks: Vec<FoundHook>,
    /// Files that stand among hooks but are none, with the reason.
    pub skipped: Vec<(PathBuf, Level, String)>,
    /// Texts without the provider's name.
    pub warnings: Vec<String>,
}

/// One convention of where hooks are kept.
pub trait HookProvider: Send + Sync {
    /// Stable name, such as `native`.
    fn id(&self) -> &str;
    /// Name in warnings.
    fn display_name(&self) -> &str;
    /// Higher comes first.
    fn priority(&self) -> i32;
    /// Looks for hooks. An error becomes the warning `Failed to load: …` of this provider alone.
    fn find(&self, around: &Surroundings<'_>) -> Result<ProviderFinding, String>;
}
