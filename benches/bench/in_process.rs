//! Hooks in the host's own process: hookrt as a crate in Rust, the peers as the JavaScript process that imports them.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use hookrt::events::{Event, ToolCallEvent};
use hookrt::loader::{TranspileCache, TranspileOptions, transpile};
use hookrt::{HookRunner, RunnerOptions, load_hooks};
use serde_json::{Value, json};

use crate::hook_files::HookFiles;
use crate::measure::{Samples, times};
use crate::peers::Peer;
use crate::table::Table;
use crate::{Failure, payload};

const WARM_UP: usize = 2_000;
const EMITS: usize = 16_000;
const ROUNDS: usize = 400;
const EXECS: usize = 40;

/// Lets every peer measure its own rows.
pub fn peers(table: &mut Table, peers: &[Peer], files: &HookFiles) -> Result<(), Failure> {
    let contexts: Vec<Value> = (payload::contexts(&files.directory)?.iter())
        .map(|context| json!({ "name": context.name, "file": context.file, "rounds": context.rounds }))
        .collect();
    let many: Vec<Value> = files.many.iter().map(|(count, file)| json!({ "count": count, "file": file })).collect();
    let plan = json!({
        "noop": files.noop, "filter": files.filter, "exec": files.exec, "fifty": files.fifty, "many": many,
        "transpile": files.typescript, "contexts": contexts, "toolCall": payload::tool_call(),
        "warmUp": WARM_UP, "emits": EMITS, "rounds": ROUNDS, "execs": EXECS,
    });
    let plan_file = files.directory.join("plan.json");
    std::fs::write(&plan_file, plan.to_string())?;
    let list = files.directory.join("thousand.txt");
    let paths: Vec<String> = files.thousand.iter().map(|path| path.to_string_lossy().into_owned()).collect();
    std::fs::write(&list, paths.join("\n"))?;
    for peer in peers {
        let output = peer.command(true).arg("bench").arg(&plan_file).output()?;
        let rows: serde_json::Map<String, Value> = serde_json::from_slice(&output.stdout)
            .map_err(|error| format!("{}: {error}: {}", peer.name, String::from_utf8_lossy(&output.stderr)))?;
        for (row, value) in &rows {
            table.set_of(Some(peer), row, value.as_f64().unwrap_or(f64::NAN));
        }
        // The second process finds what the first one cached.
        for row in ["load_1000", "load_1000_cached"] {
            let output = peer.command(true).arg("load").arg(&list).output()?;
            let time = String::from_utf8_lossy(&output.stdout).trim().parse();
            table.set_of(Some(peer), row, time.map_err(|_| format!("{}: no time of loading", peer.name))?);
        }
    }
    Ok(())
}

/// hookrt's own rows.
pub async fn hookrt(table: &mut Table, files: &HookFiles) -> Result<(), Failure> {
    let cache = files.directory.join("cache-in-process");
    let load = async |paths: &[PathBuf]| load(paths, &files.directory, &cache).await;
    let one = async |path: &PathBuf| load(std::slice::from_ref(path)).await;

    let noop = one(&files.noop).await?;
    tool_calls(table, &noop).await?;
    for (row, width) in [("throughput_1", 1), ("throughput_8", 8), ("throughput_64", 64)] {
        table.set(row, per_second(&noop, width).await?);
    }
    table.set("unhandled", unhandled(&noop).await?);
    contexts(table, &one(&files.filter).await?, &one(&files.yardstick).await?, files).await?;

    let turn_end = json!({ "type": "turn_end" }).to_string();
    table.set("fifty_by_ten", emits(&load(&files.fifty).await?, &turn_end, ROUNDS).await? * 1e3);
    for (count, file) in &files.many {
        let row = if *count == 100 { "handlers_100" } else { "handlers_1000" };
        table.set(row, emits(&one(file).await?, &turn_end, ROUNDS).await? * 1e3);
    }
    table.set("exec_true", emits(&one(&files.exec).await?, &turn_end, EXECS).await?);

    for row in ["load_1000", "load_1000_cached"] {
        let start = Instant::now();
        let runner = load(&files.thousand).await?;
        table.set(row, start.elapsed().as_secs_f64() * 1e3);
        if runner.hooks().len() != files.thousand.len() {
            return Err("not every hook loaded".into());
        }
    }
    let mut starts = Samples::default();
    for _ in 0..20 {
        let start = Instant::now();
        one(&files.noop).await?;
        starts.push(start.elapsed());
    }
    table.set("start", starts.median());

    let source = std::fs::read_to_string(&files.typescript)?;
    let options = TranspileOptions::default();
    let mut code = 0;
    let time = times(5, || code = transpile(&source, &files.typescript, &options).map_or(0, |it| it.code.len()));
    if code == 0 {
        return Err("the large file does not compile".into());
    }
    table.set("transpile", source.len() as f64 / 1e3 / time.median());
    Ok(())
}

