//! A reader that is slow, gone, or late.

use tokio::io::{AsyncReadExt, DuplexStream, duplex};
use tokio::time::timeout;

use super::*;

const SOON: Duration = Duration::from_millis(50);

fn start(max: usize, pipe: usize) -> (LineSender, DuplexStream) {
    let (sender, writer) = line_queue(max);
    let (near, far) = duplex(pipe);
    tokio::spawn(writer.run(near));
    (sender, far)
}

async fn read_all(mut far: DuplexStream) -> String {
    let mut text = String::new();
    far.read_to_string(&mut text).await.unwrap();
    text
}

#[tokio::test]
async fn lines_come_out_in_order_and_the_end_follows_the_last() {
    let (sender, far) = start(64, 16);
    let other = sender.clone();
    let task = tokio::spawn(async move {
        for n in 0..1000 {
            other.send(format!("{n}\n").into_bytes()).await.unwrap();
        }
    });
    drop(sender);
    let text = read_all(far).await;
    task.await.unwrap();
    assert_eq!(text, (0..1000).map(|n| format!("{n}\n")).collect::<String>());
}

#[tokio::test]
async fn senders_wait_for_a_reader_and_the_queue_does_not_grow() {
    let (sender, mut far) = start(100, 1);
    let mut sent = 0;
    while timeout(SOON, sender.send(vec![b'x'; 10])).await.is_ok() {
        sent += 1;
    }
    assert!((10..=11).contains(&sent), "{sent}");
    assert!(timeout(SOON, sender.ready()).await.is_err());
    let mut some = vec![0; sent * 10];
    far.read_exact(&mut some).await.unwrap();
    timeout(SOON, sender.ready()).await.unwrap().unwrap();
}

#[tokio::test]
async fn a_line_over_the_cap_goes_alone() {
    let (sender, far) = start(10, 4);
    let big = tokio::spawn({
        let sender = sender.clone();
        async move {
            sender.send(b"a\n".to_vec()).await.unwrap();
            sender.send(vec![b'x'; 1000]).await.unwrap();
            sender.send(b"\nb\n".to_vec()).await.unwrap();
        }
    });
    drop(sender);
    let text = read_all(far).await;
    big.await.unwrap();
    assert_eq!(text, format!("a\n{}\nb\n", "x".repeat(1000)));
}

#[tokio::test]
async fn what_nobody_misses_is_dropped_and_counted() {
    let (sender, far) = start(10, 1);
    while sender.offer(b"12345\n".to_vec()) {
        tokio::task::yield_now().await;
    }
    assert_eq!(sender.replace("git", b"new\n".to_vec()), Ok(()), "four bytes still fit");
    assert_eq!(sender.replace("git", b"newest\n".to_vec()), Ok(()), "in place of the one that waits");
    assert_eq!(sender.replace("ci", b"other\n".to_vec()), Err(b"other\n".to_vec()));
    assert_eq!(sender.take_dropped(), 2);
    assert_eq!(sender.take_dropped(), 0);
    drop(sender);
    let text = read_all(far).await;
    assert!(text.ends_with("12345\nnewest\n") && !text.contains("new\n"), "{text}");
}

#[tokio::test]
async fn a_reader_that_is_gone_fails_every_sender() {
    let (sender, far) = start(10, 1);
    let waiting = tokio::spawn({
        let sender = sender.clone();
        async move { while sender.send(b"12345\n".to_vec()).await.is_ok() {} }
    });
    tokio::task::yield_now().await;
    drop(far);
    timeout(Duration::from_secs(5), waiting).await.unwrap().unwrap();
    assert!(sender.is_closed());
    assert_eq!(sender.send(b"x\n".to_vec()).await, Err(NotSent::Closed));
    assert!(!sender.offer(b"x\n".to_vec()));
}

#[tokio::test]
async fn closing_writes_what_is_queued() {
    let (sender, far) = start(100, 1);
    sender.send(b"last\n".to_vec()).await.unwrap();
    sender.close();
    assert_eq!(sender.send(b"x\n".to_vec()).await, Err(NotSent::Closed));
    assert_eq!(read_all(far).await, "last\n");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thread_that_may_not_await_waits_too() {
    let (sender, mut far) = start(6, 1);
    let thread = std::thread::spawn(move || {
        while sender.send_blocking(b"12345\n".to_vec(), Some(SOON)).is_ok() {}
        let late = sender.send_blocking(b"12345\n".to_vec(), Some(Duration::from_secs(10)));
        (late, sender.send_blocking(b"12345\n".to_vec(), Some(SOON)))
    });
    tokio::time::sleep(SOON * 4).await;
    let mut some = [0; 6];
    far.read_exact(&mut some).await.unwrap();
    assert_eq!(thread.join().unwrap(), (Ok(()), Err(NotSent::TimedOut(SOON))));
}
