//! `hookrt command`

use super::args::CommandArgs;
use super::session::Session;
use super::{input, render};

pub async fn run(args: CommandArgs) -> anyhow::Result<u8> {
    let answers = args.answers.as_deref().map(input::answers).transpose()?;
    let session = Session::open(&args.hooks, answers).await?;
    let name = args.name.strip_prefix('/').unwrap_or(&args.name);
    let (mut result, failed) = session.command(name, &args.args.join(" ")).await;
    session.tell_unused(&mut result.warnings);
    session.close().await;
    render::json_line(&result)?;
    Ok(u8::from(failed || !session.load_errors.is_empty()))
}
