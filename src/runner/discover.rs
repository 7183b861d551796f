//! Loading what discovery finds, then what is configured (`hooks.md §2`).

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use super::load::{LoadHooksResult, load_sources};
use super::options::RunnerOptions;
use crate::error::Error;
use crate::host::HookSource;
use crate::loader::{DiscoverOptions, Discovery, HookItem, HookState, Level, discover, resolve_hook_path};
use crate::security::{TrustError, TrustState, TrustStore, TrustedProject};

/// What [`discover_and_load_hooks`] gives.
pub struct DiscoverAndLoadResult {
    pub loaded: LoadHooksResult,
    /// Everything that was found, and why it is used or not.
    pub discovery: Discovery,
}

/// Loads the hooks that discovery finds for `options.cwd`, then `configured`, deduplicated by resolved path; the first occurrence keeps its
/// place. All that is found is loaded: whether a project's own files may run is the caller's decision, see [`keep_trusted`].
///
/// # Errors
/// See [`load_hooks`](super::load_hooks).
pub async fn discover_and_load_hooks<P: AsRef<str>>(
    configured: &[P],
    options: RunnerOptions,
    disabled: &DiscoverOptions,
) -> Result<DiscoverAndLoadResult, Error> {
    let discovery = discover(&options.cwd, &options.home, &environment, disabled);
    let configured = configured.iter().map(|path| HookSource::File(path.as_ref().to_owned())).collect();
    let sources = merge_sources(&discovery, configured, &options.cwd, &options.home);
    Ok(DiscoverAndLoadResult { loaded: load_sources(sources, options).await?, discovery })
}

/// Reads an environment variable, as discovery and trust want it.
pub fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// The load order: discovered items, then the configured sources without those that are there already. Paths are resolved ones.
pub fn merge_sources(discovery: &Discovery, configured: Vec<HookSource>, cwd: &Path, home: &Path) -> Vec<HookSource> {
    let mut seen = HashSet::new();
    let mut sources = Vec::new();
    for item in &discovery.items {
        let path = path_clean::clean(cwd.join(&item.path));
        if seen.insert(path.clone()) {
            sources.push(HookSource::File(path.to_string_lossy().into_owned()));
        }
    }
    for source in configured {
        match &source {
            HookSource::Host { .. } => sources.push(source),
            HookSource::File(text) => match resolve_hook_path(text, cwd, home) {
                Ok(path) => {
                    if seen.insert(path_clean::clean(&path)) {
                        sources.push(HookSource::File(path.to_string_lossy().into_owned()));
                    }
                }
                // Loading it tells what is wrong.
                Err(_) => sources.push(source),
            },
        }
    }
    sources
}

/// Marks the project's own files as untrusted unless the person trusts the project with just this content (decision 16). Where a record
/// says so, the answer is what it covers, for [`RunnerOptions::trusted_project`].
///
/// # Errors
/// Why they may not run, one line for a person. A store that cannot be read trusts nothing, and says so.
pub fn keep_trusted(
    discovery: &mut Discovery,
    project: &Path,
    store: Result<TrustStore, TrustError>,
) -> Result<Option<Arc<TrustedProject>>, String> {
    let files: Vec<_> = discovery
        .found
        .iter()
        .filter(|item| item.level == Level::Project && !matches!(item.state, HookState::NotAModule { .. }))
        .map(|item| item.path.clone())
        .collect();
    if files.is_empty() {
        return Ok(None);
    }
    let reason = match store.and_then(|store| store.is_trusted(project, &files)) {
        Ok((state, covered)) => match state {
            TrustState::Trusted { .. } => return Ok(covered.map(Arc::new)),
            TrustState::Untrusted => "nobody has trusted them".to_owned(),
            TrustState::Changed { files } => {
                let names: Vec<&str> = files.iter().take(NAMED_CHANGES).map(|file| file.path.as_str()).collect();
                let more = files.len() - names.len();
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                format!("changed since they were trusted: {}{more}", names.join(", "))
            }
        },
        Err(error) => error.to_string(),
    };
    for item in &mut discovery.found {
        if item.level == Level::Project && matches!(item.state, HookState::Active | HookState::Shadowed { .. }) {
            item.state = HookState::Untrusted;
        }
    }
    // What does not run hides nothing: a repository must not switch off the person's own hooks by shipping files of the same name.
    let mut winners = HashSet::new();
    for item in discovery.found.iter_mut().filter(|item| item.level == Level::User) {
        let hidden = matches!(&item.state, HookState::Shadowed { .. }) && !winners.contains(&item.key());
        if hidden {
            item.state = HookState::Active;
        }
        if item.state == HookState::Active {
            winners.insert(item.key());
        }
    }
    discovery.items = discovery.found.iter().filter(|item| item.state == HookState::Active).cloned().collect();
    let listed = |item: &&HookItem| !matches!(item.state, HookState::Disabled | HookState::NotAModule { .. });
    discovery.all = discovery.found.iter().filter(listed).cloned().collect();
    Err(reason)
}

/// So many changed files are named; a package that is installed anew has hundreds.
const NAMED_CHANGES: usize = 10;
