//! Hosts that break the protocol: wrong answers, answers twice and to nobody, half a line, a flood.

use serde_json::{Value, json};

use super::peer::{Engine, folder, start, with_hooks};

const ASK: &str = r#"export default (pi) => pi.on("tool_call", async (event, ctx) => {
  if (event.input.command === "fine") return;
  try {
    const answer = await ctx.ui.confirm("Sure?");
    return { block: answer !== true, reason: typeof answer };
  } catch (error) { return { block: true, reason: `${error.name}: ${error.message}`.slice(0, 80) } }
})"#;

#[test]
fn an_answer_that_is_none_is_never_a_yes() {
    let dir = folder(&[("ask.ts", ASK)]);
    let mut engine = with_hooks(dir.path(), &["./ask.ts"]);
    let outcomes = [
        json!({ "result": { "value": "true" } }),
        json!({ "result": { "value": 1 } }),
        json!({ "result": { "value": { "then": true, "__proto__": true } } }),
        json!({ "result": { "value": null } }),
        json!({ "result": {} }),
        json!({ "result": { "valve": true } }),
        json!({ "result": true }),
        json!({ "result": [true] }),
        json!({ "result": null }),
        json!({ "error": { "code": -1, "message": "no" } }),
        json!({ "error": "odd" }),
        json!({ "error": null, "result": null }),
        json!({ "error": { "code": "x", "message": 7 }, "result": { "value": true } }),
    ];
    for outcome in outcomes {
        let id = engine.begin_emit("toolCall", Engine::tool_call("rm"));
        let dialog = engine.call("ui.confirm");
        let mut answer = json!({ "jsonrpc": "2.0", "id": dialog["id"] });
        for (name, value) in outcome.as_object().expect("fields") {
            answer[name] = value.clone();
        }
        engine.send(answer);
        let verdict = engine.response(id);
        assert_eq!(verdict["result"]["result"]["block"], true, "{outcome}: {verdict}");
        assert_eq!(engine.emit("toolCall", Engine::tool_call("fine")), json!({}), "after {outcome}");
    }
}

#[test]
fn answers_to_nobody_and_answers_twice_change_nothing() {
    let dir = folder(&[("ask.ts", ASK)]);
    let mut engine = with_hooks(dir.path(), &["./ask.ts"]);
    for id in [json!(-1), json!("x"), json!(1e300), json!({}), Value::Null, json!(9_999_999)] {
        engine.send(json!({ "jsonrpc": "2.0", "id": id, "result": { "value": true } }));
    }
    let id = engine.begin_emit("toolCall", Engine::tool_call("rm"));
    let first = engine.call("ui.confirm");
    engine.answer(&first, json!({ "value": false }));
    engine.answer(&first, json!({ "value": true }));
    assert_eq!(engine.response(id)["result"]["result"]["block"], true);
    // The second answer does not count for the next dialog.
    let id = engine.begin_emit("toolCall", Engine::tool_call("rm"));
    let second = engine.call("ui.confirm");
    assert_ne!(first["id"], second["id"]);
    engine.answer(&first, json!({ "value": true }));
    engine.answer(&second, json!({ "value": false }));
    assert_eq!(engine.response(id)["result"]["result"]["block"], true);
    // Two requests under one number: each is answered, whatever the host makes of that.
    engine.send(json!({ "jsonrpc": "2.0", "id": "twice", "method": "hooks.emit",
        "params": { "runner": "main", "kind": "toolCall", "event": Engine::tool_call("rm") } }));
    engine.send(json!({ "jsonrpc": "2.0", "id": "twice", "method": "hooks.emit",
        "params": { "runner": "main", "kind": "toolCall", "event": Engine::tool_call("fine") } }));
    let answered = |message: &Value| message["id"] == "twice" && message.get("method").is_none();
    let one = engine.wait_for("an answer", answered);
    let dialog = engine.call("ui.confirm");
    engine.answer(&dialog, json!({ "value": false }));
    let other = engine.wait_for("an answer", answered);
    let refused = |answer: &Value| answer.get("error").is_some() || answer["result"]["result"]["block"] == true;
    assert!(refused(&one) || refused(&other), "{one} {other}");
}

#[test]
fn a_flood_is_answered_and_then_comes_the_next_emit() {
    let dir = folder(&[("ask.ts", ASK)]);
    let mut engine = with_hooks(dir.path(), &["./ask.ts"]);
    let mut flood = Vec::new();
    for number in 0..20_000 {
        let line = match number % 4 {
            0 => json!({ "jsonrpc": "2.0", "method": "no.such", "params": { "number": number } }).to_string(),
            1 => json!({ "jsonrpc": "2.0", "id": number, "result": { "value": true } }).to_string(),
            2 => json!({ "jsonrpc": "2.0", "method": "hooks.cancel", "params": { "id": number } }).to_string(),
            _ => String::new(),
        };
        flood.extend_from_slice(line.as_bytes());
        flood.push(b'\n');
    }
    engine.raw(&flood);
    assert_eq!(engine.emit("toolCall", Engine::tool_call("fine")), json!({}));
    // As many at a time as a host can ask.
    let ids: Vec<i64> = (0..500).map(|_| engine.begin_emit("toolCall", Engine::tool_call("fine"))).collect();
    for id in ids {
        let answer = engine.response(id);
        assert!(answer.get("result").is_some(), "{answer}");
    }
}

#[test]
fn half_a_line_at_the_end_is_no_order() {
    let dir = folder(&[("ask.ts", ASK)]);
    let mut engine = with_hooks(dir.path(), &["./ask.ts"]);
    let open = engine.begin_emit("toolCall", Engine::tool_call("rm"));
    engine.call("ui.confirm");
    engine.raw(br#"{"jsonrpc":"2.0","id":1,"method":"hooks.emit","params":{"runner":"main","ki"#);
    engine.hang_up();
    let (_, code) = engine.end();
    assert_eq!(code, Some(0), "{open}");
}

#[test]
fn a_gate_in_the_host_is_not_opened_by_an_unreadable_answer() {
    let dir = folder(&[]);
    let mut engine = start(dir.path(), &[]);
    engine.initialize();
    engine.ok("runner.create", json!({ "runner": "main" }));
    let load = engine.request("hooks.load", json!({ "runner": "main", "entries": [{ "host": "gate" }] }));
    let call = engine.call("host.load");
    engine.answer(&call, json!({ "handlers": { "tool_call": 1 } }));
    engine.response(load);
    let answers = [
        r#"{"result":{"block":true,"reason":"\ud800"}}"#,
        r#"{"result":{"block":true,"n":1e400}}"#,
        &format!(r#"{{"result":{{"block":true,"n":{}1{}}}}}"#, "[".repeat(100), "]".repeat(100)),
        r#"[{"result":{}}]"#,
        r#""fine""#,
        "7",
        r#"{"thrown":{"message":7}}"#,
        r#"{"result":{"block":"yes"}}"#,
    ];
    for answer in answers {
        let id = engine.begin_emit("toolCall", Engine::tool_call("rm"));
        let call = engine.call("host.invoke");
        engine.raw(format!(r#"{{"jsonrpc":"2.0","id":{},"result":{answer}}}{}"#, call["id"], "\n").as_bytes());
        let verdict = engine.response(id);
        let refused = verdict.get("error").is_some() || verdict["result"]["result"]["block"] == true;
        assert!(refused, "{answer}: {verdict}");
    }
}
