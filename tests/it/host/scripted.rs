//! A host whose dialogs stay open until the test answers them and that writes down everything it is told.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use hookrt::host::{BoxFuture, BridgeHost, Dialog, HostBridge, HostError, UiContext};
use hookrt::{HookError, HookRunner, RunnerOptions, load_hooks};
use serde_json::{Value, json};
use tokio::sync::oneshot;

type Answer<T> = BoxFuture<Result<T, HostError>>;

/// How the host re-enters the runner while a command waits.
type OnNewSession = Box<dyn Fn() -> BoxFuture<bool> + Send + Sync>;

/// Name of the call and where its answer goes.
type OpenDialog = (String, oneshot::Sender<Option<Value>>);

#[derive(Default)]
pub struct Script {
    pub told: Mutex<Vec<String>>,
    open: Mutex<HashMap<u32, OpenDialog>>,
    pub entries: Mutex<Vec<Value>>,
    version: AtomicU64,
    pub reads: AtomicU64,
    pub on_new_session: Mutex<Option<OnNewSession>>,
    pub setup: Mutex<Vec<Value>>,
}

impl Script {
    pub fn tell(&self, line: impl Into<String>) {
        self.told.lock().unwrap().push(line.into());
    }

    pub fn told(&self) -> Vec<String> {
        self.told.lock().unwrap().clone()
    }

    fn ask(&self, id: u32, kind: &str) -> oneshot::Receiver<Option<Value>> {
        let (sender, receiver) = oneshot::channel();
        self.open.lock().unwrap().insert(id, (kind.to_owned(), sender));
        receiver
    }

    /// Kinds of the dialogs that stand open.
    pub fn open_dialogs(&self) -> Vec<String> {
        let mut kinds: Vec<String> = self.open.lock().unwrap().values().map(|(kind, _)| kind.clone()).collect();
        kinds.sort();
        kinds
    }

    /// Answers the open dialog of this kind; whether there was one.
    pub fn answer(&self, kind: &str, value: Option<Value>) -> bool {
        let mut open = self.open.lock().unwrap();
        let id = open.iter().find(|(_, (known, _))| known == kind).map(|(id, _)| *id);
        match id.and_then(|id| open.remove(&id)) {
            Some((_, sender)) => sender.send(value).is_ok(),
            None => false,
        }
    }

    pub fn append(&self, entry: Value) {
        self.entries.lock().unwrap().push(entry);
        self.version.fetch_add(1, Ordering::SeqCst);
    }

