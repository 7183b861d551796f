//! What went wrong, as the host gets it (`docs/protocol.md` §15).

use serde_json::{Value, json};

use super::message::{Code, RpcError};
use crate::error::Error;
use crate::runner::{BlockedBy, EmitError, HookRunner};

/// The error response of an emit, command or component call that failed. `subject` is the event's name.
pub fn of_emit(error: EmitError, subject: &str) -> RpcError {
    match error {
        EmitError::Thrown(thrown, by) => {
            let code = code_of(&thrown.message, by.is_some() || subject.is_empty());
            let mut data = place(by, subject);
            data["thrown"] = json!({ "isError": thrown.is_error });
            if let Some(stack) = thrown.stack {
                data["thrown"]["stack"] = stack.into();
            }
            RpcError::new(code, thrown.message).with_data(data)
        }
        EmitError::Cancelled => RpcError::new(Code::CANCELLED, "cancelled"),
        lost @ EmitError::Lost { .. } => RpcError::new(Code::CANCELLED, lost.to_string()),
        EmitError::Gone(gone) => RpcError::new(Code::CANCELLED, gone.to_string()),
        EmitError::NotFound(message) => RpcError::new(Code::NOT_FOUND, message),
        EmitError::Malformed(message) => RpcError::new(Code::INTERNAL, message),
    }
}

/// The same for a command, whose hook is known.
pub fn of_command(error: EmitError, hook: usize, runner: &HookRunner, subject: &str) -> RpcError {
    match error {
        EmitError::Thrown(thrown, _) => {
            let by = BlockedBy { hook: Some(hook), hook_path: runner.hook_path(hook), line: None };
            of_emit(EmitError::Thrown(thrown, Some(by)), subject)
        }
        other => of_emit(other, subject),
    }
}

/// Limits are reported by the engine, as errors that no handler threw; so are values that cannot leave the isolate.
fn code_of(message: &str, of_handler: bool) -> Code {
    if message.starts_with("timed out: ") {
        Code::TIMED_OUT
    } else if message.starts_with("out of memory: ") {
        Code::OUT_OF_MEMORY
    } else if of_handler {
        Code::HOOK_THREW
    } else {
        Code::NOT_MARSHALLABLE
    }
}

fn place(by: Option<BlockedBy>, subject: &str) -> Value {
    let mut data = json!({ "event": subject });
    if let Some(by) = by {
        if let Some(hook) = by.hook {
            data["hook"] = hook.into();
        }
        data["hookPath"] = by.hook_path.into();
    }
    data
}

/// The error response of anything else the engine could not do.
pub fn of_engine(error: &Error) -> RpcError {
    let fault = RpcError::new(Code::INTERNAL, error.to_string());
    match error.hint() {
        Some(hint) => fault.with_data(json!({ "hint": hint })),
        None => fault,
    }
}

/// A call that comes too early, twice or too late.
pub fn wrong_time(message: impl Into<String>) -> RpcError {
    RpcError::new(Code::INVALID_REQUEST, message)
}
