//! `runner.*` (`docs/protocol.md` §4).

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::engine::is_variable_name;
use crate::runner::{InputMutation, LEAST_HEAP_LIMIT_MIB, RunnerOptions};
use crate::security::{PermissionError, Policy, parse_set};
use crate::serve::connection::Connection;
use crate::serve::message::{Code, RpcError};
use crate::serve::mirror::State;
use crate::serve::peer::Reply;
use crate::serve::remote_host::RemoteHost;
use crate::serve::served_runner::ServedRunner;

/// Params of `runner.create`.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateParams {
    pub runner: String,
    #[serde(default)]
    pub cwd: Option<PathBuf>,
    /// Added before those of `initialize`.
    #[serde(default)]
    pub package_roots: Vec<PathBuf>,
    #[serde(default)]
    pub options: Options,
}

/// Options of a runner.
#[derive(Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Options {
    /// What becomes of a handler's edits to `event.input`.
    pub input_mutation: InputMutation,
    /// Milliseconds of its own running time a handler may use. Default: 5000.
    pub cpu_budget_ms: Option<u64>,
    /// Milliseconds a handler may hold the engine's thread without running. Default: 30000.
    pub blocked_limit_ms: Option<u64>,
    /// Milliseconds a child process may take that a hook waits for synchronously without a `timeout` of its own. Default: 120000.
    pub sync_child_timeout_ms: Option<u64>,
    /// Milliseconds a handler may take in all, awaits included and dialogs not. Default: 0, no limit.
    pub handler_timeout_ms: Option<u64>,
    /// Milliseconds a hook may take to load. Default: 10000.
    pub load_timeout_ms: Option<u64>,
    /// Heap of the isolate. Default: 512.
    pub heap_limit_mb: Option<usize>,
    /// Reload on edits; default as `--watch`.
    pub watch: Option<bool>,
    /// What hooks may reach; default: what the server was started with, and never more.
    #[schemars(with = "Option<PermissionsShape>")]
    pub permissions: Option<Value>,
    /// Added to the hooks' `process.env` and to the environment of the programs they start.
    pub env: BTreeMap<String, String>,
}

/// The shape of `permissions`, which the security room reads.
#[derive(schemars::JsonSchema)]
#[schemars(rename = "Permissions")]
#[allow(dead_code)]
struct PermissionsShape {
    /// What is allowed, nothing else is; absent or "all": everything.
    allow: Option<Allow>,
    /// What is denied, whatever is allowed.
    deny: Option<Kinds>,
}

#[derive(schemars::JsonSchema)]
#[serde(untagged)]
#[allow(dead_code)]
enum Allow {
    All(All),
    Kinds(Kinds),
}

#[derive(schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
#[allow(dead_code)]
enum All {
    All,
}

/// Kind of permission to `true` (all of it) or a list.
#[derive(schemars::JsonSchema)]
#[allow(dead_code)]
struct Kinds {
    /// Files or directories.
    read: Option<Scope>,
    /// Files or directories.
    write: Option<Scope>,
    /// HOST or HOST:PORT.
    net: Option<Scope>,
    /// Names or paths of programs.
    run: Option<Scope>,
    /// Variables; `NAME_*` is a prefix.
    env: Option<Scope>,
    /// Facts about the machine.
    sys: Option<Scope>,
}

#[derive(schemars::JsonSchema)]
#[serde(untagged)]
#[allow(dead_code)]
enum Scope {
    All(bool),
    List(Vec<String>),
}

/// Params of `runner.initialize`.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InitializeParams {
    pub runner: String,
    #[serde(rename = "hasUI", default)]
    pub has_ui: bool,
    #[serde(default)]
    pub state: Option<State>,
}

/// Params of methods that only name a runner.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
pub struct RunnerParams {
    pub runner: String,
}

fn odd_env(message: String) -> RpcError {
    RpcError::new(Code::INVALID_PARAMS, message).with_data(json!({ "field": "options.env" }))
}

