//! Walks `fixtures/lifecycle/*.json`: hooks file, event, expected outcome.

use std::path::{Path, PathBuf};

use hookrt::lifecycle::{Args, EventName, LifecycleDispatcher, LifecycleEvent, Subject};
use serde::Deserialize;
use serde_json::{Value, json};

use super::support::Project;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(rename = "description")]
    _description: String,
    /// Defaults of every case.
    #[serde(default)]
    event: Option<String>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    #[serde(default)]
    event: Option<String>,
    #[serde(default)]
    tool: Option<String>,
    #[serde(default)]
    args: Option<Value>,
    /// Entries of hooks.json; `event` defaults to the case's.
    #[serde(default)]
    hooks: Vec<Value>,
    #[serde(default)]
    packs: Vec<String>,
    expect: Value,
}

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/lifecycle")
}

async fn outcome(case: &Case, event: &str) -> Value {
    let hooks: Vec<Value> = case
        .hooks
        .iter()
        .map(|entry| {
            let mut entry = entry.clone();
            if entry.get("event").is_none() {
                entry["event"] = json!(event);
            }
            entry
        })
        .collect();
    let project = Project::with_file(&json!({ "packs": case.packs, "hooks": hooks }));
    let dispatcher = LifecycleDispatcher::new(project.settings());
    assert!(dispatcher.file_error().is_none(), "{}", case.name);
    let name: EventName = event.parse().expect("an event name");
    let subject = Subject { session_id: "ses_1", tool: Some(case.tool.as_deref().unwrap_or("bash")), call_id: None };
    let args = Args::from(case.args.as_ref().unwrap_or(&json!({})));
    let read = LifecycleEvent::read(name, subject, &args).expect("arguments of the event");
    let outcome = dispatcher.run_to_end(read.event).await;
    let exits: Vec<i32> = outcome.outputs.iter().map(|output| output.exit).collect();
    json!({
        "decision": outcome.decision,
        "blocked": outcome.blocked,
        "reason": outcome.reason,
        "feedback": outcome.feedback,
        "message": outcome.error_message(),
        "exits": exits,
        "warnings": outcome.warnings.len(),
    })
}

/// `expect` names the fields that matter; each must be equal.
fn differences(expect: &Value, found: &Value) -> Vec<String> {
    let fields = expect.as_object().expect("`expect` is an object");
    fields
        .iter()
        .filter(|(key, value)| found.get(*key) != Some(*value))
        .map(|(key, value)| format!("{key}: expected {value}, found {}", found.get(key).unwrap_or(&Value::Null)))
        .collect()
}

#[tokio::test]
async fn every_row_of_the_tables() {
    let mut files: Vec<PathBuf> = std::fs::read_dir(directory())
        .expect("fixtures")
        .map(|entry| entry.expect("a fixture").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    let mut failures = Vec::new();
    let mut count = 0;
    for file in &files {
        let text = std::fs::read_to_string(file).expect("a readable fixture");
        let table: Table = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        for case in &table.cases {
            count += 1;
            let event = case.event.as_deref().or(table.event.as_deref()).expect("an event");
            for difference in differences(&case.expect, &outcome(case, event).await) {
                failures.push(format!("{}: {}: {difference}", file.display(), case.name));
            }
        }
    }
    assert!(count > 60, "only {count} cases");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
