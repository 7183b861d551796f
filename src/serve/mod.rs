//! `hookrt serve`: an agent in any language takes the engine as its hook backend, over JSON-RPC (`docs/protocol.md`).
//!
//! Below: `message` knows no I/O; `framing` reads lines; `queue` writes them with back-pressure; `pending` matches answers with requests;
//! `peer` puts these together over any pair of streams; `memory` is such a pair for tests. Above: `server` runs one `connection`, whose
//! `methods` act on its `served_runner`s; `remote_host` is the agent as the hooks see it, answering from its `mirror` what it can.

pub mod connection;
pub mod emit_table;
pub mod engine_messages;
pub mod fault;
pub mod framing;
pub mod handshake;
pub mod memory;
pub mod message;
pub mod methods;
pub mod mirror;
pub mod park;
pub mod peer;
pub mod pending;
pub mod queue;
pub mod remote_host;
pub mod schema;
pub mod served_runner;
pub mod server;
pub mod stdio;
mod watch;

pub use connection::Defaults;
pub use framing::{Line, LineReader, MAX_LINE_BYTES};
pub use message::{Code, Id, Message, Notification, Request, Response, RpcError};
pub use peer::{Peer, Reply};
pub use pending::{Answer, NoAnswer, Pending, Waiting};
pub use queue::{LineSender, LineWriter, MAX_QUEUED_BYTES, NotSent, line_queue};
pub use server::serve;
