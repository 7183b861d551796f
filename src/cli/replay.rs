//! `hookrt replay`

use anyhow::{Context as _, bail};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::args::ReplayArgs;
use super::session::Session;
use super::{input, render};

/// One line of a replay file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    pub event: String,
    #[serde(default)]
    pub data: Map<String, Value>,
    pub answers: Option<Vec<Value>>,
}

pub async fn run(args: ReplayArgs) -> anyhow::Result<u8> {
    let source = if args.file == "-" { args.file.clone() } else { format!("@{}", args.file) };
    let (text, from) = input::read(&source, "replay")?;
    let lines = parse(&text).with_context(|| from)?;
    let has_ui = lines.iter().any(|line| line.answers.is_some());
    let session = Session::open(&args.hooks, has_ui.then(Vec::new)).await?;
    let mut code = 0;
    for line in lines {
        session.host.push_answers(line.answers.unwrap_or_default());
        let result = session.emit(&line.event, line.data).await;
        render::json_line(&result)?;
        code = code.max(session.exit_code(&result));
    }
    session.close().await;
    Ok(code)
}

/// The lines of a replay file; an error names the line.
pub fn parse(text: &str) -> anyhow::Result<Vec<Line>> {
    let mut lines = Vec::new();
    for (index, text) in text.lines().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
        let line: Line = match serde_json::from_str(text) {
            Ok(line) => line,
            Err(error) => bail!("line {}: {error}; each line is {{\"event\",\"data\",\"answers\"?}}", index + 1),
        };
        let answers =
            line.answers.map(input::check_answers).transpose().with_context(|| format!("line {}", index + 1))?;
        lines.push(Line { answers, ..line });
    }
    Ok(lines)
}
