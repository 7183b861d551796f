//! `pi.exec`.

use std::cell::RefCell;
use std::rc::Rc;

use deno_core::{OpState, op2};
use deno_error::JsErrorBox;
use deno_permissions::PermissionsContainer;

use super::super::port::{ExecOutput, ExecRequest, PortRc};
use super::env::Environment;

#[op2]
#[serde]
pub async fn op_exec(
    state: Rc<RefCell<OpState>>,
    #[smi] id: u32,
    #[string] command: String,
    #[serde] args: Vec<String>,
    #[string] cwd: String,
    #[number] timeout_ms: u64,
) -> Result<ExecOutput, JsErrorBox> {
    let (port, env) = {
        let mut state = state.borrow_mut();
        state
            .borrow_mut::<PermissionsContainer>()
            .check_run(&deno_permissions::RunQueryDescriptor::Name(command.clone()), "pi.exec()")
            .map_err(JsErrorBox::from_err)?;
        let env = state.borrow_mut::<Environment>().changes();
        (state.borrow::<PortRc>().clone(), env)
    };
    port.exec(ExecRequest { id, command, args, cwd, env, timeout_ms }).await.map_err(JsErrorBox::generic)
}

#[op2(fast)]
pub fn op_exec_kill(state: &mut OpState, #[smi] id: u32) {
    let port = state.borrow::<PortRc>().clone();
    port.exec_kill(id);
}
