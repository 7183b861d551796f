//! Text with ANSI colour: splitting it into what takes cells and what does not.
//!
//! Only *select graphic rendition* sequences (`ESC [ … m`) mean anything here. Every other escape
//! sequence is one unit that shows nothing, so that a cursor movement or a window title is
//! dropped whole and leaves no `[2J` behind.

const ESC: char = '\u{1b}';
const CSI: char = '\u{9b}';
const RESET: &str = "\u{1b}[0m";

/// One piece of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Text without control characters.
    Text(&'a str),
    /// A colour sequence, from `ESC [` to `m`.
    Sgr(&'a str),
    /// A control character, or an escape sequence that is no colour.
    Control(&'a str),
}

/// Splits a text into its pieces, in order, nothing left out.
pub fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        if !first.is_control() {
            let end = rest.find(char::is_control).unwrap_or(rest.len());
            let (piece, tail) = rest.split_at(end);
            rest = tail;
            return Some(Piece::Text(piece));
        }
        let (piece, tail) = rest.split_at(control_len(rest));
        rest = tail;
        Some(if is_sgr(piece) { Piece::Sgr(piece) } else { Piece::Control(piece) })
    })
}

/// The length in bytes of the control character or escape sequence a text begins with.
fn control_len(text: &str) -> usize {
    let mut chars = text.char_indices();
    let intro = match chars.next() {
        Some((_, ESC)) => chars.next(),
        Some((_, CSI)) => Some((0, '[')),
        Some((_, c @ '\u{90}'..='\u{9f}')) => Some((0, char::from(c as u8 - 0x40))),
        Some((_, c)) => return c.len_utf8(),
        None => return 0,
    };
    // What an unfinished sequence shows: its introducer is dropped, the text after it is kept.
    let alone = chars.offset();
    match intro {
        Some((_, '[')) => {
            for (at, c) in chars {
                match c {
                    '\u{20}'..='\u{3f}' => {}
                    '\u{40}'..='\u{7e}' => return at + c.len_utf8(),
                    _ => break,
                }
            }
            alone
        }
        // Strings (window titles, links, images) run to BEL or ST.
        Some((_, ']' | 'P' | 'X' | '^' | '_')) => {
            for (at, c) in chars {
                match c {
                    '\u{7}' | '\u{9c}' => return at + c.len_utf8(),
                    ESC if text[at + 1..].starts_with('\\') => return at + 2,
                    _ => {}
                }
            }
            alone
        }
        // Other two- and three-character escapes (`ESC 7`, `ESC ( B`).
        Some((at, '\u{20}'..='\u{2f}')) => match text[at + 1..].chars().next() {
            Some(c) if !c.is_control() => at + 1 + c.len_utf8(),
            _ => at + 1,
        },
        Some((at, c @ '\u{30}'..='\u{7e}')) if at > 0 => at + c.len_utf8(),
        _ => text.chars().next().map_or(0, char::len_utf8),
    }
}

fn is_sgr(piece: &str) -> bool {
    piece
        .strip_prefix("\u{1b}[")
        .and_then(|rest| rest.strip_suffix('m'))
        .is_some_and(|params| params.bytes().all(|b| matches!(b, b'0'..=b'9' | b';' | b':')))
}

/// Which attributes are on after the colour sequences so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SgrState(u64);

