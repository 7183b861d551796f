//! A text being typed: the command line, an input dialog, an editor dialog.

use unicode_segmentation::UnicodeSegmentation as _;

/// A text and where the cursor stands in it.
#[derive(Debug, Default, Clone)]
pub struct Editing {
    text: String,
    /// Byte offset of the cursor, always between graphemes.
    at: usize,
}

impl Editing {
    /// Starts with `text`, the cursor at its end.
    pub fn new(text: &str) -> Editing {
        Editing { text: text.to_owned(), at: text.len() }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// What stands before and after the cursor.
    pub fn parts(&self) -> (&str, &str) {
        self.text.split_at(self.at)
    }

    /// Takes the text out and leaves an empty one.
    pub fn take(&mut self) -> String {
        self.at = 0;
        std::mem::take(&mut self.text)
    }

    /// Applies a key; false when it means nothing here.
    pub fn key(&mut self, key: &str) -> bool {
        match key {
            "\u{1b}[D" | "\u{1b}OD" | "\u{2}" => self.at = self.before(),
            "\u{1b}[C" | "\u{1b}OC" | "\u{6}" => self.at = self.after(),
            "\u{1b}[H" | "\u{1b}OH" | "\u{1b}[1~" | "\u{1}" => self.at = 0,
            "\u{1b}[F" | "\u{1b}OF" | "\u{1b}[4~" | "\u{5}" => self.at = self.text.len(),
            "\u{7f}" | "\u{8}" => {
                let from = self.before();
                self.text.replace_range(from..self.at, "");
                self.at = from;
            }
            "\u{1b}[3~" => {
                let to = self.after();
                self.text.replace_range(self.at..to, "");
            }
            "\u{15}" => {
                self.text.replace_range(..self.at, "");
                self.at = 0;
            }
            _ => return self.insert(key),
        }
        true
    }

    fn insert(&mut self, key: &str) -> bool {
        let pasted = key.strip_prefix("\u{1b}[200~").and_then(|key| key.strip_suffix("\u{1b}[201~"));
        let text = match pasted {
            Some(text) => text.replace("\r\n", "\n").replace('\r', "\n"),
            None if key == "\n" || !key.chars().any(char::is_control) => key.to_owned(),
            None => return false,
        };
        self.text.insert_str(self.at, &text);
        self.at += text.len();
        true
    }

    fn before(&self) -> usize {
        self.text[..self.at].grapheme_indices(true).next_back().map_or(0, |(at, _)| at)
    }

    fn after(&self) -> usize {
        self.text[self.at..].graphemes(true).next().map_or(self.at, |grapheme| self.at + grapheme.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grapheme_is_one_step_and_one_deletion() {
        let mut line = Editing::new("a👩‍👩‍👧e\u{301}");
        for key in ["\u{1b}[D", "\u{7f}", "x", "\u{1b}[3~", "\u{1b}[200~p\rq\u{1b}[201~"] {
            assert!(line.key(key), "{key:?}");
        }
        assert_eq!(line.parts(), ("axp\nq", ""));
        assert!(!line.key("\u{1b}[5~"));
        line.key("\u{15}");
        assert_eq!(line.text(), "");
        assert!(line.key("\u{7f}") && line.key("\u{1b}[D") && line.key("\u{1b}[C"), "at the edges nothing breaks");
    }
}
