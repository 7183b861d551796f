//! Hosts that misbehave: what they do is an error of the call, never the end of the engine, and the next call is answered.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hookrt::host::{BoxFuture, BridgeHost, Dialog, Host, HostBridge, HostCall, HostError, UiContext};
use hookrt::runner::{EmitError, HookRunner};
use serde_json::{Value, json};

use super::support::{Bench, allowed, load_with};

/// `event.input.m` is `CALL:HOW`; the block's reason says what came of it.
const HOOK: &str = "
  const say = (x: any) => typeof x === 'string' ? `text of ${x.length}` : x === undefined ? 'nothing' : JSON.stringify(x).slice(0, 60);
  export default (pi: any) => {
    pi.on('tool_call', async (e: any, ctx: any) => {
      const [what, how] = e.input.m.split(':');
      if (what === 'good') return;
      try {
        const calls: any = {
          confirm: () => ctx.ui.confirm(how, 'm', { timeout: 20000 }),
          brief: () => ctx.ui.confirm(how, 'm', { timeout: 50 }),
          input: () => ctx.ui.input(how, 'm'),
          artifact: () => ctx.sessionManager.saveArtifact(how),
          label: () => ctx.sessionManager.getLabel(how),
          message: () => pi.sendMessage({ customType: how, content: 'x', display: true }),
          log: () => pi.logger.warn(how),
          wait: () => new Promise((r) => setTimeout(r, 60000)),
        };
        return { block: true, reason: say(await calls[what]()) };
      } catch (x: any) {
        return { block: true, reason: `${x.name}: ${x.message}` };
      }
    });
  };";

#[derive(Default)]
struct BadHost {
    runner: Mutex<Option<HookRunner>>,
    closed: AtomicUsize,
}

impl BadHost {
    fn answer(&self, how: &str) -> Result<Option<Value>, HostError> {
        Ok(match how {
            "panics" => panic!("on purpose"),
            "panics oddly" => std::panic::panic_any(7),
            "fails" => return Err(HostError::new("\u{0}\u{202e} \"}{ \n ${x}")),
            "fails under a name" => {
                return Err(HostError { message: String::new(), name: Some("__proto__".to_owned()) });
            }
            "huge" => Some("x".repeat(8 << 20).into()),
            "deep" => Some((0..500).fold(Value::Null, |inner, _| Value::Array(vec![inner]))),
            "poisoned" => Some(json!({ "__proto__": { "block": false }, "then": 1, "constructor": null })),
            "takes its time" => {
                let start = std::time::Instant::now();
                while start.elapsed() < BUDGET + BUDGET / 2 {}
                Some(json!("slow"))
            }
            "number" => Some(json!(7)),
            "null" => Some(Value::Null),
            "nothing" => None,
            // Who holds the runner lets it go in the middle of a call.
            "drops the runner" => {
                drop(self.runner.lock().expect("no panic").take());
                None
            }
            _ => Some(json!(true)),
        })
    }
}

/// What is plugged in.
#[derive(Clone)]
struct Plugged(Arc<BadHost>);

impl Host for Plugged {
    fn has_ui(&self) -> bool {
        true
    }

    fn call(&self, call: HostCall) -> BoxFuture<Result<Option<Value>, HostError>> {
        let how = call.args.first().and_then(Value::as_str).unwrap_or_default().to_owned();
        let host = self.0.clone();
        match how.as_str() {
            "panics later" => Box::pin(async {
                tokio::time::sleep(Duration::from_millis(5)).await;
                panic!("on purpose")
            }),
            "never" => Box::pin(std::future::pending()),
            "late" => Box::pin(async {
                tokio::time::sleep(Duration::from_millis(150)).await;
                Ok(Some(json!(true)))
            }),
            "emits" => Box::pin(async move {
                let runner = host.runner.lock().expect("no panic").clone().expect("a runner");
                let inner = super::support::call(&runner, "confirm:number").await;
                Ok(Some(format!("{}", inner.is_ok()).into()))
            }),
            _ => {
                let answer = host.answer(&how);
                Box::pin(async move { answer })
            }
        }
    }

