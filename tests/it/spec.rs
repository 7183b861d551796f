//! Walks `fixtures/`: one test an area, every case of it run, all failures listed at once.

use std::path::{Path, PathBuf};

use hookrt::cli::case::{CaseSettings, Outcome, find_cases, run_case};

/// Areas whose files are no cases; other tests read them.
const OTHER_KINDS: &[&str] = &["lifecycle", "surface"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// Runs the area's cases; on failure says all that differs.
fn run_area(area: &str) {
    let cases = find_cases(&root().join(area)).expect("the area is readable");
    assert!(!cases.is_empty(), "no cases in {area}");
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
    let mut report = String::new();
    for case in &cases {
        let verdict = runtime.block_on(run_case(case, &CaseSettings::default()));
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
