//! The status line that hooks write with `ctx.ui.setStatus` (`hooks.md §7`).

use std::cmp::Ordering;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::ansi::{Piece, SgrState, pieces};
use super::width::{truncate_to_width, visible_width};

/// The status texts of hooks, one per key, shown as one line.
#[derive(Debug, Clone, Default)]
pub struct StatusLine {
    /// Sorted by [`compare_keys`]; sanitised once, shown often.
    items: Vec<(String, String)>,
}

impl StatusLine {
    /// An empty line.
    pub fn new() -> StatusLine {
        StatusLine::default()
    }

    /// Sets the text of a key; `None` deletes the key. Says whether the line changed.
    pub fn set(&mut self, key: &str, text: Option<&str>) -> bool {
        let place = self.items.binary_search_by(|(other, _)| compare_keys(other, key));
        match (place, text.map(sanitize)) {
            (Ok(at), Some(text)) => {
                let changed = self.items[at].1 != text;
                self.items[at].1 = text;
                changed
            }
            (Ok(at), None) => {
                self.items.remove(at);
                true
            }
            (Err(at), Some(text)) => {
                self.items.insert(at, (key.to_owned(), text));
                true
            }
            (Err(_), None) => false,
        }
    }

    /// Deletes every key.
    pub fn clear(&mut self) {
        self.items.clear();
    }

    /// Whether there is nothing to show.
    pub fn is_empty(&self) -> bool {
        self.items.iter().all(|(_, text)| visible_width(text) == 0)
    }

    /// The keys and their sanitised texts in the order they are shown.
    pub fn items(&self) -> impl Iterator<Item = (&str, &str)> {
        self.items.iter().map(|(key, text)| (key.as_str(), text.as_str()))
    }

    /// The line: the texts joined with one space, cut with `…` to `width` columns. Texts that show
    /// nothing leave no gap. Each text ends its own colours, so none runs into its neighbour.
    pub fn render(&self, width: usize) -> String {
        if width == 0 {
            return String::new();
        }
        let mut line = String::new();
        for (_, text) in &self.items {
            if visible_width(text) == 0 {
                continue;
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(text);
        }
        truncate_to_width(&line, width, "…")
    }
}

/// A status text as it is shown: `\r`, `\n` and `\t` become spaces, other control characters and
/// escape sequences vanish, colour sequences stay and are reset at the end, runs of spaces become
/// one, spaces at the ends go.
pub fn sanitize(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut colors = SgrState::default();
    for piece in pieces(text) {
        match piece {
            Piece::Sgr(sequence) => {
                colors.apply(sequence);
                out.push_str(sequence);
            }
            Piece::Control("\r" | "\n" | "\t") => push_space(&mut out),
            Piece::Control(_) => {}
            Piece::Text(text) => {
                for c in text.chars() {
                    if c == ' ' { push_space(&mut out) } else { out.push(c) }
                }
            }
        }
    }
    let mut out = out.trim().to_owned();
    out.push_str(colors.reset());
    out
}

fn push_space(out: &mut String) {
    if !out.ends_with(' ') {
        out.push(' ');
    }
}

/// The order of `localeCompare` for keys as hooks choose them, without the 1 MB of collation
/// tables a full implementation needs: first by letters alone (punctuation before digits before
/// letters, neither accents nor case count), then accents, then lower before upper case
/// (`a < A < ä < b`), and in the end by code point, so that different keys never count as one.
pub fn compare_keys(a: &str, b: &str) -> Ordering {
    letters(a)
        .cmp(letters(b))
        .then_with(|| accents(a).cmp(accents(b)))
        .then_with(|| cases(a).cmp(cases(b)))
        .then_with(|| a.cmp(b))
}

fn letters(key: &str) -> impl Iterator<Item = (u8, char)> + '_ {
    key.nfkd().filter(|c| !is_combining_mark(*c) && !c.is_control()).flat_map(char::to_lowercase).map(|c| {
        let class = match c {
            _ if c.is_whitespace() => 0,
            '_' | '-' | ',' | ';' | ':' | '!' | '?' | '.' => 1,
            _ if c.is_alphabetic() => 4,
            _ if c.is_numeric() => 3,
            _ => 2,
        };
        // Within the first punctuation the order is that of the root collation, not of ASCII.
        let c = if class == 1 { "_-,;:!?.".find(c).map_or(c, |at| char::from(at as u8)) } else { c };
        (class, c)
    })
}

/// A base letter counts as zero, so that an accent early in the key decides before a late one.
fn accents(key: &str) -> impl Iterator<Item = u32> + '_ {
    key.nfkd().map(|c| if is_combining_mark(c) { u32::from(c) } else { 0 })
}