pub fn create(connection: &Connection, params: CreateParams, reply: Reply) {
    let env = params.options.env;
    if let Some(name) = env.keys().find(|name| !is_variable_name(name)) {
        let message = format!("params.options.env: {name:?} cannot be the name of an environment variable");
        return connection.answer(reply, Err::<(), _>(odd_env(message)));
    }
    if let Some((name, _)) = env.iter().find(|(_, value)| value.contains('\0')) {
        let message = format!("params.options.env.{name}: a value cannot hold a NUL character");
        return connection.answer(reply, Err::<(), _>(odd_env(message)));
    }
    let settings = connection.settings();
    let cwd = params.cwd.map_or_else(|| settings.cwd.clone(), |cwd| settings.cwd.join(cwd));
    let host = Arc::new(RemoteHost::new(connection.peer().clone(), &params.runner));
    let mut options = RunnerOptions::new(path_clean::clean(cwd));
    options.host = host.clone();
    options.env = env.into_iter().collect();
    options.inspector = connection.defaults().inspector.clone();
    options.package_roots = params.package_roots;
    options.package_roots.extend(settings.package_roots);
    options.input_mutation = params.options.input_mutation;
    if let Some(ms) = params.options.load_timeout_ms {
        options.load_timeout = Duration::from_millis(ms);
    }
    if let Some(ms) = params.options.handler_timeout_ms.filter(|ms| *ms > 0) {
        options.handler_timeout = Some(Duration::from_millis(ms));
    }
    if let Some(ms) = params.options.cpu_budget_ms {
        options.cpu_budget = Duration::from_millis(ms);
    }
    if let Some(ms) = params.options.blocked_limit_ms {
        options.blocked_limit = Duration::from_millis(ms);
    }
    if let Some(ms) = params.options.sync_child_timeout_ms {
        options.sync_child_timeout = Duration::from_millis(ms);
    }
    if let Some(mb) = params.options.heap_limit_mb {
        if mb < LEAST_HEAP_LIMIT_MIB {
            let error =
                RpcError::new(Code::INVALID_PARAMS, format!("options.heapLimitMb: at least {LEAST_HEAP_LIMIT_MIB}"))
                    .with_data(json!({ "field": "options.heapLimitMb" }));
            return connection.answer(reply, Err::<(), _>(error));
        }
        options.heap_limit = mb.saturating_mul(1024 * 1024);
    }
    // Read each time: it may have been edited.
    options.policy = match Policy::of_user(&|name: &str| std::env::var_os(name)) {
        Ok(policy) => policy,
        Err(error) => {
            let error = RpcError::new(Code::INTERNAL, format!("no hook is run: {error}"));
            return connection.answer(reply, Err::<Value, _>(error));
        }
    };
    let server = connection.defaults();
    options.permissions = server.permissions.clone();
    if let Some(wanted) = &params.options.permissions {
        match parse_set(wanted, "options.permissions", &options.cwd, Some(&options.home)) {
            Ok(wanted) => options.permissions = options.permissions.narrowed_by(&wanted),
            Err(error) => return connection.answer(reply, Err::<Value, _>(unusable(&error))),
        }
    }
    let watch = params.options.watch.unwrap_or(server.watch);
    let runner = ServedRunner::new(params.runner, host, options, watch);
    connection.answer(reply, connection.add(runner).map(|()| json!({})));
}

fn unusable(error: &PermissionError) -> RpcError {
    RpcError::new(Code::INVALID_PARAMS, error.to_string()).with_data(json!({ "field": error.place }))
}

pub fn initialize(connection: &Connection, params: InitializeParams, reply: Reply) {
    let outcome = connection.runner(&params.runner).map(|runner| {
        runner.initialize(params.has_ui, params.state.as_ref());
        json!({})
    });
    connection.answer(reply, outcome);
}

pub fn dispose(connection: &Connection, params: RunnerParams, reply: Reply) {
    let outcome = connection.remove(&params.runner).map(|runner| {
        runner.dispose();
        json!({})
    });
    connection.answer(reply, outcome);
}
