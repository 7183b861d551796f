//! What hooks ask of the host: dialogs, state, session controls, components; and hooks that live in the host.

use serde_json::json;

use super::peer::{Engine, folder, start, with_hooks};

#[test]
fn dialogs_wait_for_a_person_while_other_emits_pass() {
    let dir = folder(&[(
        "ask.ts",
        r#"export default (pi) => {
             pi.on("tool_call", async (event, ctx) => (await ctx.ui.confirm("Dangerous", "rm")) ? undefined : { block: true });
             pi.on("turn_start", () => {});
             pi.on("turn_end", async (event, ctx) => { ctx.ui.notify(String(await ctx.ui.select("Pick", ["a", "b"], { timeout: 30 }))) });
           }"#,
    )]);
    let mut engine = with_hooks(dir.path(), &["./ask.ts"]);
    let id = engine.begin_emit("toolCall", Engine::tool_call("rm"));
    let dialog = engine.call("ui.confirm");
    assert_eq!(dialog["params"], json!({ "runner": "main", "hook": 0, "emit": id, "args": ["Dangerous", "rm"] }));
    assert_eq!(engine.emit("emit", json!({ "type": "turn_start" })), json!({}));
    engine.answer(&dialog, json!({ "value": false }));
    assert_eq!(engine.response(id)["result"]["result"], json!({ "block": true }));
    // A dialog whose time is over is closed; a late answer is dropped.
    let id = engine.begin_emit("emit", json!({ "type": "turn_end" }));
    let dialog = engine.call("ui.select");
    assert_eq!(engine.call("call.cancel")["params"]["args"], json!([dialog["id"]]));
    engine.answer(&dialog, json!({ "value": "a" }));
    assert_eq!(engine.call("ui.notify")["params"]["args"], json!(["undefined"]));
    engine.response(id);
}

#[test]
fn a_command_starts_a_session_whose_emits_reach_hooks_while_it_waits() {
    let dir = folder(&[(
        "go.ts",
        r#"export default (pi) => {
             pi.registerCommand("go", { description: "d", handler: async (args, ctx) => {
               const { cancelled } = await ctx.newSession({ setup: async (m) => { m.appendMessage({ role: "user", content: args }) } });
               pi.sendMessage({ customType: "n", content: String(cancelled), display: true }, { triggerTurn: true });
             } });
             pi.registerCommand("bad", { handler: async () => { throw new Error("no") } });
             pi.on("session_before_switch", () => ({ cancel: true }));
           }"#,
    )]);
    let mut engine = with_hooks(dir.path(), &["./go.ts"]);
    let list = engine.ok("commands.list", json!({ "runner": "main" }));
    assert_eq!(list["commands"][0], json!({ "hook": 0, "hookPath": "./go.ts", "name": "go", "description": "d" }));
    let id = engine.request("commands.run", json!({ "runner": "main", "name": "go", "args": "a  b" }));
    let call = engine.call("ctx.newSession");
    assert_eq!(call["params"]["emit"], id);
    assert_eq!(call["params"]["args"][0]["entries"][0]["message"]["content"], "a  b");
    let nested = engine.emit("emit", json!({ "type": "session_before_switch", "reason": "new" }));
    assert_eq!(nested["result"], json!({ "cancel": true }));
    engine.answer(&call, json!({ "value": { "cancelled": true } }));
    let message = engine.call("pi.sendMessage");
    assert_eq!(
        message["params"]["args"],
        json!([{ "customType": "n", "content": "true", "display": true }, { "triggerTurn": true }])
    );
    assert_eq!(engine.response(id)["result"], json!({}));
    let run = |name: &str| json!({ "runner": "main", "name": name, "args": "" });
    assert_eq!(engine.err("commands.run", run("unknown"))["code"], -32020);
    let error = engine.err("commands.run", run("bad"));
    assert_eq!(
        (&error["code"], &error["data"]["event"], &error["data"]["hook"]),
        (&json!(-32010), &json!("command:bad"), &json!(0))
    );
}

