//! Lines out of a byte stream, with a cap.

use std::io::{self, BufRead};

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// Bytes a line may have without its newline.
pub const MAX_LINE_BYTES: usize = 64 * 1024 * 1024;

/// Room kept from one line to the next; what a long line needed beyond it is given back.
const KEEP_BYTES: usize = 1024 * 1024;

/// What a reader found.
#[derive(Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// A line that is not empty, without its `\n` or `\r\n`. The last one of a stream may have had
    /// no newline.
    Bytes(&'a [u8]),
    /// A line over the cap; it was skipped and never held.
    TooLong {
        /// Its length as it came, a `\r` before the newline may count.
        bytes: u64,
    },
}

/// Reads lines of any split: bytes may come one at a time or many lines at once.
#[derive(Debug)]
pub struct LineReader<R> {
    input: BufReader<R>,
    line: Vec<u8>,
    /// Bytes of a line over the cap that were let go.
    skipped: u64,
    /// The line was handed out and is to be cleared.
    taken: bool,
    max: usize,
}

impl<R: AsyncRead + Unpin> LineReader<R> {
    /// A reader with the cap of the protocol.
    pub fn new(input: R) -> LineReader<R> {
        LineReader::with_max(input, MAX_LINE_BYTES)
    }

    /// A reader with a cap of `max` bytes.
    pub fn with_max(input: R, max: usize) -> LineReader<R> {
        let input = BufReader::with_capacity(64 * 1024, input);
        LineReader { input, line: Vec::new(), skipped: 0, taken: false, max }
    }

    /// The stream itself. What was read ahead of the next line is lost.
    pub fn into_inner(self) -> R {
        self.input.into_inner()
    }

    /// The next line that is not empty; `None` at the end. May be dropped and called again: nothing
    /// that was read is lost.
    ///
    /// # Errors
    /// Those of the stream.
    pub async fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        if std::mem::take(&mut self.taken) {
            self.line.clear();
            self.line.shrink_to(KEEP_BYTES);
        }
        loop {
            let chunk = self.input.fill_buf().await?;
            let ended = chunk.is_empty();
            let mut rest = chunk;
            let count = rest.skip_until(b'\n')?;
            let part = &chunk[..count];
            let whole = part.last() == Some(&b'\n');
            let part = part.strip_suffix(b"\n").unwrap_or(part);
            if self.skipped > 0 {
                self.skipped += part.len() as u64;
            } else if self.line.len() + part.len() > self.max + 1 {
                // One more than the cap is kept, for a `\r` before the newline.
                self.skipped = (self.line.len() + part.len()) as u64;
                self.line = Vec::new();
            } else {
                self.line.extend_from_slice(part);
            }
            self.input.consume(count);
            if whole || ended {
                if self.line.last() == Some(&b'\r') {
                    self.line.pop();
                }
                if self.line.len() > self.max {
                    self.skipped = self.line.len() as u64;
                    self.line = Vec::new();
                }
                if self.skipped > 0 {
                    return Ok(Some(Line::TooLong { bytes: std::mem::take(&mut self.skipped) }));
                }
                if !self.line.trim_ascii().is_empty() {
                    self.taken = true;
                    return Ok(Some(Line::Bytes(&self.line)));
                }
                self.line.clear();
                if ended {
                    return Ok(None);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn read(input: &[u8], max: usize) -> Vec<Result<String, u64>> {
        let mut reader = LineReader::with_max(input, max);
        let mut lines = Vec::new();
        while let Some(line) = reader.next().await.unwrap() {
            lines.push(match line {
                Line::Bytes(bytes) => Ok(String::from_utf8_lossy(bytes).into_owned()),
                Line::TooLong { bytes } => Err(bytes),
            });
        }
        lines
    }

    fn ok(lines: &[&str]) -> Vec<Result<String, u64>> {
        lines.iter().map(|line| Ok((*line).to_owned())).collect()
    }

    #[tokio::test]
    async fn newlines_end_lines_and_empty_ones_vanish() {
        assert_eq!(read(b"a\r\n\n  \r\nb\nc", 10).await, ok(&["a", "b", "c"]));
        assert_eq!(read(b"", 10).await, ok(&[]));
        assert_eq!(read(b"\n\n", 10).await, ok(&[]));
        assert_eq!(read(b"a\rb\n", 10).await, ok(&["a\rb"]));
    }

    #[tokio::test]
    async fn a_line_over_the_cap_is_skipped_alone() {
        assert_eq!(read(b"1234\n12345\n12\n", 4).await, [Ok("1234".into()), Err(5), Ok("12".into())]);
        assert_eq!(read(b"1234\r\n12345\r\n", 4).await, [Ok("1234".into()), Err(6)]);
        assert_eq!(read(b"123456789", 4).await, [Err(9)]);
        let long = [vec![b'x'; 300_000], b"\nok\n".to_vec()].concat();
        assert_eq!(read(&long, 4).await, [Err(300_000), Ok("ok".into())]);
    }

    #[tokio::test]
    async fn bytes_may_come_one_at_a_time_and_reading_may_be_given_up() {
        let (mut to, from) = tokio::io::duplex(1);
        let writer = tokio::spawn(async move {
            for byte in "{\"ä\":1}\nzwei\n".bytes() {
                tokio::io::AsyncWriteExt::write_all(&mut to, &[byte]).await.unwrap();
                tokio::task::yield_now().await;
            }
        });
        let mut reader = LineReader::new(from);
        let mut lines = Vec::new();
        loop {
            // Given up again and again in the middle of a line.
            tokio::select! {
                biased;
                line = reader.next() => match line.unwrap() {
                    Some(Line::Bytes(bytes)) => lines.push(String::from_utf8(bytes.to_vec()).unwrap()),
                    Some(Line::TooLong { .. }) => panic!(),
                    None => break,
                },
                () = tokio::task::yield_now() => {}
            }
        }
        writer.await.unwrap();
        assert_eq!(lines, ["{\"ä\":1}", "zwei"]);
    }

    #[tokio::test]
    async fn a_line_of_64_mib_passes_and_its_room_is_given_back() {
        let mut input = vec![b'x'; MAX_LINE_BYTES];
        input.extend_from_slice(b"\nshort\n");
        let mut reader = LineReader::new(&input[..]);
        assert_eq!(reader.next().await.unwrap(), Some(Line::Bytes(&input[..MAX_LINE_BYTES])));
        assert_eq!(reader.next().await.unwrap(), Some(Line::Bytes(b"short")));
        assert!(reader.line.capacity() <= KEEP_BYTES);
    }
}
