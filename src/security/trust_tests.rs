//! Trust against edits, new files, swapped links and a record others could write.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use super::snapshot::ProjectSnapshot;
use super::trust::{Change, TrustError, TrustState, TrustStore, TrustedBy};
use super::trusted::Coverage;

struct Project {
    dir: tempfile::TempDir,
    store: TrustStore,
}

const HOOK: &str = ".xcsh/hooks/pre/a.ts";

impl Project {
    fn new() -> Project {
        let dir = tempfile::tempdir().unwrap();
        let project = Project { store: store(dir.path(), &[]), dir };
        project.write(HOOK, "import '../lib/b'");
        project.write(".xcsh/hooks/lib/b.ts", "b");
        project
    }

    fn root(&self) -> PathBuf {
        self.dir.path().join("project")
    }

    fn write(&self, path: &str, text: &str) -> PathBuf {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    fn state(&self) -> TrustState {
        self.store.is_trusted(&self.root(), [HOOK]).unwrap().0
    }

    fn trust(&self) {
        self.store.record(&ProjectSnapshot::take(&self.root(), [HOOK]).unwrap()).unwrap();
        assert_eq!(self.state(), TrustState::Trusted { by: TrustedBy::Record });
    }

    fn changed(&self) -> Vec<(String, Change)> {
        match self.state() {
            TrustState::Changed { files } => files.into_iter().map(|file| (file.path, file.change)).collect(),
            other => panic!("{other:?}"),
        }
    }
}

fn store(dir: &Path, vars: &[(&str, &str)]) -> TrustStore {
    let state = dir.join("state");
    TrustStore::open(&|name| match name {
        "HOOKRT_STATE_DIR" => Some(state.clone().into_os_string()),
        _ => vars.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value)),
    })
    .unwrap()
}

#[test]
fn nothing_is_trusted_until_it_is_recorded_and_nothing_after_it_is_revoked() {
    let project = Project::new();
    assert_eq!(project.state(), TrustState::Untrusted);
    assert!(project.store.list().unwrap().is_empty());
    project.trust();
    let records = project.store.list().unwrap();
    assert_eq!(records.len(), 1);
    assert_eq!(records[0].files.keys().collect::<Vec<_>>(), [".xcsh/hooks/lib/b.ts", HOOK]);
    assert!(project.store.revoke(&project.root()).unwrap());
    assert!(!project.store.revoke(&project.root()).unwrap());
    assert_eq!(project.state(), TrustState::Untrusted);
}

#[test]
fn edits_new_files_and_removed_files_take_trust_away() {
    let project = Project::new();
    project.trust();
    project.write(".xcsh/hooks/lib/b.ts", "evil");
    project.write(".xcsh/hooks/lib/c.ts", "new");
    fs::remove_file(project.root().join(HOOK)).unwrap();
    let expected =
        [(".xcsh/hooks/lib/b.ts", Change::Edited), (".xcsh/hooks/lib/c.ts", Change::Added), (HOOK, Change::Removed)];
    assert_eq!(project.changed(), expected.map(|(path, change)| (path.to_owned(), change)));
}

#[test]
fn a_hook_that_is_found_later_is_a_change() {
    let project = Project::new();
    project.trust();
    project.write(".omp/hooks/new.ts", "x");
    let (state, _) = project.store.is_trusted(&project.root(), [HOOK, ".omp/hooks/new.ts"]).unwrap();
    assert!(matches!(state, TrustState::Changed { files } if files.len() == 1 && files[0].change == Change::Added));
}

#[test]
fn a_recorded_file_outside_the_hook_directories_is_looked_at_again() {
    let project = Project::new();
    project.write("tools/shared.ts", "s");
    let files = [HOOK, "tools/shared.ts"];
    project.store.record(&ProjectSnapshot::take(&project.root(), files).unwrap()).unwrap();
    assert!(project.state().is_trusted());
    project.write("tools/shared.ts", "evil");
    assert_eq!(project.changed(), [("tools/shared.ts".to_owned(), Change::Edited)]);
}

#[test]
fn only_exactly_1_in_the_environment_trusts() {
    let project = Project::new();
    for (value, trusted) in [("1", true), ("true", false), ("0", false), ("", false), (" 1", false)] {
        let store = store(project.dir.path(), &[("HOOKRT_TRUST_PROJECT", value)]);
        let (state, _) = store.is_trusted(&project.root(), [HOOK]).unwrap();
        assert_eq!(state.is_trusted(), trusted, "{value:?}");
    }
}

