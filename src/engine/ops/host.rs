//! Ops through which hooks call the host.

use std::cell::RefCell;
use std::rc::Rc;

use deno_core::{OpState, op2};
use deno_error::JsErrorBox;

use super::super::port::{HostFailure, PortCall, PortRc};

#[op2]
#[string]
pub async fn op_host_call(
    state: Rc<RefCell<OpState>>,
    #[smi] id: u32,
    #[smi] hook: i32,
    #[number] emit: u64,
    #[string] name: String,
    #[string] args: String,
) -> Result<Option<String>, HostFailure> {
    let port = state.borrow().borrow::<PortRc>().clone();
    let answer = port.host_call(PortCall { id, hook, emit, name, args });
    answer.await
}

#[op2]
#[string]
pub fn op_host_call_sync(
    state: &mut OpState,
    #[smi] hook: i32,
    #[number] emit: u64,
    #[string] name: String,
    #[string] args: String,
) -> Result<Option<String>, HostFailure> {
    let port = state.borrow::<PortRc>().clone();
    port.host_call_sync(PortCall { id: 0, hook, emit, name, args })
}

#[op2(fast)]
pub fn op_host_notify(
    state: &mut OpState,
    #[smi] hook: i32,
    #[number] emit: u64,
    #[string] name: String,
    #[string] args: String,
) -> Result<(), HostFailure> {
    let port = state.borrow::<PortRc>().clone();
    port.host_notify(PortCall { id: 0, hook, emit, name, args })
}

/// Handlers that a hook of the host has for an event now: the list is live during an emit.
#[op2(fast)]
#[smi]
pub fn op_handler_count(state: &mut OpState, #[smi] hook: i32, #[string] event: &str) -> u32 {
    let port = state.borrow::<PortRc>().clone();
    u32::try_from(port.handler_count(hook, event)).unwrap_or(u32::MAX)
}

/// Number of the session's state, -1 when the host does not count.
#[op2(fast)]
pub fn op_host_session_version(state: &mut OpState) -> f64 {
    let version = state.borrow::<PortRc>().session_version();
    version.map_or(-1.0, |version| version as f64)
}

#[op2(fast)]
pub fn op_host_cancel(state: &mut OpState, #[smi] id: u32) {
    let port = state.borrow::<PortRc>().clone();
    port.host_cancel(id);
}

#[op2(fast)]
pub fn op_require_found(state: &mut OpState, #[string] found: &str, #[string] referrer: &str) {
    let port = state.borrow::<PortRc>().clone();
    port.require_found(found, referrer);
}

#[op2]
#[string]
pub fn op_require_resolve(
    state: &mut OpState,
    #[string] specifier: &str,
    #[string] referrer: &str,
) -> Result<Option<String>, JsErrorBox> {
    let port = state.borrow::<PortRc>().clone();
    port.require_resolve(specifier, referrer).map_err(JsErrorBox::generic)
}
