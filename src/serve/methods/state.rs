//! `mirror.*`: pushed session state (`docs/protocol.md` §10).

use serde::Deserialize;
use serde_json::value::RawValue;

use super::runners::RunnerParams;
use crate::serve::connection::Connection;
use crate::serve::message::{RpcError, read_params};
use crate::serve::mirror::State;

/// Params of `mirror.set`.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
pub struct SetParams {
    pub runner: String,
    pub state: State,
}

pub fn snapshot(connection: &Connection, params: Option<&RawValue>) -> Result<(), RpcError> {
    let RunnerParams { runner } = read_params(params)?;
    connection.runner(&runner)?.host.take_snapshot(read_params(params)?);
    Ok(())
}

pub fn append(connection: &Connection, params: Option<&RawValue>) -> Result<(), RpcError> {
    let RunnerParams { runner } = read_params(params)?;
    connection.runner(&runner)?.host.append(read_params(params)?);
    Ok(())
}

pub fn set(connection: &Connection, params: Option<&RawValue>) -> Result<(), RpcError> {
    let SetParams { runner, state } = read_params(params)?;
    connection.runner(&runner)?.set_state(&state);
    Ok(())
}
