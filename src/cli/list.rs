//! `hookrt list`: every hook file that is found, in the order hooks run, and what becomes of it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use serde_json::Value;

use super::args::ListArgs;
use super::{render, session};
use crate::loader::{DiscoverOptions, Discovery, HookItem, ListedHook, Listing, NOT_UTF8, builtin_providers, discover};
use crate::runner::{RunnerOptions, environment, keep_trusted};
use crate::security::{PermissionSet, Policy, TrustError, TrustStore, TrustedProject};

pub fn run(args: ListArgs) -> anyhow::Result<u8> {
    let project = project(args.cwd.as_deref())?;
    let disabled = DiscoverOptions {
        disabled_items: args.disable.into_iter().collect(),
        disabled_providers: args.disable_provider.into_iter().collect(),
    };
    let (discovery, trusted) = find(&project, &disabled, args.trust);
    check_names(&disabled, &discovery)?;
    let listing = Listing::from(&discovery);
    let reach = Reach {
        flags: args.permissions.into_set(&project, &RunnerOptions::new(&project).home),
        policy: session::policy()?,
    };
    if args.json {
        render::json_line(&reach.add_to(&listing)?)?;
        return Ok(0);
    }
    render::text(&table(&listing, &reach))?;
    for warning in listing.warnings.iter().cloned().chain(reach.policy.without_file()) {
        eprintln!("warning: {warning}");
    }
    if let Err(reason) = trusted {
        eprintln!("hooks of the project {} are not run: {reason}", project.display());
    }
    Ok(0)
}

/// What is switched off must be there: a slip would leave on what was to be off.
fn check_names(disabled: &DiscoverOptions, discovery: &Discovery) -> anyhow::Result<()> {
    let ids: BTreeSet<String> = discovery.found.iter().filter(|item| !item.tool.is_empty()).map(HookItem::id).collect();
    let providers: Vec<String> = builtin_providers().iter().map(|provider| provider.id().to_owned()).collect();
    if let Some(name) = disabled.disabled_items.iter().find(|name| !ids.contains(*name)) {
        let ids = ids.into_iter().collect::<Vec<_>>().join(", ");
        anyhow::bail!(
            "--disable {name}: no hook has that id; there are: {}",
            if ids.is_empty() { "none" } else { &ids }
        );
    }
    if let Some(name) = disabled.disabled_providers.iter().find(|name| !providers.contains(name)) {
        anyhow::bail!("--disable-provider {name}: there is no such provider; there are: {}", providers.join(", "));
    }
    Ok(())
}

/// The project of a verb: `--cwd`, or the current directory.
pub fn project(given: Option<&Path>) -> anyhow::Result<PathBuf> {
    let directory = match given {
        Some(directory) => std::path::absolute(directory).with_context(|| directory.display().to_string())?,
        None => std::env::current_dir().context("the current directory cannot be read")?,
    };
    anyhow::ensure!(directory.is_dir(), "{} is not a directory", directory.display());
    anyhow::ensure!(directory.to_str().is_some(), "{}: {NOT_UTF8}", directory.display());
    Ok(path_clean::clean(directory))
}

/// What a record covers of a project, if its hooks run because of one; or why they do not run.
pub type Trusted = Result<Option<Arc<TrustedProject>>, String>;

/// Discovers the hooks of a project. Unless `trust`, its own files count as untrusted without a record; the text says why.
pub fn find(project: &Path, disabled: &DiscoverOptions, trust: bool) -> (Discovery, Trusted) {
    let home = RunnerOptions::new(project).home;
    let mut discovery = discover(project, &home, &environment, disabled);
    let trusted = if trust { Ok(None) } else { keep_trusted(&mut discovery, project, store()) };
    (discovery, trusted)
}

/// The person's trust records.
pub fn store() -> Result<TrustStore, TrustError> {
    TrustStore::open(&|name: &str| std::env::var_os(name))
}

/// What hooks may reach.
struct Reach {
    flags: PermissionSet,
    policy: Policy,
}

impl Reach {
    fn of(&self, item: &ListedHook) -> PermissionSet {
        let path = PathBuf::from(&item.path);
        let real = std::fs::canonicalize(&path).ok();
        self.policy.permissions_for(&self.flags, std::iter::once(path).chain(real))
    }

    /// The listing with `permissions` in each item.
    fn add_to(&self, listing: &Listing) -> serde_json::Result<Value> {
        let mut shown = serde_json::to_value(listing)?;
        let rows = shown["items"].as_array_mut().into_iter().flatten();
        for (row, item) in rows.zip(&listing.items) {
            row["permissions"] = serde_json::to_value(self.of(item))?;
        }
        Ok(shown)
    }
}

fn table(listing: &Listing, reach: &Reach) -> String {
    if listing.items.is_empty() {
        return "no hooks found\n".to_owned();
    }
    let width = |of: fn(&ListedHook) -> usize| listing.items.iter().map(of).max().unwrap_or_default();
    let state_width = width(|item| item.state.len());
    let level_width = width(|item| level(item).len());
    let provider_width = width(|item| item.provider.len());
    let mut text = String::new();
    for item in &listing.items {
        let why = item.why.as_deref().map(|why| format!("  ({why})")).unwrap_or_default();
        let set = reach.of(item);
        let narrowed = if set.is_unrestricted() { String::new() } else { format!("  may reach: {set}") };
        text.push_str(&format!(
            "{:state_width$}  {:level_width$}  {:provider_width$}  {}{why}{narrowed}\n",
            item.state,
            level(item),
            item.provider,
            item.path,
        ));
    }
    text
}

fn level(item: &ListedHook) -> &'static str {
    match item.level {
        crate::loader::Level::User => "user",
        crate::loader::Level::Project => "project",
    }
}
