//! Loading hooks: one bad file never stops the others (`hooks.md §1`).

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde_json::json;

use super::emit::HookRunner;
use super::isolates::Isolates;
use super::options::{InputMutation, LEAST_HEAP_LIMIT_MIB, RunnerOptions};
use super::rules::rules_json;
use crate::engine::{
    Budget, EngineHandle, GenerationOptions, LoadEntry, LoadFailure, LoadedHook, LoaderOptions, PATIENCE, Registration,
    Shared,
};
use crate::error::Error;
use crate::host::{Guarded, HookSource, Host, HostCall, Registrations};
use crate::loader::{LoaderError, ResolveContext, hook_entry, resolve_hook_path, utf8_path};

/// A hook that did not load.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LoadError {
    /// Its position in the load list.
    #[serde(skip)]
    pub hook: usize,
    /// Path as given.
    pub path: String,
    /// `Hook must export a default function`, or `Failed to load hook: <message>` with the offending line where there is one.
    pub error: String,
    /// Of a default export that is no function: its place and line, which the contract's text has no room for.
    #[serde(skip)]
    pub place: Option<String>,
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
    let sources = paths.iter().map(|path| HookSource::File(path.as_ref().to_owned())).collect();
    load_sources(sources, options).await
}

/// The same for any kind of hook: files, and factories that live in the host.
///
/// # Errors
/// See [`load_hooks`].
pub async fn load_sources(sources: Vec<HookSource>, options: RunnerOptions) -> Result<LoadHooksResult, Error> {
    let (engine, errors) = load_generation(&sources, &options, Shared::new()).await?;
    Ok(LoadHooksResult { runner: HookRunner::new(engine, sources, options, errors.clone()), errors })
}

/// Starts an isolate and loads the hooks into it, one after the other.
pub(super) async fn load_generation(
    sources: &[HookSource],
    options: &RunnerOptions,
    shared: Shared,
) -> Result<(EngineHandle, Vec<LoadError>), Error> {
    if options.heap_limit < LEAST_HEAP_LIMIT_MIB * 1024 * 1024 {
        return Err(Error::HeapLimit(options.heap_limit));
    }
    let isolates = Isolates::plan(sources, options)?;
    let mut shared = shared;
    // Hooks whose module or factory took the isolate with it are left out of the next try.
    let mut fatal: Vec<LoadError> = Vec::new();
    loop {
        let next = shared.next();
        let engine = EngineHandle::start(generation_options(options, &isolates, shared)?).map_err(Error::Engine)?;
        options.host_registrations.add(engine.shared());
        let context = ResolveContext::new(options.package_roots.clone());
        let mut errors = Vec::new();
        for (hook, source) in sources.iter().enumerate() {
            if let Some(error) = fatal.iter().find(|error| error.hook == hook) {
                errors.push(error.clone());
                continue;
            }
            let loaded = match source {
                HookSource::File(path) => load_file(&engine, hook, path, options, &isolates, &context).await,
                HookSource::Host { id, path } => {
                    load_from_host(&engine, hook, id, path, options).await.map_err(Failure::from)
                }
            };
            if let Err(error) = loaded {
                let Failure { error, place } = error;
                let error = LoadError { hook, path: source.path().to_owned(), error, place };
                if engine.shared().is_lost() {
                    fatal.push(error);
                    break;
                }
                errors.push(error);
            }
        }
        if !engine.shared().is_lost() {
            return Ok((engine, errors));
        }
        engine.shutdown();
        shared = next;
    }
}

async fn load_file(
    engine: &EngineHandle,
    index: usize,
    path: &str,
    options: &RunnerOptions,
    isolates: &Isolates,
    context: &ResolveContext,
) -> Result<(), Failure> {
    let file = module_file(path, &options.cwd, &options.home, context).map_err(|error| failed(&error.explained("")))?;
    // Noted before it is read: an edit may mend what cannot be read now.
    engine.shared().note_file(&file);
    let (isolate, permissions) = isolates.of(index);
    match engine.load(LoadEntry { index, path: path.to_owned(), file, permissions, isolate }).await {
        Ok(()) => Ok(()),
        Err(LoadFailure::NotAFunction(place)) => Err(Failure { error: NOT_A_FUNCTION.to_owned(), place }),
        Err(LoadFailure::Failed(message)) => Err(failed(&message).into()),
        Err(LoadFailure::EngineGone) => Err(failed("the hook engine stopped while the hook loaded").into()),
    }
}

