//! Hooks written for older agents (docs/dialects.md).

use serde_json::{Value, json};

use super::scripted::Agent;

#[tokio::test(flavor = "multi_thread")]
async fn the_old_session_event_has_a_reason() {
    let agent = Agent::new(
        "export default pi => pi.on('session', async (event, ctx) => {
           ctx.ui.notify(`${event.type} ${event.reason} ${event.targetTurnIndex ?? '-'} ${event.entries.length} ${event.sessionFile} ${ctx.sessionFile}`);
           if (event.reason === 'before_branch') return { cancel: true };
           if (event.reason === 'before_compact') return { compaction: { summary: event.messagesToSummarize.join(), firstKeptEntryId: 'e', tokensBefore: event.tokensBefore } };
           if (event.reason === 'compact') ctx.ui.notify(`from hook: ${event.fromHook}`);
         })",
    )
    .await;
    for role in ["user", "assistant", "user"] {
        agent.script.append(json!({ "type": "message", "id": format!("{role}-1"), "message": { "role": role } }));
    }
    let files = "/s/now.jsonl /s/now.jsonl";
    for (event, fields, reason, result) in [
        ("session_start", json!({}), "start -", Value::Null),
        ("session_before_switch", json!({ "reason": "new" }), "before_new -", Value::Null),
        ("session_switch", json!({ "reason": "resume" }), "switch -", Value::Null),
        ("session_before_branch", json!({ "entryId": "assistant-1" }), "before_branch 1", json!({ "cancel": true })),
        (
            "session_before_compact",
            json!({ "preparation": { "messagesToSummarize": ["a", "b"], "recentMessages": [], "tokensBefore": 9 }, "branchEntries": [] }),
            "before_compact -",
            json!({ "compaction": { "summary": "a,b", "firstKeptEntryId": "e", "tokensBefore": 9 } }),
        ),
        ("session_shutdown", json!({}), "shutdown -", Value::Null),
    ] {
        assert_eq!(agent.emit(event, fields).await, result, "{event}");
        assert_eq!(agent.script.told().last().unwrap(), &format!("info: session {reason} 3 {files}"));
    }
    agent.emit("session_compact", json!({ "compactionEntry": { "fromExtension": true }, "fromExtension": true })).await;
    assert_eq!(agent.script.told().last().unwrap(), "info: from hook: true");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hook_that_knows_todays_events_hears_them_once() {
    let agent = Agent::new(
        "export default pi => {
           pi.on('session', (e, ctx) => ctx.ui.notify(`old ${e.reason}`));
           pi.on('session_start', (e, ctx) => ctx.ui.notify('new'));
         }",
    )
    .await;
    agent.emit("session_start", json!({})).await;
    agent.emit("session_switch", json!({ "reason": "new" })).await;
    assert_eq!(agent.script.told(), ["info: new"]);
    // A host that still emits the old event itself reaches the old handler.
    agent.emit("session", json!({ "reason": "start" })).await;
    assert_eq!(agent.script.told(), ["info: new", "info: old start"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn old_ways_to_send_and_to_run() {
    let agent = Agent::new(
        "export default pi => pi.on('turn_start', async (e, ctx) => {
           pi.send('do it');
           pi.send('look', [{ type: 'image', content: 'aGk=', mimeType: 'image/png' }, { type: 'document', extractedText: 'words' }]);
           pi.send({ customType: 'n', content: 'c', display: true }, true);
           const { stdout, code } = await ctx.exec('echo', ['hi']);
           ctx.ui.notify(`${stdout.trim()} ${code} ${pi.somethingNewer === undefined}`);
         })",
    )
    .await;
    agent.emit("turn_start", json!({})).await;
    assert_eq!(
        agent.script.told(),
        [
            r#"message {"customType":"user","content":"do it","display":true} {"triggerTurn":true}"#,
            r#"message {"customType":"user","content":[{"type":"text","text":"look"},{"type":"image","data":"aGk=","mimeType":"image/png"},{"type":"text","text":"words"}],"display":true} {"triggerTurn":true}"#,
            r#"message {"customType":"n","content":"c","display":true} {"triggerTurn":true}"#,
            "info: hi 0 true",
        ]
    );
}
