//! `case.json` as it is written.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::find::CASE_FILE;
use crate::cli::input;
use crate::json_text;
use crate::runner::InputMutation;

/// Everything `case.json` says.
#[derive(Debug)]
pub struct Case {
    /// One sentence: what this case shows.
    pub description: String,
    /// Hook paths in load order, relative to the folder.
    pub hooks: Vec<String>,
    /// Those of them that must load, else every tool call is refused.
    pub required: Vec<String>,
    pub options: CaseOptions,
    /// Engines the case runs on; empty means all.
    pub engines: Vec<String>,
    /// What synchronous host reads answer: call name to value (`"ctx.isIdle": false`).
    pub state: Map<String, Value>,
    pub steps: Vec<Step>,
}

/// How the hooks of a case run. Times are in milliseconds.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CaseOptions {
    pub input_mutation: Option<InputMutation>,
    pub load_timeout_ms: Option<u64>,
    pub heap_limit_mb: Option<usize>,
    pub cpu_budget_ms: Option<u64>,
    /// Stands for the home directory in hook paths; relative to the folder.
    pub home: Option<String>,
    /// What the hooks may reach, as an entry of the policy file; paths relative to `cwd`.
    pub permissions: Option<Value>,
    /// The `hooks` of a policy file.
    pub policy: Option<Value>,
    /// Working directory of the hooks; relative to the folder.
    pub cwd: Option<String>,
    /// After this time the case has failed, whatever it is waiting for.
    timeout_ms: Option<u64>,
}

impl CaseOptions {
    /// How long the whole case may take.
    pub fn timeout(&self) -> Duration {
        Duration::from_millis(self.timeout_ms.unwrap_or(30_000))
    }
}

/// One thing that happens to the hooks.
#[derive(Debug)]
pub enum Step {
    Event {
        name: String,
        /// An object.
        data: Box<RawValue>,
        answers: Option<Vec<Value>>,
    },
    Command {
        name: String,
        args: String,
        answers: Option<Vec<Value>>,
    },
    /// A tool call through the wrapper; the tool itself gives `output`.
    Tool {
        name: String,
        input: Value,
        output: Result<ToolOutput, String>,
        answers: Option<Vec<Value>>,
    },
    /// A message drawn by the renderer of its type.
    Render(RenderStep),
    /// Nothing for so many milliseconds; timers and watchers of the hooks run.
    Wait(u64),
    /// The hooks are loaded anew.
    Reload,
}

impl Step {
    /// Answers of the step's dialogs; some, even none at all, make a user interface present for the whole case.
    pub fn answers(&self) -> Option<&Vec<Value>> {
        match self {
            Step::Event { answers, .. } | Step::Command { answers, .. } | Step::Tool { answers, .. } => {
                answers.as_ref()
            }
            Step::Render(_) | Step::Wait(_) | Step::Reload => None,
        }
    }
}

/// What a tool gives.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolOutput {
    pub content: Value,
    pub details: Option<Value>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RenderStep {
    #[serde(rename = "type")]
    pub custom_type: String,
    #[serde(default)]
    pub message: Value,
    #[serde(default)]
    pub expanded: bool,
    #[serde(default = "default_width")]
    pub width: u32,
}

fn default_width() -> u32 {
    80
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCase {
    description: String,
    hooks: Option<Vec<String>>,
    #[serde(default)]
    required: Vec<String>,
    #[serde(default)]
    options: CaseOptions,
    #[serde(default)]
    engines: Vec<String>,
    #[serde(default)]
    state: Map<String, Value>,
    #[serde(default)]
    steps: Vec<RawStep>,
}

/// The engines a case may be for.
const ENGINES: [&str; 2] = ["v8", "quickjs"];

/// Every field a step may have; [`RawStep::read`] sees to it that they go together.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawStep {
    event: Option<String>,
    data: Option<Map<String, Value>>,
    answers: Option<Vec<Value>>,
    command: Option<String>,
    args: Option<String>,
    tool: Option<String>,
    input: Option<Value>,
    output: Option<ToolOutput>,
    error: Option<String>,
    render: Option<RenderStep>,
    wait: Option<u64>,
    reload: Option<bool>,
}

