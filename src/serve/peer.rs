//! One side of a connection: it calls, answers, and takes the calls of the other side apart.

use std::io;
use std::time::Duration;

use serde_json::value::RawValue;
use tokio::io::AsyncRead;

use super::framing::{LineReader, MAX_LINE_BYTES};
use super::memory::decode_line;
use super::message::{Code, Id, Message, Notification, Request, Response, RpcError, encode_call, encode_response};
use super::pending::{Answer, NoAnswer, Pending, Waiting};
use super::queue::{LineSender, NotSent};

/// Why a call did not go out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// There is no answer to be had.
    #[error(transparent)]
    NoAnswer(#[from] NoAnswer),
    /// The line was not taken.
    #[error(transparent)]
    NotSent(#[from] NotSent),
    /// It would be longer than a line may be.
    #[error("a message of {0} bytes is too long")]
    TooLong(usize),
}

impl CallError {
    /// The code under which it is reported.
    pub fn code(self) -> Code {
        match self {
            CallError::TooLong(_) => Code::LINE_TOO_LONG,
            CallError::NoAnswer(NoAnswer::TimedOut(_)) | CallError::NotSent(NotSent::TimedOut(_)) => Code::TIMED_OUT,
            CallError::NoAnswer(NoAnswer::Cancelled) => Code::CANCELLED,
            CallError::NoAnswer(NoAnswer::Closed) | CallError::NotSent(NotSent::Closed) => Code::SHUTTING_DOWN,
        }
    }
}

/// What the calls of the other side are for. Neither method may wait: the next line is read when it
/// returns, so that an answer can arrive while a call is open.
pub trait Handler {
    /// A call that wants an answer. A reply that is dropped answers with an internal error.
    fn request(&self, request: Request, reply: Reply);
    /// A call that wants none.
    fn notification(&self, notification: Notification);
}

/// One side of a connection. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Peer {
    sender: LineSender,
    pending: Pending,
}

impl Peer {
    /// A side that writes to this queue.
    pub fn new(sender: LineSender) -> Peer {
        Peer { sender, pending: Pending::new() }
    }

    /// The queue it writes to.
    pub fn sender(&self) -> &LineSender {
        &self.sender
    }

    /// The requests that wait for an answer.
    pub fn pending(&self) -> &Pending {
        &self.pending
    }

    /// Sends a request, once there is room for it; what comes back is to be awaited.
    ///
    /// # Errors
    /// When it cannot be sent. The request is then not open.
    pub async fn request(&self, method: &str, params: Option<&RawValue>) -> Result<Waiting, CallError> {
        let waiting = self.pending.open()?;
        self.sender.send(checked(encode_call(Some(&Id::Number(waiting.id())), method, params))?).await?;
        Ok(waiting)
    }

    /// Sends a request and waits for its answer on a thread that stands still meanwhile, both within
    /// `limit`.
    ///
    /// # Errors
    /// When it cannot be sent or there is no answer in time; a late one is dropped.
    pub fn request_blocking(
        &self,
        method: &str,
        params: Option<&RawValue>,
        limit: Duration,
    ) -> Result<Answer, CallError> {
        let began = std::time::Instant::now();
        let waiting = self.pending.open()?;
        let line = checked(encode_call(Some(&Id::Number(waiting.id())), method, params))?;
        self.sender.send_blocking(line, Some(limit))?;
        waiting.block(limit.saturating_sub(began.elapsed())).map_err(|error| match error {
            NoAnswer::TimedOut(_) => NoAnswer::TimedOut(limit).into(),
            other => other.into(),
        })
    }

    /// Sends a notification, once there is room for it.
    ///
    /// # Errors
    /// When it cannot be sent.
    pub async fn notify(&self, method: &str, params: Option<&RawValue>) -> Result<(), CallError> {
        Ok(self.sender.send(checked(encode_call(None, method, params))?).await?)
    }

