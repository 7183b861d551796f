//! Loading hooks: one bad file never stops the others (`hooks.md §1`).

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;
use serde_json::json;

use super::emit::HookRunner;
use super::options::{InputMutation, RunnerOptions};
use super::rules::rules_json;
use crate::engine::{EngineHandle, GenerationOptions, LoadEntry, LoadFailure, LoadedHook, LoaderOptions, Shared};
use crate::error::Error;
use crate::loader::{LoaderError, ResolveContext, hook_entry, resolve_hook_path};

/// A hook that did not load.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LoadError {
    /// Path as given.
    pub path: String,
    /// `Hook must export a default function`, or `Failed to load hook: <message>` with the offending line where there is one.
    pub error: String,
}

/// What [`load_hooks`] gives: a runner over the hooks that loaded, and an error for each that did not.
pub struct LoadHooksResult {
    pub runner: HookRunner,
    pub errors: Vec<LoadError>,
}

impl LoadHooksResult {
    /// The hooks that loaded, in load order.
    pub fn hooks(&self) -> Vec<LoadedHook> {
        self.runner.hooks()
    }
}

/// Loads `paths` in order into a new isolate.
///
/// # Errors
/// Only when the engine itself cannot start; what is wrong with a hook is in [`LoadHooksResult::errors`].
pub async fn load_hooks<P: AsRef<str>>(paths: &[P], options: RunnerOptions) -> Result<LoadHooksResult, Error> {
    let engine = EngineHandle::start(generation_options(&options)?).map_err(Error::Engine)?;
    let context = ResolveContext::new(options.package_roots.clone());
    let mut errors = Vec::new();
    for (index, path) in paths.iter().enumerate() {
        let path = path.as_ref();
        if let Err(error) = load_one(&engine, index, path, &options, &context).await {
            errors.push(LoadError { path: path.to_owned(), error });
        }
    }
    let runner = HookRunner::new(engine, &options);
    Ok(LoadHooksResult { runner, errors })
}

async fn load_one(
    engine: &EngineHandle,
    index: usize,
    path: &str,
    options: &RunnerOptions,
    context: &ResolveContext,
) -> Result<(), String> {
    let file = module_file(path, &options.cwd, &options.home, context).map_err(|error| failed(&with_hint(&error)))?;
    match engine.load(LoadEntry { index, path: path.to_owned(), file }).await {
        Ok(()) => Ok(()),
        Err(LoadFailure::NotAFunction) => Err("Hook must export a default function".to_owned()),
        Err(LoadFailure::Failed(message)) => Err(failed(&message)),
        Err(LoadFailure::EngineGone) => Err(failed("the hook engine stopped while the hook loaded")),
    }
}

fn failed(message: &str) -> String {
    format!("Failed to load hook: {message}")
}

fn with_hint(error: &LoaderError) -> String {
    match error.hint() {
        Some(hint) => format!("{error}\nhint: {hint}"),
        None => error.to_string(),
    }
}

fn module_file(path: &str, cwd: &Path, home: &Path, context: &ResolveContext) -> Result<PathBuf, LoaderError> {
    hook_entry(&resolve_hook_path(path, cwd, home)?, context)
}

fn generation_options(options: &RunnerOptions) -> Result<GenerationOptions, Error> {
    let mut config = serde_json::Map::new();
    let rules: serde_json::Value =
        serde_json::from_str(&rules_json()).map_err(|error| Error::Engine(error.to_string()))?;
    config.insert("rules".to_owned(), rules);
    let mutation = match options.input_mutation {
        InputMutation::Ignore => "ignore",
        InputMutation::Apply => "apply",
    };
    config.insert("inputMutation".to_owned(), mutation.into());
    config.insert("trace".to_owned(), options.trace.into());
    config.insert("theme".to_owned(), options.theme.clone().unwrap_or_else(|| json!({})));
    Ok(GenerationOptions {
        cwd: options.cwd.clone(),
        host: options.host.clone(),
        shared: Arc::new(Shared::default()),
        loader: LoaderOptions { package_roots: options.package_roots.clone(), cache: options.cache.clone() },
        config,
        load_timeout: options.load_timeout,
        heap_limit: options.heap_limit,
        cpu_budget: options.cpu_budget,
    })
}
