//! Walks `fixtures/`: one test an area, every case of it run, all failures listed at once.

use std::path::{Path, PathBuf};

use hookrt::cli::case::{CaseSettings, Outcome, find_cases, run_case};
use hookrt::security::Policy;

/// Areas whose files are no cases; other tests read them.
const OTHER_KINDS: &[&str] = &["lifecycle", "surface"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// Runs the area's cases; on failure says all that differs.
fn run_area(area: &str) {
    run_cases(area, |_| CaseSettings::default());
}

fn run_cases(area: &str, settings: impl Fn(&Path) -> CaseSettings) {
    let cases = find_cases(&root().join(area)).expect("the area is readable");
    assert!(!cases.is_empty(), "no cases in {area}");
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
    let mut report = String::new();
    for case in &cases {
        let verdict = runtime.block_on(run_case(case, &settings(case)));
        if let Outcome::Failed(message) = verdict.outcome {
            report.push_str(&format!("\n{}\n{message}", verdict.case));
        }
    }
    // A hook that hangs must not keep the suite.
    runtime.shutdown_background();
    assert!(report.is_empty(), "{report}");
}

macro_rules! areas {
    ($($name:ident),* $(,)?) => {
        $(#[test]
        fn $name() {
            run_area(stringify!($name));
        })*

        const AREAS: &[&str] = &[$(stringify!($name)),*];
    };
}

areas!(
    commands,
    emit,
    examples,
    exec,
    imports,
    load,
    paths,
    permissions,
    reference,
    reports,
    state,
    syntax,
    tool,
    ui,
    values
);

#[test]
fn every_area_has_its_test() {
    let folders = std::fs::read_dir(root()).expect("fixtures are readable").map(|entry| entry.expect("an entry"));
    for folder in folders.filter(|entry| entry.path().is_dir()) {
        let name = folder.file_name().to_string_lossy().into_owned();
        assert!(
            AREAS.contains(&name.as_str()) || OTHER_KINDS.contains(&name.as_str()),
            "fixtures/{name} is run by no test"
        );
    }
}

/// Cases that are about what hooks of one isolate share.
const SHARE_AN_ISOLATE: &[&str] = &[
    "load/forty-seven-of-fifty",
    "load/never-settles",
    "load/places-of-failures",
    "load/shared-modules",
    // These compare the message of a denial, which names the policy.
    "permissions/denied-gate",
    "permissions/nothing-allowed",
    "permissions/own-code",
];

/// Hooks that may reach different things live in different isolates: everything else must be the same.
#[test]
fn across_isolates() {
    // Examples make repositories in their folders, and their own test may run meanwhile.
    for area in AREAS.iter().filter(|area| **area != "examples") {
        run_cases(area, |case| {
            let policy = if SHARE_AN_ISOLATE.iter().any(|name| case.ends_with(name)) {
                Policy::default()
            } else {
                each_apart(case)
            };
            CaseSettings { policy, ..CaseSettings::default() }
        });
    }
}

/// A policy that denies each file of a case something else that it does not want.
fn each_apart(case: &Path) -> Policy {
    let files = std::fs::read_dir(case).expect("the case is readable").map(|entry| entry.expect("an entry").path());
    let entries = files.enumerate().map(|(index, file)| {
        let entry = serde_json::json!({ "deny": { "net": [format!("host{index}.invalid")] } });
        (file.to_string_lossy().into_owned(), entry)
    });
    let hooks: serde_json::Map<String, serde_json::Value> = entries.collect();
    let text = serde_json::json!({ "hooks": hooks }).to_string();
    Policy::parse(&text, &case.join("policy"), None).expect("a policy")
}
