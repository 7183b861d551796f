//! Failures outside of any handler belong to the hook that caused them, and never drown the rest.

use std::time::Duration;

use super::support::{allowed, load, on_quickjs};

#[tokio::test]
async fn a_stray_rejection_is_one_error_of_its_hook() {
    let stray = "export default (pi: any) => pi.on('tool_call', () => { Promise.reject(new Error('forgotten')); });";
    let other = "export default (pi: any) => pi.on('tool_call', () => undefined);";
    let bench = load(&[stray, other]).await;
    assert!(allowed(&bench.call("x").await));
    tokio::time::sleep(Duration::from_millis(100)).await;
    let errors = bench.take_errors();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].hook_path.ends_with("hook0.ts") && errors[0].event == "unhandled", "{errors:?}");
    assert_eq!(errors[0].error, "forgotten");
}

#[tokio::test]
async fn a_rejection_that_is_caught_in_the_same_turn_is_none() {
    let hook =
        "export default (pi: any) => pi.on('tool_call', () => { Promise.reject(new Error('x')).catch(() => {}); });";
    let bench = load(&[hook]).await;
    assert!(allowed(&bench.call("x").await));
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(bench.take_errors(), []);
}

#[tokio::test]
async fn an_interval_that_throws_is_rationed_and_the_runner_answers() {
    let hook = "export default (pi: any) => { pi.on('session_start', () => { setInterval(() => { throw new Error('tick'); }, 1); }); \
                pi.on('tool_call', () => undefined); };";
    let bench = load(&[hook]).await;
    let start = hookrt::events::Event::from_data("session_start", serde_json::Value::Null).expect("an event");
    bench.runner.emit(&start).await.expect("no handler failed");
    tokio::time::sleep(Duration::from_millis(400)).await;
    let errors = bench.take_errors();
    assert!((1..=20).contains(&errors.len()), "{} errors", errors.len());
    assert!(errors.iter().all(|error| error.hook_path.ends_with("hook0.ts") && error.error == "tick"), "{errors:?}");
    assert!(allowed(&bench.call("x").await));
}

/// Callbacks of sockets carry no async context; where the code stands says whose it is.
#[tokio::test]
async fn a_callback_without_a_context_that_spins_is_told_under_its_hook() {
    let spins = "import net from 'node:net'; \
                 export default (pi: any) => pi.on('tool_call', (e: any) => e.input.m === 'spin' && new Promise(() => { \
                     const server = net.createServer((socket) => socket.write('x')).listen(0, '127.0.0.1', () => \
                         net.connect((server.address() as any).port, '127.0.0.1').on('data', () => { for (;;); })); \
                 }));";
    let bench = load(&["export default () => {}", spins]).await;
    assert!(!allowed(&bench.call("spin").await));
    let errors = bench.take_errors();
    let told = errors.iter().any(|error| error.hook_path.ends_with("hook1.ts") && error.error.starts_with("timed out"));
    // QuickJS does not tell where it was interrupted.
    assert!(told || on_quickjs(), "{errors:?}");
    assert!(allowed(&bench.call("fine").await), "{:?}", bench.take_errors());
}
