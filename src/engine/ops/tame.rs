//! Ops of the deno crates that would reach past the isolate – end the process, move its working directory, write to its standard output –
//! replaced by ones that do not (decision 11).

use deno_core::{OpDecl, OpState, op2};
use deno_error::JsErrorBox;

use super::super::port::PortRc;

/// Swaps the implementation of the ops named here; every other op stays as it is.
pub fn replace(op: OpDecl) -> OpDecl {
    match op.name {
        "op_exit" => op.with_implementation_from(&op_exit_refused()),
        "op_fs_chdir" => op.with_implementation_from(&op_chdir_refused()),
        "op_process_abort" => op.with_implementation_from(&op_abort_refused()),
        "op_inspector_open" | "op_inspector_connect" => op.with_implementation_from(&op_inspector_refused()),
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
