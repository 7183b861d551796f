//! Two ends of a connection inside one process, for tests of either side.

use std::io;

use tokio::io::{AsyncWriteExt, DuplexStream, ReadHalf, WriteHalf};

use super::framing::{Line, LineReader};
use super::message::{Code, Message, Response, RpcError};

/// One end of an in-memory connection.
#[derive(Debug)]
pub struct MemoryEnd {
    /// What the other end wrote.
    pub reader: LineReader<ReadHalf<DuplexStream>>,
    /// What the other end reads.
    pub writer: WriteHalf<DuplexStream>,
}

/// Two connected ends with a pipe of 64 KiB in each direction.
pub fn pair() -> (MemoryEnd, MemoryEnd) {
    let (a, b) = tokio::io::duplex(64 * 1024);
    (MemoryEnd::new(a), MemoryEnd::new(b))
}

impl MemoryEnd {
    fn new(stream: DuplexStream) -> MemoryEnd {
        let (reader, writer) = tokio::io::split(stream);
        MemoryEnd { reader: LineReader::new(reader), writer }
    }

    /// Sends a message.
    ///
    /// # Errors
    /// When the other end is gone.
    pub async fn send(&mut self, message: &Message) -> io::Result<()> {
        self.send_raw(&message.encode()).await
    }

    /// Sends bytes as they are: half a line, several, or none.
    ///
    /// # Errors
    /// When the other end is gone.
    pub async fn send_raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.writer.write_all(bytes).await?;
        self.writer.flush().await
    }

    /// The next message, or the response that a broken line deserves; `None` when the other end is
    /// gone.
    ///
    /// # Errors
    /// Those of the stream.
    pub async fn receive(&mut self) -> io::Result<Option<Result<Message, Box<Response>>>> {
        Ok(self.reader.next().await?.map(|line| decode_line(&line)))
    }
}

/// The message on a line, or the response that a broken one deserves.
pub(super) fn decode_line(line: &Line<'_>) -> Result<Message, Box<Response>> {
    match line {
        Line::Bytes(bytes) => Message::decode(bytes),
        Line::TooLong { bytes } => {
            let error = RpcError::new(Code::LINE_TOO_LONG, format!("a line of {bytes} bytes is too long"));
            Err(Box::new(Response { id: None, outcome: Err(error) }))
        }
    }
}
