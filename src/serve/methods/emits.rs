//! `hooks.emit`, its signal and its end (`docs/protocol.md` §6). The event stays text from the line to the isolate, the result from there
//! to the line.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::runner::{EmitError, RawOutcome};
use crate::serve::connection::Connection;
use crate::serve::fault;
use crate::serve::message::{Code, Id, RpcError, params_error, read_params};
use crate::serve::peer::Reply;

/// Params of `hooks.emit`.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
pub struct EmitParams<'a> {
    #[serde(borrow)]
    pub runner: Cow<'a, str>,
    pub kind: EmitKind,
    /// A JSON object with `type`.
    #[serde(borrow)]
    #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
    pub event: &'a RawValue,
}

/// How an event is emitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum EmitKind {
    /// Any event.
    Emit,
    ToolCall,
    Context,
    BeforeAgentStart,
}

/// Result of `hooks.emit`.
#[derive(Debug, Default, Serialize, schemars::JsonSchema)]
pub struct EmitResult {
    /// The folded result.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<serde_json::Value>")]
    pub result: Option<Box<RawValue>>,
    /// What the tool shall run with, when a handler edited it under `inputMutation: apply`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<serde_json::Value>")]
    pub input: Option<Box<RawValue>>,
}

/// Params of `signal.abort` and `emit.cancel`.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
pub struct OpenEmitParams {
    pub runner: String,
    /// Id of the host's open request.
    pub emit: Id,
    /// What the signal's `reason` becomes (`signal.abort`).
    #[serde(default)]
    pub reason: Option<String>,
}

pub fn emit(connection: &Connection, params: Option<&RawValue>, reply: Reply) {
    let read = || -> Result<_, RpcError> {
        let params: EmitParams<'_> = read_borrowed(params)?;
        let name = event_name(params.kind, params.event.get())?;
        let served = connection.runner(&params.runner)?;
        Ok((params, name, served))
    };
    let refuse = |reply, error| connection.answer(reply, Err::<(), _>(error));
    let (params, name, served) = match read() {
        Ok(read) => read,
        Err(error) => return refuse(reply, error),
    };
    let runner = match served.get() {
        Ok(runner) => runner,
        Err(error) => return refuse(reply, error),
    };
    if !runner.crosses(&name) {
        return connection.answer(reply, Ok(EmitResult::default()));
    }
    let number = runner.next_emit_id();
    if let Some(id) = reply.id() {
        served.host.emits.open(number, id);
    }
    let sent = (params.kind == EmitKind::Context).then(|| messages_of(params.event.get()).map(fingerprint));
    let event = params.event.get();
    let subject = name.to_string();
    let (connection, host) = (connection.clone(), served.host.clone());
    runner.emit_with(
        number,
        &name,
        || event.to_owned(),
        move |outcome| {
            host.emits.close(number);
            connection.answer(reply, result_of(outcome, sent.flatten(), &subject));
        },
    );
}

fn result_of(outcome: Result<RawOutcome, EmitError>, sent: Option<u64>, subject: &str) -> Result<EmitResult, RpcError> {
    let outcome = outcome.map_err(|error| fault::of_emit(error, subject))?;
    let Some(result) = outcome.result else { return Ok(EmitResult { result: None, input: outcome.input }) };
    if subject != "context" {
        return Ok(EmitResult { result: Some(result), input: outcome.input });
    }
    // The array itself; absent when it is the one that was sent.
    let messages = messages_of(result.get()).filter(|messages| Some(fingerprint(messages)) != sent);
    Ok(EmitResult { result: messages.map(ToOwned::to_owned), input: None })
}

fn messages_of(event: &str) -> Option<&RawValue> {
    #[derive(Deserialize)]
    struct Messages<'a> {
        #[serde(borrow)]
        messages: &'a RawValue,
    }
    serde_json::from_str::<Messages<'_>>(event).ok().map(|event| event.messages)
}

fn fingerprint(raw: &RawValue) -> u64 {
    let mut hasher = DefaultHasher::new();
    raw.get().hash(&mut hasher);
    hasher.finish()
}

/// The name under which an event is emitted.
fn event_name(kind: EmitKind, event: &str) -> Result<Cow<'_, str>, RpcError> {
    #[derive(Deserialize)]
    struct Typed<'a> {
        #[serde(borrow)]
        r#type: Cow<'a, str>,
    }
    let name = match type_at_the_front(event) {
        Some(name) => Cow::Borrowed(name),
        None => {
            let typed: Typed<'_> = serde_json::from_str(event).map_err(|error| odd_event(format!("event: {error}")))?;
            typed.r#type
        }
    };
    let expected = match kind {
        EmitKind::Emit => return Ok(name),
        EmitKind::ToolCall => "tool_call",
        EmitKind::Context => "context",
        EmitKind::BeforeAgentStart => "before_agent_start",
    };
    if name != expected {
        return Err(odd_event(format!("event.type must be {expected:?} here, not {name:?}")));
    }
    Ok(name)
}

fn odd_event(message: String) -> RpcError {
    RpcError::new(Code::INVALID_PARAMS, message).with_data(serde_json::json!({ "field": "event.type" }))
}

/// The name when it is the first field, as it usually is: a large event is not searched for it.
fn type_at_the_front(event: &str) -> Option<&str> {
    let (name, _) = event.strip_prefix("{\"type\":\"")?.split_once('"')?;
    (!name.contains('\\')).then_some(name)
}

/// As `read_params`, for params that borrow from the line.
pub(super) fn read_borrowed<'a, T: Deserialize<'a>>(params: Option<&'a RawValue>) -> Result<T, RpcError> {
    let text = params.map_or("{}", RawValue::get);
    serde_json::from_str(text).map_err(|error| params_error::<T>(text, &error))
}

/// `signal.abort`
pub fn abort(connection: &Connection, params: Option<&RawValue>) -> Result<(), RpcError> {
    let params: OpenEmitParams = read_params(params)?;
    let served = connection.runner(&params.runner)?;
    if let Some(number) = served.host.emits.number_of(&params.emit) {
        served.get()?.abort_with(number, params.reason);
    }
    Ok(())
}

/// `emit.cancel`
pub fn cancel(connection: &Connection, params: Option<&RawValue>) -> Result<(), RpcError> {
    let params: OpenEmitParams = read_params(params)?;
    let served = connection.runner(&params.runner)?;
    if let Some(number) = served.host.emits.number_of(&params.emit) {
        served.get()?.cancel(number);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_found_wherever_it_stands() {
        let name = |event: &str| event_name(EmitKind::Emit, event).map(Cow::into_owned);
        assert_eq!(name(r#"{"type":"turn_end","x":1}"#).unwrap(), "turn_end");
        assert_eq!(name(r#"{ "x": {"type":"no"}, "type" : "turn_end" }"#).unwrap(), "turn_end");
        assert_eq!(name(r#"{"type":"a\"b"}"#).unwrap(), "a\"b");
        assert!(name(r#"{"x":1}"#).is_err());
        assert!(name("[]").is_err());
    }

    #[test]
    fn a_kind_fits_its_event() {
        assert!(event_name(EmitKind::ToolCall, r#"{"type":"tool_call"}"#).is_ok());
        let error = event_name(EmitKind::ToolCall, r#"{"type":"tool_result"}"#).unwrap_err();
        assert_eq!(error.code, Code::INVALID_PARAMS.0);
    }
}
