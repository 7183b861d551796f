//! `hooks.load`, `hooks.discover`, `hooks.discoverAndLoad`, `hooks.reload` and `host.register` (`docs/protocol.md` §5, §12).

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Map;
use serde_json::value::RawValue;

use super::runners::RunnerParams;
use crate::engine::{LoadedHook, Registration};
use crate::host::{HandlerCounts, HookSource, RegisteredName};
use crate::loader::{DiscoverOptions, Discovery, Listing, discover as find_hooks};
use crate::runner::{
    HookRunner, LoadError, Reloaded, RunnerOptions, environment, keep_trusted, load_sources, merge_sources,
};
use crate::security::{TrustStore, TrustedProject};
use crate::serve::connection::Connection;
use crate::serve::engine_messages::ReloadedParams;
use crate::serve::fault;
use crate::serve::message::{Code, RpcError, read_params};
use crate::serve::peer::Reply;
use crate::serve::served_runner::ServedRunner;
use crate::serve::watch;

/// A hook to load.
#[derive(Debug, Clone, Deserialize, schemars::JsonSchema)]
#[serde(untagged, expecting = r#"an entry is {"path": FILE} or {"host": ID} of a factory in the host"#)]
pub enum Entry {
    /// A factory that lives in the host; `path` is what errors call it, default `<host:ID>`.
    Host {
        host: String,
        #[serde(default)]
        path: Option<String>,
    },
    /// A hook file or directory.
    File { path: String },
}

impl From<Entry> for HookSource {
    fn from(entry: Entry) -> HookSource {
        match entry {
            Entry::File { path } => HookSource::File(path),
            Entry::Host { host, path } => {
                let path = path.unwrap_or_else(|| format!("<host:{host}>"));
                HookSource::Host { id: host, path }
            }
        }
    }
}

/// Params of `hooks.load`.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
pub struct LoadParams {
    pub runner: String,
    pub entries: Vec<Entry>,
}

/// Params of `hooks.discover`.
#[derive(Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DiscoverParams {
    pub cwd: Option<PathBuf>,
    pub disabled: Disabled,
    /// Default: true, a host decides.
    pub trust_project: Option<bool>,
}

/// Params of `hooks.discoverAndLoad`.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
pub struct DiscoverAndLoadParams {
    pub runner: String,
    /// The configured ones.
    #[serde(default)]
    pub entries: Vec<Entry>,
    #[serde(flatten)]
    pub discover: DiscoverParams,
}

/// What the person has switched off.
#[derive(Debug, Clone, Default, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct Disabled {
    /// `hook:TYPE:TOOL:NAME`
    pub items: Vec<String>,
    /// Provider ids.
    pub providers: Vec<String>,
}

/// Result of every kind of load.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct LoadResult {
    pub generation: u64,
    /// The loaded hooks in load order.
    pub hooks: Vec<LoadedHookInfo>,
    /// One per entry that failed.
    pub errors: Vec<LoadErrorInfo>,
    pub warnings: Vec<String>,
    /// Of a reload: a hook that was there did not load, and the running generation stays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discovery: Option<Listing>,
}

/// A loaded hook.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LoadedHookInfo {
    /// Position in the load list.
    pub hook: usize,
    /// As given.
    pub path: String,
    pub resolved_path: String,
    /// Number of handlers per event.
    #[schemars(with = "std::collections::BTreeMap<String, usize>")]
    pub handlers: HandlerCounts,
    pub commands: Vec<RegisteredName>,
    pub renderers: Vec<String>,
}

/// A hook that did not load.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct LoadErrorInfo {
    /// Position in the load list.
    pub hook: usize,
    /// As given.
    pub path: String,
    pub error: String,
}

pub fn load(connection: &Connection, params: LoadParams, reply: Reply) {
    let served = match begin(connection, &params.runner) {
        Ok(served) => served,
        Err(error) => return connection.answer(reply, Err::<(), _>(error)),
    };
    let sources = params.entries.into_iter().map(HookSource::from).collect();
    let connection = connection.clone();
    connection.clone().answer_later(reply, async move {
        let options = served.options.clone();
        load_into(&connection, &served, sources, options).await
    });
}

pub fn discover(connection: &Connection, params: DiscoverParams, reply: Reply) {
    let cwd = cwd_of(connection, &params);
    connection
        .answer_later(reply, async move { Ok(Listing::from(&look(&cwd, &RunnerOptions::new(&cwd).home, &params).0)) });
}

pub fn discover_and_load(connection: &Connection, params: DiscoverAndLoadParams, reply: Reply) {
    let served = match begin(connection, &params.runner) {
        Ok(served) => served,
        Err(error) => return connection.answer(reply, Err::<(), _>(error)),
    };
    let connection = connection.clone();
    connection.clone().answer_later(reply, async move {
        let mut options = served.options.clone();
        if let Some(cwd) = &params.discover.cwd {
            options.cwd = path_clean::clean(options.cwd.join(cwd));
        }
        let (discovery, trusted) = look(&options.cwd, &options.home, &params.discover);
        options.trusted_project = trusted;
        let configured = params.entries.into_iter().map(HookSource::from).collect();
        let sources = merge_sources(&discovery, configured, &options.cwd, &options.home);
        let mut result = load_into(&connection, &served, sources, options).await?;
        result.warnings.extend(discovery.warnings.iter().cloned());
        result.discovery = Some(Listing::from(&discovery));
        Ok(result)
    });
}

pub fn reload(connection: &Connection, params: RunnerParams, reply: Reply) {
    let find = || -> Result<_, RpcError> {
        let served = connection.runner(&params.runner)?;
        served.get()?;
        Ok(served)
    };
    let served = match find() {
        Ok(served) => served,
        Err(error) => return connection.answer(reply, Err::<(), _>(error)),
    };
    let connection = connection.clone();
    connection.clone().answer_later(reply, async move { reload_now(&connection, &served).await });
}

