//! `hookrt trust`: records that a project's own hook files, just as they are now, may run.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use serde_json::json;

use super::args::TrustArgs;
use super::{list, render};
use crate::loader::{DiscoverOptions, HookState, Level, discover};
use crate::runner::{RunnerOptions, environment};
use crate::security::{ProjectSnapshot, TrustError, TrustStore};

pub fn run(args: TrustArgs) -> anyhow::Result<u8> {
    let store = list::store().map_err(with_hint)?;
    if args.list {
        return show(&store, args.json);
    }
    // A project that is gone can still be revoked.
    if args.revoke {
        let directory = match &args.dir {
            Some(directory) => path_clean::clean(std::path::absolute(directory)?),
            None => std::env::current_dir().context("the current directory cannot be read")?,
        };
        let known = store.revoke(&directory).map_err(with_hint)?;
        let text = if known { "is no longer trusted" } else { "was not trusted" };
        render::text(&format!("{} {text}\n", directory.display()))?;
        return Ok(0);
    }
    let project = list::project(args.dir.as_deref())?;
    let files = hook_files(&project);
    if files.is_empty() {
        render::text(&format!("{} has no hook files of its own; nothing to trust\n", project.display()))?;
        return Ok(0);
    }
    let snapshot = ProjectSnapshot::take(&project, &files).map_err(with_hint)?;
    let record = store.record(&snapshot).map_err(with_hint)?;
    let mut text = format!("{} is trusted with these files:\n", record.project.display());
    let imported =
        |wanted: bool| record.files.iter().filter(move |(_, mark)| mark.imported == wanted).map(|(path, _)| path);
    imported(false).for_each(|path| text.push_str(&format!("  {path}\n")));
    let (packages, own): (Vec<_>, Vec<_>) = imported(true).partition(|path| is_in_package(path));
    if !own.is_empty() {
        text.push_str("and with what they import from elsewhere in the project, and what says where imports lead:\n");
        own.iter().for_each(|path| text.push_str(&format!("  {path}\n")));
    }
    if !packages.is_empty() {
        text.push_str(&format!("and with what they import from node_modules: {} files\n", packages.len()));
    }
    text.push_str("Any change to them makes the project untrusted again.\n");
    render::text(&text)?;
    Ok(0)
}

fn is_in_package(path: &str) -> bool {
    path.split('/').any(|part| part == "node_modules")
}

/// The project's own hook files, whatever is disabled or shadowed today.
fn hook_files(project: &Path) -> Vec<PathBuf> {
    let home = RunnerOptions::new(project).home;
    let discovery = discover(project, &home, &environment, &DiscoverOptions::default());
    discovery
        .found
        .into_iter()
        .filter(|item| item.level == Level::Project && !matches!(item.state, HookState::NotAModule { .. }))
        .map(|item| item.path)
        .collect()
}

fn show(store: &TrustStore, as_json: bool) -> anyhow::Result<u8> {
    let records = store.list().map_err(with_hint)?;
    if as_json {
        let projects: Vec<_> = records
            .iter()
            .map(|record| {
                json!({
                    "project": record.project,
                    "recordedAt": record.recorded_at,
                    "digest": record.digest,
                    "files": record.files.keys().collect::<Vec<_>>(),
                })
            })
            .collect();
        render::json_line(&json!({ "projects": projects }))?;
        return Ok(0);
    }
    let mut text = String::new();
    for record in &records {
        let imported = record.files.values().filter(|mark| mark.imported).count();
        let with = if imported > 0 { format!(", {imported} that they import") } else { String::new() };
        text.push_str(&format!("{}  ({} files{with})\n", record.project.display(), record.files.len() - imported));
    }
    render::text(if text.is_empty() { "no project is trusted\n" } else { &text })?;
    Ok(0)
}

fn with_hint(error: TrustError) -> anyhow::Error {
    match error.hint() {
        Some(hint) => anyhow!("{error}\nhint: {hint}"),
        None => anyhow!("{error}"),
    }
}
