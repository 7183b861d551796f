//! A server: one connection from its first line to its last.

use std::io::{Read, Write};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::connection::{Connection, Defaults};
use super::park;
use super::peer::Peer;
use super::queue::{MAX_QUEUED_BYTES, line_queue_with};
use super::stdio::{AtOnce, Blocking};

/// How long the last lines may take to be written when everything ends.
const FLUSH: Duration = Duration::from_millis(300);

/// A stream a server writes to.
#[cfg(unix)]
pub trait Output: Write + std::os::fd::AsFd + Send + Unpin + 'static {}
#[cfg(unix)]
impl<W: Write + std::os::fd::AsFd + Send + Unpin + 'static> Output for W {}

/// A stream a server writes to.
#[cfg(not(unix))]
pub trait Output: Write + Send + Unpin + 'static {}
#[cfg(not(unix))]
impl<W: Write + Send + Unpin + 'static> Output for W {}

#[cfg(unix)]
fn at_once(output: &impl Output) -> Option<AtOnce> {
    super::stdio::at_once(output)
}

#[cfg(not(unix))]
fn at_once(_: &impl Output) -> Option<AtOnce> {
    None
}

/// Serves one host until it says `shutdown`, its stream ends or it reads no more. Everything of it has been told to end when this returns.
/// Reading and writing happen on two threads of their own; the rest on the runtime this is called in.
///
/// # Errors
/// When a thread cannot be started.
pub async fn serve(
    input: impl Read + Send + Unpin + 'static,
    output: impl Output,
    defaults: Defaults,
) -> std::io::Result<()> {
    let (sender, writer) = line_queue_with(MAX_QUEUED_BYTES, at_once(&output));
    let peer = Peer::new(sender);
    let connection = Connection::new(peer.clone(), Handle::current(), defaults);
    let (writing, mut written) = oneshot::channel();
    thread("hookrt-write", move || {
        let outcome = park::wait_on(writer.run(Blocking(output)), None);
        let _ = writing.send(outcome);
    })?;
    let (reading, read) = oneshot::channel();
    let reader = (peer.clone(), connection.clone());
    thread("hookrt-read", move || {
        let (peer, connection) = reader;
        let outcome = park::wait_on(peer.read(Blocking(input), &connection), None);
        let _ = reading.send(outcome);
    })?;
    let has_written = tokio::select! {
        () = connection.ended() => false,
        outcome = read => {
            note("reading", outcome);
            false
        }
        outcome = &mut written => {
            note("writing", outcome);
            true
        }
    };
    connection.close();
    peer.pending().close();
    peer.sender().close();
    // A host that reads no more does not hold us up; one that has gone has ended the writing already.
    if !has_written {
        let _ = tokio::time::timeout(FLUSH, written).await;
    }
    Ok(())
}

fn thread(name: &str, work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    std::thread::Builder::new().name(name.to_owned()).spawn(work).map(drop)
}

type Ended = Result<Option<std::io::Result<()>>, oneshot::error::RecvError>;

fn note(what: &str, outcome: Ended) {
    if let Ok(Some(Err(error))) = outcome {
        tracing::debug!("{what} ended: {error}");
    }
}
