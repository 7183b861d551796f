//! The capability registry: which hooks there are, in which order, and why one is not used
//! (`hooks.md §2`).

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::error::LoaderError;
use super::providers::{FoundHook, HookProvider, Level, Surroundings, builtin_providers};
use super::resolve::resolve_hook_path;
use super::source_text::is_shell_path;

/// What becomes of a found file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "camelCase")]
pub enum HookState {
    /// Will be loaded.
    Active,
    /// An earlier item has the same type, tool and name.
    Shadowed { by: PathBuf },
    /// Switched off by the person, as an item or with its provider.
    Disabled,
    /// An item without name, tool or a known type.
    Invalid { reason: String },
    /// A file among hooks that is none.
    NotAModule { reason: String },
    /// A project file nobody has trusted yet; set by the host (`hooks.md`, decision 16).
    Untrusted,
}

/// A discovered hook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HookItem {
    /// Id of the provider, such as `native`.
    pub provider: String,
    pub level: Level,
    pub path: PathBuf,
    /// `pre` or `post`.
    #[serde(rename = "type")]
    pub hook_type: String,
    pub tool: String,
    /// File name with extension.
    pub name: String,
    /// A shell script: loading it ends in an error with a hint.
    pub shell: bool,
    #[serde(flatten)]
    pub state: HookState,
}

impl HookItem {
    /// `hook:<type>:<tool>:<name>`, the id under which an item is disabled.
    pub fn id(&self) -> String {
        format!("hook:{}", self.key())
    }

    /// `<type>:<tool>:<name>`; of several items with one key the first wins.
    pub fn key(&self) -> String {
        format!("{}:{}:{}", self.hook_type, self.tool, self.name)
    }
}

/// What the person has switched off.
#[derive(Debug, Clone, Default)]
pub struct DiscoverOptions {
    /// Ids as [`HookItem::id`] gives them.
    pub disabled_items: HashSet<String>,
    /// Provider ids.
    pub disabled_providers: HashSet<String>,
}

/// The result of discovery.
#[derive(Debug, Clone, Default)]
pub struct Discovery {
    /// The winners, in load order.
    pub items: Vec<HookItem>,
    /// Winners, shadowed and invalid ones, in the order found.
    pub all: Vec<HookItem>,
    /// `all` plus what was disabled or is no module: everything a listing shows.
    pub found: Vec<HookItem>,
    pub warnings: Vec<String>,
    /// Ids of the providers that contributed, in priority order.
    pub providers: Vec<String>,
}

/// Discovers hooks with the builtin providers. `cwd` and `home` are absolute.
pub fn discover(cwd: &Path, home: &Path, env: &dyn Fn(&str) -> Option<String>, options: &DiscoverOptions) -> Discovery {
    discover_with(builtin_providers(), &Surroundings { cwd, home, env }, options)
}

/// Discovers hooks with any providers, given in registration order.
pub fn discover_with(
    mut providers: Vec<Box<dyn HookProvider>>,
    around: &Surroundings<'_>,
    options: &DiscoverOptions,
) -> Discovery {
    let mut discovery = Discovery::default();
    // Stable: equal priorities keep their registration order.
    providers.sort_by_key(|provider| std::cmp::Reverse(provider.priority()));
    for provider in &providers {
        let disabled = options.disabled_providers.contains(provider.id());
        collect(provider.as_ref(), disabled, around, &mut discovery);
    }
    // Two providers may find one file under different ids; switched off under one of them it stays off.
    let is_named = |item: &&HookItem| options.disabled_items.contains(&item.id());
    let switched_off: HashSet<PathBuf> =
        discovery.found.iter().filter(is_named).map(|item| item.path.clone()).collect();
    for item in &mut discovery.found {
        if item.state == HookState::Active && switched_off.contains(&item.path) {
            item.state = HookState::Disabled;
        }
    }
    let mut winners: HashMap<String, PathBuf> = HashMap::new();
    let names: HashMap<String, String> =
        providers.iter().map(|provider| (provider.id().to_string(), provider.display_name().to_string())).collect();
    for item in discovery.found.iter_mut().filter(|item| item.state == HookState::Active) {
        if let Some(by) = winners.get(&item.key()) {
            item.state = HookState::Shadowed { by: by.clone() };
            continue;
        }
        winners.insert(item.key(), item.path.clone());
        // After the decision who wins: an invalid winner still hides a valid later one.
        if let Some(reason) = invalid(item) {
            let provider = names.get(&item.provider).unwrap_or(&item.provider);
            let path = item.path.display();
            discovery.warnings.push(format!("[{provider}] Invalid item at {path}: {reason}"));
            item.state = HookState::Invalid { reason: reason.to_string() };
        }
    }
    let in_state = |keep: fn(&HookState) -> bool| -> Vec<HookItem> {
        discovery.found.iter().filter(|item| keep(&item.state)).cloned().collect()
    };
    discovery.items = in_state(|state| *state == HookState::Active);
    discovery.all =
        in_state(|state| matches!(state, HookState::Active | HookState::Shadowed { .. } | HookState::Invalid { .. }));
    discovery
}

