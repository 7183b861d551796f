//! Two sides talking, one of them badly.

use serde_json::{Value, json};

use super::super::memory::{MemoryEnd, pair};
use super::super::queue::line_queue;
use super::*;

/// Echoes params; `drop` is never answered; `call` is answered by asking back.
struct Echo(Peer);

impl Handler for Echo {
    fn request(&self, request: Request, reply: Reply) {
        let peer = self.0.clone();
        tokio::spawn(async move {
            let params = request.params.unwrap_or_else(|| raw(&json!({})));
            match request.method.as_str() {
                "drop" => drop(reply),
                "call" => {
                    let answer = peer.request("back", Some(&params)).await.unwrap().await.unwrap();
                    reply.send(answer.as_deref()).await.unwrap();
                }
                "echo" => reply.send(Ok(&params)).await.unwrap(),
                other => {
                    let error = RpcError::new(Code::UNKNOWN_METHOD, format!("unknown method {other}"));
                    reply.send(Err(&error)).await.unwrap();
                }
            }
        });
    }

    fn notification(&self, notification: Notification) {
        assert_eq!(notification.method, "note");
    }
}

fn raw(value: &Value) -> Box<RawValue> {
    RawValue::from_string(value.to_string()).unwrap()
}

fn start() -> (Peer, MemoryEnd) {
    let (near, far) = pair();
    let (sender, writer) = line_queue(1024 * 1024);
    let peer = Peer::new(sender);
    tokio::spawn(writer.run(near.writer));
    let reading = peer.clone();
    let MemoryEnd { reader, .. } = near;
    tokio::spawn(async move { reading.read(reader.into_inner(), &Echo(reading.clone())).await });
    (peer, far)
}

async fn response(far: &mut MemoryEnd) -> Response {
    match far.receive().await.unwrap() {
        Some(Ok(Message::Response(response))) => response,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn calls_are_answered_however_the_bytes_are_split() {
    let (_peer, mut far) = start();
    let line = b"{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"echo\",\"params\":{\"a\":[1]}}\n";
    for byte in line {
        far.send_raw(&[*byte]).await.unwrap();
        tokio::task::yield_now().await;
    }
    let answer = response(&mut far).await;
    assert_eq!(answer.id, Some(Id::Text("x".into())));
    assert_eq!(answer.outcome.unwrap().get(), "{\"a\":[1]}");
}

#[tokio::test]
async fn garbage_is_answered_and_the_next_line_counts() {
    let (_peer, mut far) = start();
    let lines = b"nonsense\n[]\n\xff\n{\"jsonrpc\":\"2.0\",\"id\":5}\n{\"jsonrpc\":\"2.0\",\"id\":77,\"result\":1}\n\
        {\"jsonrpc\":\"2.0\",\"method\":\"note\"}\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"what\"}\n";
    far.send_raw(lines).await.unwrap();
    for (id, code) in [
        (None, Code::PARSE),
        (None, Code::INVALID_REQUEST),
        (None, Code::PARSE),
        (Some(Id::Number(1)), Code::UNKNOWN_METHOD),
    ] {
        let answer = response(&mut far).await;
        assert_eq!((answer.id, answer.outcome.unwrap_err().code), (id, code.0));
    }
}

#[tokio::test]
async fn both_sides_may_ask_while_a_call_is_open() {
    let (_peer, mut far) = start();
    far.send_raw(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"call\",\"params\":{\"q\":1}}\n").await.unwrap();
    let Some(Ok(Message::Request(back))) = far.receive().await.unwrap() else { panic!() };
    assert_eq!(back.method, "back");
    let answer = Response { id: Some(back.id), outcome: Ok(raw(&json!({"r": 2}))) };
    far.send(&Message::Response(answer)).await.unwrap();
    let answer = response(&mut far).await;
    assert_eq!((answer.id, answer.outcome.unwrap().get()), (Some(Id::Number(1)), "{\"r\":2}"));
}

#[tokio::test]
async fn a_reply_that_is_dropped_is_an_error_not_silence() {
    let (_peer, mut far) = start();
    far.send_raw(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"drop\"}\n").await.unwrap();
    assert_eq!(response(&mut far).await.outcome.unwrap_err().code, Code::INTERNAL.0);
}

#[tokio::test]
async fn a_side_that_dies_fails_what_is_open() {
    let (peer, far) = start();
    let waiting = peer.request("m", None).await.unwrap();
    drop(far);
    assert_eq!(waiting.await.unwrap_err(), NoAnswer::Closed);
    assert_eq!(peer.request("m", None).await.unwrap_err().code(), Code::SHUTTING_DOWN);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_blocking_read_is_answered_or_ends_in_time() {
    let (peer, mut far) = start();
    let limit = Duration::from_millis(200);
    let thread = std::thread::spawn(move || {
        let one = peer.request_blocking("session.getCwd", None, Duration::from_secs(10));
        (one, peer.request_blocking("session.getCwd", None, limit))
    });
    let Some(Ok(Message::Request(request))) = far.receive().await.unwrap() else { panic!() };
    let answer = Response { id: Some(request.id), outcome: Ok(raw(&json!({"value": "/w"}))) };
    far.send(&Message::Response(answer)).await.unwrap();
    let (one, two) = thread.join().unwrap();
    assert_eq!(one.unwrap().unwrap().get(), "{\"value\":\"/w\"}");
    assert_eq!(two.unwrap_err(), CallError::NoAnswer(NoAnswer::TimedOut(limit)));
}

#[tokio::test]
async fn a_message_over_the_limit_stays_here() {
    let (peer, mut far) = start();
    let big = raw(&json!({"x": "y".repeat(MAX_LINE_BYTES)}));
    assert!(matches!(peer.notify("m", Some(&big)).await, Err(CallError::TooLong(_))));
    assert!(matches!(peer.request("m", Some(&big)).await, Err(CallError::TooLong(_))));
    assert!(peer.pending().is_empty());
    peer.notify("m", None).await.unwrap();
    assert!(matches!(far.receive().await.unwrap(), Some(Ok(Message::Notification(_)))));
}

#[tokio::test]
async fn a_line_of_64_mib_goes_both_ways() {
    let (_peer, mut far) = start();
    let text = "y".repeat(MAX_LINE_BYTES - 100);
    let line = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\",\"params\":{{\"x\":\"{text}\"}}}}\n");
    let (MemoryEnd { mut reader, mut writer }, line) = (far, line.into_bytes());
    let sending = tokio::spawn(async move {
        tokio::io::AsyncWriteExt::write_all(&mut writer, &line).await.unwrap();
        writer
    });
    let found = reader.next().await.unwrap().unwrap();
    let Ok(Message::Response(answer)) = decode_line(&found) else { panic!() };
    assert_eq!(answer.outcome.unwrap().get().len(), text.len() + 8);
    far = MemoryEnd { reader, writer: sending.await.unwrap() };
    far.send_raw(b"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"echo\"}\n").await.unwrap();
    assert_eq!(response(&mut far).await.id, Some(Id::Number(2)));
}