#[test]
fn reads_come_from_the_mirror_or_are_asked_for() {
    let dir = folder(&[(
        "state.ts",
        r#"export default (pi) => {
             pi.on("turn_start", (event, ctx) => ctx.ui.notify(JSON.stringify([
               ctx.sessionManager.getEntries().length, ctx.sessionManager.getLeafEntry()?.id, ctx.isIdle(), ctx.model?.id ?? null,
             ])));
             pi.on("turn_end", (event, ctx) => ctx.ui.notify(JSON.stringify(ctx.modelRegistry.getAll())));
             pi.on("agent_end", (event, ctx) => { ctx.modelRegistry.find("a", "b") });
           }"#,
    )]);
    let mut engine = with_hooks(dir.path(), &["./state.ts"]);
    let turn = json!({ "type": "turn_start" });
    // Nothing pushed: one question brings the snapshot, the next read has it.
    let id = engine.begin_emit("emit", turn.clone());
    let ask = engine.call("session.snapshot");
    engine.answer(&ask, json!({ "header": null, "entries": [{ "id": "e1", "parentId": null }], "leafId": "e1" }));
    assert_eq!(engine.call("ui.notify")["params"]["args"], json!([r#"[1,"e1",true,null]"#]));
    engine.response(id);
    let append = json!({ "runner": "main", "entries": [{ "id": "e2", "parentId": "e1" }], "leafId": "e2" });
    engine.notify("mirror.append", append);
    engine.notify("mirror.set", json!({ "runner": "main", "state": { "isIdle": false, "model": { "id": "m-1" } } }));
    engine.emit("emit", turn);
    assert_eq!(engine.call("ui.notify")["params"]["args"], json!([r#"[2,"e2",false,"m-1"]"#]));
    let id = engine.begin_emit("emit", json!({ "type": "turn_end" }));
    let ask = engine.call("models.getAll");
    engine.answer(&ask, json!({ "value": [{ "id": "m" }] }));
    assert_eq!(engine.call("ui.notify")["params"]["args"], json!([r#"[{"id":"m"}]"#]));
    engine.response(id);
    // A host that does not answer costs the deadline and gives a clear error.
    let id = engine.begin_emit("emit", json!({ "type": "agent_end" }));
    engine.call("models.find");
    engine.response(id);
    let error = engine.call("hooks.error");
    assert_eq!(error["params"]["error"], "host did not answer models.find within 5000 ms");
}

#[test]
fn errors_of_the_host_keep_their_name() {
    let dir = folder(&[(
        "key.ts",
        r#"export default (pi) => pi.on("turn_start", async (event, ctx) => {
             try { await ctx.modelRegistry.getApiKey({ id: "m" }) } catch (error) { ctx.ui.notify(`${error instanceof Error} ${error.name}: ${error.message}`) }
           })"#,
    )]);
    let mut engine = with_hooks(dir.path(), &["./key.ts"]);
    let id = engine.begin_emit("emit", json!({ "type": "turn_start" }));
    let call = engine.call("models.getApiKey");
    let error = json!({ "code": -32000, "message": "keychain is locked", "data": { "name": "KeychainError" } });
    engine.send(json!({ "jsonrpc": "2.0", "id": call["id"], "error": error }));
    assert_eq!(engine.call("ui.notify")["params"]["args"], json!(["true KeychainError: keychain is locked"]));
    engine.response(id);
}

#[test]
fn components_are_drawn_take_keys_and_close() {
    let dir = folder(&[(
        "show.ts",
        r#"export default (pi) => {
             pi.registerCommand("show", { handler: async (args, ctx) => {
               let text = "";
               const value = await ctx.ui.custom((tui, theme, done) => ({
                 render: (width) => [`${width} ${text}`],
                 handleInput(data) { if (data === "\r") return done(text); text += data; tui.requestRender(); },
               }));
               ctx.ui.notify(String(value));
             } });
             pi.registerMessageRenderer("note", (message, { expanded }) => ({ render: (width) => [`${message.content} ${expanded} ${width}`] }));
             pi.registerMessageRenderer("bad", () => { throw new Error("x") });
           }"#,
    )]);
    let mut engine = with_hooks(dir.path(), &["./show.ts"]);
    let id = engine.request("commands.run", json!({ "runner": "main", "name": "show", "args": "" }));
    let shown = engine.call("ui.custom");
    let component = shown["params"]["args"][0].clone();
    for key in ["a", "b"] {
        engine.notify("component.input", json!({ "runner": "main", "component": component, "data": key }));
    }
    engine.call("ui.customRender");
    let draw = json!({ "runner": "main", "component": component, "width": 40, "rows": 24 });
    assert_eq!(engine.ok("component.render", draw.clone()), json!({ "lines": ["40 ab"] }));
    engine.notify("component.input", json!({ "runner": "main", "component": component, "data": "\r" }));
    assert_eq!(engine.call("call.cancel")["params"]["args"], json!([shown["id"]]));
    engine.answer(&shown, json!({}));
    assert_eq!(engine.call("ui.notify")["params"]["args"], json!(["ab"]));
    assert_eq!(engine.response(id)["result"], json!({}));
    assert_eq!(engine.err("component.render", draw)["code"], -32020);
    let message = |kind: &str| {
        let message = json!({ "role": "custom", "customType": kind, "content": "x" });
        json!({ "runner": "main", "customType": kind, "message": message, "options": { "expanded": true }, "width": 9 })
    };
    assert_eq!(engine.ok("renderers.render", message("note")), json!({ "lines": ["x true 9"] }));
    assert_eq!(engine.ok("renderers.render", message("bad")), json!({}));
    engine.call("hooks.error");
    assert_eq!(engine.ok("renderers.render", message("none")), json!({}));
}

#[test]
fn the_status_line_holds_what_hooks_and_host_set() {
    let dir = folder(&[(
        "status.ts",
        r#"export default (pi) => pi.on("turn_start", (event, ctx) => { ctx.ui.setStatus("git", "3\tdirty"); ctx.ui.setStatus("gone", "x"); ctx.ui.setStatus("gone", undefined) })"#,
    )]);
    let mut engine = with_hooks(dir.path(), &["./status.ts"]);
    engine.emit("emit", json!({ "type": "turn_start" }));
    engine.notify("statusLine.set", json!({ "runner": "main", "key": "a", "text": "green" }));
    let line =
        |engine: &mut Engine, width: u32| engine.ok("statusLine.render", json!({ "runner": "main", "width": width }));
    assert_eq!(line(&mut engine, 80), json!({ "line": "green 3 dirty" }));
    assert_eq!(line(&mut engine, 7), json!({ "line": "green …" }));
}

#[test]
fn factories_of_the_host_keep_their_place_and_the_fold() {
    let hook = |name: &str| {
        format!(
            r#"export default (pi) => pi.on("context", (event) => ({{ messages: [...event.messages, "{name}"] }}))"#
        )
    };
    let dir = folder(&[("a.ts", &hook("a")), ("c.ts", &hook("c"))]);
    let mut engine = start(dir.path(), &[]);
    engine.initialize();
    engine.ok("runner.create", json!({ "runner": "main" }));
    let entries =
        json!([{ "path": "./a.ts" }, { "host": "f0", "path": "<b>" }, { "path": "./c.ts" }, { "host": "f1" }]);
    let load = engine.request("hooks.load", json!({ "runner": "main", "entries": entries }));
    let call = engine.call("host.load");
    assert_eq!(call["params"], json!({ "runner": "main", "hook": 1, "generation": 0, "host": "f0" }));
    engine.answer(
        &call,
        json!({ "handlers": { "context": 1, "tool_call": 1 }, "commands": [{ "name": "mine" }], "renderers": ["own"] }),
    );
    let call = engine.call("host.load");
    engine.send(json!({ "jsonrpc": "2.0", "id": call["id"], "error": { "code": -32000, "message": "no such thing" } }));
    let loaded = engine.response(load)["result"].clone();
    assert_eq!(
        loaded["errors"],
        json!([{ "hook": 3, "path": "<host:f1>", "error": "Failed to load hook: no such thing" }])
    );
    assert_eq!(loaded["hooks"][1]["handlers"], json!({ "context": 1, "tool_call": 1 }));
    let id = engine.begin_emit("context", json!({ "type": "context", "messages": [] }));
    let call = engine.call("host.invoke");
    assert_eq!(call["params"]["emit"], id);
    assert_eq!(call["params"]["payload"]["messages"], json!(["a"]));
    // Registered before the answer it belongs to: the running emit still calls it.
    engine.notify("host.register", json!({ "runner": "main", "hook": 1, "generation": 0, "event": "context" }));
    engine.answer(&call, json!({ "payload": { "type": "context", "messages": ["a", "edited"] } }));
    let call = engine.call("host.invoke");
    assert_eq!(
        (&call["params"]["index"], &call["params"]["payload"]["messages"]),
        (&json!(1), &json!(["a", "edited"]))
    );
    engine.answer(&call, json!({ "result": { "messages": ["b"] } }));
    assert_eq!(engine.response(id)["result"]["result"], json!(["b", "c"]));
    // A throw there is a throw here.
    let id = engine.begin_emit("toolCall", Engine::tool_call("ls"));
    let call = engine.call("host.invoke");
    let error = json!({ "code": -32010, "message": "plain", "data": { "thrown": { "isError": false } } });
    engine.send(json!({ "jsonrpc": "2.0", "id": call["id"], "error": error }));
    let error = engine.response(id)["error"].clone();
    assert_eq!(
        (&error["message"], &error["data"]["thrown"]["isError"], &error["data"]["hookPath"]),
        (&json!("plain"), &json!(false), &json!("<b>"))
    );
    assert_eq!(engine.err("commands.run", json!({ "runner": "main", "name": "mine", "args": "" }))["code"], -32021);
}
