//! The hooks file: trust, order, bad entries, files that cannot be read.

use hookrt::lifecycle::{BlockKind, Decision, EventName, HookSource, HostHook, LifecycleDispatcher, find_project};
use serde_json::json;

use super::support::{Project, env, pre, print};

const DENY: &str = "echo no >&2; exit 1";

fn deny_hook() -> serde_json::Value {
    json!({ "event": "PreToolUse", "command": DENY, "blockOnFailure": true })
}

#[tokio::test]
async fn nothing_of_an_untrusted_file_runs_and_one_notice_says_so() {
    for (name, value) in [("", ""), ("AX_CODE_TRUST_PROJECT_CONFIG", "true"), ("AX_CODE_TRUST_PROJECT_CONFIG", "")] {
        let project = Project::with_file(&json!({
            "packs": ["block-force-push"],
            "hooks": [{ "event": "PreToolUse", "command": "touch ran" }, deny_hook()],
        }));
        let mut settings = project.settings();
        settings.env = env([(name, value)]);
        settings.enforce = true;
        let hooks = LifecycleDispatcher::new(settings);
        let outcome = hooks.run(pre("bash", &json!({ "command": "git push -f" }))).await;
        assert!(outcome.ok && outcome.outputs.is_empty() && outcome.warnings.is_empty());
        assert!(!project.join("ran").exists());
        assert_eq!(hooks.warnings().len(), 1, "{:?}", hooks.warnings());
        let notice = &hooks.warnings()[0];
        assert!(notice.contains("1 pack and 2 hooks") && notice.contains("AX_CODE_TRUST_PROJECT_CONFIG=1"), "{notice}");
        assert_eq!((hooks.hooks().len(), hooks.untrusted_hooks().len()), (0, 3));
    }
}

#[tokio::test]
async fn an_untrusted_file_without_effect_needs_no_notice() {
    for text in ["{}", r#"{"packs":[],"hooks":[]}"#, r#"{"packs":["nope"],"hooks":[{}]}"#] {
        let project = Project::with_text(text);
        let mut settings = project.settings();
        settings.env = env([]);
        assert!(LifecycleDispatcher::new(settings).warnings().is_empty(), "{text}");
    }
    // Whether a broken one would have an effect nobody knows.
    let project = Project::with_text("{");
    let mut settings = project.settings();
    settings.env = env([]);
    settings.enforce = true;
    let hooks = LifecycleDispatcher::new(settings);
    assert_eq!(hooks.warnings().len(), 1);
    assert!(hooks.run(pre("bash", &json!({}))).await.ok, "an ignored file blocks nothing");
}

#[tokio::test]
async fn own_packs_and_host_hooks_need_no_trust() {
    let project = Project::with_file(&json!({ "hooks": [deny_hook()] }));
    let mut settings = project.settings();
    settings.env = env([]);
    settings.user_packs = vec!["log-bash-commands".to_owned()];
    settings.host_hooks = vec![HostHook::new(EventName::PreToolUse, print("host"))];
    let outcome = LifecycleDispatcher::new(settings).run(pre("bash", &json!({ "command": "ls" }))).await;
    assert!(outcome.ok);
    let printed: Vec<String> =
        outcome.outputs.iter().map(|output| format!("{}{}", output.stdout, output.stderr)).collect();
    assert_eq!(printed, ["[hook:log-bash] ls\n", "host"]);
}

#[tokio::test]
async fn user_packs_then_file_packs_then_file_hooks_then_host_hooks() {
    let project = Project::with_file(&json!({
        "hooks": [{ "event": "Stop", "command": "a" }, { "event": "Stop", "command": "b" }],
        "packs": ["log-bash-commands", "block-force-push", "format-after-edit", "block-force-push"],
    }));
    let mut settings = project.settings();
    settings.user_packs = vec!["format-after-edit".to_owned(), "nope".to_owned()];
    settings.host_hooks = vec![HostHook::new(EventName::Stop, "c")];
    let hooks = LifecycleDispatcher::new(settings);
    let order: Vec<(String, HookSource)> = hooks.hooks().iter().map(|hook| (hook.command(), hook.source())).collect();
    let expected = [
        ("pack:format-after-edit", HookSource::UserPack),
        ("pack:log-bash-commands", HookSource::ProjectPack),
        ("pack:block-force-push", HookSource::ProjectPack),
        ("a", HookSource::ProjectFile { index: 0 }),
        ("b", HookSource::ProjectFile { index: 1 }),
        ("c", HookSource::Host { index: 0 }),
    ];
    assert_eq!(order, expected.map(|(command, source)| (command.to_owned(), source)));
    assert_eq!(hooks.warnings(), ["unknown pack `nope`, ignored"]);
}

