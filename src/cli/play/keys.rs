//! The keyboard as raw bytes, cut into keys. Components get each key as it came; nothing is decoded and encoded again.

use tokio::sync::mpsc;

/// Cuts input into keys.
#[derive(Debug, Default)]
pub struct KeySplitter {
    /// The beginning of a key whose rest has not arrived.
    rest: Vec<u8>,
}

impl KeySplitter {
    /// The keys that `bytes` complete: an escape sequence, a character, a paste as one key (`ESC [200~ … ESC [201~`).
    pub fn push(&mut self, bytes: &[u8]) -> Vec<String> {
        self.rest.extend_from_slice(bytes);
        let mut keys = Vec::new();
        while let Some(length) = key_length(&self.rest) {
            let key: Vec<u8> = self.rest.drain(..length).collect();
            keys.push(String::from_utf8_lossy(&key).into_owned());
        }
        keys
    }
}

const PASTE: &[u8] = b"\x1b[200~";
const PASTE_END: &[u8] = b"\x1b[201~";

/// Length of the first whole key, `None` when there is none yet.
fn key_length(bytes: &[u8]) -> Option<usize> {
    let first = *bytes.first()?;
    if first != 0x1b {
        let length = match first {
            0xc0..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf7 => 4,
            _ => 1,
        };
        return (bytes.len() >= length).then_some(length);
    }
    if bytes.starts_with(PASTE) {
        let end = bytes.windows(PASTE_END.len()).position(|window| window == PASTE_END)?;
        return Some(end + PASTE_END.len());
    }
    match bytes.get(1) {
        // A terminal sends a sequence in one piece: an escape that stands alone is the key.
        None | Some(0x1b) => Some(1),
        Some(b'[') => {
            let Some(end) = bytes[2..].iter().position(|byte| (0x40..=0x7e).contains(byte)) else {
                return (bytes.len() == 2).then_some(2);
            };
            Some(2 + end + 1)
        }
        Some(b'O') => Some(bytes.len().min(3)),
        // Alt and a key.
        Some(_) => key_length(&bytes[1..]).map(|length| length + 1),
    }
}

/// Reads the keyboard on a thread of its own until `keys` is closed. While `paused` says so the input is left to others.
pub fn read_keyboard(
    keys: mpsc::UnboundedSender<String>,
    paused: impl Fn() -> bool + Send + 'static,
) -> std::io::Result<()> {
    std::thread::Builder::new().name("keyboard".to_owned()).spawn(move || {
        let mut splitter = KeySplitter::default();
        while !keys.is_closed() {
            if paused() || !has_input() {
                std::thread::sleep(std::time::Duration::from_millis(if paused() { 50 } else { 0 }));
                continue;
            }
            let mut bytes = [0; 4096];
            let read = match std::io::Read::read(&mut std::io::stdin(), &mut bytes) {
                Ok(0) | Err(_) => return, // the terminal is gone; the loop that reads `keys` sees the end
                Ok(read) => read,
            };
            for key in splitter.push(&bytes[..read]) {
                if keys.send(key).is_err() {
                    return;
                }
            }
        }
    })?;
    Ok(())
}

/// Waits up to 50 ms for input.
#[cfg(unix)]
fn has_input() -> bool {
    let mut fd = libc::pollfd { fd: libc::STDIN_FILENO, events: libc::POLLIN, revents: 0 };
    // SAFETY: one valid `pollfd` is passed with its count.
    unsafe { libc::poll(&raw mut fd, 1, 50) > 0 }
}

#[cfg(not(unix))]
fn has_input() -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_is_cut_into_keys() {
        let mut splitter = KeySplitter::default();
        let keys = splitter.push("aä日\u{1b}[A\u{1b}OP\u{1b}[1;5C\r\u{3}\u{1b}x\u{1b}[97;1:3u".as_bytes());
        assert_eq!(
            keys,
            ["a", "ä", "日", "\u{1b}[A", "\u{1b}OP", "\u{1b}[1;5C", "\r", "\u{3}", "\u{1b}x", "\u{1b}[97;1:3u"]
        );
        assert_eq!(splitter.push(b"\x1b"), ["\u{1b}"]);
    }

    #[test]
    fn a_key_in_two_pieces_is_one() {
        let mut splitter = KeySplitter::default();
        assert!(splitter.push(&[0xe6, 0x97]).is_empty());
        assert_eq!(splitter.push(&[0xa5]), ["日"]);
        assert!(splitter.push(b"\x1b[1;").is_empty());
        assert_eq!(splitter.push(b"5A"), ["\u{1b}[1;5A"]);
        assert!(splitter.push(b"\x1b[200~two\rlines").is_empty());
        assert_eq!(splitter.push(b"\x1b[201~q"), ["\u{1b}[200~two\rlines\u{1b}[201~", "q"]);
    }
}
