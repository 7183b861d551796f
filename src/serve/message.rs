//! JSON-RPC 2.0 messages and their lines. No I/O here.
//!
//! Params and results stay JSON text ([`RawValue`]): an event goes from the pipe to the engine
//! without becoming a tree on the way.

use std::borrow::Cow;
use std::fmt;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// The id of a request: an integer or text, chosen by who sends it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(untagged)]
pub enum Id {
    /// An integer.
    Number(i64),
    /// Text.
    Text(String),
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Id::Number(number) => number.fmt(f),
            Id::Text(text) => text.fmt(f),
        }
    }
}

/// The error codes of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Code(pub i64);

#[rustfmt::skip]
impl Code {
    /// The line is not JSON.
    pub const PARSE: Code = Code(-32700);
    /// Not a JSON-RPC object, a batch, or a call at the wrong time.
    pub const INVALID_REQUEST: Code = Code(-32600);
    /// Unknown method.
    pub const UNKNOWN_METHOD: Code = Code(-32601);
    /// A field is missing or of the wrong type.
    pub const INVALID_PARAMS: Code = Code(-32602);
    /// A fault of the engine.
    pub const INTERNAL: Code = Code(-32603);
    /// A host callback failed.
    pub const HOST: Code = Code(-32000);
    /// A request before `initialize`.
    pub const NOT_INITIALIZED: Code = Code(-32001);
    /// Another protocol version.
    pub const VERSION: Code = Code(-32002);
    /// No such runner.
    pub const UNKNOWN_RUNNER: Code = Code(-32003);
    /// The name of a runner is taken.
    pub const RUNNER_EXISTS: Code = Code(-32004);
    /// Over the limit for a line.
    pub const LINE_TOO_LONG: Code = Code(-32005);
    /// A hook threw.
    pub const HOOK_THREW: Code = Code(-32010);
    /// A time limit, or a promise that can never settle.
    pub const TIMED_OUT: Code = Code(-32011);
    /// The heap limit.
    pub const OUT_OF_MEMORY: Code = Code(-32012);
    /// Cancelled, or its generation is gone.
    pub const CANCELLED: Code = Code(-32013);
    /// A value that cannot be marshalled.
    pub const NOT_MARSHALLABLE: Code = Code(-32014);
    /// A hook in quarantine; reserved.
    pub const QUARANTINED: Code = Code(-32015);
    /// No such command or component.
    pub const NOT_FOUND: Code = Code(-32020);
    /// The method exists, but not here.
    pub const NOT_AVAILABLE: Code = Code(-32021);
    /// Project files that are not trusted; reserved.
    pub const UNTRUSTED: Code = Code(-32022);
    /// After `shutdown` or the end of stdin.
    pub const SHUTTING_DOWN: Code = Code(-32030);
}

/// The `error` of a response.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema, thiserror::Error)]
#[error("{message} ({code})")]
pub struct RpcError {
    /// See [`Code`].
    pub code: i64,
    /// One line for a person; of a throw, the message of the `Error`.
    #[serde(default)]
    pub message: String,
    /// What the code defines, and `hint` where a person can act.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

impl RpcError {
    /// An error without data.
    pub fn new(code: Code, message: impl Into<String>) -> RpcError {
        RpcError { code: code.0, message: message.into(), data: None }
    }

