//! Ops through which the isolate tells what happened.

use std::time::Instant;

use base64::Engine as _;
use deno_core::{OpState, op2, v8};

use super::super::port::{PortRc, Registration};

fn port(state: &OpState) -> PortRc {
    state.borrow::<PortRc>().clone()
}

#[op2(fast)]
pub fn op_register(
    state: &mut OpState,
    #[smi] hook: i32,
    #[string] kind: &str,
    #[string] name: &str,
    #[string] description: &str,
) {
    let kind = match kind {
        "handler" => Registration::Handler,
        "command" => Registration::Command,
        _ => Registration::Renderer,
    };
    port(state).register(hook, kind, name, (!description.is_empty()).then_some(description));
}

#[op2(fast)]
pub fn op_handler_begins(state: &mut OpState, #[smi] hook: i32, #[number] emit: u64) {
    port(state).handler_begins(hook, emit);
}

#[op2(fast)]
pub fn op_in_host(state: &mut OpState, waits: bool) {
    port(state).in_host(waits);
}

#[op2(fast)]
pub fn op_emit_done(state: &mut OpState, #[number] id: u64, #[string] envelope: String) -> bool {
    port(state).emit_done(id, envelope)
}

/// Takes the string as it is: as `#[string]` it would be copied twice, and the larger copy kept.
#[op2(nofast)]
pub fn op_emit_result(
    scope: &mut v8::PinScope<'_, '_>,
    state: &mut OpState,
    #[number] id: u64,
    result: v8::Local<'_, v8::String>,
) -> bool {
    let result = result.to_rust_string_lossy(scope);
    port(state).emit_result(id, result)
}

#[op2(fast)]
pub fn op_hook_error(
    state: &mut OpState,
    #[smi] hook: i32,
    #[string] event: &str,
    #[string] message: &str,
    #[string] stack: &str,
) {
    port(state).hook_error(hook, event, message, (!stack.is_empty()).then_some(stack));
}

#[op2(fast)]
pub fn op_hook_warning(state: &mut OpState, #[smi] hook: i32, #[string] message: &str) {
    port(state).hook_warning(hook, message);
}

#[op2(fast)]
pub fn op_hook_denied(state: &mut OpState, #[smi] hook: i32, #[string] message: &str) {
    port(state).hook_denied(hook, message);
}

#[op2(fast)]
pub fn op_log(
    state: &mut OpState,
    #[smi] hook: i32,
    #[string] level: &str,
    #[string] message: &str,
    #[string] context: &str,
) {
    port(state).log(hook, level, message, (!context.is_empty()).then_some(context));
}

/// The session is over: ends the programs, watchers, servers and connections hooks have open.
#[op2(fast)]
pub fn op_session_over(state: &mut OpState) {
    port(state).session_over();
    // The first three are the standard streams, which later events print to.
    let open: Vec<_> = state.resource_table.names().map(|(rid, _)| rid).filter(|rid| *rid > 2).collect();
    for rid in open {
        if let Ok(resource) = state.resource_table.take_any(rid) {
            resource.close();
        }
    }
}

/// What a hook prints with `console`.
#[op2(fast)]
pub fn op_hook_print(state: &mut OpState, #[smi] hook: i32, #[string] level: &str, #[string] text: &str) {
    port(state).print(hook, level, text);
}

/// Milliseconds of a clock that never goes back.
#[op2(fast)]
pub fn op_monotonic_ms(state: &mut OpState) -> f64 {
    struct Origin(Instant);
    if state.try_borrow::<Origin>().is_none() {
        state.put(Origin(Instant::now()));
    }
    state.borrow::<Origin>().0.elapsed().as_secs_f64() * 1000.0
}

#[op2]
#[string]
pub fn op_bytes_to_base64(#[buffer] bytes: &[u8]) -> String {
    base64::engine::general_purpose::STANDARD.encode(bytes)
}
