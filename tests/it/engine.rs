//! The library: concurrency, life of a runner, listeners, lookups.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use hookrt::events::{Event, ToolCallEvent};
use hookrt::runner::{EmitError, HookRunner, LoadHooksResult, RunnerOptions, load_hooks};
use serde_json::{Value, json};

/// Hooks from texts, loaded in order.
async fn load(texts: &[&str]) -> (tempfile::TempDir, LoadHooksResult) {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let mut paths = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        let name = format!("h{index}.ts");
        std::fs::write(folder.path().join(&name), text).expect("a file");
        paths.push(name);
    }
    let loaded = load_hooks(&paths, RunnerOptions::new(folder.path())).await.expect("an engine");
    loaded.runner.initialize();
    (folder, loaded)
}

async fn runner(texts: &[&str]) -> (tempfile::TempDir, HookRunner) {
    let (folder, loaded) = load(texts).await;
    assert_eq!(loaded.errors, []);
    (folder, loaded.runner)
}

fn tool_call(id: &str, input: Value) -> ToolCallEvent {
    ToolCallEvent { tool_name: "bash".to_owned(), tool_call_id: id.to_owned(), input, ..ToolCallEvent::default() }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_concurrent_emits_wait_together() {
    let hook = r#"export default (pi) => pi.on("tool_call", async (event) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return { block: true, reason: event.toolCallId };
    });"#;
    let (_folder, runner) = runner(&[hook]).await;
    // The first emit of a fresh isolate compiles the code on the way.
    runner.emit_tool_call(&tool_call("warm", json!({}))).await.expect("an outcome");
    // The rest of the suite runs on the same processors: the best of some rounds is what the engine can do.
    let mut rounds = Vec::new();
    while rounds.len() < 5 && rounds.iter().all(|round| *round >= Duration::from_millis(500)) {
        rounds.push(thousand_emits(&runner).await);
    }
    assert!(rounds.iter().any(|round| *round < Duration::from_millis(500)), "{rounds:?}");
}

/// How long a thousand emits at once take; each has to get its own answer.
async fn thousand_emits(runner: &HookRunner) -> Duration {
    let started = Instant::now();
    let mut emits = tokio::task::JoinSet::new();
    for index in 0..1000 {
        let runner = runner.clone();
        emits.spawn(async move {
            let id = format!("call-{index}");
            let outcome = runner.emit_tool_call(&tool_call(&id, json!({ "n": index }))).await.expect("an outcome");
            assert_eq!(outcome.result.and_then(|result| result.reason), Some(id));
        });
    }
    while let Some(emit) = emits.join_next().await {
        emit.expect("each has its own answer");
    }
    started.elapsed()
}

#[tokio::test]
async fn a_waiting_handler_holds_up_nobody() {
    let hook = r#"export default (pi) => {
      pi.on("tool_call", () => new Promise((resolve) => setTimeout(resolve, 30_000)));
      pi.on("agent_start", () => {});
    };"#;
    let (_folder, runner) = runner(&[hook]).await;
    let waiting = tokio::spawn({
        let runner = runner.clone();
        async move { runner.emit_tool_call(&tool_call("t", json!({}))).await }
    });
    tokio::time::sleep(Duration::from_millis(20)).await;
    let quick = runner.emit_raw("agent_start", r#"{"type":"agent_start"}"#.to_owned());
    tokio::time::timeout(Duration::from_secs(5), quick).await.expect("at once").expect("an outcome");
    runner.shutdown();
    let outcome = tokio::time::timeout(Duration::from_secs(5), waiting).await.expect("in time").expect("no panic");
    assert!(matches!(outcome, Err(EmitError::Gone(_))), "an open tool call fails when the isolate goes: {outcome:?}");
}

