//! `hookrt check`: loads hooks and says what they register, or what is wrong with them.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde::Serialize;

use super::args::{CheckArgs, HookArgs, InputMutationArg, InspectArgs};
use super::check_types::{self, TypeCheck};
use super::render;
use super::session::{self, Session};
use crate::engine::LoadedHook;
use crate::loader::{FileKind, NOT_UTF8};
use crate::runner::LoadError;
use crate::security::PermissionSet;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    hooks: Vec<Hook>,
    errors: Vec<LoadError>,
    warnings: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    types: Option<Vec<TypeCheck>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Hook {
    path: String,
    resolved_path: String,
    events: Vec<String>,
    commands: Vec<String>,
    renderers: Vec<String>,
    /// What it may reach.
    permissions: Option<PermissionSet>,
    /// What it was denied while it loaded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    denials: Vec<String>,
}

impl From<LoadedHook> for Hook {
    fn from(hook: LoadedHook) -> Self {
        Hook {
            path: hook.path,
            resolved_path: hook.resolved_path,
            events: hook.handlers.into_iter().map(|(event, _)| event).collect(),
            commands: hook.commands.into_iter().map(|(name, _)| name).collect(),
            renderers: hook.renderers,
            permissions: hook.permissions,
            denials: hook.denials,
        }
    }
}

pub async fn run(args: CheckArgs) -> anyhow::Result<u8> {
    let mut hooks = Vec::new();
    for path in &args.paths {
        hooks.extend(expand(path, args.cwd.as_deref().unwrap_or(Path::new("")))?);
    }
    anyhow::ensure!(!hooks.is_empty(), "no hook files found in {}", args.paths.join(", "));
    let types = if args.types {
        Some(check_types::check(&hooks, args.cwd.as_deref().unwrap_or(Path::new(""))).await)
    } else {
        None
    };
    let session = Session::open(
        &HookArgs {
            hooks,
            required: Vec::new(),
            cwd: args.cwd,
            input_mutation: InputMutationArg::Ignore,
            load_timeout: args.load_timeout,
            cpu_budget: 5_000,
            heap_limit: 512,
            discover: false,
            trust: false,
            trace: false,
            inspect: InspectArgs::default(),
            permissions: args.permissions,
        },
        None,
    )
    .await?;
    let mut warnings = session.take_warnings();
    warnings.extend(session::policy()?.without_file());
    let report = Report {
        hooks: session.runner.hooks().into_iter().map(Hook::from).collect(),
        errors: session.load_errors.clone(),
        warnings,
        types,
    };
    let types_failed = report.types.iter().flatten().any(|check| !check.ok);
    let failed = types_failed || !report.errors.is_empty();
    if args.json {
        render::json_line(&report)?;
    } else {
        render::text(&shown(&report))?;
    }
    Ok(u8::from(failed))
}

fn shown(report: &Report) -> String {
    let mut text = String::new();
    let mut line = |line: String| {
        text.push_str(&line);
        text.push('\n');
    };
    for hook in &report.hooks {
        line(format!("ok    {}", hook.path));
        for (what, names) in [("events", &hook.events), ("commands", &hook.commands), ("renderers", &hook.renderers)] {
            if !names.is_empty() {
                line(format!("      {what}: {}", names.join(", ")));
            }
        }
        if hook.events.is_empty() && hook.commands.is_empty() && hook.renderers.is_empty() {
            line("      registers nothing".to_owned());
        }
        if let Some(permissions) = hook.permissions.as_ref().filter(|set| !set.is_unrestricted()) {
            line(format!("      may reach: {permissions}"));
        }
        for denial in &hook.denials {
            line(format!("      denied: {denial}"));
        }
    }
    for error in &report.errors {
        line(format!("error {}", error.path));
        for part in error.error.lines().chain(error.place.iter().flat_map(|place| place.lines())) {
            line(format!("      {part}"));
        }
    }
    for check in report.types.iter().flatten() {
        line(format!("{} types of {}", if check.ok { "ok   " } else { "error" }, check.project));
        for part in check.output.lines() {
            line(format!("      {part}"));
        }
    }
    for warning in &report.warnings {
        line(format!("warning {warning}"));
    }
    text
}

/// A directory that is not itself a hook stands for the hook files in it, byte-sorted.
fn expand(path: &str, cwd: &Path) -> anyhow::Result<Vec<String>> {
    let directory = cwd.join(path);
    if !directory.is_dir() || is_hook_directory(&directory) {
        return Ok(vec![path.to_owned()]);
    }
    let mut files: Vec<PathBuf> = std::fs::read_dir(&directory)
        .with_context(|| format!("cannot read {path}"))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|file| is_hook_file(file) || (file.is_dir() && is_hook_directory(file)))
        .filter_map(|file| Some(Path::new(path).join(file.file_name()?)))
        .collect();
    files.sort();
    let name = |file: PathBuf| {
        file.into_os_string()
            .into_string()
            .map_err(|name| anyhow::anyhow!("{}: {NOT_UTF8}", Path::new(&name).display()))
    };
    files.into_iter().map(name).collect()
}

fn is_hook_file(file: &Path) -> bool {
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let declares_only = [".d.ts", ".d.mts", ".d.cts"].iter().any(|end| name.ends_with(end));
    let is_code = FileKind::from_path(file).is_some_and(|kind| kind != FileKind::Json);
    file.is_file() && is_code && !name.starts_with('.') && !declares_only
}

fn is_hook_directory(directory: &Path) -> bool {
    let index = |extension: &&str| directory.join(format!("index.{extension}")).is_file();
    directory.join("package.json").is_file() || ["ts", "mts", "cts", "tsx", "js", "mjs", "cjs", "jsx"].iter().any(index)
}