    /// The same with data.
    pub fn with_data(self, data: Value) -> RpcError {
        RpcError { data: Some(data), ..self }
    }
}

/// A call that wants an answer.
#[derive(Debug, Clone)]
pub struct Request {
    /// The id of the answer.
    pub id: Id,
    /// The method.
    pub method: String,
    /// A JSON object; absent is `{}`.
    pub params: Option<Box<RawValue>>,
}

/// A call that wants none.
#[derive(Debug, Clone)]
pub struct Notification {
    /// The method.
    pub method: String,
    /// A JSON object; absent is `{}`.
    pub params: Option<Box<RawValue>>,
}

/// An answer.
#[derive(Debug, Clone)]
pub struct Response {
    /// The request; absent when its id could not be read.
    pub id: Option<Id>,
    /// What it gave.
    pub outcome: Result<Box<RawValue>, RpcError>,
}

/// One line of the protocol.
#[derive(Debug, Clone)]
pub enum Message {
    /// A call that wants an answer.
    Request(Request),
    /// A call that wants none.
    Notification(Notification),
    /// An answer.
    Response(Response),
}

/// Reads the params of a call. Absent ones are `{}`.
///
/// # Errors
/// [`Code::INVALID_PARAMS`] with serde's text, and the place in `data.field`.
pub fn read_params<T: DeserializeOwned>(params: Option<&RawValue>) -> Result<T, RpcError> {
    let text = params.map_or("{}", RawValue::get);
    serde_json::from_str(text).map_err(|error| params_error::<T>(text, &error))
}

/// The error response for `params` that cannot be read as a `T`; `data.field` is the path of the field that is missing or does not fit.
pub fn params_error<'a, T: Deserialize<'a>>(params: &'a str, error: &serde_json::Error) -> RpcError {
    let text = error.to_string();
    // Read once more for the path alone, so that what fits pays nothing for it.
    let again = serde_path_to_error::deserialize::<_, T>(&mut serde_json::Deserializer::from_str(params));
    let place = again.err().map(|error| error.path().to_string()).filter(|path| path != ".");
    let missing = text.strip_prefix("missing field `").and_then(|rest| rest.split('`').next());
    let path: Vec<&str> = place.as_deref().into_iter().chain(missing).collect();
    let data = (!path.is_empty()).then(|| serde_json::json!({ "field": path.join(".") }));
    RpcError { data, ..RpcError::new(Code::INVALID_PARAMS, text) }
}

/// A line as its fields, each still text.
#[derive(Deserialize)]
struct Wire<'a> {
    #[serde(borrow, default)]
    jsonrpc: Option<&'a RawValue>,
    // A `null` id is one, and none that can be answered.
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    method: Option<&'a RawValue>,
    #[serde(borrow, default)]
    params: Option<&'a RawValue>,
    // A `null` result is a result.
    #[serde(borrow, default, deserialize_with = "present")]
    result: Option<&'a RawValue>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
}

fn present<'de: 'a, 'a, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<&'a RawValue>, D::Error> {
    <&'a RawValue>::deserialize(deserializer).map(Some)
}

impl Message {
    /// Reads one line, without its newline.
    ///
    /// # Errors
    /// The response to send back: [`Code::PARSE`] for what is not JSON in UTF-8,
    /// [`Code::INVALID_REQUEST`] for JSON that is no message, with the id where it can be read.
    pub fn decode(line: &[u8]) -> Result<Message, Box<Response>> {
        let refuse = |id, code, message: String| Box::new(Response { id, outcome: Err(RpcError::new(code, message)) });
        let text = std::str::from_utf8(line)
            .map_err(|error| refuse(None, Code::PARSE, format!("the line is not UTF-8: {error}")))?;
        if text.trim_start().starts_with('[') {
            return Err(refuse(None, Code::INVALID_REQUEST, "batches are not supported".to_owned()));
        }
        let wire: Wire<'_> = serde_json::from_str(text).map_err(|error| {
            let code = if error.is_data() { Code::INVALID_REQUEST } else { Code::PARSE };
            refuse(None, code, error.to_string())
        })?;
        let id = wire.id.and_then(read_id);
        let Some(method) = wire.method else {
            return wire.response(id);
        };
        let invalid = |message: &str| refuse(id.clone(), Code::INVALID_REQUEST, message.to_owned());
        if wire.jsonrpc.is_none_or(|version| version.get() != "\"2.0\"") {
            return Err(invalid("`jsonrpc` must be \"2.0\""));
        }
        let method: Cow<'_, str> = serde_json::from_str(method.get()).map_err(|_| invalid("`method` must be text"))?;
        let method = method.into_owned();
        let params = match wire.params {
            Some(params) if !params.get().starts_with('{') => {
                return Err(invalid("`params` must be an object"));
            }
            params => params.map(ToOwned::to_owned),
        };
        match (wire.id, id.clone()) {
            (None, _) => Ok(Message::Notification(Notification { method, params })),
            (Some(_), Some(id)) => Ok(Message::Request(Request { id, method, params })),
            (Some(_), None) => Err(invalid("`id` must be an integer or text")),
        }
    }

    /// The line with its newline.
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Message::Request(Request { id, method, params }) => encode_call(Some(id), method, params.as_deref()),
            Message::Notification(Notification { method, params }) => encode_call(None, method, params.as_deref()),
            Message::Response(Response { id, outcome }) => encode_response(id.as_ref(), outcome.as_deref()),
        }
    }
}

