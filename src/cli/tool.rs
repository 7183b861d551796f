//! `hookrt tool`: a program as a tool between its hooks.

use std::ffi::OsString;

use serde_json::json;

use super::args::ToolArgs;
use super::session::Session;
use super::{input, render};
use crate::engine;
use crate::lifecycle::{LifecycleDispatcher, LifecycleSettings, find_project};
use crate::runner::{HookToolWrapper, ToolError, ToolInput, ToolOutcome, ToolRun};

pub async fn run(args: ToolArgs) -> anyhow::Result<u8> {
    let tool_input = ToolInput::from_json(input::json_object(&args.input, "--input")?)?;
    let answers = args.answers.as_deref().map(input::answers).transpose()?;
    let session = Session::open(&args.hooks, answers).await?;
    let mut settings = LifecycleSettings::new(find_project(session.runner.cwd()));
    settings.user_packs = args.packs;
    settings.enforce = args.enforce;
    let lifecycle = LifecycleDispatcher::new(settings);
    let outcome = match session.refusal() {
        Some(reason) => ToolOutcome::Blocked { reason: reason.to_owned(), by: None },
        None => {
            let wrapper =
                HookToolWrapper::new(session.runner.clone()).with_lifecycle(lifecycle.clone(), args.session.as_str());
            let outcome = wrapper.execute(&args.name, "cli", tool_input, |_| program(args.command)).await;
            lifecycle.settle().await;
            outcome
        }
    };
    let mut result = session.tool_result(outcome);
    result.warnings.splice(0..0, lifecycle.warnings().iter().cloned());
    session.tell_unused(&mut result.warnings);
    session.close().await;
    render::json_line(&result)?;
    Ok(match result.outcome {
        "blocked" => 2,
        "error" => 1,
        _ => u8::from(!session.load_errors.is_empty()),
    })
}

/// Runs the program to its own end; its standard output is the content, a failing exit code or start is the tool's error.
async fn program(command: Vec<OsString>) -> Result<ToolRun, ToolError> {
    let Some((name, args)) = command.split_first() else {
        return Err(ToolError { message: "no command given".to_owned() });
    };
    let failed = |error: std::io::Error| ToolError { message: format!("{}: {error}", name.to_string_lossy()) };
    let mut child = engine::spawn(tokio::process::Command::new(name).args(args)).map_err(failed)?;
    let ended = engine::ended(&mut child, std::future::pending(), || {}).await;
    let status = ended.status.map_err(failed)?;
    let stdout = String::from_utf8_lossy(&ended.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&ended.stderr).into_owned();
    let code = status.code();
    if !status.success() {
        let shown = if stderr.trim().is_empty() { &stdout } else { &stderr };
        let how = code.map_or_else(|| "was killed by a signal".to_owned(), |code| format!("exited with code {code}"));
        return Err(ToolError { message: format!("{how}: {}", shown.trim()).trim_end_matches([' ', ':']).to_owned() });
    }
    Ok(ToolRun {
        content: json!([{ "type": "text", "text": stdout }]),
        details: Some(json!({ "exitCode": code, "stderr": stderr })),
    })
}