#[test]
fn only_the_bytes_of_the_record_are_covered() {
    let project = Project::new();
    project.trust();
    let (_, trusted) = project.store.is_trusted(&project.root(), [HOOK]).unwrap();
    let trusted = trusted.unwrap();
    let root = fs::canonicalize(project.root()).unwrap();
    let real = root.join(HOOK);
    assert!(trusted.is_hook(&project.root().join(HOOK)) && !trusted.is_hook(&project.root().join("src/x.ts")));
    assert_eq!(trusted.check(&real, b"import '../lib/b'"), Coverage::Same);
    assert_eq!(trusted.check(&real, b"evil"), Coverage::Changed);
    assert_eq!(trusted.check(&root.join("src/x.ts"), b""), Coverage::NotRecorded);
    assert_eq!(trusted.check(Path::new("/elsewhere/x.ts"), b""), Coverage::Outside);
}

#[test]
fn what_hooks_import_belongs_to_them() {
    let project = Project::new();
    let hook =
        "import '../../../lib/l'; import type T from '../../../lib/types'; import dep from 'dep'; import y from '@p/y'";
    project
        .write(HOOK, &format!("{hook}; import '../lib/b'; export default () => [dep, y, import('../../../lib/dyn')]"));
    project.write("lib/l.ts", "require('./data.json')");
    for path in ["lib/data.json", "lib/types.ts", "lib/dyn.ts", "lib/y.ts", "other/y.ts", "src/unrelated.ts"] {
        project.write(path, "{}");
    }
    project.write("node_modules/dep/package.json", r#"{"main":"./m.js"}"#);
    project.write("node_modules/dep/m.js", "module.exports = 1");
    project.write("conf/base.json", r#"{"compilerOptions":{"baseUrl":"..","paths":{"@p/*":["lib/*"]}}}"#);
    project.write("tsconfig.json", r#"{"extends":"./conf/base.json"}"#);
    project.write("package.json", "{}");
    project.trust();
    let records = project.store.list().unwrap();
    let imported: Vec<_> = records[0].files.iter().filter(|(_, mark)| mark.imported).map(|(path, _)| path).collect();
    let expected = [
        "conf/base.json",
        "lib/data.json",
        "lib/dyn.ts",
        "lib/l.ts",
        "lib/y.ts",
        "node_modules/dep/m.js",
        "node_modules/dep/package.json",
        "package.json",
        "tsconfig.json",
    ];
    assert_eq!(imported, expected);
    let edits = [
        ("lib/l.ts", "evil", vec![("lib/l.ts", Change::Edited)]),
        ("node_modules/dep/m.js", "evil", vec![("node_modules/dep/m.js", Change::Edited)]),
        (
            "conf/base.json",
            r#"{"compilerOptions":{"baseUrl":"..","paths":{"@p/*":["other/*"]}}}"#,
            vec![(HOOK, Change::Redirected), ("conf/base.json", Change::Edited), ("other/y.ts", Change::Added)],
        ),
        (".xcsh/tsconfig.json", "{}", vec![(HOOK, Change::Redirected), (".xcsh/tsconfig.json", Change::Added)]),
        ("lib/package.json", "{}", vec![("lib/package.json", Change::Added)]),
        ("src/unrelated.ts", "other", vec![]),
        ("lib/types.ts", "other", vec![]),
        (
            ".xcsh/node_modules/dep/index.js",
            "evil",
            vec![(HOOK, Change::Redirected), (".xcsh/node_modules/dep/index.js", Change::Added)],
        ),
    ];
    for (path, text, expected) in edits {
        let before = fs::read(project.root().join(path)).ok();
        project.write(path, text);
        let expected: Vec<_> = expected.into_iter().map(|(path, change)| (path.to_owned(), change)).collect();
        match project.state() {
            TrustState::Changed { .. } => assert_eq!(project.changed(), expected, "{path}"),
            state => assert!(state.is_trusted() && expected.is_empty(), "{path}: {state:?}"),
        }
        match before {
            Some(before) => fs::write(project.root().join(path), before).unwrap(),
            None => fs::remove_file(project.root().join(path)).unwrap(),
        }
    }
    fs::remove_dir_all(project.root().join(".xcsh/node_modules")).unwrap();
    assert!(project.state().is_trusted());
}

#[test]
fn a_required_file_is_recorded_under_each_extension() {
    let project = Project::new();
    project.write(HOOK, "require('../../../lib/x')");
    project.write("lib/x.ts", "");
    project.write("lib/x.js", "");
    project.trust();
    let record = &project.store.list().unwrap()[0];
    assert!(record.files.contains_key("lib/x.ts") && record.files.contains_key("lib/x.js"));
}

#[test]
fn a_record_that_knows_no_imports_covers_nothing() {
    let project = Project::new();
    project.trust();
    let record = fs::read_dir(project.dir.path().join("state/trust")).unwrap().next().unwrap().unwrap().path();
    let mut old: serde_json::Value = serde_json::from_slice(&fs::read(&record).unwrap()).unwrap();
    old["version"] = 1.into();
    fs::write(&record, old.to_string()).unwrap();
    let error = project.store.is_trusted(&project.root(), [HOOK]).unwrap_err();
    assert!(matches!(error, TrustError::Outdated { .. }) && error.hint().is_some());
    project.trust();
}

#[test]
fn files_outside_the_project_are_refused() {
    let project = Project::new();
    for file in ["../x.ts", ".xcsh/../../x.ts", "/etc/passwd"] {
        assert!(matches!(ProjectSnapshot::take(&project.root(), [file]), Err(TrustError::Outside { .. })), "{file}");
    }
}

#[test]
fn a_hook_in_the_project_itself_does_not_drag_the_project_in() {
    let project = Project::new();
    project.write("hook.ts", "h");
    project.write("README.md", "r");
    let snapshot = ProjectSnapshot::take(&project.root(), ["hook.ts"]).unwrap();
    assert_eq!(snapshot.files().keys().collect::<Vec<_>>(), ["hook.ts"]);
}

#[test]
fn a_damaged_record_is_loud_and_trusts_nothing() {
    let project = Project::new();
    project.trust();
    let record = fs::read_dir(project.dir.path().join("state/trust")).unwrap().next().unwrap().unwrap().path();
    let text = fs::read_to_string(&record).unwrap();
    for broken in [
        String::new(),
        text[..text.len() / 2].to_owned(),
        text.replace("\"size\": 1", "\"size\": 2").replace(HOOK, "x"),
    ] {
        fs::write(&record, broken).unwrap();
        assert!(matches!(project.store.is_trusted(&project.root(), [HOOK]), Err(TrustError::Record { .. })));
        assert!(project.store.list().unwrap().is_empty());
    }
    project.trust();
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn a_swapped_link_takes_trust_away_even_with_the_same_content() {
        let project = Project::new();
        let (one, two) = (project.write("tools/one.ts", "same"), project.write("tools/two.ts", "same"));
        let link = project.root().join(".xcsh/hooks/pre/link.ts");
        symlink(&one, &link).unwrap();
        project.trust();
        fs::remove_file(&link).unwrap();
        symlink(&two, &link).unwrap();
        assert_eq!(project.changed(), [(".xcsh/hooks/pre/link.ts".to_owned(), Change::Moved)]);
    }

    #[test]
    fn the_target_of_a_link_is_part_of_the_content() {
        let project = Project::new();
        let target = project.dir.path().join("outside.ts");
        fs::write(&target, "good").unwrap();
        symlink(&target, project.root().join(".xcsh/hooks/pre/link.ts")).unwrap();
        project.trust();
        fs::write(&target, "evil").unwrap();
        assert_eq!(project.changed(), [(".xcsh/hooks/pre/link.ts".to_owned(), Change::Edited)]);
    }

    #[test]
    fn a_project_reached_through_a_link_is_the_same_project() {
        let project = Project::new();
        project.trust();
        let link = project.dir.path().join("link");
        symlink(project.root(), &link).unwrap();
        let (state, _) = project.store.is_trusted(&link, [link.join(HOOK)]).unwrap();
        assert!(state.is_trusted());
    }

    #[test]
    fn link_loops_pipes_and_broken_links_do_not_stop_it() {
        let project = Project::new();
        let hooks = project.root().join(".xcsh/hooks");
        symlink(&hooks, hooks.join("loop")).unwrap();
        symlink("nowhere", hooks.join("broken.ts")).unwrap();
        let pipe = std::ffi::CString::new(hooks.join("pipe.ts").into_os_string().into_encoded_bytes()).unwrap();
        // SAFETY: a valid path that ends with a zero byte.
        assert_eq!(unsafe { libc::mkfifo(pipe.as_ptr(), 0o600) }, 0);
        project.trust();
        fs::remove_file(hooks.join("broken.ts")).unwrap();
        project.write(".xcsh/hooks/broken.ts", "now it is there");
        assert_eq!(project.changed(), [(".xcsh/hooks/broken.ts".to_owned(), Change::Added)]);
    }

    #[test]
    fn records_are_private_and_exposed_ones_count_for_nothing() {
        let project = Project::new();
        project.trust();
        let dir = project.dir.path().join("state/trust");
        let record = fs::read_dir(&dir).unwrap().next().unwrap().unwrap().path();
        assert_eq!(fs::metadata(&record).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::metadata(&dir).unwrap().permissions().mode() & 0o777, 0o700);
        fs::set_permissions(&record, fs::Permissions::from_mode(0o666)).unwrap();
        let error = project.store.is_trusted(&project.root(), [HOOK]).unwrap_err();
        assert!(matches!(error, TrustError::Exposed { .. }) && error.hint().is_some());
    }
}
