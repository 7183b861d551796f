//! Emits of every kind, blocks, throws, signals, cancels.

use serde_json::json;

use super::peer::{Engine, folder, with_hooks};

const GUARD: &str = r#"
export default function (pi) {
  pi.on("tool_call", (event) => {
    if (event.input.command === "throw") throw new Error("policy bug");
    if (event.input.command === "text") throw "just text";
    if (event.input.command === "rm") return { block: 1, reason: "blocked by policy" };
    if (event.input.command === "edit") event.input.command = "edited";
  });
  pi.on("tool_result", (event) => event.isError ? { content: [] } : { content: [{ type: "text", text: "[REDACTED]" }] });
  pi.on("context", (event) => {
    if (event.messages[0]?.content === "hi") return { messages: [{ role: "user", content: "hi!" }] };
  });
  pi.on("before_agent_start", () => ({ message: { customType: "n", content: "be brief", display: true } }));
  pi.on("turn_start", () => { throw new Error("broken") });
}
"#;

#[test]
fn a_tool_call_is_blocked_let_through_and_refused_by_a_throw() {
    let dir = folder(&[("guard.ts", GUARD)]);
    let mut engine = with_hooks(dir.path(), &["./guard.ts"]);
    let result = engine.emit("toolCall", Engine::tool_call("rm"));
    assert_eq!(result, json!({ "result": { "block": true, "reason": "blocked by policy" } }));
    assert_eq!(engine.emit("toolCall", Engine::tool_call("ls")), json!({}));
    let id = engine.begin_emit("toolCall", Engine::tool_call("throw"));
    let response = engine.response(id);
    assert!(engine.has_seen("hooks.error"), "the error comes before the response");
    assert_eq!(response["error"]["code"], -32010);
    assert_eq!(response["error"]["message"], "policy bug");
    let data = &response["error"]["data"];
    assert_eq!(
        (&data["hook"], &data["hookPath"], &data["event"]),
        (&json!(0), &json!("./guard.ts"), &json!("tool_call"))
    );
    assert_eq!(data["thrown"]["isError"], true);
    let event = Engine::tool_call("text");
    let error = engine.err("hooks.emit", json!({ "runner": "main", "kind": "toolCall", "event": event }));
    assert_eq!((&error["message"], &error["data"]["thrown"]["isError"]), (&json!("just text"), &json!(false)));
}

#[test]
fn other_kinds_give_what_the_fold_gave() {
    let dir = folder(&[("guard.ts", GUARD)]);
    let mut engine = with_hooks(dir.path(), &["./guard.ts"]);
    let context = |text: &str| json!({ "type": "context", "messages": [{ "role": "user", "content": text }] });
    assert_eq!(engine.emit("context", context("hi"))["result"], json!([{ "role": "user", "content": "hi!" }]));
    assert_eq!(engine.emit("context", context("ho")), json!({}), "unchanged messages are not sent back");
    let started = engine.emit("beforeAgentStart", json!({ "type": "before_agent_start", "prompt": "x" }));
    assert_eq!(started["result"]["message"]["content"], "be brief");
    assert_eq!(engine.emit("emit", json!({ "type": "turn_start", "turnIndex": 0 })), json!({}));
    let error = engine.call("hooks.error");
    assert_eq!(error["params"]["error"], "broken");
    assert_eq!(engine.emit("emit", json!({ "type": "nobody_handles_this" })), json!({}));
    let wrong = json!({ "runner": "main", "kind": "toolCall", "event": { "type": "turn_end" } });
    assert_eq!(engine.err("hooks.emit", wrong)["code"], -32602);
}

