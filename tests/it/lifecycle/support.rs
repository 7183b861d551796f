//! A project directory, settings that depend on nothing around the test, and small builders.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hookrt::lifecycle::{
    Args, BoxFuture, HookSlots, HostEnv, HostHook, LifecycleDispatcher, LifecycleEvent, LifecycleSettings,
    PermissionAnswer, PermissionPrompt, PermissionRequest, ToolUse, UserPrompt,
};
use serde_json::Value;

/// A temporary project.
pub struct Project {
    directory: tempfile::TempDir,
}

impl Project {
    pub fn new() -> Self {
        Project { directory: tempfile::tempdir().expect("a temporary directory") }
    }

    pub fn with_file(hooks_json: &Value) -> Self {
        Self::with_text(hooks_json.to_string())
    }

    pub fn with_text(text: impl AsRef<[u8]>) -> Self {
        let project = Self::new();
        std::fs::create_dir(project.path().join(".ax-code")).expect("a directory");
        std::fs::write(project.file(), text).expect("a hooks file");
        project
    }

    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    pub fn file(&self) -> PathBuf {
        self.path().join(".ax-code/hooks.json")
    }

    pub fn join(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// Trusted, with a small environment and slots of its own.
    pub fn settings(&self) -> LifecycleSettings {
        let mut settings = LifecycleSettings::new(self.path());
        settings.env = env([("AX_CODE_TRUST_PROJECT_CONFIG", "1")]);
        settings.slots = HookSlots::new(4);
        settings
    }

    pub fn dispatcher(&self) -> LifecycleDispatcher {
        LifecycleDispatcher::new(self.settings())
    }

    pub fn with_hooks(&self, hooks: impl IntoIterator<Item = HostHook>) -> LifecycleDispatcher {
        let mut settings = self.settings();
        settings.host_hooks = hooks.into_iter().collect();
        LifecycleDispatcher::new(settings)
    }
}

/// What every hook needs to find its tools, and the given variables.
pub fn env<const COUNT: usize>(variables: [(&str, &str); COUNT]) -> HostEnv {
    let path = std::env::var("PATH").unwrap_or_else(|_| "/usr/bin:/bin".to_owned());
    std::iter::once(("PATH".to_owned(), path))
        .chain(variables.map(|(name, value)| (name.to_owned(), value.to_owned())))
        .collect()
}

/// A command that prints exactly this text on stdout.
pub fn print(text: &str) -> String {
    format!("printf %s {}", quote(text))
}

pub fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

pub fn tool_use(tool: &str, args: &Value) -> ToolUse {
    ToolUse {
        session_id: "ses_1".to_owned(),
        tool: tool.to_owned(),
        call_id: Some("call_1".to_owned()),
        args: Args::from(args),
    }
}

pub fn pre(tool: &str, args: &Value) -> LifecycleEvent {
    LifecycleEvent::PreToolUse(tool_use(tool, args))
}

pub fn post(tool: &str, args: &Value) -> LifecycleEvent {
    LifecycleEvent::PostToolUse(tool_use(tool, args))
}

pub fn prompt(text: &str) -> LifecycleEvent {
    LifecycleEvent::UserPromptSubmit(UserPrompt::from_parts("ses_1", &[text]))
}

/// A person who always gives the same answer, and what was asked.
pub struct Person {
    answer: PermissionAnswer,
    pub asked: Mutex<Vec<PermissionRequest>>,
}

impl Person {
    pub fn who(answer: PermissionAnswer) -> Arc<Self> {
        Arc::new(Person { answer, asked: Mutex::new(Vec::new()) })
    }

    pub fn reasons(&self) -> Vec<String> {
        let asked = self.asked.lock().expect("no panic while asking");
        asked.iter().map(|request| request.reason.clone()).collect()
    }
}

impl PermissionPrompt for Person {
    fn ask(&self, request: PermissionRequest) -> BoxFuture<'_, PermissionAnswer> {
        self.asked.lock().expect("no panic while asking").push(request);
        let answer = self.answer;
        Box::pin(async move {
            // People take their time; the hooks are through by then.
            tokio::time::sleep(Duration::from_millis(1)).await;
            answer
        })
    }
}

/// Waits until something is so; background processes take a moment to go.
pub async fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    for _ in 0..500 {
        if is_so() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("never happened: {what}");
}
