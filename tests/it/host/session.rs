//! Reads of the session, abort signals, `ctx` used later.

use std::sync::atomic::Ordering;

use serde_json::json;

use super::scripted::Agent;

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_reads_of_the_entries_cross_once_per_change() {
    let agent = Agent::new(
        "export default pi => pi.on('turn_end', (e, ctx) => {
           let seen = 0;
           for (let i = 0; i < 1000; i++) seen += ctx.sessionManager.getEntries().reverse().length;
           const [a, b] = [ctx.sessionManager.getEntries(), ctx.sessionManager.getEntries()];
           ctx.ui.notify(`${seen} ${a !== b && a[0] === b[0] && a[0].n === 0}`);
         })",
    )
    .await;
    for n in 0..10_000 {
        agent.script.append(json!({ "type": "custom", "id": format!("e{n}"), "n": n }));
    }
    let turn = || agent.emit("turn_end", json!({ "turnIndex": 0 }));
    turn().await;
    assert_eq!(agent.script.reads.load(Ordering::SeqCst), 1);
    turn().await;
    assert_eq!(agent.script.reads.load(Ordering::SeqCst), 1, "nothing has changed between two emits");
    agent.script.append(json!({ "type": "custom", "id": "new" }));
    turn().await;
    assert_eq!(agent.script.reads.load(Ordering::SeqCst), 2);
    assert_eq!(agent.script.told(), ["info: 10000000 true", "info: 10000000 true", "info: 10001000 true"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_host_aborts_and_the_hooks_signal_fires() {
    for event in ["session_before_compact", "session_before_tree"] {
        let agent = Agent::new(
            "export default pi => {
               const wait = async (e, ctx) => {
                 ctx.ui.notify(`waiting ${e.signal instanceof AbortSignal} ${e.signal.aborted} ${e.preparation.fileOps?.read instanceof Set}`);
                 await new Promise(resolve => e.signal.addEventListener('abort', resolve));
                 return { cancel: e.signal.aborted };
               };
               pi.on('session_before_compact', wait);
               pi.on('session_before_tree', wait);
             }",
        )
        .await;
        let fields = json!({ "type": event, "preparation": { "fileOps": { "read": ["a"], "written": [], "edited": [] } }, "branchEntries": [] });
        let id = agent.runner.next_emit_id();
        let runner = agent.runner.clone();
        let running = tokio::spawn(async move { runner.emit_raw_as(id, event, fields.to_string()).await.unwrap() });
        agent.script.until_told("info: waiting true false true").await;
        agent.runner.abort(id);
        assert_eq!(running.await.unwrap().result.unwrap().get(), r#"{"cancel":true}"#);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kept_context_works_between_events_until_the_session_ends() {
    let agent = Agent::new_with(
        "export default pi => {
           pi.on('session_start', (e, ctx) => {
             let n = 0;
             setInterval(() => ctx.ui.setStatus('clock', `${++n}`), 1000);
             setInterval(() => {}, 5000).unref();
           });
         }",
        |options| options.paused_clock = true,
    )
    .await;
    agent.emit("session_start", json!({})).await;
    agent.script.until_told("status clock=3600").await; // an hour
    agent.emit("session_shutdown", json!({})).await;
    let told = agent.script.told().len();
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    assert_eq!(agent.script.told().len(), told, "the interval ends with the session");
    assert_eq!(agent.error_texts(), Vec::<String>::new());
}