#[test]
fn tools_without_a_wrapper_of_their_own() {
    let dir = folder(&[("guard.ts", GUARD)]);
    let mut engine = with_hooks(dir.path(), &["./guard.ts"]);
    let begin = |command: &str| json!({ "runner": "main", "toolName": "bash", "toolCallId": "t", "input": { "command": command } });
    assert_eq!(engine.ok("tool.begin", begin("ls")), json!({ "run": true }));
    let blocked = json!({ "run": false, "blocked": true, "error": "blocked by policy" });
    assert_eq!(engine.ok("tool.begin", begin("rm")), blocked);
    let thrown = json!({ "run": false, "blocked": false, "error": "policy bug" });
    assert_eq!(engine.ok("tool.begin", begin("throw")), thrown);
    let text = engine.ok("tool.begin", begin("text"));
    assert_eq!(text["error"], "Hook failed, blocking execution: just text");
    let mut success = begin("ls");
    success["isError"] = false.into();
    success["content"] = json!([{ "type": "text", "text": "secret" }]);
    assert_eq!(engine.ok("tool.result", success.clone())["content"][0]["text"], "[REDACTED]");
    success["isError"] = true.into();
    success["error"] = "exit 1".into();
    assert_eq!(engine.ok("tool.result", success), json!({}), "a failure stays the tool's own");
}

#[test]
fn edits_of_the_input_come_back_when_the_runner_applies_them() {
    let dir = folder(&[("guard.ts", GUARD)]);
    let mut engine = with_hooks(dir.path(), &["./guard.ts"]);
    assert_eq!(engine.emit("toolCall", Engine::tool_call("edit")), json!({}));
    engine.call("hooks.warning");
    engine.ok("runner.create", json!({ "runner": "other", "options": { "inputMutation": "apply" } }));
    engine.ok("hooks.load", json!({ "runner": "other", "entries": [{ "path": "./guard.ts" }] }));
    let event = Engine::tool_call("edit");
    let result = engine.ok("hooks.emit", json!({ "runner": "other", "kind": "toolCall", "event": event }));
    assert_eq!(result, json!({ "input": { "command": "edited" } }));
}

#[test]
fn a_signal_is_live_and_carries_the_reason() {
    let dir = folder(&[(
        "compact.ts",
        r#"export default (pi) => pi.on("session_before_compact", async (event, ctx) => {
             if (!(event.preparation.fileOps.read instanceof Set)) throw new Error("no set");
             ctx.ui.notify("waiting");
             await new Promise((done) => event.signal.addEventListener("abort", done));
             return { cancel: true, why: String(event.signal.reason) };
           })"#,
    )]);
    let mut engine = with_hooks(dir.path(), &["./compact.ts"]);
    let ops = json!({ "read": ["a"], "written": [], "edited": [] });
    let event =
        json!({ "type": "session_before_compact", "signal": { "aborted": false }, "preparation": { "fileOps": ops } });
    let id = engine.begin_emit("emit", event);
    engine.call("ui.notify");
    engine.notify("signal.abort", json!({ "runner": "main", "emit": 4711 }));
    engine.notify("signal.abort", json!({ "runner": "main", "emit": id, "reason": "escape" }));
    assert_eq!(engine.response(id)["result"]["result"], json!({ "cancel": true, "why": "escape" }));
}

#[test]
fn a_cancelled_tool_call_fails_and_its_dialog_is_closed() {
    let dir = folder(&[(
        "ask.ts",
        r#"export default (pi) => {
             pi.on("tool_call", async (event, ctx) => ({ block: !(await ctx.ui.confirm("sure?", "x")) }));
             pi.on("tool_result", () => ({ details: "first" }));
             pi.on("tool_result", () => new Promise(() => {}));
           }"#,
    )]);
    let mut engine = with_hooks(dir.path(), &["./ask.ts"]);
    let id = engine.begin_emit("toolCall", Engine::tool_call("ls"));
    let dialog = engine.call("ui.confirm");
    engine.notify("emit.cancel", json!({ "runner": "main", "emit": id }));
    assert_eq!(engine.response(id)["error"]["code"], -32013);
    let closed = engine.call("call.cancel");
    assert_eq!(closed["params"]["args"], json!([dialog["id"]]));
    // Any other kind answers with what was folded so far.
    let event = json!({ "type": "tool_result", "toolName": "bash", "toolCallId": "t", "input": {}, "content": [] });
    let id = engine.begin_emit("emit", event);
    std::thread::sleep(std::time::Duration::from_millis(200));
    engine.notify("emit.cancel", json!({ "runner": "main", "emit": id }));
    assert_eq!(engine.response(id)["result"]["result"], json!({ "details": "first" }));
}
