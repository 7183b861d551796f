//! An agent in Rust: hooks run against the typed host traits, with a scripted user interface and session.

mod commands;
mod components;
mod dialects;
mod dialogs;
mod endings;
mod scripted;
mod session;
