//! The methods of the protocol, one file a family. Each takes the connection, its params and, for a request, the reply.

pub mod commands;
pub mod components;
pub mod emits;
pub mod lifecycle;
pub mod loading;
pub mod runners;
pub mod state;
pub mod status_line;
pub mod tools;
