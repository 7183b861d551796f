//! `hookrt replay`

use anyhow::Context as _;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::args::ReplayArgs;
use super::session::Session;
use super::{input, render};
use crate::json_text;

/// One line of a replay file.
#[derive(Debug)]
pub struct Line {
    pub event: String,
    /// An object.
    pub data: Box<RawValue>,
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
        let result = session.emit(&line.event, &line.data).await;
        render::json_line(&result)?;
        code = code.max(session.exit_code(&result));
    }
    session.close().await;
    Ok(code)
}

/// The lines of a replay file; an error names the line.
pub fn parse(text: &str) -> anyhow::Result<Vec<Line>> {
    let lines = text.lines().enumerate().filter(|(_, text)| !text.trim().is_empty());
    lines.map(|(index, text)| read_line(text).with_context(|| format!("line {}", index + 1))).collect()
}

fn read_line(text: &str) -> anyhow::Result<Line> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Fields {
        event: String,
        data: Option<Box<RawValue>>,
        answers: Option<Box<RawValue>>,
    }
    let Fields { event, data, answers } =
        serde_json::from_str(text).context("each line is {\"event\",\"data\",\"answers\"?}")?;
    let data = json_text::checked(data.as_deref().map_or("{}", RawValue::get)).context("data")?;
    let data = input::object(data, "data")?;
    input::check_event(&event, &data)?;
    let answers = match answers {
        Some(answers) => Some(input::read_answers(&json_text::checked(answers.get()).context("answers")?)?),
        None => None,
    };
    Ok(Line { event, data, answers })
}
