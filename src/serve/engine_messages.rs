//! What the engine tells the host by itself, and what it asks for hooks that live there. The calls of hooks are
//! [`CallParams`](super::remote_host::CallParams).

use serde::Serialize;
use serde_json::Value;

use super::message::Id;
use super::methods::loading::LoadResult;
use crate::engine::{HookError, LateRegistration, Registration};
use crate::host::RegisteredName;

/// Params of `hooks.error`.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ErrorParams<'a> {
    pub runner: &'a str,
    /// Position in the load list; absent when no hook owns the failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hook: Option<usize>,
    pub hook_path: &'a str,
    /// Name of the event, `command:NAME`, `renderer:TYPE`, `unhandled`, …
    pub event: &'a str,
    /// Message of what was thrown.
    pub error: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stack: Option<&'a str>,
}

impl<'a> ErrorParams<'a> {
    pub fn new(runner: &'a str, error: &'a HookError) -> Self {
        ErrorParams {
            runner,
            hook: error.hook,
            hook_path: &error.hook_path,
            event: &error.event,
            error: &error.error,
            stack: error.stack.as_deref(),
        }
    }
}

/// Params of `hooks.warning`.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct WarningParams<'a> {
    pub runner: &'a str,
    pub message: &'a str,
}

/// Params of `hooks.registered`: exactly one of `event`, `command`, `renderer`.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct RegisteredParams<'a> {
    pub runner: &'a str,
    pub hook: usize,
    pub generation: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<RegisteredName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renderer: Option<&'a str>,
}

impl<'a> RegisteredParams<'a> {
    pub fn new(runner: &'a str, late: &LateRegistration<'a>) -> Self {
        let LateRegistration { generation, hook, kind, name, description } = *late;
        let mut params = RegisteredParams { runner, hook, generation, event: None, command: None, renderer: None };
        match kind {
            Registration::Handler => params.event = Some(name),
            Registration::Renderer => params.renderer = Some(name),
            Registration::Command => {
                let description = description.map(str::to_owned);
                params.command = Some(RegisteredName { name: name.to_owned(), description });
            }
        }
        params
    }
}

/// Params of `hooks.reloaded`.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct ReloadedParams<'a> {
    pub runner: &'a str,
    /// `watch` or `rebuilt`.
    pub reason: &'a str,
    #[serde(flatten)]
    pub result: LoadResult,
}

/// Params of `host.load`.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct HostLoadParams<'a> {
    pub runner: &'a str,
    pub hook: Option<usize>,
    pub generation: &'a Value,
    /// Id of the factory.
    pub host: &'a Value,
}

/// Params of `host.invoke`.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct HostInvokeParams<'a> {
    pub runner: &'a str,
    pub hook: Option<usize>,
    pub generation: &'a Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emit: Option<Id>,
    pub event: &'a Value,
    /// Of the handler, in registration order per event.
    pub index: &'a Value,
    /// The event object.
    pub payload: &'a Value,
}

/// Result of `host.invoke`.
#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
pub struct HostInvokeResult {
    /// What the handler resolved to.
    #[serde(default)]
    pub result: Option<Value>,
    /// The event object, when the handler edited it in place.
    #[serde(default)]
    pub payload: Option<serde_json::Map<String, Value>>,
}