    /// Waits until something was told or a dialog stands open.
    pub async fn until(&self, what: impl Fn(&Script) -> bool) {
        let deadline = Instant::now() + Duration::from_secs(20);
        while !what(self) {
            assert!(Instant::now() < deadline, "told so far: {:?}, open: {:?}", self.told(), self.open_dialogs());
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }

    pub async fn until_told(&self, line: &str) {
        self.until(|script| script.told().iter().any(|told| told == line)).await;
    }
}

/// What is plugged in: the script and whether there is a user interface.
#[derive(Clone)]
pub struct ScriptedHost {
    pub script: Arc<Script>,
    has_ui: bool,
}

fn text_answer(script: &Script, id: u32, kind: &str) -> Answer<Option<String>> {
    let answer = script.ask(id, kind);
    Box::pin(async move { Ok(answer.await.ok().flatten().and_then(|value| value.as_str().map(str::to_owned))) })
}

impl UiContext for ScriptedHost {
    fn select(&self, dialog: Dialog) -> Answer<Option<String>> {
        self.script.tell(format!("select {} {:?}", dialog.title, dialog.options));
        text_answer(&self.script, dialog.id, "select")
    }
    fn confirm(&self, dialog: Dialog) -> Answer<bool> {
        if dialog.title == "broken" {
            return Box::pin(std::future::ready(Err(HostError::new("the screen is locked"))));
        }
        let answer = self.script.ask(dialog.id, "confirm");
        Box::pin(async move { Ok(answer.await.ok().flatten() == Some(Value::Bool(true))) })
    }
    fn input(&self, dialog: Dialog) -> Answer<Option<String>> {
        text_answer(&self.script, dialog.id, "input")
    }
    fn editor(&self, dialog: Dialog) -> Answer<Option<String>> {
        text_answer(&self.script, dialog.id, "editor")
    }
    fn custom(&self, id: u32, component: u64) -> Answer<()> {
        self.script.tell(format!("custom {component}"));
        let answer = self.script.ask(id, "custom");
        Box::pin(async move {
            let _ = answer.await;
            Ok(())
        })
    }
    fn custom_render(&self, component: u64) {
        self.script.tell(format!("render {component}"));
    }
    fn custom_stop(&self, component: u64) {
        self.script.tell(format!("stop {component}"));
    }
    fn custom_start(&self, component: u64) {
        self.script.tell(format!("start {component}"));
    }
    fn close(&self, id: u32) {
        let closed = self.script.open.lock().unwrap().remove(&id);
        self.script.tell(format!("closed {}", closed.map_or_else(|| "nothing".to_owned(), |(kind, _)| kind)));
    }
    fn notify(&self, message: &str, level: &str) {
        self.script.tell(format!("{level}: {message}"));
    }
    fn set_status(&self, key: &str, text: Option<&str>) {
        self.script.tell(format!("status {key}={}", text.unwrap_or("<none>")));
    }
    fn set_editor_text(&self, text: &str) {
        self.script.tell(format!("editor text: {text}"));
    }
    fn editor_text(&self) -> String {
        "draft".to_owned()
    }
}

impl HostBridge for ScriptedHost {
    fn ui(&self) -> Option<Arc<dyn UiContext>> {
        self.has_ui.then(|| Arc::new(self.clone()) as Arc<dyn UiContext>)
    }
    fn send_message(&self, message: Value, options: Value) {
        self.script.tell(format!("message {message} {options}"));
    }
    fn append_entry(&self, custom_type: &str, data: Option<Value>) {
        self.script.tell(format!("entry {custom_type} {}", data.unwrap_or_default()));
        self.script.append(json!({ "type": "custom", "customType": custom_type }));
    }
    fn model(&self) -> Option<Value> {
        Some(json!({ "provider": "test", "id": "m-1" }))
    }
    fn session_version(&self) -> Option<u64> {
        Some(self.script.version.load(Ordering::SeqCst))
    }
    fn session_read(&self, getter: &str, _args: &[Value]) -> Result<Option<Value>, HostError> {
        self.script.reads.fetch_add(1, Ordering::SeqCst);
        match getter {
            "getEntries" => Ok(Some(Value::Array(self.script.entries.lock().unwrap().clone()))),
            "getSessionFile" => Ok(Some(json!("/s/now.jsonl"))),
            "getLabel" => Err(HostError::new("labels are not kept")),
            _ => Ok(None),
        }
    }
    fn new_session(&self, parent_session: Option<String>, entries: Vec<Value>) -> Answer<bool> {
        self.script.tell(format!("new session from {}", parent_session.unwrap_or_default()));
        *self.script.setup.lock().unwrap() = entries;
        let reenter = self.script.on_new_session.lock().unwrap().as_ref().map(|reenter| reenter());
        Box::pin(async move {
            match reenter {
                Some(cancelled) => Ok(cancelled.await),
                None => Ok(false),
            }
        })
    }
    fn branch(&self, entry_id: String) -> Answer<bool> {
        Box::pin(std::future::ready(Ok(entry_id == "locked")))
    }
    fn navigate_tree(&self, id: String, summarize: Option<bool>) -> Answer<bool> {
        self.script.tell(format!("navigate to {id} {summarize:?}"));
        Box::pin(std::future::ready(Ok(false)))
    }
}

/// Hooks loaded against a scripted host.
pub struct Agent {
    pub runner: HookRunner,
    pub script: Arc<Script>,
    pub errors: Arc<Mutex<Vec<HookError>>>,
    pub load_errors: Vec<String>,
    _folder: tempfile::TempDir,
}

impl Agent {
    /// One hook, initialised, with a user interface.
    pub async fn new(hook: &str) -> Agent {
        Agent::new_with(hook, |_| {}).await
    }

    /// The same with other options.
    pub async fn new_with(hook: &str, change: impl FnOnce(&mut RunnerOptions)) -> Agent {
        let agent = Agent::load_with(hook, true, change).await;
        assert!(agent.load_errors.is_empty(), "{:?}", agent.load_errors);
        agent.runner.initialize();
        agent
    }

    /// One hook, not yet initialised.
    pub async fn load(hook: &str, has_ui: bool) -> Agent {
        Agent::load_with(hook, has_ui, |_| {}).await
    }

    async fn load_with(hook: &str, has_ui: bool, change: impl FnOnce(&mut RunnerOptions)) -> Agent {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("hook.ts"), hook).unwrap();
        let script = Arc::new(Script::default());
        let mut options = RunnerOptions::new(folder.path());
        options.host = Arc::new(BridgeHost::new(ScriptedHost { script: script.clone(), has_ui }));
        change(&mut options);
        let loaded = load_hooks(&["hook.ts"], options).await.unwrap();
        let errors: Arc<Mutex<Vec<HookError>>> = Arc::default();
        let seen = errors.clone();
        loaded.runner.on_error(move |error| seen.lock().unwrap().push(error.clone()));
        Agent {
            load_errors: loaded.errors.into_iter().map(|error| error.error).collect(),
            runner: loaded.runner,
            script,
            errors,
            _folder: folder,
        }
    }

    /// Emits an event with these fields; the result as JSON.
    pub async fn emit(&self, name: &str, fields: Value) -> Value {
        emit(&self.runner, name, fields).await
    }

    /// Emits in the background.
    pub fn start_emit(&self, name: &'static str, fields: Value) -> tokio::task::JoinHandle<Value> {
        let runner = self.runner.clone();
        tokio::spawn(async move { emit(&runner, name, fields).await })
    }

    pub fn error_texts(&self) -> Vec<String> {
        self.errors.lock().unwrap().iter().map(|error| format!("{}: {}", error.event, error.error)).collect()
    }
}

pub async fn emit(runner: &HookRunner, name: &str, mut fields: Value) -> Value {
    fields["type"] = name.into();
    let outcome = runner.emit_raw(name, fields.to_string()).await.unwrap();
    outcome.result.map_or(Value::Null, |result| serde_json::from_str(result.get()).unwrap())
}
