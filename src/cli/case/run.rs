//! Running one case: a fresh runner, the steps in order, what came out against what is expected.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::compare::{align, diff, is_nothing, pretty};
use super::format::{Case, Step};
use crate::cli::session::Session;
use crate::engine::{ENGINE, Inspector, PATIENCE};
use crate::json_text;
use crate::runner::{HookToolWrapper, LEAST_HEAP_LIMIT_MIB, RunnerOptions, ToolError, ToolOutcome, ToolRun};
use crate::security::{PermissionSet, Policy, parse_set};

const EXPECTED_FILE: &str = "expected.json";

/// What became of a case.
#[derive(Debug, Serialize)]
pub struct Verdict {
    /// The case's folder as given.
    pub case: String,
    #[serde(flatten)]
    pub outcome: Outcome,
}

#[derive(Debug, Serialize)]
#[serde(tag = "outcome", content = "message", rename_all = "lowercase")]
pub enum Outcome {
    Passed,
    /// Not for this engine.
    Skipped,
    /// `expected.json` was written.
    Updated,
    /// The difference, or why there is nothing to compare.
    Failed(String),
}

/// How cases run.
#[derive(Clone, Default)]
pub struct CaseSettings {
    /// What comes out is written to `expected.json`; placeholders that still hold are kept.
    pub update: bool,
    /// Where debuggers attach; the time a case may take does not hold then.
    pub inspector: Option<Inspector>,
    /// What hooks may reach at most.
    pub permissions: PermissionSet,
    /// What single hooks may reach of that; a case with a policy of its own has that one instead.
    pub policy: Policy,
}

/// Runs the case of `folder`.
pub async fn run_case(folder: &Path, settings: &CaseSettings) -> Verdict {
    let outcome = match judge(folder, settings).await {
        Ok(outcome) => outcome,
        Err(error) => Outcome::Failed(format!("{error:#}\n")),
    };
    Verdict { case: folder.to_string_lossy().into_owned(), outcome }
}

async fn judge(folder: &Path, settings: &CaseSettings) -> anyhow::Result<Outcome> {
    let folder = std::path::absolute(folder).with_context(|| folder.display().to_string())?;
    let case = Case::read(&folder)?;
    if !case.engines.is_empty() && !case.engines.iter().any(|engine| engine == ENGINE) {
        return Ok(Outcome::Skipped);
    }
    let options = options(&case, &folder, settings)?;
    let limit = if settings.inspector.is_some() { PATIENCE } else { case.options.timeout() };
    let actual = match tokio::time::timeout(limit, actual(&case, &folder, &options)).await {
        Ok(actual) => actual?,
        Err(_) => anyhow::bail!("the case did not end within {} ms", limit.as_millis()),
    };
    let file = folder.join(EXPECTED_FILE);
    let text = match std::fs::read_to_string(&file) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(error).with_context(|| file.display().to_string()),
    };
    let expected = text.as_deref().map(serde_json::from_str).transpose().with_context(|| file.display().to_string())?;
    if settings.update {
        let new = pretty(&expected.as_ref().map_or_else(|| actual.clone(), |expected| align(expected, &actual)));
        if text.as_deref() == Some(new.as_str()) {
            return Ok(Outcome::Passed);
        }
        std::fs::write(&file, new).with_context(|| format!("cannot write {}", file.display()))?;
        return Ok(Outcome::Updated);
    }
    let Some(expected) = expected else {
        anyhow::bail!(
            "there is no {EXPECTED_FILE}; `hookrt test --update` writes one from what came out:\n{}",
            pretty(&actual)
        );
    };
    Ok(diff(&expected, &actual).map_or(Outcome::Passed, Outcome::Failed))
}

/// Everything that came out, written as `expected.json` is: without nulls and empty lists, `<dir>` for the folder.
async fn actual(case: &Case, folder: &Path, options: &RunnerOptions) -> anyhow::Result<Value> {
    let has_ui = case.steps.iter().any(|step| step.answers().is_some());
    let open = || Session::start(&case.hooks, &case.required, options.clone(), has_ui.then(Vec::new));
    let mut session = open().await?;
    session.host.set_state(case.state.clone());
    let load_errors = serde_json::to_value(&session.load_errors)?;
    let mut steps = Vec::new();
    for step in &case.steps {
        if matches!(step, Step::Reload) {
            session.close().await;
            session = open().await?;
            session.host.set_state(case.state.clone());
        }
        steps.push(compact(run_step(&session, step).await?));
    }
    session.close().await;
    let mut out = compact(json!({ "loadErrors": load_errors }));
    if let (Value::Object(fields), false) = (&mut out, steps.is_empty()) {
        fields.insert("steps".to_owned(), Value::Array(steps));
    }
    let real = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
    for known in [folder, &real] {
        hide_folder(&mut out, &known.to_string_lossy());
    }
    Ok(out)
}