fn cases(key: &str) -> impl Iterator<Item = bool> + '_ {
    key.nfkd().filter(|c| !is_combining_mark(*c)).map(char::is_uppercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(items: &[(&str, &str)]) -> StatusLine {
        let mut line = StatusLine::new();
        for (key, text) in items {
            line.set(key, Some(text));
        }
        line
    }

    #[test]
    fn keys_are_stored_replaced_and_deleted() {
        let mut line = line(&[("a", "one"), ("b", "two")]);
        assert!(!line.set("a", Some("one")));
        assert!(line.set("a", Some("three")));
        assert_eq!(line.render(80), "three two");
        assert!(line.set("a", None));
        assert!(!line.set("a", None));
        assert_eq!(line.render(80), "two");
    }

    #[test]
    fn keys_stand_in_the_order_of_locale_compare() {
        let mut keys =
            vec!["c", "B", "a", "A", "b", "ä", "Z", "é", "f", "e", "10", "2", "_x", "-x", "a1", "a-b", "zz", ""];
        keys.sort_by(|a, b| compare_keys(a, b));
        // As `[...].sort((a, b) => a.localeCompare(b))` gives on Node with ICU.
        assert_eq!(
            keys,
            ["", "_x", "-x", "10", "2", "a", "A", "ä", "a-b", "a1", "b", "B", "c", "e", "é", "f", "Z", "zz"]
        );
        assert_ne!(compare_keys("é", "e\u{301}"), Ordering::Equal);
    }

    #[test]
    fn control_characters_go_and_spaces_collapse() {
        for (text, shown) in [
            ("a\r\nb\tc", "a b c"),
            ("  a   b  ", "a b"),
            ("a\u{0}\u{7}b\u{7f}\u{85}", "ab"),
            ("a \u{7} b", "a b"),
            ("\u{1b}[2Ja\u{1b}]0;t\u{7}b", "ab"),
            ("\u{1b}[31mred\u{1b}[0m", "\u{1b}[31mred\u{1b}[0m"),
            ("\u{1b}[31mred\u{1b}[39m", "\u{1b}[31mred\u{1b}[39m"),
            ("\u{1b}[31mopen", "\u{1b}[31mopen\u{1b}[0m"),
            ("\n\t\r", ""),
            ("\u{1b}[31", "31"),
        ] {
            assert_eq!(sanitize(text), shown, "{text:?}");
        }
    }

    #[test]
    fn empty_texts_leave_no_gap() {
        let line = line(&[("a", "x"), ("b", " \n"), ("c", "\u{1b}[31m\u{1b}[0m"), ("d", "y")]);
        assert_eq!(line.render(80), "x y");
        assert!(!line.is_empty());
        assert!(StatusLine::new().is_empty());
    }

    #[test]
    fn widths_zero_and_one() {
        let long = line(&[("a", "abc")]);
        assert_eq!(long.render(0), "");
        assert_eq!(long.render(1), "…");
        assert_eq!(line(&[("a", "x")]).render(1), "x");
        assert_eq!(line(&[("a", "日")]).render(1), "…");
        assert_eq!(StatusLine::new().render(1), "");
        assert_eq!(line(&[("a", "\u{1b}[31mabc")]).render(1), "\u{1b}[31m…\u{1b}[0m");
    }

    #[test]
    fn graphemes_stay_whole() {
        assert_eq!(line(&[("a", "日本語")]).render(4), "日…");
        assert_eq!(line(&[("a", "e\u{301}e\u{301}e\u{301}")]).render(2), "e\u{301}…");
        assert_eq!(line(&[("a", "👩‍👩‍👧‍👦👩‍👩‍👧‍👦")]).render(3), "👩‍👩‍👧‍👦…");
        assert_eq!(line(&[("a", "🇩🇪🇫🇷")]).render(3), "🇩🇪…");
        assert_eq!(line(&[("a", "🇩🇪🇫🇷")]).render(4), "🇩🇪🇫🇷");
    }

    #[test]
    fn colours_are_reset_where_the_cut_is() {
        let line = line(&[("a", "\u{1b}[31mabc\u{1b}[0m"), ("b", "\u{1b}[32mdef\u{1b}[0m")]);
        assert_eq!(line.render(80), "\u{1b}[31mabc\u{1b}[0m \u{1b}[32mdef\u{1b}[0m");
        assert_eq!(line.render(7), "\u{1b}[31mabc\u{1b}[0m \u{1b}[32mdef\u{1b}[0m");
        assert_eq!(line.render(6), "\u{1b}[31mabc\u{1b}[0m \u{1b}[32md…\u{1b}[0m");
        assert_eq!(line.render(2), "\u{1b}[31ma…\u{1b}[0m");
    }
}