async fn load(paths: &[PathBuf], cwd: &Path, cache: &Path) -> Result<HookRunner, Failure> {
    let paths: Vec<String> = paths.iter().map(|path| path.to_string_lossy().into_owned()).collect();
    let mut options = RunnerOptions::new(cwd);
    options.cache = Some(TranspileCache::at(cache));
    let loaded = load_hooks(&paths, options).await?;
    match loaded.errors.first() {
        Some(error) => Err(format!("{}: {}", error.path, error.error).into()),
        None => Ok(loaded.runner),
    }
}

async fn tool_calls(table: &mut Table, runner: &HookRunner) -> Result<(), Failure> {
    let event: ToolCallEvent = serde_json::from_value(payload::tool_call())?;
    let mut samples = Samples::default();
    for round in 0..WARM_UP + EMITS {
        let start = Instant::now();
        runner.emit_tool_call(&event).await?;
        if round >= WARM_UP {
            samples.push(start.elapsed());
        }
    }
    table.set("tool_call_p50", samples.median() * 1e3);
    table.set("tool_call_p99", samples.quantile(0.99) * 1e3);
    Ok(())
}

/// Emits a second with `width` of them open.
async fn per_second(runner: &HookRunner, width: usize) -> Result<f64, Failure> {
    let event: Arc<ToolCallEvent> = Arc::new(serde_json::from_value(payload::tool_call())?);
    let start = Instant::now();
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..width {
        let (runner, event) = (runner.clone(), event.clone());
        tasks.spawn(async move {
            for _ in 0..EMITS / width {
                runner.emit_tool_call(&event).await?;
            }
            Ok::<_, hookrt::runner::EmitError>(())
        });
    }
    while let Some(task) = tasks.join_next().await {
        task??;
    }
    Ok(EMITS as f64 / start.elapsed().as_secs_f64())
}

/// Nanoseconds of an emit that nobody handles.
async fn unhandled(runner: &HookRunner) -> Result<f64, Failure> {
    let event: Event = serde_json::from_value(json!({ "type": "turn_start", "turnIndex": 0, "timestamp": 0 }))?;
    let rounds = 1_000_000;
    let start = Instant::now();
    for _ in 0..rounds {
        if runner.emit(std::hint::black_box(&event)).await?.is_some() {
            return Err("somebody answered".into());
        }
    }
    Ok(start.elapsed().as_secs_f64() * 1e9 / f64::from(rounds))
}

/// Median milliseconds of an emit.
async fn emits(runner: &HookRunner, event: &str, rounds: usize) -> Result<f64, Failure> {
    let name = if event.contains("\"context\"") { "context" } else { "turn_end" };
    let mut samples = Samples::default();
    for _ in 0..rounds {
        let text = event.to_owned();
        let start = Instant::now();
        runner.emit_raw(name, text).await?;
        samples.push(start.elapsed());
    }
    Ok(samples.median())
}

async fn contexts(
    table: &mut Table,
    filter: &HookRunner,
    yardstick: &HookRunner,
    files: &HookFiles,
) -> Result<(), Failure> {
    for context in payload::contexts(&files.directory)? {
        let (row, alone) = match context.name {
            "100KB" => ("context_100KB", "parse_100KB"),
            "1MB" => ("context_1MB", "parse_1MB"),
            _ => ("context_10MB", "parse_10MB"),
        };
        emits(filter, &context.text, context.rounds / 2).await?;
        table.set(row, emits(filter, &context.text, context.rounds).await?);

        let order = json!({ "file": context.file, "rounds": context.rounds });
        let answer = yardstick.emit_context(vec![order]).await?;
        let mut samples = Samples::default();
        for time in answer {
            samples.push(Duration::from_secs_f64(time.as_f64().ok_or("the yardstick gave no time")? / 1e3));
        }
        table.set(alone, samples.median());
    }
    Ok(())
}
