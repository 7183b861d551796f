//! `statusLine.*` (`docs/protocol.md` §13).

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::serve::connection::Connection;
use crate::serve::message::{RpcError, read_params};
use crate::serve::peer::Reply;

/// Params of `statusLine.render`.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
pub struct RenderParams {
    pub runner: String,
    /// Columns.
    pub width: usize,
}

/// Result of `statusLine.render`.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct Line {
    /// Every status of the runner, empty when there is none.
    pub line: String,
}

/// Params of `statusLine.set`.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
pub struct SetParams {
    pub runner: String,
    pub key: String,
    /// Absent or null deletes the key.
    #[serde(default)]
    pub text: Option<String>,
}

pub fn render(connection: &Connection, params: RenderParams, reply: Reply) {
    let outcome = connection.runner(&params.runner);
    connection.answer(reply, outcome.map(|runner| Line { line: runner.host.status_line(params.width) }));
}

/// `statusLine.set`
pub fn set(connection: &Connection, params: Option<&RawValue>) -> Result<(), RpcError> {
    let SetParams { runner, key, text } = read_params(params)?;
    connection.runner(&runner)?.host.set_status(&key, text.as_deref());
    Ok(())
}
