//! What is shown in a terminal: text with colours measured in cells, the status line of hooks,
//! and what the terminal can do.

pub mod ansi;
pub mod status_line;
pub mod terminal;
pub mod width;

pub use status_line::StatusLine;
pub use terminal::Colors;
pub use width::{truncate_to_width, visible_width};
