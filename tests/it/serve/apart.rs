//! A hook that may reach less than its neighbours lives in an isolate of its own; everything else about it is as ever.

use serde_json::{Value, json};
use tempfile::TempDir;

use super::peer::{Engine, folder, start, with_hooks, write};

/// First in the list, so that `apart.ts` is not in the isolate that has the emits.
const FIRST: &str = r#"export default (pi) => {
  pi.on("tool_call", (event) => { event.seen = ["first"]; });
  pi.registerCommand("both", { handler: (args, ctx) => ctx.ui.notify("both of first") });
}"#;

/// `apart.ts` without permission to run programs, after and before hooks that may.
fn confined(hook: &str) -> (TempDir, Engine) {
    let dir = folder(&[("first.ts", FIRST), ("apart.ts", hook), ("last.ts", "export default () => {}")]);
    let path = dir.path().join("apart.ts").to_string_lossy().into_owned();
    let policy = json!({ "hooks": { path: { "deny": { "run": true } } } });
    write(dir.path(), ".config/permissions.json", &policy.to_string());
    let engine = with_hooks(dir.path(), &["./first.ts", "./apart.ts", "./last.ts"]);
    (dir, engine)
}

const BLOCK: &str = r#"export default (pi) => pi.on("tool_call", async (event) => {
  const reached = await pi.exec("true", []).then(() => "ran", (error) => error.name);
  return { block: true, reason: [...event.seen, reached].join(" ") };
});"#;

fn reason(engine: &mut Engine) -> Value {
    engine.emit("toolCall", Engine::tool_call("ls"))["result"]["reason"].clone()
}

#[test]
fn it_is_confined_after_a_reload_too_and_runs_in_its_place() {
    let (dir, mut engine) = confined(BLOCK);
    assert_eq!(reason(&mut engine), "first NotCapable");
    write(dir.path(), "apart.ts", &BLOCK.replace("\" \"", "\"+\""));
    assert_eq!(engine.ok("hooks.reload", json!({ "runner": "main" }))["kept"], false);
    assert_eq!(reason(&mut engine), "first+NotCapable");
    write(dir.path(), "apart.ts", "export default (");
    assert_eq!(engine.ok("hooks.reload", json!({ "runner": "main" }))["kept"], true);
    assert_eq!(reason(&mut engine), "first+NotCapable");
}

#[test]
fn while_its_handler_waits_others_run_and_a_cancelled_emit_closes_its_dialog() {
    let (_dir, mut engine) = confined(
        r#"export default (pi) => {
          pi.on("tool_call", async (event, ctx) => ({ block: !(await ctx.ui.confirm("sure?", "")), reason: "asked" }));
          pi.on("turn_start", (event, ctx) => ctx.ui.notify("turn"));
        }"#,
    );
    let answered = engine.begin_emit("toolCall", Engine::tool_call("ls"));
    let dialog = engine.call("ui.confirm");
    assert_eq!((&dialog["params"]["emit"], &dialog["params"]["hook"]), (&json!(answered), &json!(1)));
    engine.emit("emit", json!({ "type": "turn_start" }));
    engine.call("ui.notify");
    engine.answer(&dialog, json!({ "value": false }));
    assert_eq!(engine.response(answered)["result"]["result"], json!({ "block": true, "reason": "asked" }));
    let cancelled = engine.begin_emit("toolCall", Engine::tool_call("ls"));
    let dialog = engine.call("ui.confirm");
    engine.notify("emit.cancel", json!({ "runner": "main", "emit": cancelled }));
    assert_eq!(engine.call("call.cancel")["params"]["args"], json!([dialog["id"]]));
    assert_eq!(engine.response(cancelled)["error"]["code"], -32013);
}

#[test]
fn its_dialogs_and_those_of_its_neighbours_are_told_apart() {
    let ask = r#"export default (pi) => pi.on("turn_start", async (event, ctx) => ctx.ui.notify(await ctx.ui.input("NAME")));"#;
    let dir = folder(&[("a.ts", &ask.replace("NAME", "a")), ("b.ts", &ask.replace("NAME", "b"))]);
    let path = dir.path().join("b.ts").to_string_lossy().into_owned();
    write(dir.path(), ".config/permissions.json", &json!({ "hooks": { path: { "allow": {} } } }).to_string());
    let mut engine = with_hooks(dir.path(), &["./a.ts", "./b.ts"]);
    for name in ["a", "b"] {
        if name == "a" {
            engine.begin_emit("emit", json!({ "type": "turn_start" }));
        }
        let dialog = engine.call("ui.input");
        assert_eq!(dialog["params"]["args"][0], name);
        engine.answer(&dialog, json!({ "value": format!("answer {name}") }));
        assert_eq!(engine.call("ui.notify")["params"]["args"][0], format!("answer {name}"));
    }
}

