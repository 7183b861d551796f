//! `.ax-code/hooks.json`: any bytes are a list of hooks with what is wrong with the others, or an error that names the file.

use hookrt::lifecycle::{Severity, read_file};
use proptest::prelude::*;

use super::mutate::mutated;
use super::{corpus, fuzz};

#[test]
fn any_hooks_file_is_read_or_named() {
    let project = tempfile::tempdir().expect("a folder");
    let path = project.path().join("hooks.json");
    let bytes = prop_oneof![9 => mutated(corpus("hooks-json")), 1 => proptest::collection::vec(any::<u8>(), 0..200)];
    fuzz("tests/corpus/hooks-json.regressions", bytes, |bytes| {
        std::fs::write(&path, &bytes).expect("the folder is writable");
        match read_file(&path, project.path()) {
            Ok(file) => {
                for hook in &file.hooks {
                    prop_assert!(!hook.command().trim().is_empty(), "{hook:?}");
                }
                for problem in &file.problems {
                    prop_assert!(!problem.place.is_empty() && !problem.message.is_empty(), "{problem:?}");
                }
                // Nothing is lost without a word: each entry runs or has an error.
                let json: Option<serde_json::Value> = serde_json::from_slice(&bytes).ok();
                if let Some([entry]) = json.as_ref().and_then(|json| json["hooks"].as_array()).map(Vec::as_slice) {
                    let refused = file.problems.iter().any(|problem| problem.severity == Severity::Error);
                    prop_assert!(file.hooks.len() == 1 || refused, "{entry}: {file:?}");
                }
            }
            Err(error) => prop_assert!(error.to_string().contains("hooks.json"), "{error}"),
        }
        Ok(())
    });
}