/// Loads the next generation and says how it went.
pub(in crate::serve) async fn reload_now(
    connection: &Connection,
    served: &Arc<ServedRunner>,
) -> Result<LoadResult, RpcError> {
    let runner = served.get()?;
    let Reloaded { kept, errors, .. } = tokio::select! {
        reloaded = runner.reload() => reloaded.map_err(|error| fault::of_engine(&error))?,
        () = served.when_disposed() => return Err(disposed()),
    };
    if !kept {
        // The new generation's hooks set theirs anew.
        served.host.clear_status();
    }
    watch::start(connection, served);
    Ok(LoadResult { kept: Some(kept), ..result_of(runner, &errors) })
}

fn begin(connection: &Connection, name: &str) -> Result<Arc<ServedRunner>, RpcError> {
    let served = connection.runner(name)?;
    served.begin_load()?;
    Ok(served)
}

async fn load_into(
    connection: &Connection,
    served: &Arc<ServedRunner>,
    sources: Vec<HookSource>,
    options: RunnerOptions,
) -> Result<LoadResult, RpcError> {
    let loaded = tokio::select! {
        loaded = load_sources(sources, options) => loaded.map_err(|error| fault::of_engine(&error))?,
        () = served.when_disposed() => return Err(disposed()),
    };
    let runner = served.loaded(loaded.runner);
    tell_rebuilds(connection, served, runner);
    watch::start(connection, served);
    Ok(result_of(runner, &loaded.errors))
}

/// An isolate that was past saving and is rebuilt by itself: the host hears of its hooks.
fn tell_rebuilds(connection: &Connection, served: &Arc<ServedRunner>, runner: &HookRunner) {
    let (weak, runtime) = (Arc::downgrade(served), connection.runtime().clone());
    runner.on_rebuilt(move |rebuilt| {
        let Some(served) = weak.upgrade() else { return };
        let Ok(runner) = served.get() else { return };
        served.host.clear_status();
        let result = LoadResult { kept: Some(rebuilt.kept), ..result_of(runner, &rebuilt.errors) };
        let params = ReloadedParams { runner: &served.name, reason: "rebuilt", result };
        served.host.tell_soon("hooks.reloaded", &params, &runtime);
    });
}

fn disposed() -> RpcError {
    RpcError::new(Code::CANCELLED, "the runner was disposed of while its hooks loaded")
}

fn result_of(runner: &HookRunner, errors: &[LoadError]) -> LoadResult {
    let generation = runner.generation();
    let hooks = runner.announce().into_iter().map(hook_info).collect();
    let errors = errors.iter().map(|LoadError { hook, path, error, .. }| LoadErrorInfo {
        hook: *hook,
        path: path.clone(),
        error: error.clone(),
    });
    LoadResult { generation, hooks, errors: errors.collect(), warnings: Vec::new(), kept: None, discovery: None }
}

fn hook_info((hook, loaded): (usize, LoadedHook)) -> LoadedHookInfo {
    let mut handlers = Map::new();
    for (event, count) in loaded.handlers {
        handlers.insert(event, count.into());
    }
    let commands = loaded.commands.into_iter().map(|(name, description)| RegisteredName { name, description });
    LoadedHookInfo {
        hook,
        path: loaded.path,
        resolved_path: loaded.resolved_path,
        handlers,
        commands: commands.collect(),
        renderers: loaded.renderers,
    }
}

fn cwd_of(connection: &Connection, params: &DiscoverParams) -> PathBuf {
    let base = connection.settings().cwd;
    path_clean::clean(params.cwd.as_ref().map_or_else(|| base.clone(), |cwd| base.join(cwd)))
}

fn look(cwd: &Path, home: &Path, params: &DiscoverParams) -> (Discovery, Option<Arc<TrustedProject>>) {
    let disabled = DiscoverOptions {
        disabled_items: params.disabled.items.iter().cloned().collect(),
        disabled_providers: params.disabled.providers.iter().cloned().collect(),
    };
    let mut discovery = find_hooks(cwd, home, &environment, &disabled);
    if params.trust_project != Some(false) {
        return (discovery, None);
    }
    match keep_trusted(&mut discovery, cwd, TrustStore::open(&|name: &str| std::env::var_os(name))) {
        Ok(trusted) => (discovery, trusted),
        Err(reason) => {
            discovery.warnings.push(format!("hooks of the project {} are not run: {reason}", cwd.display()));
            (discovery, None)
        }
    }
}

/// Params of `host.register`: exactly one of `event`, `command`, `renderer`.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
pub struct RegisterParams {
    pub runner: String,
    pub hook: usize,
    pub generation: u64,
    #[serde(default)]
    pub event: Option<String>,
    #[serde(default)]
    pub command: Option<RegisteredName>,
    #[serde(default)]
    pub renderer: Option<String>,
}

/// `host.register`
pub fn register(connection: &Connection, params: Option<&RawValue>) -> Result<(), RpcError> {
    let params: RegisterParams = read_params(params)?;
    let served = connection.runner(&params.runner)?;
    let note = |kind, name: &str, description: Option<&str>| {
        served.options.host_registrations.register(params.generation, params.hook, kind, name, description);
    };
    if let Some(event) = &params.event {
        note(Registration::Handler, event, None);
    }
    if let Some(command) = &params.command {
        note(Registration::Command, &command.name, command.description.as_deref());
    }
    if let Some(renderer) = &params.renderer {
        note(Registration::Renderer, renderer, None);
    }
    Ok(())
}
