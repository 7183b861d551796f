//! `initialize`: both sides say who they are and which protocol they speak (`docs/protocol.md` §2).

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::framing::MAX_LINE_BYTES;
use super::message::{Code, RpcError};
use super::queue::MAX_QUEUED_BYTES;
use super::remote_host::SYNC_READ;

/// The version this engine speaks.
pub const PROTOCOL_VERSION: i64 = 1;

/// Params of `initialize`.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InitializeParams {
    pub protocol_version: i64,
    #[serde(default)]
    pub client: Option<Peer>,
    /// Default for relative paths and for runners; default: the engine's own directory.
    #[serde(default)]
    pub cwd: Option<PathBuf>,
    /// Directories whose packages serve the host packages that hooks import.
    #[serde(default)]
    pub package_roots: Vec<PathBuf>,
    /// What the host answers; information only.
    #[serde(default)]
    pub capabilities: Vec<String>,
}

/// A program and its version.
#[derive(Debug, Clone, Deserialize, Serialize, schemars::JsonSchema)]
pub struct Peer {
    pub name: String,
    #[serde(default)]
    pub version: String,
}

/// Result of `initialize`.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InitializeResult {
    pub protocol_version: i64,
    pub server: Peer,
    pub engine: Peer,
    pub capabilities: Vec<String>,
    pub limits: Limits,
}

/// Limits of this engine.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Limits {
    pub max_line_bytes: usize,
    pub max_queued_bytes: usize,
    /// Milliseconds a blocking read may take.
    pub sync_read_ms: u64,
}

/// Checks the version and says who we are.
///
/// # Errors
/// [`Code::VERSION`] with the versions we speak; the host may try again.
pub fn answer(params: &InitializeParams) -> Result<InitializeResult, RpcError> {
    if params.protocol_version != PROTOCOL_VERSION {
        let message = format!(
            "protocol version mismatch: host speaks {}, engine speaks {PROTOCOL_VERSION}",
            params.protocol_version
        );
        return Err(RpcError::new(Code::VERSION, message).with_data(json!({
            "supported": [PROTOCOL_VERSION],
            "hint": "install a hookrt binary and a hookrt client of the same release",
        })));
    }
    if let Some(cwd) = params.cwd.as_deref() {
        // What is relative to nothing would come up later, as hooks that are not found.
        if !cwd.is_absolute() {
            let message = format!("params.cwd: {} must be an absolute path", cwd.display());
            return Err(RpcError::new(Code::INVALID_PARAMS, message).with_data(json!({ "field": "cwd" })));
        }
    }
    let capabilities: &[&str] =
        if cfg!(unix) { &["watch", "lifecycle", "discover", "socket"] } else { &["watch", "lifecycle", "discover"] };
    Ok(InitializeResult {
        protocol_version: PROTOCOL_VERSION,
        server: Peer { name: "hookrt".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
        engine: Peer { name: crate::ENGINE.to_owned(), version: crate::engine_version().to_owned() },
        capabilities: capabilities.iter().map(|name| (*name).to_owned()).collect(),
        limits: Limits {
            max_line_bytes: MAX_LINE_BYTES,
            max_queued_bytes: MAX_QUEUED_BYTES,
            sync_read_ms: u64::try_from(SYNC_READ.as_millis()).unwrap_or(u64::MAX),
        },
    })
}
