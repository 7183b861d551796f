//! Bounded capture of a pipe: past the cap the pipe is drained, so that the hook never blocks on it.

use tokio::io::{AsyncRead, AsyncReadExt};

/// Bytes kept of each stream.
pub(crate) const MAX_CAPTURED: usize = 1024 * 1024;
/// As much as a pipe usually holds.
const CHUNK: usize = 64 * 1024;

#[derive(Debug, Default)]
pub(crate) struct Capture {
    bytes: Vec<u8>,
    truncated: bool,
}

impl Capture {
    /// Reads until the end of the pipe. What was read so far stays when the future is dropped.
    pub(crate) async fn fill(&mut self, pipe: Option<impl AsyncRead + Unpin>) {
        let Some(mut pipe) = pipe else { return };
        let mut chunk = vec![0; CHUNK];
        loop {
            match pipe.read(&mut chunk).await {
                Ok(0) | Err(_) => return,
                Ok(count) => self.keep(&chunk[..count]),
            }
        }
    }

    fn keep(&mut self, chunk: &[u8]) {
        let room = MAX_CAPTURED - self.bytes.len();
        self.bytes.extend_from_slice(&chunk[..chunk.len().min(room)]);
        self.truncated |= chunk.len() > room;
    }

    /// The text, and whether some of it is missing. Bytes that are not UTF-8 become U+FFFD; a character the cap would
    /// have cut in two is left out.
    pub(crate) fn into_text(mut self) -> (String, bool) {
        if self.truncated {
            let end = whole_characters(&self.bytes);
            self.bytes.truncate(end);
        }
        let mut text = String::from_utf8(self.bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        if text.len() > MAX_CAPTURED {
            // Replacement characters are longer than the bytes they stand for.
            let end = (0..=MAX_CAPTURED).rev().find(|end| text.is_char_boundary(*end));
            text.truncate(end.unwrap_or(0));
            self.truncated = true;
        }
        (text, self.truncated)
    }
}

/// Length without an unfinished character at the end.
fn whole_characters(bytes: &[u8]) -> usize {
    const LONGEST_CHARACTER: usize = 4;
    let start = bytes.len().saturating_sub(LONGEST_CHARACTER - 1);
    for at in (start..bytes.len()).rev() {
        let needed = match bytes[at] {
            0xC0..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xFF => 4,
            0x80..=0xBF => continue,
            _ => 1,
        };
        return if at + needed > bytes.len() { at } else { bytes.len() };
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn captured(input: &[u8]) -> (String, bool) {
        let mut capture = Capture::default();
        for chunk in input.chunks(1000) {
            capture.keep(chunk);
        }
        capture.into_text()
    }

    #[test]
    fn the_cap_falls_between_characters() {
        for character in ["a", "é", "語", "🦀"] {
            let input = character.repeat(MAX_CAPTURED / character.len() + 1);
            let (text, truncated) = captured(input.as_bytes());
            assert_eq!(text.len(), MAX_CAPTURED / character.len() * character.len(), "{character}");
            assert_eq!((truncated, text.contains('\u{fffd}')), (true, false), "{character}");
        }
    }

    #[test]
    fn exactly_the_cap_is_not_truncated() {
        let (text, truncated) = captured(&vec![b'a'; MAX_CAPTURED]);
        assert_eq!((text.len(), truncated), (MAX_CAPTURED, false));
    }

    #[test]
    fn bytes_that_are_not_text() {
        assert_eq!(captured(b"a\xffb"), ("a\u{fffd}b".to_owned(), false));
        let (text, truncated) = captured(&vec![0xff; MAX_CAPTURED]);
        assert!(text.len() <= MAX_CAPTURED && truncated);
        let (text, truncated) = captured(&vec![0x80; MAX_CAPTURED + 1]);
        assert!(text.len() <= MAX_CAPTURED && truncated);
    }
}
