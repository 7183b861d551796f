//! `lifecycle.dispatch`: the shell hooks of `lifecycle.md` (`docs/protocol.md` §14).

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::lifecycle::{
    Args, Decision, EventName, LifecycleDispatcher, LifecycleError, LifecycleEvent, LifecycleSettings, Outcome,
    Subject, find_project,
};
use crate::serve::connection::Connection;
use crate::serve::message::{Code, RpcError, read_params};
use crate::serve::peer::Reply;

/// Params of `lifecycle.dispatch`.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DispatchParams {
    /// The project, or a directory in it.
    pub cwd: PathBuf,
    /// One of the eleven events.
    pub event: String,
    #[serde(default)]
    pub tool: Option<String>,
    #[serde(default)]
    pub session_id: String,
    #[serde(default)]
    pub args: Map<String, Value>,
    /// Packs of the user's own configuration.
    #[serde(default)]
    pub packs: Vec<String>,
}

/// Result of `lifecycle.dispatch`.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct DispatchResult {
    pub ok: bool,
    pub blocked: bool,
    /// Text of the block.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// A hook wants a person to be asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ask: Option<Ask>,
    /// Text to append to the tool result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feedback: Option<String>,
    /// One per hook that ran.
    pub outputs: Vec<Output>,
    pub warnings: Vec<String>,
}

/// What a person is to be asked.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct Ask {
    /// `hook`
    pub permission: String,
    pub reason: String,
}

/// What one hook did.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct Output {
    pub command: String,
    pub exit: i32,
    pub stdout: String,
    pub stderr: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
}

pub fn dispatch(connection: &Connection, params: DispatchParams, reply: Reply) {
    match prepare(connection, params) {
        Ok((hooks, event, warnings)) => connection.answer_later(reply, async move {
            let outcome = hooks.run_to_end(event).await;
            Ok(result_of(outcome, warnings))
        }),
        Err(error) => connection.answer(reply, Err::<(), _>(error)),
    }
}

/// The same as a notification: for events that only observe.
pub fn observe(connection: &Connection, params: Option<&RawValue>) -> Result<(), RpcError> {
    let (hooks, event, _) = prepare(connection, read_params(params)?)?;
    connection.runtime().spawn(async move { hooks.run_to_end(event).await });
    Ok(())
}

fn prepare(
    connection: &Connection,
    params: DispatchParams,
) -> Result<(LifecycleDispatcher, LifecycleEvent, Vec<String>), RpcError> {
    let name: EventName = params.event.parse().map_err(invalid)?;
    let args = Args::from_json(&Value::Object(params.args).to_string()).map_err(invalid)?;
    let subject = Subject { session_id: &params.session_id, tool: params.tool.as_deref(), call_id: None };
    let read = LifecycleEvent::read(name, subject, &args).map_err(invalid)?;
    let cwd = connection.settings().cwd.join(params.cwd);
    let mut settings = LifecycleSettings::new(find_project(&cwd));
    settings.user_packs = params.packs;
    let hooks = LifecycleDispatcher::new(settings);
    let mut warnings = hooks.warnings().to_vec();
    if !read.dropped.is_empty() {
        let fields = read.dropped.join(", ");
        warnings.push(format!("{name}: hooks of this event do not get the fields {fields}"));
    }
    Ok((hooks, read.event, warnings))
}

fn invalid(error: LifecycleError) -> RpcError {
    let hint = error.hint();
    RpcError::new(Code::INVALID_PARAMS, error.to_string()).with_data(serde_json::json!({ "hint": hint }))
}

fn result_of(outcome: Outcome, mut warnings: Vec<String>) -> DispatchResult {
    let detail = outcome.blocked.then(|| outcome.reason.clone().unwrap_or_else(|| "hook failed".to_owned()));
    let ask = (outcome.decision == Decision::Ask)
        .then(|| Ask { permission: "hook".to_owned(), reason: outcome.reason.clone().unwrap_or_default() });
    warnings.extend(outcome.warnings);
    DispatchResult {
        ok: outcome.ok,
        blocked: outcome.blocked,
        detail,
        ask,
        feedback: outcome.feedback,
        outputs: outcome
            .outputs
            .into_iter()
            .map(|output| Output {
                command: output.command,
                exit: output.exit,
                stdout: output.stdout,
                stderr: output.stderr,
                truncated: output.truncated,
            })
            .collect(),
        warnings,
    }
}