/// The host runs the factory; the isolate only keeps its place in the order.
async fn load_from_host(
    engine: &EngineHandle,
    hook: usize,
    id: &str,
    path: &str,
    options: &RunnerOptions,
) -> Result<(), String> {
    let shared = engine.shared();
    let call = HostCall {
        id: 0,
        hook: Some(hook),
        emit: 0,
        name: "host.load".to_owned(),
        args: vec![shared.generation().into(), id.into()],
    };
    // Before the call: what the factory registers later is told under this hook.
    shared.begin_host_hook(hook, path);
    let registered = match Guarded(options.host.clone()).call(call).await {
        Ok(answer) => {
            serde_json::from_value::<Registrations>(answer.unwrap_or_else(|| json!({}))).map_err(|e| e.to_string())
        }
        Err(error) => Err(error.message),
    };
    let registered = match registered {
        Ok(registered) => registered,
        Err(message) => {
            shared.drop_hook(hook);
            return Err(if message == NOT_A_FUNCTION { message } else { failed(&message) });
        }
    };
    for (event, count) in &registered.handlers {
        for _ in 0..count.as_u64().unwrap_or_default().min(MAX_HANDLERS) {
            shared.register(hook, Registration::Handler, event, None);
        }
    }
    for command in &registered.commands {
        shared.register(hook, Registration::Command, &command.name, command.description.as_deref());
    }
    for renderer in &registered.renderers {
        shared.register(hook, Registration::Renderer, renderer, None);
    }
    engine.add_host_hook(hook, path);
    Ok(())
}

/// Handlers of one event that one factory of the host may have.
const MAX_HANDLERS: u64 = 10_000;

/// Error text of a hook without a function to call (`hooks.md §1`).
const NOT_A_FUNCTION: &str = "Hook must export a default function";

/// [`LoadError`] without the hook.
struct Failure {
    error: String,
    place: Option<String>,
}

impl From<String> for Failure {
    fn from(error: String) -> Self {
        Failure { error, place: None }
    }
}

fn failed(message: &str) -> String {
    format!("Failed to load hook: {message}")
}

pub(super) fn module_file(
    path: &str,
    cwd: &Path,
    home: &Path,
    context: &ResolveContext,
) -> Result<PathBuf, LoaderError> {
    let file = hook_entry(&resolve_hook_path(path, cwd, home)?, context)?;
    utf8_path(&file)?;
    Ok(file)
}

fn generation_options(
    options: &RunnerOptions,
    isolates: &Isolates,
    shared: Shared,
) -> Result<GenerationOptions, Error> {
    // Hooks see it as text, and everything relative is looked for from there.
    utf8_path(&options.cwd)?;
    let mut config = serde_json::Map::new();
    let rules: serde_json::Value =
        serde_json::from_str(&rules_json()).map_err(|error| Error::Engine(error.to_string()))?;
    config.insert("rules".to_owned(), rules);
    let mutation = match options.input_mutation {
        InputMutation::Ignore => "ignore",
        InputMutation::Apply => "apply",
    };
    config.insert("inputMutation".to_owned(), mutation.into());
    let milliseconds = |limit: Duration| u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
    let inspected = options.inspector.is_some();
    let handler_timeout = options.handler_timeout.filter(|_| !inspected);
    config.insert("handlerTimeoutMs".to_owned(), handler_timeout.map_or(0, milliseconds).into());
    config.insert("syncChildTimeoutMs".to_owned(), milliseconds(options.sync_child_timeout).into());
    if inspected {
        config.insert("shutdownTimeoutMs".to_owned(), 0.into());
    }
    // Time limits are for hooks that nobody watches.
    let patient = |limit: Duration| if inspected { PATIENCE } else { limit };
    config.insert("trace".to_owned(), options.trace.into());
    config.insert("theme".to_owned(), options.theme.clone().unwrap_or_else(|| json!({})));
    Ok(GenerationOptions {
        cwd: options.cwd.clone(),
        host: Arc::new(Guarded(options.host.clone())),
        shared: Arc::new(shared),
        loader: LoaderOptions {
            package_roots: options.package_roots.clone(),
            cache: options.cache.clone(),
            trusted_project: options.trusted_project.clone(),
        },
        config,
        load_timeout: patient(options.load_timeout),
        paused_clock: options.paused_clock,
        heap_limit: options.heap_limit,
        budget: Budget { cpu: patient(options.cpu_budget), blocked: patient(options.blocked_limit) },
        env: options.env.clone(),
        inspector: options.inspector.clone(),
        isolates: isolates.options.clone(),
    })
}
