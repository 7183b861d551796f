//! Ops of the deno crates that would reach past the isolate – end the process, move its working directory, change its environment, write to its standard output –
//! replaced by ones that do not (decision 11).

use deno_core::{OpDecl, OpState, op2};
use deno_error::JsErrorBox;
use deno_permissions::PermissionsContainer;

use super::super::port::PortRc;
use super::env;

/// Swaps the implementation of the ops named here; every other op stays as it is.
pub fn replace(op: OpDecl) -> OpDecl {
    match op.name {
        "op_exit" => op.with_implementation_from(&op_exit_refused()),
        "op_fs_chdir" => op.with_implementation_from(&op_chdir_refused()),
        "op_process_abort" => op.with_implementation_from(&op_abort_refused()),
        "op_inspector_open" | "op_inspector_connect" => op.with_implementation_from(&op_inspector_refused()),
        "op_node_process_kill" => op.with_implementation_from(&op_kill_others()),
        "op_env" => op.with_implementation_from(&env::op_environment()),
        "op_get_env" => op.with_implementation_from(&env::op_environment_get()),
        "op_get_env_no_permission_check" => op.with_implementation_from(&env::op_environment_of_node()),
        "op_set_env" => op.with_implementation_from(&env::op_environment_set()),
        "op_delete_env" => op.with_implementation_from(&env::op_environment_delete()),
        "op_print" => op.with_implementation_from(&op_print_to_log()),
        _ => op,
    }
}

#[op2(fast)]
fn op_exit_refused() -> Result<(), JsErrorBox> {
    Err(JsErrorBox::generic("process.exit() ends the process of the agent; a hook may only return or throw"))
}

#[op2(fast)]
fn op_chdir_refused(#[string] directory: &str) -> Result<(), JsErrorBox> {
    Err(JsErrorBox::generic(format!(
        "process.chdir({directory:?}) would move the agent and every other hook; pass `cwd` to the call that needs it"
    )))
}

/// `console.*` and whatever else prints: to the engine's log, never to a stream of the process.
#[op2(fast)]
fn op_print_to_log(state: &mut OpState, #[string] text: &str, is_err: bool) {
    let port = state.try_borrow::<PortRc>().cloned();
    if let Some(port) = port {
        port.log(super::super::port::NO_HOOK, if is_err { "error" } else { "info" }, text.trim_end_matches('\n'), None);
    }
}

#[op2(fast)]
fn op_abort_refused() -> Result<(), JsErrorBox> {
    Err(JsErrorBox::generic("process.abort() ends the process of the agent; a hook may only return or throw"))
}

#[op2(fast)]
fn op_inspector_refused() -> Result<(), JsErrorBox> {
    Err(JsErrorBox::new("NotSupported", "node:inspector is not available in hooks"))
}

/// `process.kill` for every process but the agent's. Gives the system's error number, 0 for none.
#[op2(fast)]
fn op_kill_others(state: &mut OpState, #[smi] pid: i32, #[smi] signal: i32) -> Result<i32, JsErrorBox> {
    if signal != 0 && reaches_agent(pid) {
        return Err(JsErrorBox::generic(format!(
            "process.kill({pid}) would signal the agent that runs this hook; a hook may only signal processes it started"
        )));
    }
    state.borrow_mut::<PermissionsContainer>().check_run_all("process.kill").map_err(JsErrorBox::from_err)?;
    send(pid, signal)
}

#[cfg(unix)]
fn reaches_agent(pid: i32) -> bool {
    use nix::unistd::{getpgrp, getpid, getppid};
    // 0 is the own process group, -1 everything; a group is a negative number.
    [0, -1, getpid().as_raw(), getppid().as_raw(), -getpgrp().as_raw()].contains(&pid)
}

#[cfg(unix)]
fn send(pid: i32, signal: i32) -> Result<i32, JsErrorBox> {
    use nix::sys::signal::{Signal, kill};
    let outcome = match signal {
        0 => Ok(None),
        _ => Signal::try_from(signal).map(Some),
    };
    let outcome = outcome.and_then(|signal| kill(nix::unistd::Pid::from_raw(pid), signal));
    Ok(outcome.err().map_or(0, |number| number as i32))
}

#[cfg(not(unix))]
fn reaches_agent(pid: i32) -> bool {
    pid <= 0 || u32::try_from(pid).is_ok_and(|pid| pid == std::process::id())
}

#[cfg(not(unix))]
fn send(_pid: i32, _signal: i32) -> Result<i32, JsErrorBox> {
    Err(JsErrorBox::new(
        "NotSupported",
        "process.kill() is not available in hooks on this platform; use the child's own kill()",
    ))
}