/// Runs one provider and files what it found.
fn collect(provider: &dyn HookProvider, disabled: bool, around: &Surroundings<'_>, discovery: &mut Discovery) {
    let display = provider.display_name();
    let found = match provider.find(around) {
        Ok(found) => found,
        Err(_) if disabled => return,
        Err(message) => {
            discovery.warnings.push(format!("[{display}] Failed to load: {message}"));
            return;
        }
    };
    if !disabled {
        let warnings = found.warnings.iter().map(|warning| format!("[{display}] {warning}"));
        discovery.warnings.extend(warnings);
        if !found.hooks.is_empty() {
            discovery.providers.push(provider.id().to_string());
        }
    }
    for FoundHook { path, name, hook_type, tool, level } in found.hooks {
        let Some(level) = level else {
            let warning = format!("[{display}] Item missing _source metadata, skipping");
            discovery.warnings.push(warning);
            continue;
        };
        discovery.found.push(HookItem {
            provider: provider.id().to_string(),
            level,
            shell: is_shell_path(&path),
            path,
            hook_type,
            tool,
            name,
            state: if disabled { HookState::Disabled } else { HookState::Active },
        });
    }
    for (path, level, reason) in found.skipped {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        discovery.found.push(HookItem {
            provider: provider.id().to_string(),
            level,
            shell: false,
            path,
            hook_type: String::new(),
            tool: String::new(),
            name: name.unwrap_or_default(),
            state: HookState::NotAModule { reason },
        });
    }
}

fn invalid(item: &HookItem) -> Option<&'static str> {
    if item.name.is_empty() {
        Some("Missing name")
    } else if item.path.as_os_str().is_empty() {
        Some("Missing path")
    } else if item.hook_type != "pre" && item.hook_type != "post" {
        Some("Invalid type, expected pre or post")
    } else if item.tool.is_empty() {
        Some("Missing tool")
    } else {
        None
    }
}

/// A path to load, and where it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookPath {
    /// Absolute.
    pub path: PathBuf,
    /// The discovered item; `None` for a configured path.
    pub item: Option<HookItem>,
}

/// The load order of `discoverAndLoadHooks`: discovered items first, then the configured paths,
/// deduplicated by absolute path, the first occurrence keeping its place. Configured texts that are
/// no path at all come back as errors beside their text.
pub fn merge_configured(
    discovery: &Discovery,
    configured: &[String],
    cwd: &Path,
    home: &Path,
) -> (Vec<HookPath>, Vec<(String, LoaderError)>) {
    let mut seen = HashSet::new();
    let mut paths = Vec::new();
    let mut errors = Vec::new();
    for item in &discovery.items {
        if seen.insert(path_clean::clean(cwd.join(&item.path))) {
            paths.push(HookPath { path: item.path.clone(), item: Some(item.clone()) });
        }
    }
    for text in configured {
        match resolve_hook_path(text, cwd, home) {
            Ok(path) if seen.insert(path_clean::clean(&path)) => {
                paths.push(HookPath { path, item: None });
            }
            Ok(_) => {}
            Err(error) => errors.push((text.clone(), error)),
        }
    }
    (paths, errors)
}
