//! `hookrt play`: an agent of a few hundred lines in the terminal, for trying hooks: dialogs, notices, the status line, custom components,
//! slash commands, events from the keyboard or a replay file, and every call hooks make. It is built on the typed host traits alone.

mod ansi_line;
mod app;
mod draw;
mod editing;
mod host;
mod keys;
mod orders;
mod prompt;
mod run;
mod screen;
mod session;
mod stderr;

pub use run::run;