    fn call_sync(&self, call: HostCall) -> Result<Option<Value>, HostError> {
        match call.args.first().and_then(Value::as_str) {
            Some("holds the thread") => loop {
                std::thread::park();
            },
            Some(how) => self.0.answer(how),
            None => Ok(None),
        }
    }

    fn notify(&self, call: HostCall) {
        let how = call.args.first().and_then(|message| message["customType"].as_str()).unwrap_or_default();
        // The answer is of no interest, only that it is tried.
        drop(self.0.answer(how));
    }

    fn cancel(&self, _id: u32) {
        self.0.closed.fetch_add(1, Ordering::SeqCst);
        panic!("on purpose");
    }

    fn log(&self, _hook: Option<usize>, _level: &str, message: &str, _context: Option<&str>) -> bool {
        drop(self.0.answer(message));
        true
    }
}

/// Eight megabytes of a host's answer cost a handler some of it.
const BUDGET: Duration = Duration::from_secs(1);

async fn bench() -> (Bench, Arc<BadHost>) {
    let host = Arc::new(BadHost::default());
    let bench = load_with(&[HOOK], |options| {
        options.host = Arc::new(Plugged(host.clone()));
        options.cpu_budget = BUDGET;
    })
    .await;
    assert_eq!(bench.load_errors, []);
    (bench, host)
}