#[test]
fn its_signal_is_aborted() {
    let (_dir, mut engine) = confined(
        r#"export default (pi) => pi.on("session_before_compact", (event, ctx) => new Promise((resolve) => {
          const { read } = event.preparation.fileOps;
          event.signal.addEventListener("abort", () => resolve({ cancel: true, why: event.signal.reason + " " + read.has("f") }));
          ctx.ui.notify("listening");
        }));"#,
    );
    let preparation = json!({ "fileOps": { "read": ["f"], "written": [], "edited": [] } });
    let event = json!({ "type": "session_before_compact", "preparation": preparation, "branchEntries": [], "signal": { "aborted": false } });
    let id = engine.begin_emit("emit", event);
    engine.call("ui.notify");
    engine.notify("signal.abort", json!({ "runner": "main", "emit": id, "reason": "escape" }));
    assert_eq!(engine.response(id)["result"]["result"], json!({ "cancel": true, "why": "escape true" }));
}

#[test]
fn its_commands_renderers_and_components_work() {
    let (_dir, mut engine) = confined(
        r#"export default (pi) => {
          pi.registerCommand("both", { handler: (args, ctx) => ctx.ui.notify("both of apart") });
          pi.registerCommand("show", { handler: async (args, ctx) => {
            const shown = await ctx.ui.custom((tui, theme, done) => ({
              render: (width) => [args + " " + width],
              handleInput: (key) => done(key),
            }));
            ctx.ui.notify("gave " + shown + " " + ctx.isIdle());
          } });
          pi.registerMessageRenderer("note", (message) => ({ render: (width) => [message.content + " " + width] }));
          pi.on("turn_start", () => pi.registerCommand("late", () => {}));
        }"#,
    );
    let run = |name: &str| json!({ "runner": "main", "name": name, "args": "drawn" });
    engine.ok("commands.run", run("both"));
    assert_eq!(engine.call("ui.notify")["params"]["args"][0], "both of first");
    let mut of_hook = run("both");
    of_hook["hook"] = json!(1);
    engine.ok("commands.run", of_hook);
    assert_eq!(engine.call("ui.notify")["params"]["args"][0], "both of apart");
    let shown = engine.request("commands.run", run("show"));
    let call = engine.call("ui.custom");
    let id = call["params"]["args"][0].clone();
    let drawn = engine.ok("component.render", json!({ "runner": "main", "component": id, "width": 20, "rows": 5 }));
    assert_eq!(drawn["lines"], json!(["drawn 20"]));
    engine.notify("component.input", json!({ "runner": "main", "component": id, "data": "q" }));
    assert_eq!(engine.call("ui.notify")["params"]["args"][0], "gave q true");
    assert!(engine.response(shown).get("error").is_none());
    let message = json!({ "customType": "note", "content": "note", "display": true });
    let params = json!({ "runner": "main", "customType": "note", "message": message, "expanded": false, "width": 30 });
    assert_eq!(engine.ok("renderers.render", params)["lines"], json!(["note 30"]));
    engine.emit("emit", json!({ "type": "turn_start" }));
    assert_eq!(engine.call("hooks.registered")["params"]["command"]["name"], "late");
}

#[test]
fn what_it_left_running_ends_with_the_session() {
    let (_dir, mut engine) = confined(
        r#"export default (pi) => pi.on("turn_start", (event, ctx) => {
          setInterval(() => ctx.ui.notify("tick"), 10);
        });"#,
    );
    engine.emit("emit", json!({ "type": "turn_start" }));
    engine.call("ui.notify");
    engine.emit("emit", json!({ "type": "session_shutdown" }));
    // What was on its way when it ended has come before the answer to a later request.
    engine.emit("emit", json!({ "type": "turn_end" }));
    std::thread::sleep(std::time::Duration::from_millis(100));
    engine.emit("emit", json!({ "type": "turn_end" }));
    let ticks = engine.count_seen("ui.notify");
    std::thread::sleep(std::time::Duration::from_millis(200));
    engine.emit("emit", json!({ "type": "turn_end" }));
    assert_eq!(engine.count_seen("ui.notify"), ticks);
}

#[test]
fn a_policy_that_cannot_be_read_lets_no_hook_run() {
    let dir = folder(&[("hook.ts", "export default () => {}")]);
    let mut engine = start(dir.path(), &[]);
    engine.initialize();
    for (policy, problem) in [
        ("{", "permissions.json: "),
        (r#"{"hooks": {"/h": {"deny": {"nett": true}}}}"#, r#"permissions.json: hooks["/h"].deny.nett: unknown kind"#),
        (r#"{"hooks": {"/h": {"deny": {"sys": ["x"]}}}}"#, r#"hooks["/h"].deny.sys[0]: `x` is unknown"#),
    ] {
        write(dir.path(), ".config/permissions.json", policy);
        let error = engine.err("runner.create", json!({ "runner": "main" }));
        let message = error["message"].as_str().unwrap_or_default();
        assert!(message.starts_with("no hook is run: ") && message.contains(problem), "{error}");
    }
    // What only the engine can find out fails when hooks are loaded.
    write(dir.path(), ".config/permissions.json", r#"{"hooks": {"/h": {"deny": {"net": ["["]}}}}"#);
    engine.ok("runner.create", json!({ "runner": "main" }));
    let error = engine.err("hooks.load", json!({ "runner": "main", "entries": [{ "path": "./hook.ts" }] }));
    assert!(error["message"].as_str().unwrap_or_default().contains(r#"permissions.json: hooks["/h"]"#), "{error}");
}