impl Case {
    /// Reads the case of `folder`. `<dir>` in its strings becomes the folder's path.
    ///
    /// # Errors
    /// Says what is wrong with the file and where.
    pub fn read(folder: &Path) -> anyhow::Result<Case> {
        let file = folder.join(CASE_FILE);
        let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let read = || json_text::lossy_value(&json_text::checked(&text)?);
        let mut value = read().with_context(|| file.display().to_string())?;
        insert_folder(&mut value, &folder.to_string_lossy());
        let raw: RawCase = serde_path_to_error::deserialize(value).with_context(|| file.display().to_string())?;
        let hooks = match raw.hooks {
            Some(hooks) => hooks,
            None => vec![default_hook(folder)?],
        };
        let mut steps = Vec::new();
        for (index, step) in raw.steps.into_iter().enumerate() {
            steps.push(step.read().with_context(|| format!("{}: step {}", file.display(), index + 1))?);
        }
        let RawCase { description, required, options, engines, state, .. } = raw;
        let wrong = |field: &str, name: &str, why: &str| bail!("{}: {field}: {name:?} {why}", file.display());
        if let Some(name) = required.iter().find(|name| !hooks.contains(name)) {
            wrong("required", name, "is none of the \"hooks\"")?;
        }
        if let Some(name) = engines.iter().find(|name| !ENGINES.contains(&name.as_str())) {
            wrong("engines", name, &format!("is no engine; there are {}", ENGINES.join(" and ")))?;
        }
        Ok(Case { description, hooks, required, options, engines, state, steps })
    }
}

impl RawStep {
    /// The field that says what the step is, and one that does not go with it.
    fn odd_field(&self) -> Option<(&'static str, &'static str)> {
        let has = [
            ("event", self.event.is_some()),
            ("command", self.command.is_some()),
            ("tool", self.tool.is_some()),
            ("render", self.render.is_some()),
            ("wait", self.wait.is_some()),
            ("reload", self.reload.is_some()),
            ("data", self.data.is_some()),
            ("answers", self.answers.is_some()),
            ("args", self.args.is_some()),
            ("input", self.input.is_some()),
            ("output", self.output.is_some()),
            ("error", self.error.is_some()),
        ];
        let mut present = has.into_iter().filter_map(|(name, is_there)| is_there.then_some(name));
        let kind = present.next()?;
        let goes_with: &[&str] = match kind {
            "event" => &["data", "answers"],
            "command" => &["args", "answers"],
            "tool" => &["input", "output", "error", "answers"],
            _ => &[],
        };
        present.find(|name| !goes_with.contains(name)).map(|name| (kind, name))
    }

    fn read(self) -> anyhow::Result<Step> {
        if let Some((kind, field)) = self.odd_field() {
            bail!("{field:?} does not go with {kind:?}");
        }
        let answers = self.answers.map(input::check_answers).transpose()?;
        let step = match self {
            RawStep { event: Some(name), data, .. } => {
                let data = serde_json::value::to_raw_value(&data.unwrap_or_default())?;
                input::check_event(&name, &data)?;
                Step::Event { name, data, answers }
            }
            RawStep { command: Some(name), args, .. } => {
                Step::Command { name, args: args.unwrap_or_default(), answers }
            }
            RawStep { tool: Some(name), input, output, error, .. } => {
                let output = match (output, error) {
                    (Some(output), None) => Ok(output),
                    (None, Some(error)) => Err(error),
                    _ => bail!("a tool gives either \"output\" or \"error\""),
                };
                Step::Tool { name, input: input.unwrap_or_else(|| Value::Object(Map::new())), output, answers }
            }
            RawStep { render: Some(render), .. } => Step::Render(render),
            RawStep { wait: Some(ms), .. } => Step::Wait(ms),
            RawStep { reload: Some(true), .. } => Step::Reload,
            _ => bail!("a step is one of \"event\", \"command\", \"tool\", \"render\", \"wait\", \"reload\""),
        };
        Ok(step)
    }
}

/// The one file of the folder that is called `hook`.
fn default_hook(folder: &Path) -> anyhow::Result<String> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut names: Vec<String> = entries
        .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
        .filter(|name| name.starts_with("hook.") && !name.ends_with(".json"))
        .collect();
    ensure!(
        names.len() == 1,
        "{}: name the \"hooks\" in {CASE_FILE}, or have one file called hook.ts",
        folder.display()
    );
    Ok(names.remove(0))
}

fn insert_folder(value: &mut Value, folder: &str) {
    match value {
        Value::String(text) if text.contains("<dir>") => *text = text.replace("<dir>", folder),
        Value::Array(items) => items.iter_mut().for_each(|item| insert_folder(item, folder)),
        Value::Object(fields) => fields.values_mut().for_each(|item| insert_folder(item, folder)),
        _ => {}
    }
}