impl Wire<'_> {
    fn response(&self, id: Option<Id>) -> Result<Message, Box<Response>> {
        let outcome = match (self.result, self.error) {
            (_, Some(error)) if error.get() != "null" => Err(serde_json::from_str(error.get()).unwrap_or_else(|_| {
                // An odd error is still a failure, never a success.
                RpcError::new(Code::HOST, error.get())
            })),
            (Some(result), _) => Ok(result.to_owned()),
            // Whoever asked must not wait for ever, nor take it for a consent.
            (None, _) if id.is_some() => Err(RpcError::new(Code::HOST, "an answer without a result or an error")),
            (None, _) => {
                let error = RpcError::new(Code::INVALID_REQUEST, "neither a call nor an answer");
                return Err(Box::new(Response { id, outcome: Err(error) }));
            }
        };
        Ok(Message::Response(Response { id, outcome }))
    }
}

fn read_id(raw: &RawValue) -> Option<Id> {
    match serde_json::from_str(raw.get()).ok()? {
        Value::String(text) => Some(Id::Text(text)),
        Value::Number(number) => number
            .as_i64()
            .or_else(|| number.as_f64().filter(|n| n.fract() == 0.0 && n.abs() < 9e15).map(|n| n as i64))
            .map(Id::Number),
        _ => None,
    }
}

/// The line of a call: a request with an id, else a notification.
pub fn encode_call(id: Option<&Id>, method: &str, params: Option<&RawValue>) -> Vec<u8> {
    let mut line = start(id, id.is_some(), params.map_or(0, |params| params.get().len()));
    line.extend_from_slice(b",\"method\":");
    push_json(&mut line, method);
    if let Some(params) = params {
        line.extend_from_slice(b",\"params\":");
        push_raw(&mut line, params.get());
    }
    line.extend_from_slice(b"}\n");
    line
}

/// The line of an answer.
pub fn encode_response(id: Option<&Id>, outcome: Result<&RawValue, &RpcError>) -> Vec<u8> {
    let mut line = start(id, true, outcome.map_or(0, |result| result.get().len()));
    match outcome {
        Ok(result) => {
            line.extend_from_slice(b",\"result\":");
            push_raw(&mut line, result.get());
        }
        Err(error) => {
            line.extend_from_slice(b",\"error\":");
            push_json(&mut line, error);
        }
    }
    line.extend_from_slice(b"}\n");
    line
}

fn start(id: Option<&Id>, with_id: bool, payload: usize) -> Vec<u8> {
    let mut line = Vec::with_capacity(payload + 96);
    line.extend_from_slice(b"{\"jsonrpc\":\"2.0\"");
    if with_id {
        line.extend_from_slice(b",\"id\":");
        push_json(&mut line, &id);
    }
    line
}

fn push_json<T: Serialize + ?Sized>(line: &mut Vec<u8>, value: &T) {
    let before = line.len();
    if serde_json::to_writer(&mut *line, value).is_err() {
        line.truncate(before);
        line.extend_from_slice(b"null");
    }
}

/// Newlines in JSON text are only layout, and would end the line.
fn push_raw(line: &mut Vec<u8>, text: &str) {
    let before = line.len();
    line.extend_from_slice(text.as_bytes());
    if text.as_bytes().contains(&b'\n') || text.as_bytes().contains(&b'\r') {
        for byte in &mut line[before..] {
            if matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
    }
}

#[cfg(test)]
#[path = "message_tests.rs"]
mod tests;
