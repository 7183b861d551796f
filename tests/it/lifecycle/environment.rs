//! What a hook finds in its environment.

use std::collections::BTreeMap;

use hookrt::lifecycle::{EventName, HostEnv, HostHook, LifecycleDispatcher};
use serde_json::json;

use super::support::{Project, pre};

/// Twelve kinds of things a hook must not inherit.
const SECRETS: [(&str, &str); 14] = [
    ("ANTHROPIC_API_KEY", "sk-1"),
    ("github_token", "ghp"),
    ("AWS_SECRET_ACCESS_KEY", "aws"),
    ("DB_PASSWORD", "p"),
    ("LDAP_PASSWD", "p"),
    ("GOOGLE_APPLICATION_CREDENTIALS", "/x"),
    ("COMPOSER_AUTH", "{}"),
    ("DATABASE_URL", "postgres://host/db"),
    ("HTTPS_PROXY", "http://u:p@h:8080"),
    ("MY_PASS", "p"),
    ("SSH_AUTH_SOCK", "/tmp/agent"),
    ("NODE_OPTIONS", "--require /tmp/x.js"),
    // Not LD_PRELOAD itself: with the whole environment the shell would try to load it.
    ("LD_AUDIT", ""),
    ("GIT_SSH_COMMAND", "ssh -i key"),
];
const ORDINARY: [(&str, &str); 7] = [
    ("HOME", "/home/me"),
    ("LANG", "C.UTF-8"),
    ("TMPDIR", "/tmp"),
    ("GIT_AUTHOR_NAME", "Me"),
    ("XAUTHORITY", "/x"),
    ("EDITOR", "vi"),
    ("HTTP_PROXY", "http://proxy:8080"),
];
const STALE: [(&str, &str); 7] = [
    ("HOOK_EVENT", "stale"),
    ("HOOK_TOOL", "stale"),
    ("HOOK_SESSION_ID", "stale"),
    ("HOOK_ARGS_JSON", "stale"),
    ("HOOK_ARGS_STDIN", "stale"),
    ("HOOK_PACK", "stale"),
    ("AX_CODE_TRUST_PROJECT_CONFIG", "1"),
];

fn host(extra: &[(&str, &str)]) -> HostEnv {
    let path = std::env::var("PATH").unwrap_or_default();
    std::iter::once(("PATH", path.as_str()))
        .chain(SECRETS)
        .chain(ORDINARY)
        .chain(STALE)
        .chain(extra.iter().copied())
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

async fn environment(hooks: &LifecycleDispatcher) -> BTreeMap<String, String> {
    let outcome = hooks.run(pre("bash", &json!({ "command": "ls" }))).await;
    assert_eq!(outcome.outputs[0].exit, 0, "{}", outcome.outputs[0].stderr);
    let listing = outcome.outputs[0].stdout.split('\0').filter(|pair| !pair.is_empty());
    listing
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

/// A file that asks for everything it must not get.
fn project() -> Project {
    Project::with_file(&json!({
        "env": { "AX_CODE_HOOKS_FULL_ENV": "1" },
        "fullEnv": true,
        "hooks": [{
            "event": "PreToolUse",
            "command": "env -0",
            "pack": "mine",
            "env": { "AX_CODE_HOOKS_FULL_ENV": "1" },
            "passEnv": ["ANTHROPIC_API_KEY"],
        }],
    }))
}

#[tokio::test]
async fn no_secret_arrives_and_the_ordinary_does() {
    let project = project();
    let mut settings = project.settings();
    settings.env = host(&[]);
    let found = environment(&LifecycleDispatcher::new(settings)).await;
    for (name, _) in SECRETS {
        assert!(!found.contains_key(name), "{name}");
    }
    for (name, value) in ORDINARY {
        assert_eq!(found.get(name).map(String::as_str), Some(value), "{name}");
    }
    assert!(found.contains_key("PATH"));
    let protocol = [
        ("HOOK_EVENT", "PreToolUse"),
        ("HOOK_TOOL", "bash"),
        ("HOOK_SESSION_ID", "ses_1"),
        ("HOOK_ARGS_JSON", r#"{"command":"ls"}"#),
        ("HOOK_ARGS_STDIN", "1"),
        ("HOOK_PACK", "mine"),
    ];
    for (name, value) in protocol {
        assert_eq!(found.get(name).map(String::as_str), Some(value), "{name}");
    }
}

#[tokio::test]
async fn the_switch_of_the_process_restores_everything() {
    let project = project();
    for (value, full) in [("1", true), ("true", false), ("0", false)] {
        let mut settings = project.settings();
        settings.env = host(&[("AX_CODE_HOOKS_FULL_ENV", value)]);
        let found = environment(&LifecycleDispatcher::new(settings)).await;
        for (name, secret) in SECRETS {
            assert_eq!(found.get(name).map(String::as_str) == Some(secret), full, "{name} with {value}");
        }
        assert_eq!(found.get("HOOK_TOOL").map(String::as_str), Some("bash"), "stale ones are replaced all the same");
    }
}

#[tokio::test]
async fn stale_variables_are_replaced_by_empty_ones() {
    let project = Project::new();
    let mut settings = project.settings();
    settings.env = host(&[]);
    settings.host_hooks = vec![HostHook::new(EventName::Stop, "env -0")];
    let event = hookrt::lifecycle::LifecycleEvent::Stop(hookrt::lifecycle::TurnEnd { session_id: String::new() });
    let outcome = LifecycleDispatcher::new(settings).run(event).await;
    for line in ["HOOK_EVENT=Stop", "HOOK_TOOL=", "HOOK_SESSION_ID=", "HOOK_ARGS_JSON={}", "HOOK_PACK="] {
        let all: Vec<&str> = outcome.outputs[0].stdout.split('\0').collect();
        assert_eq!(all.iter().filter(|pair| **pair == line).count(), 1, "{line}");
    }
    assert!(!outcome.outputs[0].stdout.contains("stale"));
}

#[tokio::test]
async fn the_host_may_pass_a_variable_to_a_hook_of_its_own() {
    let project = Project::new();
    let mut settings = project.settings();
    settings.env = host(&[]);
    settings.host_hooks =
        vec![HostHook { pass_env: vec!["github_token".to_owned()], ..HostHook::new(EventName::PreToolUse, "env -0") }];
    let found = environment(&LifecycleDispatcher::new(settings)).await;
    assert_eq!(found.get("github_token").map(String::as_str), Some("ghp"));
    assert!(!found.contains_key("ANTHROPIC_API_KEY"));
}

#[tokio::test]
async fn a_large_environment_and_odd_ids_still_start() {
    let project = Project::new();
    let mut settings = project.settings();
    let large: Vec<(String, String)> = (0..200).map(|number| (format!("LARGE_{number}"), "x".repeat(1000))).collect();
    let extra: Vec<(&str, &str)> = large.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    settings.env = host(&extra);
    settings.host_hooks = vec![HostHook::new(EventName::PreToolUse, "env -0")];
    let hooks = LifecycleDispatcher::new(settings);
    let found = environment(&hooks).await;
    assert_eq!(found.keys().filter(|name| name.starts_with("LARGE_")).count(), 200);

    let mut odd = super::support::tool_use("ba\0sh", &json!({}));
    odd.session_id = "s".repeat(200_000);
    let outcome = hooks.run(hookrt::lifecycle::LifecycleEvent::PreToolUse(odd)).await;
    let variables: Vec<&str> = outcome.outputs[0].stdout.split('\0').collect();
    assert!(variables.contains(&"HOOK_TOOL=bash") && variables.contains(&"HOOK_SESSION_ID="));
}