    /// The same on a thread that stands still meanwhile.
    ///
    /// # Errors
    /// When it cannot be sent.
    pub fn notify_blocking(&self, method: &str, params: Option<&RawValue>) -> Result<(), CallError> {
        Ok(self.sender.send_blocking(checked(encode_call(None, method, params))?, None)?)
    }

    /// Reads until the stream ends: calls go to the handler, answers to who waits for them, broken lines
    /// are answered. While the other side does not read, nothing is read from it either. At the
    /// end every open request fails with [`NoAnswer::Closed`].
    ///
    /// # Errors
    /// Those of the stream.
    pub async fn read<R: AsyncRead + Unpin>(&self, input: R, handler: &impl Handler) -> io::Result<()> {
        let _close = CloseOnDrop(&self.pending);
        let mut lines = LineReader::new(input);
        while let Some(line) = lines.next().await? {
            match decode_line(&line) {
                Ok(Message::Request(request)) => {
                    let reply = Reply { id: Some(request.id.clone()), sender: self.sender.clone() };
                    handler.request(request, reply);
                }
                Ok(Message::Notification(notification)) => handler.notification(notification),
                Ok(Message::Response(Response { id, outcome })) => {
                    if !id.as_ref().is_some_and(|id| self.pending.settle(id, outcome)) {
                        tracing::debug!(?id, "an answer nobody waits for");
                    }
                }
                Err(answer) => {
                    let line = encode_response(answer.id.as_ref(), answer.outcome.as_deref());
                    if self.sender.send(line).await.is_err() {
                        return Ok(());
                    }
                }
            }
            if self.sender.ready().await.is_err() {
                return Ok(());
            }
        }
        Ok(())
    }
}

struct CloseOnDrop<'a>(&'a Pending);

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// The answer that a request waits for.
#[derive(Debug)]
pub struct Reply {
    /// Taken when the answer is sent.
    id: Option<Id>,
    sender: LineSender,
}

impl Reply {
    /// Sends the answer, once there is room for it. One that is too long for a line becomes an error.
    ///
    /// # Errors
    /// When nobody reads any more.
    pub async fn send(mut self, outcome: Result<&RawValue, &RpcError>) -> Result<(), NotSent> {
        let Some(id) = self.id.clone() else {
            return Ok(());
        };
        let line = checked(encode_response(Some(&id), outcome))
            .unwrap_or_else(|error| encode_response(Some(&id), Err(&RpcError::new(error.code(), error.to_string()))));
        self.sender.send(line).await?;
        self.id = None;
        Ok(())
    }

    /// Sends the answer at once when there is room, else from a task of `runtime` as soon as there is: who answers never waits.
    pub fn send_soon(mut self, outcome: Result<&RawValue, &RpcError>, runtime: &tokio::runtime::Handle) {
        let Some(id) = self.id.take() else { return };
        let line = checked(encode_response(Some(&id), outcome))
            .unwrap_or_else(|error| encode_response(Some(&id), Err(&RpcError::new(error.code(), error.to_string()))));
        if let Err(line) = self.sender.try_send(line) {
            let sender = self.sender.clone();
            runtime.spawn(async move {
                // Nobody reads any more: then nobody waits for it either.
                let _ = sender.send(line).await;
            });
        }
    }

    /// The request it belongs to.
    pub fn id(&self) -> Option<&Id> {
        self.id.as_ref()
    }
}

impl Drop for Reply {
    fn drop(&mut self) {
        if let Some(id) = self.id.take() {
            let error = RpcError::new(Code::INTERNAL, "the request was dropped without an answer");
            self.sender.force(encode_response(Some(&id), Err(&error)));
        }
    }
}

fn checked(line: Vec<u8>) -> Result<Vec<u8>, CallError> {
    if line.len() > MAX_LINE_BYTES + 1 { Err(CallError::TooLong(line.len())) } else { Ok(line) }
}

#[cfg(test)]
#[path = "peer_tests.rs"]
mod tests;
