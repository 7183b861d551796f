//! `tool.begin` and `tool.result`: the tool wrapper for hosts that have none (`docs/protocol.md` §7, `hooks.md` §5).

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

use super::emits::read_borrowed;
use crate::runner::{EmitError, RawOutcome, failure_reason};
use crate::serve::connection::Connection;
use crate::serve::fault;
use crate::serve::message::{Code, RpcError};
use crate::serve::peer::Reply;
use crate::serve::served_runner::ServedRunner;

/// Params of `tool.begin`.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BeginParams<'a> {
    #[serde(borrow)]
    pub runner: Cow<'a, str>,
    #[serde(borrow)]
    pub tool_name: Cow<'a, str>,
    #[serde(borrow)]
    pub tool_call_id: Cow<'a, str>,
    #[serde(borrow)]
    #[schemars(with = "Value")]
    pub input: &'a RawValue,
}

/// Result of `tool.begin`.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct BeginResult {
    /// Whether the tool shall run.
    pub run: bool,
    /// What it shall run with, when a handler edited it under `inputMutation: apply`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Value>")]
    pub input: Option<Box<RawValue>>,
    /// The text to fail the tool call with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// A `block`, not a throw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocked: Option<bool>,
}

/// Params of `tool.result`.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResultParams<'a> {
    #[serde(borrow)]
    pub runner: Cow<'a, str>,
    #[serde(borrow)]
    pub tool_name: Cow<'a, str>,
    #[serde(borrow)]
    pub tool_call_id: Cow<'a, str>,
    #[serde(borrow)]
    #[schemars(with = "Value")]
    pub input: &'a RawValue,
    pub is_error: bool,
    /// Of a success.
    #[serde(borrow, default)]
    #[schemars(with = "Option<Value>")]
    pub content: Option<&'a RawValue>,
    #[serde(borrow, default)]
    #[schemars(with = "Option<Value>")]
    pub details: Option<&'a RawValue>,
    /// Message of a failure.
    #[serde(borrow, default)]
    pub error: Option<Cow<'a, str>>,
}

/// Result of `tool.result`: what replaces the tool's own.
#[derive(Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Replacement {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub content: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub details: Option<Value>,
}

/// Text of a block without a reason.
const DEFAULT_REASON: &str = "Tool execution was blocked by a hook";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ToolEvent<'a> {
    r#type: &'static str,
    tool_name: &'a str,
    tool_call_id: &'a str,
    input: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    is_error: Option<bool>,
}

/// `tool.begin`
pub fn begin(connection: &Connection, params: Option<&RawValue>, reply: Reply) {
    let read = || -> Result<_, RpcError> {
        let params: BeginParams<'_> = read_borrowed(params)?;
        let served = connection.runner(&params.runner)?;
        served.get()?;
        Ok((params, served))
    };
    let (params, served) = match read() {
        Ok(read) => read,
        Err(error) => return connection.answer(reply, Err::<(), _>(error)),
    };
    let event = ToolEvent {
        r#type: "tool_call",
        tool_name: &params.tool_name,
        tool_call_id: &params.tool_call_id,
        input: params.input,
        content: None,
        details: None,
        is_error: None,
    };
    emit(connection, &served, &event, reply, |outcome| Ok(verdict(outcome)));
}

/// `tool.result`
pub fn result(connection: &Connection, params: Option<&RawValue>, reply: Reply) {
    let read = || -> Result<_, RpcError> {
        let params: ResultParams<'_> = read_borrowed(params)?;
        let served = connection.runner(&params.runner)?;
        served.get()?;
        Ok((params, served))
    };
    let (params, served) = match read() {
        Ok(read) => read,
        Err(error) => return connection.answer(reply, Err::<(), _>(error)),
    };
    let failure = params.error.as_deref().unwrap_or_default();
    let failure = to_raw_value(&json!([{ "type": "text", "text": failure }])).unwrap_or_default();
    let is_error = params.is_error;
    let event = ToolEvent {
        r#type: "tool_result",
        tool_name: &params.tool_name,
        tool_call_id: &params.tool_call_id,
        input: params.input,
        content: if is_error { Some(&failure) } else { params.content },
        details: if is_error { None } else { params.details },
        is_error: Some(is_error),
    };
    emit(connection, &served, &event, reply, move |outcome| {
        let outcome = outcome.map_err(|error| fault::of_emit(error, "tool_result"))?;
        // The error of a failed tool is the tool's own, whatever hooks say.
        let given = outcome.result.filter(|_| !is_error);
        given.map_or_else(
            || Ok(Replacement::default()),
            |given| serde_json::from_str(given.get()).map_err(|error| RpcError::new(Code::INTERNAL, error.to_string())),
        )
    });
}

fn emit<T: Serialize + 'static>(
    connection: &Connection,
    served: &ServedRunner,
    event: &ToolEvent<'_>,
    reply: Reply,
    to_result: impl FnOnce(Result<RawOutcome, EmitError>) -> Result<T, RpcError> + Send + 'static,
) {
    let runner = match served.get() {
        Ok(runner) => runner,
        Err(error) => return connection.answer(reply, Err::<(), _>(error)),
    };
    if !runner.has_handlers(event.r#type) {
        return connection.answer(reply, to_result(Ok(RawOutcome::default())));
    }
    let text = match serde_json::to_string(event) {
        Ok(text) => text,
        Err(error) => return connection.answer(reply, Err::<(), _>(RpcError::new(Code::INTERNAL, error.to_string()))),
    };
    let number = runner.next_emit_id();
    if let Some(id) = reply.id() {
        served.host.emits.open(number, id);
    }
    let (connection, host) = (connection.clone(), served.host.clone());
    runner.emit_with(
        number,
        event.r#type,
        || text,
        move |outcome| {
            host.emits.close(number);
            // A cancelled one is an error: the session is being aborted.
            match outcome {
                Err(EmitError::Cancelled) => {
                    connection.answer(reply, Err::<(), _>(fault::of_emit(EmitError::Cancelled, "tool_call")));
                }
                outcome => connection.answer(reply, to_result(outcome)),
            }
        },
    );
}

/// Whether the tool runs: a block, a throw or a failure of the engine keeps it from that.
fn verdict(outcome: Result<RawOutcome, EmitError>) -> BeginResult {
    #[derive(Deserialize)]
    struct Given {
        #[serde(default)]
        block: bool,
        #[serde(default)]
        reason: Value,
    }
    let refused =
        |error: String, blocked| BeginResult { run: false, input: None, error: Some(error), blocked: Some(blocked) };
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(error) => return refused(failure_reason(&error), false),
    };
    if let Some(result) = &outcome.result {
        match serde_json::from_str::<Given>(result.get()) {
            Ok(Given { block: true, reason }) => {
                let reason = match reason {
                    Value::Null | Value::Bool(false) => String::new(),
                    Value::String(reason) => reason,
                    other => other.to_string(),
                };
                return refused(if reason.is_empty() { DEFAULT_REASON.to_owned() } else { reason }, true);
            }
            Ok(Given { block: false, .. }) => {}
            Err(error) => return refused(format!("Hook failed, blocking execution: {error}"), false),
        }
    }
    BeginResult { run: true, input: outcome.input, error: None, blocked: None }
}