#[tokio::test]
async fn after_a_shutdown_tool_calls_are_refused() {
    let (_folder, runner) = runner(&[r#"export default (pi) => pi.on("tool_call", () => {});"#]).await;
    runner.shutdown();
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(runner.emit_tool_call(&tool_call("t", json!({}))).await.is_err());
    let outcome = hookrt::HookToolWrapper::new(runner)
        .execute("bash", "t", json!({}), |_| async { panic!("the tool must not run") })
        .await;
    assert!(matches!(outcome, hookrt::runner::ToolOutcome::Blocked { .. }), "{outcome:?}");
}

#[tokio::test]
async fn runners_come_and_go() {
    for round in 0..20 {
        let text = format!(
            "globalThis.n = (globalThis.n ?? 0) + 1; setInterval(() => {{}}, 1); export default (pi) => pi.on('tool_call', () => ({{ reason: '{round} ' + globalThis.n }}));"
        );
        let (_folder, runner) = runner(&[&text]).await;
        let outcome = runner.emit_tool_call(&tool_call("t", json!({}))).await.expect("an outcome");
        assert_eq!(outcome.result.and_then(|result| result.reason), Some(format!("{round} 1")));
    }
}

#[tokio::test]
async fn listeners_hear_of_each_failure_until_they_leave() {
    let hook = r#"export default (pi) => pi.on("agent_start", () => { throw new RangeError("broken"); });"#;
    let (_folder, runner) = runner(&[hook]).await;
    let heard: Arc<Mutex<Vec<String>>> = Arc::default();
    let panics = Arc::new(AtomicUsize::new(0));
    let counter = panics.clone();
    runner.on_error(move |_| {
        counter.fetch_add(1, Ordering::SeqCst);
        panic!("a listener that fails");
    });
    let list = heard.clone();
    let subscription = runner.on_error(move |error| {
        let text = format!("{} {} {} {}", error.hook_path, error.event, error.error, error.stack.is_some());
        list.lock().expect("no panic here").push(text);
    });
    let event = || r#"{"type":"agent_start"}"#.to_owned();
    runner.emit_raw("agent_start", event()).await.expect("an outcome");
    runner.off_error(subscription);
    runner.emit_raw("agent_start", event()).await.expect("an outcome");
    assert_eq!(*heard.lock().expect("no panic here"), ["h0.ts agent_start broken true"]);
    assert_eq!(panics.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn lookups_need_no_crossing() {
    let first = r#"export default (pi) => { pi.on("tool_call", () => {}); pi.registerCommand("c", { description: "of the first", handler() {} }); pi.registerMessageRenderer("r", () => {}); };"#;
    let second = r#"export default (pi) => { pi.registerCommand("c", () => {}); pi.registerCommand("d", () => {}); pi.registerMessageRenderer("r", () => {}); };"#;
    let (_folder, loaded) = load(&[first, "export default 42", second]).await;
    let runner = loaded.runner.clone();
    assert_eq!(loaded.errors.len(), 1);
    assert_eq!(runner.get_hook_paths(), ["h0.ts", "h2.ts"]);
    assert!(runner.has_handlers("tool_call") && !runner.has_handlers("tool_result"));
    let command = runner.get_command("c").expect("a command");
    assert_eq!((command.hook_path.as_str(), command.description.as_deref()), ("h0.ts", Some("of the first")));
    let names: Vec<_> = runner.get_registered_commands().into_iter().map(|command| command.name).collect();
    assert_eq!(names, ["c", "c", "d"]);
    assert_eq!(runner.get_message_renderer("r").as_deref(), Some("h0.ts"));
    runner.shutdown();
    tokio::time::sleep(Duration::from_millis(50)).await;
    // The isolate is gone and nobody misses it.
    assert!(runner.has_handlers("tool_call"));
    assert_eq!(runner.emit(&Event::AgentStart(Default::default())).await.expect("nobody handles it"), None);
    let messages = vec![json!({ "role": "user", "content": "x" })];
    assert_eq!(runner.emit_context(messages.clone()).await.expect("nobody handles it"), messages);
    assert_eq!(runner.emit_before_agent_start("p", None).await.expect("nobody handles it"), None);
}

#[tokio::test]
async fn a_megabyte_of_messages_goes_through() {
    let hook = r#"export default (pi) => pi.on("context", (event) => ({ messages: event.messages.slice(1) }));"#;
    let (_folder, runner) = runner(&[hook]).await;
    let messages: Vec<Value> =
        (0..1000).map(|index| json!({ "role": "user", "content": "x".repeat(1000), "timestamp": index, "unknown": { "kept": [index] } })).collect();
    let started = Instant::now();
    let changed = runner.emit_context(messages.clone()).await.expect("an outcome");
    assert_eq!(changed, messages[1..]);
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
}

#[tokio::test]
async fn typed_results_come_back_as_types() {
    let hook = r#"export default (pi) => {
      pi.on("session_before_switch", () => ({ cancel: true, own: 1 }));
      pi.on("before_agent_start", (event) => ({ message: { customType: "c", content: event.prompt, display: true } }));
      pi.on("tool_call", () => ({ block: 0, reason: undefined }));
    };"#;
    let (_folder, runner) = runner(&[hook]).await;
    let event: Event =
        serde_json::from_value(json!({ "type": "session_before_switch", "reason": "new" })).expect("an event");
    assert_eq!(runner.emit(&event).await.expect("an outcome"), Some(json!({ "cancel": true, "own": 1 })));
    let message = runner.emit_before_agent_start("hello", None).await.expect("an outcome");
    assert_eq!(message, Some(json!({ "message": { "customType": "c", "content": "hello", "display": true } })));
    let outcome = runner.emit_tool_call(&tool_call("t", json!({}))).await.expect("an outcome");
    assert_eq!(outcome.result.map(|result| result.block), Some(false));
}

#[tokio::test]
async fn the_abort_signal_of_an_emit_fires() {
    let hook = r#"export default (pi) => pi.on("session_before_compact", (event) => new Promise((resolve) => {
      event.signal.addEventListener("abort", () => resolve({ cancel: true }));
    }));"#;
    let (_folder, runner) = runner(&[hook]).await;
    let id = runner.next_emit_id();
    let emit = tokio::spawn({
        let runner = runner.clone();
        let event = r#"{"type":"session_before_compact","preparation":{},"branchEntries":[]}"#.to_owned();
        async move { runner.emit_raw_as(id, "session_before_compact", event).await }
    });
    tokio::time::sleep(Duration::from_millis(30)).await;
    runner.abort(id);
    let outcome = tokio::time::timeout(Duration::from_secs(5), emit)
        .await
        .expect("in time")
        .expect("no panic")
        .expect("an outcome");
    assert_eq!(outcome.result.expect("a result").get(), r#"{"cancel":true}"#);
}

#[tokio::test]
async fn an_unreadable_event_refuses_a_tool_call() {
    let (_folder, runner) = runner(&[r#"export default (pi) => pi.on("tool_call", () => {});"#]).await;
    for event in ["", "{", "[", "nul", "\"text\"", "{\"type\":\"tool_call\"", "\u{0}"] {
        assert!(runner.emit_raw("tool_call", event.to_owned()).await.is_err(), "{event}");
    }
    assert!(runner.emit_tool_call(&tool_call("t", json!({}))).await.is_ok(), "the isolate lives on");
}

#[tokio::test]
async fn the_name_of_a_raw_event_counts_whatever_its_type_says() {
    let hook = r#"export default (pi) => {
      pi.on("tool_call", (event) => ({ block: true, reason: event.type }));
      pi.on("context", (event) => ({ messages: event.messages }));
      pi.on("agent_start", () => { throw new Error("never asked"); });
    };"#;
    let (_folder, runner) = runner(&[hook]).await;
    for event in [r#"{"type":"agent_start"}"#, r#"{"x":1}"#, r#"{"type":5,"x":1}"#, r#"{"x":{"type":"no"}}"#] {
        let outcome = runner.emit_raw("tool_call", event.to_owned()).await.expect("an outcome");
        assert_eq!(outcome.result.expect("a result").get(), r#"{"block":true,"reason":"tool_call"}"#, "{event}");
    }
    let elsewhere = runner.emit_raw("agent_end", r#"{"type":"tool_call"}"#.to_owned()).await.expect("an outcome");
    assert!(elsewhere.result.is_none(), "nobody handles it");
    let context = runner.emit_raw("context", r#"{"messages":5}"#.to_owned()).await;
    assert!(context.expect_err("no messages").to_string().contains("\"messages\""));
}

#[tokio::test]
async fn handles_cross_threads() {
    fn is_shared<T: Send + Sync + Clone + 'static>(_: &T) {}
    let (_folder, runner) = runner(&[r#"export default (pi) => pi.on("tool_call", () => ({ block: true }));"#]).await;
    is_shared(&runner);
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let runner = runner.clone();
            std::thread::spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
                runtime
                    .block_on(runner.emit_tool_call(&tool_call("t", json!({}))))
                    .expect("an outcome")
                    .result
                    .map(|result| result.block)
            })
        })
        .collect();
    for thread in threads {
        assert_eq!(thread.join().expect("no panic"), Some(true));
    }
}