#[tokio::test]
async fn bad_entries_are_named_and_their_siblings_enforce() {
    let rows = [
        (
            json!({ "event": "NotAnEvent", "command": 42 }),
            vec!["hooks[0].event: unknown event `NotAnEvent`", "hooks[0].command: expected a string, found a number"],
        ),
        (json!({ "event": "pretooluse", "command": "x" }), vec!["hooks[0].event: unknown event `pretooluse`"]),
        (
            json!({ "event": "PreToolUse", "command": "x", "matcher": {} }),
            vec!["hooks[0].matcher: expected a string, found an object"],
        ),
        (
            json!({ "event": "PreToolUse", "command": "x", "blockOnFailure": "yes" }),
            vec!["hooks[0].blockOnFailure: expected a boolean, found a string"],
        ),
        (
            json!({ "event": "PreToolUse", "command": "x", "protocol": "claude" }),
            vec!["hooks[0].protocol: expected `claude-code`, found `claude`"],
        ),
        (json!({ "event": "PreToolUse", "command": "" }), vec!["hooks[0].command: empty"]),
        (json!({ "event": "PreToolUse", "command": "a\0b" }), vec!["hooks[0].command: contains a NUL character"]),
        (
            json!({ "event": "PreToolUse", "command": "語".repeat(100_001) }),
            vec!["hooks[0].command: longer than 100000 characters"],
        ),
        (
            json!({ "event": "PreToolUse", "command": "x", "matcher": "m".repeat(501) }),
            vec!["hooks[0].matcher: longer than 500 characters"],
        ),
        (json!({ "type": "command", "command": "x" }), vec!["hooks[0].event: missing"]),
        (
            json!({ "matcher": "Bash", "hooks": [{ "type": "command", "command": "x" }] }),
            vec!["hooks[0].event: missing", "hooks[0].command: missing"],
        ),
        (json!("x"), vec!["hooks[0]: expected an object, found a string"]),
    ];
    for (entry, expected) in rows {
        let project = Project::with_file(&json!({ "hooks": [entry, deny_hook()] }));
        let hooks = project.dispatcher();
        for text in &expected {
            assert!(hooks.warnings().iter().any(|warning| warning.contains(text)), "{text}: {:?}", hooks.warnings());
        }
        assert_eq!(hooks.warnings().len(), expected.len(), "{:?}", hooks.warnings());
        let outcome = hooks.run(pre("bash", &json!({}))).await;
        assert_eq!((outcome.blocked, outcome.reason.as_deref()), (true, Some("no")), "{expected:?}");
    }
}

#[tokio::test]
async fn odd_but_readable_files() {
    let entry = deny_hook().to_string();
    let rows = [
        (format!("\u{feff}{{\"hooks\":[{entry}]}}"), 0),
        (format!("{{\"hooks\":[{{\"event\":\"Stop\",\"event\":\"Stop\",\"command\":\"x\"}},{entry}]}}"), 1),
        (format!("{{\"hooks\":[],\"hooks\":[{entry}]}}"), 1),
        (format!("{{\"packs\":[\"nope\",7],\"hooks\":[{entry}]}}"), 2),
        (format!("{{\"extra\":1,\"hooks\":[{entry}]}}"), 1),
        (format!("{{\"hooks\":[{}]}}", entry.replace("true", "true,\"timeout\":5")), 1),
        (format!("{{\"hooks\":[{}]}}", entry.replace("true", "true,\"matcher\":null,\"pack\":null")), 0),
    ];
    for (text, warnings) in rows {
        let project = Project::with_text(&text);
        let hooks = project.dispatcher();
        assert_eq!(hooks.warnings().len(), warnings, "{text}: {:?}", hooks.warnings());
        assert!(hooks.run(pre("bash", &json!({}))).await.blocked, "{text}");
    }
}

