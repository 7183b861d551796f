//! Commands and what only they may do to the session; messages before and after the host is ready.

use std::sync::Arc;

use serde_json::json;

use super::scripted::{Agent, emit};

#[tokio::test(flavor = "multi_thread")]
async fn messages_wait_for_the_host() {
    let agent = Agent::load(
        "export default pi => {
           const said = [];
           for (const name of ['sendMessage', 'appendEntry']) {
             try { pi[name]({ customType: 'x', content: 'y', display: true }); } catch (error) { said.push(error.message); }
           }
           pi.on('turn_start', (e, ctx) => {
             ctx.ui.notify(said.join());
             pi.sendMessage({ customType: 'n', content: 'hi', display: true }, { triggerTurn: true, deliverAs: 'steer' });
             pi.sendMessage({ customType: 'n', content: 'old', display: false }, true);
             pi.appendEntry('mark', { n: 1 });
             pi.appendEntry('bare');
           });
         }",
        true,
    )
    .await;
    assert!(agent.load_errors.is_empty());
    agent.runner.initialize();
    agent.emit("turn_start", json!({ "turnIndex": 0, "timestamp": 1 })).await;
    assert_eq!(
        agent.script.told(),
        [
            "info: sendMessage handler not initialized,appendEntry handler not initialized",
            r#"message {"customType":"n","content":"hi","display":true} {"triggerTurn":true,"deliverAs":"steer"}"#,
            r#"message {"customType":"n","content":"old","display":false} {"triggerTurn":true}"#,
            r#"entry mark {"n":1}"#,
            "entry bare null",
        ]
    );
}

const HANDOFF: &str = "export default pi => {
  pi.on('session_before_switch', (e, ctx) => ({ cancel: e.reason === 'new' && globalThis.refuse }));
  pi.on('session_switch', (e, ctx) => ctx.ui.notify(`switched from ${e.previousSessionFile}`));
  pi.registerCommand('handoff', { description: 'Hand over', handler: async (args, ctx) => {
    globalThis.refuse = args === 'refused';
    await ctx.waitForIdle();
    const { cancelled } = await ctx.newSession({
      parentSession: ctx.sessionManager.getSessionFile(),
      setup: async sm => {
        const id = sm.appendMessage({ role: 'user', content: [{ type: 'text', text: args }], timestamp: 1 });
        sm.appendLabelChange(id, 'start');
        sm.appendCustomMessageEntry('note', 'shown', true);
        ctx.ui.notify([sm.getEntries().length, sm.getLabel(id), sm.getLeafEntry().customType, sm.getBranch(id).length, sm.getTree()[0].children[0].entry.type].join());
      },
    });
    ctx.ui.notify(`cancelled: ${cancelled}`);
  } });
  pi.registerCommand('go', (args, ctx) => Promise.all([ctx.branch('locked'), ctx.branch('free'), ctx.navigateTree('e1', { summarize: true })])
    .then(all => ctx.ui.notify(all.map(a => a.cancelled).join())));
}";

#[tokio::test(flavor = "multi_thread")]
async fn a_command_starts_a_session_whose_events_reach_the_same_hooks() {
    let agent = Agent::new(HANDOFF).await;
    let runner = agent.runner.clone();
    *agent.script.on_new_session.lock().unwrap() = Some(Box::new(move || {
        let runner = runner.clone();
        Box::pin(async move {
            let before = emit(&runner, "session_before_switch", json!({ "reason": "new" })).await;
            if before["cancel"] == true {
                return true;
            }
            emit(&runner, "session_switch", json!({ "reason": "new", "previousSessionFile": "/s/now.jsonl" })).await;
            false
        })
    }));
    agent.runner.run_command("handoff", "go on  with \"it\"").await.unwrap();
    assert_eq!(
        agent.script.told(),
        [
            "info: 3,start,note,1,label",
            "new session from /s/now.jsonl",
            "info: switched from /s/now.jsonl",
            "info: cancelled: false"
        ]
    );
    let setup = agent.script.setup.lock().unwrap().clone();
    assert_eq!(setup[0]["kind"], "message");
    assert_eq!(setup[0]["message"]["content"][0]["text"], "go on  with \"it\"", "the raw argument string");
    assert_eq!(setup[1], json!({ "id": "setup-2", "kind": "label", "targetId": "setup-1", "label": "start" }));
    assert_eq!(setup[2]["attribution"], "agent");
    agent.runner.run_command("handoff", "refused").await.unwrap();
    assert!(agent.script.told().contains(&"info: cancelled: true".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_are_listed_looked_up_and_fail_by_name() {
    let agent = Agent::new(HANDOFF).await;
    assert_eq!(agent.runner.get_command("handoff").unwrap().description.as_deref(), Some("Hand over"));
    assert!(agent.runner.get_command("nope").is_none());
    agent.runner.run_command("go", "").await.unwrap();
    assert!(agent.script.told().contains(&"info: true,false,false".to_owned()));
    assert!(agent.script.told().contains(&"navigate to e1 Some(true)".to_owned()));
    let error = agent.runner.run_command("nope", "").await.unwrap_err();
    assert!(error.to_string().contains("nope"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_emits_do_not_wait_for_each_other() {
    let agent = Arc::new(
        Agent::new("export default pi => pi.on('tool_call', async (e, ctx) => ({ block: !(await ctx.ui.confirm(e.toolCallId, 'm')) }))").await,
    );
    let call = |id: &str| json!({ "toolName": "bash", "toolCallId": id, "input": {} });
    let (first, second) = (agent.start_emit("tool_call", call("1")), agent.start_emit("tool_call", call("2")));
    agent.script.until(|s| s.open_dialogs().len() == 2).await;
    agent.script.answer("confirm", Some(json!(true)));
    agent.script.answer("confirm", Some(json!(false)));
    let mut blocked = [first.await.unwrap()["block"] == true, second.await.unwrap()["block"] == true];
    blocked.sort_unstable();
    assert_eq!(blocked, [false, true]);
}
