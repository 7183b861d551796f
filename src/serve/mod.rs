//! The JSON-RPC peer under `hookrt serve`: messages, lines, waiting.
//!
//! `message` knows no I/O; `framing` reads lines; `queue` writes them with back-pressure; `pending`
//! matches answers with requests; `peer` puts these together over any pair of streams; `memory` is
//! such a pair for tests.

pub mod framing;
pub mod memory;
pub mod message;
pub mod park;
pub mod peer;
pub mod pending;
pub mod queue;

pub use framing::{Line, LineReader, MAX_LINE_BYTES};
pub use message::{Code, Id, Message, Notification, Request, Response, RpcError};
pub use peer::{Peer, Reply};
pub use pending::{Answer, NoAnswer, Pending, Waiting};
pub use queue::{LineSender, LineWriter, MAX_QUEUED_BYTES, NotSent, line_queue};
