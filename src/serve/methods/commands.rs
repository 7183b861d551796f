//! `commands.*` (`docs/protocol.md` §8).

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::runners::RunnerParams;
use crate::runner::HookRunner;
use crate::serve::connection::Connection;
use crate::serve::fault;
use crate::serve::message::{Code, RpcError};
use crate::serve::peer::Reply;

/// Result of `commands.list`.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct Commands {
    /// All of them in load order; names may repeat.
    pub commands: Vec<Command>,
}

/// A registered command.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Command {
    /// Position of its hook in the load list.
    pub hook: usize,
    pub hook_path: String,
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// Params of `commands.run`.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
pub struct RunParams {
    pub runner: String,
    pub name: String,
    /// The rest of the line as the user typed it.
    #[serde(default)]
    pub args: String,
    /// Of this hook; default: the first one in load order that has it.
    #[serde(default)]
    pub hook: Option<usize>,
}

pub fn list(connection: &Connection, params: RunnerParams, reply: Reply) {
    let outcome = connection.runner(&params.runner).and_then(|served| {
        let commands = served.get()?.get_registered_commands().into_iter().map(|command| Command {
            hook: command.hook,
            hook_path: command.hook_path,
            name: command.name,
            description: command.description,
        });
        Ok(Commands { commands: commands.collect() })
    });
    connection.answer(reply, outcome);
}

pub fn run(connection: &Connection, params: RunParams, reply: Reply) {
    let find = || -> Result<_, RpcError> {
        let served = connection.runner(&params.runner)?;
        let runner = served.get()?.clone();
        let hook = hook_of(&runner, &params)?;
        Ok((served, runner, hook))
    };
    let (served, runner, hook) = match find() {
        Ok(found) => found,
        Err(error) => return connection.answer(reply, Err::<(), _>(error)),
    };
    let number = runner.next_emit_id();
    if let Some(id) = reply.id() {
        served.host.emits.open(number, id);
    }
    let subject = format!("command:{}", params.name);
    let work = runner.run_command_as(number, Some(hook), &params.name, &params.args);
    connection.answer_later(reply, async move {
        let outcome = work.await;
        served.host.emits.close(number);
        outcome.map(|()| json!({})).map_err(|error| fault::of_command(error, hook, &runner, &subject))
    });
}

fn hook_of(runner: &HookRunner, params: &RunParams) -> Result<usize, RpcError> {
    let wanted = |command: &crate::RegisteredCommand| {
        command.name == params.name && params.hook.is_none_or(|hook| hook == command.hook)
    };
    let Some(command) = runner.get_registered_commands().into_iter().find(wanted) else {
        return Err(RpcError::new(Code::NOT_FOUND, format!("no hook registers the command {:?}", params.name)));
    };
    if runner.is_host_hook(command.hook) {
        let message = format!("the command {:?} belongs to a hook of the host and runs there", params.name);
        return Err(RpcError::new(Code::NOT_AVAILABLE, message));
    }
    Ok(command.hook)
}
