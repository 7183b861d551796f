//! `hookrt test`: cases of hook authors, and of this repository.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::args::TestArgs;
use super::case::{CaseSettings, Outcome, Verdict, find_cases, run_case};
use super::{render, session};
use crate::runner::RunnerOptions;

pub async fn run(args: TestArgs) -> anyhow::Result<u8> {
    let mut cases = Vec::new();
    for root in &args.dirs {
        cases.extend(find_cases(Path::new(root))?);
    }
    anyhow::ensure!(!cases.is_empty(), "no case.json found in {}", args.dirs.join(", "));
    cases.retain(|case| args.filter.as_ref().is_none_or(|filter| case.to_string_lossy().contains(filter)));
    let filter = args.filter.as_deref().unwrap_or_default();
    anyhow::ensure!(!cases.is_empty(), "no case in {} has {filter:?} in its path", args.dirs.join(", "));
    let cwd = std::env::current_dir().context("the current directory cannot be read")?;
    let settings = CaseSettings {
        update: args.update,
        inspector: args.inspect.listen()?,
        permissions: args.permissions.into_set(&cwd, &RunnerOptions::new(&cwd).home),
        policy: session::policy()?,
    };
    let verdicts = run_all(cases, settings).await;
    let count = |wanted: fn(&Outcome) -> bool| verdicts.iter().filter(|verdict| wanted(&verdict.outcome)).count();
    let failed = count(|outcome| matches!(outcome, Outcome::Failed(_)));
    let skipped = count(|outcome| matches!(outcome, Outcome::Skipped));
    let passed = verdicts.len() - failed - skipped;
    if args.json {
        render::json_line(
            &serde_json::json!({ "passed": passed, "failed": failed, "skipped": skipped, "cases": verdicts }),
        )?;
        return Ok(u8::from(failed > 0));
    }
    for verdict in &verdicts {
        match &verdict.outcome {
            Outcome::Passed => {}
            Outcome::Skipped => render::line(&format!("skipped {} (not for this engine)", verdict.case))?,
            Outcome::Updated => render::line(&format!("updated {}", verdict.case))?,
            Outcome::Failed(message) => render::line(&format!("FAILED  {}\n{}", verdict.case, indent(message)))?,
        }
    }
    let skips = if skipped > 0 { format!(", {skipped} skipped") } else { String::new() };
    render::line(&format!("{passed} passed, {failed} failed{skips}"))?;
    Ok(u8::from(failed > 0))
}

/// Runs the cases side by side, each in a runner of its own; the verdicts come in the order of the cases.
async fn run_all(cases: Vec<PathBuf>, settings: CaseSettings) -> Vec<Verdict> {
    // A person debugs one at a time.
    let side_by_side =
        if settings.inspector.is_some() { 1 } else { std::thread::available_parallelism().map_or(2, usize::from) };
    let slots = Arc::new(Semaphore::new(side_by_side));
    let mut running = JoinSet::new();
    for (index, case) in cases.into_iter().enumerate() {
        let (slots, settings) = (slots.clone(), settings.clone());
        running.spawn(async move {
            // The semaphore is never closed; without a slot the case would merely run earlier.
            let _slot = slots.acquire().await;
            (index, run_case(&case, &settings).await)
        });
    }
    let mut verdicts = running.join_all().await;
    verdicts.sort_by_key(|(index, _)| *index);
    verdicts.into_iter().map(|(_, verdict)| verdict).collect()
}

fn indent(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}