fn options(case: &Case, folder: &Path, settings: &CaseSettings) -> anyhow::Result<RunnerOptions> {
    let below = |path: &Option<String>| -> Option<PathBuf> { path.as_ref().map(|path| folder.join(path)) };
    let mut options = RunnerOptions::new(below(&case.options.cwd).unwrap_or_else(|| folder.to_path_buf()));
    if let Some(home) = below(&case.options.home) {
        options.home = home;
    }
    if let Some(mutation) = case.options.input_mutation {
        options.input_mutation = mutation;
    }
    if let Some(ms) = case.options.load_timeout_ms {
        options.load_timeout = Duration::from_millis(ms);
    }
    if let Some(ms) = case.options.cpu_budget_ms {
        options.cpu_budget = Duration::from_millis(ms);
    }
    if let Some(megabytes) = case.options.heap_limit_mb {
        anyhow::ensure!(megabytes >= LEAST_HEAP_LIMIT_MIB, "options.heapLimitMb: at least {LEAST_HEAP_LIMIT_MIB}");
        options.heap_limit = megabytes.saturating_mul(1024 * 1024);
    }
    options.inspector = settings.inspector.clone();
    options.permissions = settings.permissions.clone();
    if let Some(entry) = &case.options.permissions {
        let set = parse_set(entry, "options.permissions", &options.cwd, Some(&options.home))?;
        options.permissions = options.permissions.narrowed_by(&set);
    }
    options.policy = match &case.options.policy {
        Some(hooks) => {
            let text = json!({ "hooks": hooks }).to_string();
            Policy::parse(&text, &folder.join("options.policy"), Some(&options.home))?
        }
        None => settings.policy.clone(),
    };
    // Colours and symbols must not depend on the terminal the case runs in.
    options.theme = Some(json!({ "mode": "dark", "symbols": "unicode", "noColor": false }));
    Ok(options)
}

async fn run_step(session: &Session, step: &Step) -> anyhow::Result<Value> {
    session.host.push_answers(step.answers().cloned().unwrap_or_default());
    let mut out = match step {
        Step::Event { name, data, .. } => shown(&session.emit(name, data).await)?,
        Step::Command { name, args, .. } => shown(&session.command(name, args).await.0)?,
        Step::Tool { name, input, output, .. } => {
            let tool = |_| async {
                match output.clone() {
                    Ok(output) => Ok(ToolRun { content: output.content, details: output.details }),
                    Err(message) => Err(ToolError { message }),
                }
            };
            let wrapper = HookToolWrapper::new(session.runner.clone());
            let outcome = match session.refusal() {
                Some(reason) => ToolOutcome::Blocked { reason: reason.to_owned(), by: None },
                None => wrapper.execute(name, "call-1", input.clone(), tool).await,
            };
            shown(&session.tool_result(outcome))?
        }
        Step::Render(render) => {
            let drawn =
                session.runner.render_message(&render.custom_type, &render.message, render.expanded, render.width);
            match drawn.await {
                Ok(lines) => happened(session, json!({ "render": render.custom_type, "lines": lines })),
                Err(error) => happened(session, json!({ "render": render.custom_type, "error": error.to_string() })),
            }
        }
        Step::Wait(ms) => {
            tokio::time::sleep(Duration::from_millis(*ms)).await;
            happened(session, json!({ "wait": ms }))
        }
        Step::Reload => happened(session, json!({ "reload": true, "loadErrors": session.load_errors })),
    };
    if let (Value::Object(fields), false) = (&mut out, matches!(step, Step::Reload)) {
        fields.shift_remove("loadErrors"); // they stand above the steps
    }
    for answer in session.host.take_unused_answers() {
        if let Some(Value::Array(warnings)) = out.get_mut("warnings") {
            warnings.push(format!("no dialog took the answer {answer}").into());
        }
    }
    Ok(out)
}

/// A result object as the command line prints it.
fn shown(result: &impl Serialize) -> anyhow::Result<Value> {
    Ok(json_text::value(&serde_json::to_string(result)?)?)
}

fn happened(session: &Session, mut fields: Value) -> Value {
    let more = [
        ("errors", json!(session.take_errors())),
        ("warnings", json!(session.take_warnings())),
        ("calls", json!(session.host.take_calls())),
    ];
    if let Value::Object(fields) = &mut fields {
        fields.extend(more.map(|(name, value)| (name.to_owned(), value)));
    }
    fields
}

/// Drops the fields that say nothing.
fn compact(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            Value::Object(fields.into_iter().filter(|(_, value)| !is_nothing(value)).collect::<Map<_, _>>())
        }
        other => other,
    }
}

fn hide_folder(value: &mut Value, folder: &str) {
    match value {
        Value::String(text) if text.contains(folder) => *text = text.replace(folder, "<dir>"),
        Value::Array(items) => items.iter_mut().for_each(|item| hide_folder(item, folder)),
        Value::Object(fields) => fields.values_mut().for_each(|item| hide_folder(item, folder)),
        _ => {}
    }
}