/// `(bit, first and last of the codes that set it, code that clears it)`. Bold and faint share their end.
type Attribute = (u64, &'static [(u16, u16)], u16);

const ATTRIBUTES: [Attribute; 10] = [
    (1 << 0, &[(1, 2)], 22),
    (1 << 1, &[(3, 3)], 23),
    (1 << 2, &[(4, 4), (21, 21)], 24),
    (1 << 3, &[(5, 6)], 25),
    (1 << 4, &[(7, 7)], 27),
    (1 << 5, &[(8, 8)], 28),
    (1 << 6, &[(9, 9)], 29),
    (1 << 7, &[(30, 38), (90, 97)], 39),
    (1 << 8, &[(40, 48), (100, 107)], 49),
    (1 << 9, &[(53, 53)], 55),
];
/// Underline colour, and whatever has no row above: only a full reset surely ends it.
const UNDERLINE_COLOR: u64 = 1 << 10;
const UNKNOWN: u64 = 1 << 11;

impl SgrState {
    /// Takes one colour sequence into account.
    pub fn apply(&mut self, sequence: &str) {
        let body = sequence.strip_prefix("\u{1b}[").and_then(|s| s.strip_suffix('m')).unwrap_or("");
        let mut params = body.split(';');
        while let Some(param) = params.next() {
            let (head, sub) = param.split_once(':').map_or((param, None), |(head, sub)| (head, Some(sub)));
            let code: u16 = if head.is_empty() { 0 } else { head.parse().unwrap_or(u16::MAX) };
            self.apply_code(code, sub);
            // 38, 48 and 58 take the colour from the parameters that follow.
            if matches!(code, 38 | 48 | 58) && sub.is_none() {
                let skip = match params.next() {
                    Some("5") => 1,
                    Some("2") => 3,
                    _ => 0,
                };
                for _ in 0..skip {
                    params.next();
                }
            }
        }
    }

    fn apply_code(&mut self, code: u16, sub: Option<&str>) {
        match code {
            0 => self.0 = 0,
            // `4:0` is the colon form of "no underline".
            4 if sub == Some("0") => self.0 &= !(1 << 2),
            58 => self.0 |= UNDERLINE_COLOR,
            59 => self.0 &= !UNDERLINE_COLOR,
            _ => {
                for (bit, on, off) in ATTRIBUTES {
                    if code == off {
                        self.0 &= !bit;
                        return;
                    }
                    if on.iter().any(|(first, last)| (*first..=*last).contains(&code)) {
                        self.0 |= bit;
                        return;
                    }
                }
                self.0 |= UNKNOWN;
            }
        }
    }

    /// Whether anything is on.
    pub fn is_active(self) -> bool {
        self.0 != 0
    }

    /// What ends everything that is on; empty when nothing is.
    pub fn reset(self) -> &'static str {
        if self.is_active() { RESET } else { "" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost_and_sequences_stay_whole() {
        let text = "a\u{1b}[1;38;5;7mb\u{1b}[2Jc\u{1b}]0;title\u{7}d\u{1b}]8;;u\u{1b}\\e\u{1b}7f\u{1b}(Bg\u{9b}2Kh\ti";
        let all: Vec<Piece<'_>> = pieces(text).collect();
        let joined: String = all
            .iter()
            .map(|p| match p {
                Piece::Text(s) | Piece::Sgr(s) | Piece::Control(s) => *s,
            })
            .collect();
        assert_eq!(joined, text);
        let shown: String = all.iter().filter_map(|p| if let Piece::Text(s) = p { Some(*s) } else { None }).collect();
        assert_eq!(shown, "abcdefghi");
        assert_eq!(all.iter().filter(|p| matches!(p, Piece::Sgr(_))).count(), 1);
    }

    #[test]
    fn an_unfinished_sequence_takes_no_text_with_it() {
        for (text, shown) in [
            ("\u{1b}[31", "31"),
            ("a\u{1b}", "a"),
            ("\u{1b}]0;title", "0;title"),
            ("\u{1b}[3\u{1b}[31mx", "3x"),
            ("\u{1b}é", "é"),
            ("\u{90}x", "x"),
        ] {
            let visible: String =
                pieces(text).filter_map(|p| if let Piece::Text(s) = p { Some(s) } else { None }).collect();
            assert_eq!(visible, shown, "{text:?}");
        }
    }

    #[test]
    fn a_state_knows_what_ended() {
        let after = |text: &str| {
            let mut state = SgrState::default();
            for piece in pieces(text) {
                if let Piece::Sgr(sequence) = piece {
                    state.apply(sequence);
                }
            }
            state.is_active()
        };
        for open in [
            "\u{1b}[31m",
            "\u{1b}[1m\u{1b}[39m",
            "\u{1b}[0;4m",
            "\u{1b}[38;2;0;0;0m",
            "\u{1b}[38;5;0m",
            "\u{1b}[4:3m",
            "\u{1b}[99m",
            "\u{1b}[58;5;1m",
        ] {
            assert!(after(open), "{open:?}");
        }
        for closed in [
            "",
            "\u{1b}[31m\u{1b}[m",
            "\u{1b}[31m\u{1b}[0m",
            "\u{1b}[1;31m\u{1b}[22;39m",
            "\u{1b}[38;2;1;2;3m\u{1b}[39m",
            "\u{1b}[4:3m\u{1b}[4:0m",
            "\u{1b}[31;0m",
        ] {
            assert!(!after(closed), "{closed:?}");
        }
    }
}
