//! Emits that go on in another isolate of the runner, where a hook with permissions of its own lives.

use std::cell::RefCell;
use std::rc::Rc;

use deno_core::{OpState, op2};

use super::super::port::{HostFailure, PortRc};

/// Runs the handlers of one hook over an event; the answer is the envelope.
#[op2]
#[string]
pub async fn op_apart_emit(
    state: Rc<RefCell<OpState>>,
    #[smi] hook: i32,
    #[number] emit: u64,
    #[string] name: String,
    #[string] event: String,
) -> Result<String, HostFailure> {
    let port = state.borrow().borrow::<PortRc>().clone();
    let envelope = port.emit_apart(hook, emit, name, event);
    envelope.await
}

#[op2(fast)]
pub fn op_apart_abort(state: &mut OpState, #[smi] hook: i32, #[number] emit: u64, #[string] reason: &str) {
    let port = state.borrow::<PortRc>().clone();
    port.abort_apart(hook, emit, reason);
}

#[op2(fast)]
pub fn op_apart_cancel(state: &mut OpState, #[smi] hook: i32, #[number] emit: u64) {
    let port = state.borrow::<PortRc>().clone();
    port.cancel_apart(hook, emit);
}
