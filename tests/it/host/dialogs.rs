//! Dialogs: who closes them, and what an answer, a cancel and a late answer give.

use serde_json::{Value, json};

use super::scripted::Agent;

fn call() -> Value {
    json!({ "toolName": "bash", "toolCallId": "1", "input": { "command": "ls" } })
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_reaches_the_handler_that_waits() {
    let agent = Agent::new(
        "export default pi => pi.on('tool_call', async (e, ctx) => {
           const pick = await ctx.ui.select('Which', ['a', { label: 'b' }]);
           const yes = await ctx.ui.confirm('Sure?', 'really');
           return { block: !yes, reason: pick };
         })",
    )
    .await;
    let running = agent.start_emit("tool_call", call());
    agent.script.until(|s| s.open_dialogs() == ["select"]).await;
    assert_eq!(agent.script.told(), ["select Which [\"a\", \"b\"]"]);
    agent.script.answer("select", Some(json!("b")));
    agent.script.until(|s| s.open_dialogs() == ["confirm"]).await;
    agent.script.answer("confirm", Some(json!(true)));
    assert_eq!(running.await.unwrap(), json!({ "block": false, "reason": "b" }));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_dialog_is_undefined() {
    let agent = Agent::new(
        "export default pi => pi.on('tool_call', async (e, ctx) => {
           const got = [await ctx.ui.select('s', ['a']), await ctx.ui.input('i'), await ctx.ui.editor('e')];
           return { block: true, reason: got.map(v => String(v === undefined)).join() };
         })",
    )
    .await;
    let running = agent.start_emit("tool_call", call());
    for kind in ["select", "input", "editor"] {
        agent.script.until(|s| s.open_dialogs() == [kind]).await;
        agent.script.answer(kind, None);
    }
    assert_eq!(running.await.unwrap()["reason"], "true,true,true");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_user_interface_the_defaults_hold() {
    let agent = Agent::load(
        "export default pi => pi.on('tool_call', async (e, ctx) => {
           const { ui } = ctx;
           ui.notify('x'); ui.setStatus('k', 'v'); ui.setEditorText('t');
           const got = [ctx.hasUI, await ui.select('s', ['a']), await ui.confirm('c', 'm'), await ui.input('i'), await ui.editor('e'),
             await ui.custom(() => ({ render: () => [] })), ui.getEditorText(), typeof ui.theme.fg('accent', 'x')];
           return { block: true, reason: got.map(v => JSON.stringify(v) ?? 'undefined').join() };
         })",
        false,
    )
    .await;
    let result = agent.emit("tool_call", call()).await;
    assert_eq!(result["reason"], "false,undefined,false,undefined,undefined,undefined,\"\",\"string\"");
    assert_eq!(agent.script.told(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_hooks_signal_and_its_timeout_close_the_dialog() {
    let agent = Agent::new(
        "export default pi => pi.on('tool_call', async (e, ctx) => {
           const late = await ctx.ui.confirm('first', '', { timeout: 30 });
           const stop = new AbortController();
           setTimeout(() => stop.abort(), 30);
           const gone = await ctx.ui.select('second', ['a'], { signal: stop.signal });
           const never = await ctx.ui.input('third', '', { signal: AbortSignal.abort() });
           return { block: true, reason: [late, gone, never].join() };
         })",
    )
    .await;
    let result = agent.emit("tool_call", call()).await;
    assert_eq!(result["reason"], "false,,");
    assert_eq!(agent.script.told(), ["closed confirm", "select second [\"a\"]", "closed select"]);
    assert!(!agent.script.answer("confirm", Some(json!(true))), "nobody is left to answer");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_handler_takes_its_open_dialogs_along() {
    let agent = Agent::new(
        "export default pi => {
           pi.on('tool_call', (e, ctx) => {
             ctx.ui.select('forgotten', ['a']).then(v => ctx.ui.notify(`select gave ${v}`));
             setTimeout(() => ctx.ui.input('later').then(v => ctx.ui.notify(`input gave ${v}`)), 20);
             if (e.input.fail) throw new Error('no');
           });
           pi.registerCommand('ask', { handler: (args, ctx) => { ctx.ui.editor('left'); } });
         }",
    )
    .await;
    agent.emit("tool_call", call()).await;
    agent.script.until_told("info: select gave undefined").await;
    assert!(agent.script.told().contains(&"closed select".to_owned()));
    // A dialog that a timer opens after the handler is over belongs to nobody's handler and stays.
    agent.script.until(|s| s.open_dialogs() == ["input"]).await;
    agent.script.answer("input", Some(json!("typed")));
    agent.script.until_told("info: input gave typed").await;
    agent.runner.run_command("ask", "").await.unwrap();
    agent.script.until_told("closed editor").await;
    let failed = json!({ "type": "tool_call", "toolName": "bash", "toolCallId": "2", "input": { "fail": true } });
    assert!(agent.runner.emit_raw("tool_call", failed.to_string()).await.is_err());
    agent.script.until(|s| s.told().iter().filter(|line| *line == "closed select").count() == 2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_error_is_an_ordinary_rejection() {
    let agent = Agent::new(
        "export default pi => pi.on('tool_call', async (e, ctx) => {
           const said = [];
           try { await ctx.ui.confirm('broken', 'x'); } catch (error) { said.push(error instanceof Error, error.message); }
           try { ctx.sessionManager.getLabel('e1'); } catch (error) { said.push(error.message); }
           return { block: true, reason: said.join() };
         })",
    )
    .await;
    let result = agent.emit("tool_call", call()).await;
    assert_eq!(result["reason"], "true,the screen is locked,labels are not kept");
}
