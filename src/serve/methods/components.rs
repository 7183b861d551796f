//! `renderers.render` and `component.*` (`docs/protocol.md` §9).

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::runner::EmitError;
use crate::serve::connection::Connection;
use crate::serve::fault;
use crate::serve::message::{Code, RpcError, read_params};
use crate::serve::peer::Reply;

/// Params of `renderers.render`.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RenderMessageParams {
    pub runner: String,
    pub custom_type: String,
    pub message: Value,
    #[serde(default)]
    pub options: RenderOptions,
    /// Columns.
    pub width: u32,
}

/// How a message is shown.
#[derive(Debug, Default, Deserialize, schemars::JsonSchema)]
pub struct RenderOptions {
    #[serde(default)]
    pub expanded: bool,
}

/// Result of `renderers.render` and `component.render`.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct Lines {
    /// Absent: the host draws its default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<Vec<String>>,
}

/// Params of `component.render`.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
pub struct RenderParams {
    pub runner: String,
    pub component: u64,
    /// Columns.
    pub width: u32,
    /// Height of the terminal.
    #[serde(default)]
    pub rows: u32,
}

/// Params of `component.input`.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
pub struct InputParams {
    pub runner: String,
    pub component: u64,
    /// Raw terminal input, one key a message.
    pub data: String,
}

/// Params of `component.invalidate`.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
pub struct InvalidateParams {
    pub runner: String,
    pub component: u64,
}

pub fn render_message(connection: &Connection, params: RenderMessageParams, reply: Reply) {
    let find = || -> Result<_, RpcError> {
        let runner = connection.runner(&params.runner)?.get()?.clone();
        if runner.is_host_renderer(&params.custom_type) {
            let message =
                format!("the renderer of {:?} belongs to a hook of the host and runs there", params.custom_type);
            return Err(RpcError::new(Code::NOT_AVAILABLE, message));
        }
        Ok(runner)
    };
    let runner = match find() {
        Ok(runner) => runner,
        Err(error) => return connection.answer(reply, Err::<(), _>(error)),
    };
    connection.answer_later(reply, async move {
        let RenderMessageParams { custom_type, message, options, width, .. } = params;
        match runner.render_message(&custom_type, &message, options.expanded, width).await {
            Ok(lines) => Ok(Lines { lines }),
            // It was reported; the host draws its default.
            Err(EmitError::Thrown(..)) => Ok(Lines { lines: None }),
            Err(error) => Err(fault::of_emit(error, "renderer")),
        }
    });
}

pub fn render(connection: &Connection, params: RenderParams, reply: Reply) {
    let runner = match connection.runner(&params.runner).and_then(|served| served.get().cloned()) {
        Ok(runner) => runner,
        Err(error) => return connection.answer(reply, Err::<(), _>(error)),
    };
    connection.answer_later(reply, async move {
        let lines = runner.render_component(params.component, params.width, params.rows).await;
        lines.map(|lines| Lines { lines: Some(lines) }).map_err(|error| fault::of_emit(error, ""))
    });
}

/// `component.input`
pub fn input(connection: &Connection, params: Option<&RawValue>) -> Result<(), RpcError> {
    let params: InputParams = read_params(params)?;
    let runner = connection.runner(&params.runner)?.get()?.clone();
    let work = runner.input_component(params.component, &params.data);
    connection.runtime().spawn(async move { note(work.await) });
    Ok(())
}

/// `component.invalidate`
pub fn invalidate(connection: &Connection, params: Option<&RawValue>) -> Result<(), RpcError> {
    let params: InvalidateParams = read_params(params)?;
    let runner = connection.runner(&params.runner)?.get()?.clone();
    let work = runner.invalidate_component(params.component);
    connection.runtime().spawn(async move { note(work.await) });
    Ok(())
}

/// A key for a component that has just closed is nobody's fault.
fn note(outcome: Result<(), EmitError>) {
    if let Err(error) = outcome {
        tracing::debug!("component: {error}");
    }
}
