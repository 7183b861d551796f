//! `hookrt emit`

use anyhow::Context as _;

use super::args::EmitArgs;
use super::session::Session;
use super::{input, render};

pub async fn run(args: EmitArgs) -> anyhow::Result<u8> {
    let data = input::json_object(&args.data, "--data")?;
    input::check_event(&args.event, &data).context("--data")?;
    let answers = args.answers.as_deref().map(input::answers).transpose()?;
    let session = Session::open(&args.hooks, answers).await?;
    let mut result = session.emit(&args.event, &data).await;
    session.tell_unused(&mut result.warnings);
    session.close().await;
    render::json_line(&result)?;
    Ok(session.exit_code(&result))
}