#[tokio::test]
async fn a_hundred_entries_and_no_more() {
    let mut entries = vec![json!({ "event": "Stop", "command": "x" }); 100];
    entries.push(deny_hook());
    let project = Project::with_file(&json!({ "hooks": entries, "packs": vec!["format-after-edit"; 101] }));
    let hooks = project.dispatcher();
    assert_eq!(hooks.hooks().len(), 101, "one pack, a hundred hooks");
    let text = hooks.warnings().join("\n");
    assert!(
        text.contains("hooks[100]: past the 100 hooks") && text.contains("packs[100]: past the 100 packs"),
        "{text}"
    );
}

#[tokio::test]
async fn a_file_that_cannot_be_read_is_loud_and_blocks_when_enforced() {
    let broken = [
        r#"{"hooks":[],}"#,
        "// comment\n{}",
        "{\"hooks\": /* x */ []}",
        "",
        "[]",
        "\"x\"",
        r#"{"hooks":{"PreToolUse":[]}}"#,
        r#"{"packs":"block-force-push"}"#,
        "\u{fffd}",
    ];
    for text in broken {
        let project = Project::with_text(text);
        for enforce in [false, true] {
            let mut settings = project.settings();
            settings.enforce = enforce;
            settings.host_hooks = vec![HostHook::new(EventName::PreToolUse, print("ran"))];
            let hooks = LifecycleDispatcher::new(settings);
            assert_eq!(hooks.warnings().len(), 1, "{text}");
            assert!(hooks.warnings()[0].contains("hooks.json"), "{text}");
            let outcome = hooks.run(pre("bash", &json!({}))).await;
            assert_eq!(outcome.blocked, enforce, "{text}");
            assert_eq!(outcome.outputs.len(), usize::from(!enforce), "other hooks still run: {text}");
            if enforce {
                assert_eq!((outcome.decision, outcome.block_kind), (Decision::Deny, Some(BlockKind::Configuration)));
                let message = outcome.error_message().unwrap_or_default();
                assert!(
                    message.starts_with("PreToolUse hook blocked tool bash: ") && message.contains("hooks.json"),
                    "{message}"
                );
            }
        }
    }
}

#[tokio::test]
async fn a_place_that_is_no_file_never_hangs() {
    let project = Project::new();
    std::fs::create_dir_all(project.file()).expect("a directory in the file's place");
    let mut settings = project.settings();
    settings.enforce = true;
    assert!(LifecycleDispatcher::new(settings).run(pre("bash", &json!({}))).await.blocked);

    for target in ["/dev/zero", "/nowhere/at/all"] {
        let project = Project::new();
        std::fs::create_dir(project.path().join(".ax-code")).expect("a directory");
        std::os::unix::fs::symlink(target, project.file()).expect("a link");
        let hooks = project.dispatcher();
        assert!(hooks.file_error().is_some(), "{target}");
    }
}

#[tokio::test]
async fn no_file_is_no_hooks() {
    let project = Project::new();
    let mut settings = project.settings();
    settings.enforce = true;
    let hooks = LifecycleDispatcher::new(settings);
    assert!(hooks.warnings().is_empty() && hooks.run(pre("bash", &json!({}))).await.ok);
    assert!(!hooks.concerns(EventName::PreToolUse, Some("bash")));
}

#[test]
fn the_project_is_found_upward_but_only_inside_a_repository() {
    let project = Project::with_text("{}");
    let below = project.join("a/b");
    std::fs::create_dir_all(&below).expect("directories");
    assert_eq!(find_project(&below), below, "a file in a shared parent is not ours");
    std::fs::create_dir(project.join(".git")).expect("a repository");
    assert_eq!(find_project(&below), project.path());
    std::fs::create_dir(project.join("a/.git")).expect("an inner repository");
    assert_eq!(find_project(&below), below);
}
