//! The built-in packs through the dispatcher, without anything in PATH.

use hookrt::lifecycle::{
    HostEnv, LifecycleDispatcher, LifecycleEvent, Outcome, TurnEnd, catalogue, catalogue_markdown,
};
use serde_json::{Value, json};

use super::support::{Project, post, pre};

async fn run(pack: &str, event: LifecycleEvent) -> Outcome {
    let project = Project::with_file(&json!({ "packs": [pack] }));
    let mut settings = project.settings();
    settings.env = [("AX_CODE_TRUST_PROJECT_CONFIG", "1")].into_iter().collect::<HostEnv>();
    LifecycleDispatcher::new(settings).run(event).await
}

fn bash(command: &str) -> LifecycleEvent {
    pre("bash", &json!({ "command": command }))
}

#[tokio::test]
async fn format_after_edit_reminds_the_model() {
    let text = "[hook:format-after-edit] Consider formatting changed files (prettier/eslint --fix/rustfmt).";
    for tool in ["edit", "write", "multiedit", "apply_patch"] {
        let outcome = run("format-after-edit", post(tool, &json!({}))).await;
        assert_eq!(outcome.feedback, Some(format!("<hook_feedback event=\"PostToolUse\">{text}</hook_feedback>")));
    }
    assert!(run("format-after-edit", post("bash", &json!({}))).await.outputs.is_empty());
    assert!(run("format-after-edit", pre("edit", &json!({}))).await.outputs.is_empty());
}

#[tokio::test]
async fn block_force_push_blocks() {
    for command in
        ["git push --force", "git push -f", "git push --force-with-lease", "cd x && A=1 git -C dir push -f; true"]
    {
        let outcome = run("block-force-push", bash(command)).await;
        assert_eq!((outcome.blocked, outcome.outputs[0].exit), (true, 2), "{command}");
        assert_eq!(outcome.outputs[0].stderr.trim_end(), "Blocked force push by block-force-push hook");
        assert_eq!(
            outcome.error_message().as_deref(),
            Some("PreToolUse hook blocked tool bash: Blocked force push by block-force-push hook")
        );
    }
    for command in ["git push", "git push origin main && rm -f x", "echo hi"] {
        let outcome = run("block-force-push", bash(command)).await;
        assert_eq!((outcome.ok, outcome.outputs[0].exit), (true, 0), "{command}");
    }
    assert!(run("block-force-push", pre("Bash", &json!({ "command": "git push -f" }))).await.ok, "matchers are exact");
    let large = json!({ "filler": "x".repeat(3_000_000), "command": "git push -f" });
    assert!(run("block-force-push", pre("bash", &large)).await.blocked);
}

#[tokio::test]
async fn require_tests_on_stop_reminds() {
    let outcome = run("require-tests-on-stop", LifecycleEvent::Stop(TurnEnd { session_id: String::new() })).await;
    assert!(outcome.ok);
    assert_eq!(
        outcome.outputs[0].stdout.trim_end(),
        "[hook:require-tests-on-stop] If files were changed this session, ensure tests/typecheck/verify_project ran after the last mutation."
    );
}

#[tokio::test]
async fn protect_env_files_warns_and_never_blocks() {
    let warning = "[hook:protect-env-files] Tool args reference .env — double-check secrets handling";
    let rows: [(Value, bool); 7] = [
        (json!({ "path": ".env" }), true),
        (json!({ "path": "app/.env.local" }), true),
        (json!({ "command": "cat x\n.env" }), true),
        (json!({ "edits": [{ "path": "a/.env" }] }), true),
        (json!({ "path": ".envrc" }), false),
        (json!({ "path": ".environment" }), false),
        (json!({ "new": "process.env.HOME" }), false),
    ];
    for (args, warns) in rows {
        for tool in ["read", "edit", "write", "bash"] {
            let outcome = run("protect-env-files", pre(tool, &args)).await;
            let expected = if warns { warning } else { "" };
            assert_eq!(
                (outcome.ok, outcome.outputs[0].exit, outcome.outputs[0].stderr.trim_end()),
                (true, 0, expected),
                "{args}"
            );
        }
    }
}

#[tokio::test]
async fn log_bash_commands_logs_the_first_500_characters() {
    let outcome = run("log-bash-commands", bash("ls -la")).await;
    assert_eq!((outcome.outputs[0].exit, outcome.outputs[0].stderr.as_str()), (0, "[hook:log-bash] ls -la\n"));
    let outcome = run("log-bash-commands", bash(&"語".repeat(600))).await;
    assert_eq!(outcome.outputs[0].stderr.matches('語').count(), 500);
}

#[test]
fn the_catalogue_names_five() {
    let names: Vec<&str> = catalogue().map(|pack| pack.name).collect();
    let expected =
        ["format-after-edit", "block-force-push", "require-tests-on-stop", "protect-env-files", "log-bash-commands"];
    assert_eq!(names, expected);
    let page = catalogue_markdown();
    for name in names {
        assert!(page.contains(&format!("| `{name}` |")), "{name}");
    }
}