async fn reason(bench: &Bench, mode: &str) -> String {
    match bench.call(mode).await {
        Ok(outcome) => outcome.result.and_then(|result| result.reason).unwrap_or_default(),
        Err(error) => format!("failed: {error}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_a_host_answers_is_a_value_or_an_error_in_the_hook() {
    let (bench, host) = bench().await;
    let expected = [
        ("confirm:panics", "Error: ui.confirm: the host panicked: on purpose"),
        ("confirm:panics later", "Error: ui.confirm: the host panicked: on purpose"),
        ("confirm:panics oddly", "Error: ui.confirm: the host panicked: no message"),
        ("label:panics", "Error: session.getLabel: the host panicked: on purpose"),
        ("artifact:panics", "Error: session.saveArtifact: the host panicked: on purpose"),
        ("message:panics", "nothing"),
        ("log:panics", "nothing"),
        ("confirm:fails", "Error: \u{0}\u{202e} \"}{ \n ${x}"),
        ("label:fails under a name", "__proto__: "),
        ("brief:never", "false"),
        ("brief:late", "false"),
        ("confirm:late", "true"),
        // Only `true` is a yes.
        ("confirm:number", "false"),
        ("confirm:poisoned", "false"),
        ("confirm:null", "false"),
        ("input:number", "7"),
        ("input:huge", "text of 8388608"),
        ("label:huge", "text of 8388608"),
        ("artifact:poisoned", r#"{"__proto__":{"block":false},"then":1,"constructor":null}"#),
        ("label:poisoned", r#"{"__proto__":{"block":false},"then":1,"constructor":null}"#),
        ("artifact:deep", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["),
        ("label:nothing", "nothing"),
        // What the host computes is not charged to the hook.
        ("label:takes its time", "text of 4"),
        ("input:takes its time", "text of 4"),
    ];
    for (mode, expected) in expected {
        assert_eq!(reason(&bench, mode).await, expected, "{mode}");
        assert!(allowed(&bench.call("good").await), "after {mode}");
    }
    assert_eq!(host.closed.load(Ordering::SeqCst), 2);
    assert_eq!(bench.take_errors(), []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_host_may_emit_while_it_answers_and_let_go_of_the_runner() {
    let (bench, host) = bench().await;
    *host.runner.lock().expect("no panic") = Some(bench.runner.clone());
    assert_eq!(reason(&bench, "input:emits").await, "text of 4");
    let runner = bench.runner.clone();
    let open = tokio::spawn(async move { super::support::call(&runner, "wait:").await });
    assert_eq!(reason(&bench, "label:drops the runner").await, "nothing");
    assert!(allowed(&bench.call("good").await));
    // Nobody holds it but the emit that is open.
    drop(bench);
    open.abort();
    assert!(open.await.expect_err("it was given up").is_cancelled());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_emit_that_nobody_waits_for_any_more_is_given_up() {
    let (bench, host) = bench().await;
    for _ in 0..3 {
        let given_up = tokio::time::timeout(Duration::from_millis(100), bench.call("confirm:never")).await;
        assert!(given_up.is_err(), "{given_up:?}");
    }
    super::support::until("its dialogs are closed", || host.closed.load(Ordering::SeqCst) == 3).await;
    assert!(allowed(&bench.call("good").await));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_host_that_holds_the_thread_costs_the_generation_not_the_runner() {
    let host = Arc::new(BadHost::default());
    let bench = load_with(&[HOOK], |options| {
        options.host = Arc::new(Plugged(host.clone()));
        options.blocked_limit = Duration::from_millis(300);
    })
    .await;
    let outcome = tokio::time::timeout(Duration::from_secs(20), bench.call("label:holds the thread")).await;
    assert!(matches!(outcome, Ok(Err(EmitError::Lost { .. }))), "{outcome:?}");
    assert!(allowed(&bench.call("good").await));
    assert_eq!(bench.runner.generation(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn listeners_may_panic() {
    let (bench, _host) = bench().await;
    bench.runner.on_error(|_| panic!("on purpose"));
    bench.runner.on_warning(|_| panic!("on purpose"));
    bench.runner.on_registration(|_| panic!("on purpose"));
    bench.runner.emit_error(&hookrt::HookError {
        hook: None,
        hook_path: "x".to_owned(),
        event: "x".to_owned(),
        error: "x".to_owned(),
        stack: None,
    });
    let event = json!({ "type": "tool_call", "toolName": "x", "toolCallId": "1", "input": { "m": "good" } });
    let (told, heard) = tokio::sync::oneshot::channel();
    bench.runner.emit_with(
        bench.runner.next_emit_id(),
        "tool_call",
        || event.to_string(),
        move |_| {
            told.send(()).expect("somebody listens");
            panic!("on purpose")
        },
    );
    heard.await.expect("it was told");
    assert!(allowed(&bench.call("good").await));
}

/// The typed form of the same.
struct BadBridge;
struct BadUi;

impl UiContext for BadUi {
    fn confirm(&self, _dialog: Dialog) -> BoxFuture<Result<bool, HostError>> {
        panic!("on purpose")
    }
    fn editor_text(&self) -> String {
        panic!("on purpose")
    }
    fn notify(&self, _message: &str, _level: &str) {
        panic!("on purpose")
    }
}

impl HostBridge for BadBridge {
    fn ui(&self) -> Option<Arc<dyn UiContext>> {
        Some(Arc::new(BadUi))
    }
    fn is_idle(&self) -> bool {
        panic!("on purpose")
    }
    fn append_entry(&self, _custom_type: &str, _data: Option<Value>) {
        panic!("on purpose")
    }
    fn complete(&self, _request: Value) -> BoxFuture<Result<Value, HostError>> {
        Box::pin(async { panic!("on purpose") })
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bridge_may_panic_anywhere() {
    let hook = "export default (pi: any) => pi.on('tool_call', async (e: any, ctx: any) => {
      const tried = [];
      for (const f of [() => ctx.ui.confirm('a', 'b'), () => ctx.ui.getEditorText(), () => ctx.isIdle(),
        () => ctx.ui.notify('x'), () => pi.appendEntry('x', 1)]) {
        try { await f(); tried.push('fine') } catch (x: any) { tried.push(x.message.split(':').pop().trim()) }
      }
      return { block: true, reason: tried.join() };
    });";
    let bench = load_with(&[hook], |options| options.host = Arc::new(BridgeHost::new(BadBridge))).await;
    for _ in 0..2 {
        assert_eq!(reason(&bench, "x").await, "on purpose,on purpose,on purpose,fine,fine");
    }
}
