//! The permission prompt behind `ask` (`lifecycle.md`, Verdicts).
//!
//! Only a person at the prompt can answer: the trait has no way to say "always", and no rule, wildcard grant or
//! autonomous approval may stand in for it.

use std::future::Future;
use std::pin::Pin;

use super::payload::Args;

/// Name of the permission a hook asks for.
pub const HOOK_PERMISSION: &str = "hook";

/// A future that can be sent between threads, as trait objects need it.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What the person is asked.
#[derive(Debug, Clone)]
pub struct PermissionRequest {
    /// Always [`HOOK_PERMISSION`].
    pub permission: &'static str,
    /// Session of the tool call.
    pub session_id: String,
    /// Tool id.
    pub tool: String,
    /// Id of the tool call.
    pub call_id: Option<String>,
    /// The tool's arguments.
    pub args: Args,
    /// Why the hooks ask; one line per asking hook.
    pub reason: String,
}

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PermissionAnswer {
    /// A person said yes to this one call.
    Granted,
    /// A person said no, or closed the prompt.
    Declined,
    /// There is nobody to ask.
    Unattended,
}

/// How a host asks a person.
pub trait PermissionPrompt: Send + Sync {
    /// Shows the request and waits for the person; there is no time limit. A dropped future means that the tool call was
    /// cancelled: take the prompt down.
    fn ask(&self, request: PermissionRequest) -> BoxFuture<'_, PermissionAnswer>;
}

/// A run without a person: every request is declined at once.
#[derive(Debug, Clone, Copy, Default)]
pub struct Headless;

impl PermissionPrompt for Headless {
    fn ask(&self, _request: PermissionRequest) -> BoxFuture<'_, PermissionAnswer> {
        Box::pin(std::future::ready(PermissionAnswer::Unattended))
    }
}
