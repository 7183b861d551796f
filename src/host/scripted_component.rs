//! A custom component in front of nobody: keys come from a list, what it draws is written down.

use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;

use super::call::BoxFuture;
use crate::ui::ansi::{Piece, pieces};

/// Draws components and types into them: what a runner offers.
pub trait ComponentDriver: Send + Sync + 'static {
    /// The lines of component `id` at this size in columns and rows.
    fn render(&self, id: u64, width: u32, rows: u32) -> BoxFuture<Result<Vec<String>, String>>;
    /// Hands one key over.
    fn input(&self, id: u64, key: String) -> BoxFuture<Result<(), String>>;
}

/// How a component is used: the `custom` answer of a case.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Script {
    /// Keys in order, as a terminal sends them; a number waits so many milliseconds.
    #[serde(default)]
    keys: Vec<Key>,
    #[serde(default = "default_width")]
    width: u32,
    #[serde(default = "default_rows")]
    rows: u32,
    /// Take it off the screen after the last key; otherwise it stays until the hook is done with it.
    #[serde(default)]
    close: bool,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Key {
    Wait(u64),
    Typed(String),
}

fn default_width() -> u32 {
    40
}

fn default_rows() -> u32 {
    24
}

impl Script {
    /// Plays the script; `seen` gets the lines after the opening and after each key, without their colours.
    pub(super) async fn play(self, driver: Arc<dyn ComponentDriver>, id: u64, seen: impl Fn(Vec<Value>)) {
        let draw = async || match driver.render(id, self.width, self.rows).await {
            Ok(lines) => seen(lines.iter().map(|line| Value::String(plain(line))).collect()),
            Err(error) => seen(vec![Value::String(format!("cannot be drawn: {error}"))]),
        };
        draw().await;
        for key in self.keys {
            match key {
                Key::Wait(ms) => tokio::time::sleep(Duration::from_millis(ms)).await,
                Key::Typed(key) => {
                    // A throw of the component is one of its hook's errors.
                    let _ = driver.input(id, key).await;
                }
            }
            draw().await;
        }
        if !self.close {
            std::future::pending::<()>().await;
        }
    }
}

fn plain(line: &str) -> String {
    pieces(line).filter_map(|piece| if let Piece::Text(text) = piece { Some(text) } else { None }).collect()
}
