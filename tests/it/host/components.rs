//! Custom components and message renderers, driven from Rust.

use serde_json::json;

use super::scripted::Agent;

const COUNTER: &str = "
import { matchesKey } from '@mariozechner/pi-tui';
export default pi => {
  pi.registerCommand('count', async (args, ctx) => {
    const result = await ctx.ui.custom((tui, theme, done) => {
      let n = 0;
      return {
        render: width => [`n=${n}`.padEnd(width, '.'), `${tui.terminal.columns}x${tui.terminal.rows}`],
        handleInput(data) {
          if (matchesKey(data, 'up')) { n++; tui.requestRender(); }
          else if (data === 'q') done({ n });
          else if (data === 'e') { tui.stop(); tui.start(); }
          else throw new Error(`what is ${data}`);
        },
        invalidate() { ctx.ui.notify('invalidated'); },
        dispose() { ctx.ui.notify('disposed'); },
      };
    });
    ctx.ui.notify(`gave ${JSON.stringify(result)}`);
  });
}";

async fn open(agent: &Agent) -> tokio::task::JoinHandle<()> {
    let runner = agent.runner.clone();
    let running = tokio::spawn(async move { runner.run_command("count", "").await.unwrap() });
    agent.script.until(|s| s.open_dialogs() == ["custom"]).await;
    running
}

#[tokio::test(flavor = "multi_thread")]
async fn a_component_draws_takes_input_and_ends_with_its_value() {
    let agent = Agent::new(COUNTER).await;
    let running = open(&agent).await;
    let lines = |width| agent.runner.render_component(1, width, 10);
    assert_eq!(lines(6).await.unwrap(), ["n=0...", "6x10"]);
    agent.runner.input_component(1, "\u{1b}[A").await.unwrap();
    agent.script.until_told("render 1").await;
    assert_eq!(lines(5).await.unwrap()[0], "n=1..");
    agent.runner.invalidate_component(1).await.unwrap();
    agent.runner.input_component(1, "e").await.unwrap();
    agent.script.until_told("start 1").await;
    let error = agent.runner.input_component(1, "x").await.unwrap_err();
    assert_eq!(error.to_string(), "what is x");
    assert_eq!(agent.error_texts(), ["ui.custom: what is x"], "a throw goes to the listeners, the component lives on");
    agent.runner.input_component(1, "\u{1b}[97;1:3u").await.unwrap();
    assert_eq!(agent.error_texts().len(), 1, "the release of a key is not for a component that does not ask for it");
    agent.runner.input_component(1, "q").await.unwrap();
    running.await.unwrap();
    let told = agent.script.told();
    assert_eq!(told[told.len() - 3..], ["closed custom", "info: disposed", "info: gave {\"n\":1}"]);
    assert!(agent.runner.render_component(1, 5, 5).await.is_err(), "it is gone");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_takes_it_away_gives_undefined() {
    for by_answer in [true, false] {
        let agent = Agent::new(COUNTER).await;
        let running = open(&agent).await;
        if by_answer {
            agent.script.answer("custom", None);
        } else {
            agent.runner.dispose_component(1).await.unwrap();
        }
        running.await.unwrap();
        assert_eq!(agent.script.told().last().unwrap(), "info: gave undefined");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_factory_may_be_async_fail_or_be_done_at_once() {
    let agent = Agent::new(
        "export default pi => pi.registerCommand('c', async (args, ctx) => {
           const said = [];
           said.push(await ctx.ui.custom(async (t, th, done) => { await null; done(5); return { render: () => [] }; }));
           try { await ctx.ui.custom(() => { throw new Error('no screen'); }); } catch (e) { said.push(e.message); }
           ctx.ui.notify(said.join());
         })",
    )
    .await;
    agent.runner.run_command("c", "").await.unwrap();
    assert_eq!(agent.script.told(), ["info: 5,no screen"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn renderers_draw_messages_or_leave_them_to_the_host() {
    let agent = Agent::new(
        "import { Text } from '@oh-my-pi/pi-tui';
         export default pi => {
           pi.registerMessageRenderer('note', (message, { expanded }, theme) => new Text(`${expanded ? 'all' : 'some'}: ${message.content}`, 1, 0));
           pi.registerMessageRenderer('bare', () => undefined);
           pi.registerMessageRenderer('bad', () => { throw new Error('cannot draw'); });
         }",
    )
    .await;
    let draw = |kind: &'static str, expanded| {
        let message = json!({ "role": "custom", "customType": kind, "content": "hello", "display": true });
        let runner = agent.runner.clone();
        async move { runner.render_message(kind, &message, expanded, 20).await }
    };
    let lines = draw("note", true).await.unwrap().unwrap();
    assert_eq!(lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>(), [" all: hello"]);
    assert!(draw("note", false).await.unwrap().unwrap()[0].contains("some"));
    assert_eq!(draw("bare", false).await.unwrap(), None);
    assert_eq!(draw("unknown", false).await.unwrap(), None);
    assert!(draw("bad", false).await.is_err());
    assert_eq!(agent.error_texts(), ["renderer:bad: cannot draw"]);
    assert_eq!(agent.runner.get_message_renderer("note").as_deref(), Some("hook.ts"));
}
