//! Cuts shell text into simple commands, well enough to see what a line is about to run.
//!
//! Quotes, escapes, comments, separators, redirections, subshells and command substitutions are understood; variables
//! and aliases are not expanded. Here-document bodies are read as commands: for a gate that errs on the safe side.

/// The words of each simple command in `text`, in order, including those inside substitutions.
pub(crate) fn simple_commands(text: &str) -> Vec<Vec<String>> {
    let mut reader = Reader { characters: text.chars().collect(), at: 0, commands: Vec::new() };
    reader.list(None);
    reader.commands
}

struct Reader {
    characters: Vec<char>,
    at: usize,
    commands: Vec<Vec<String>>,
}

/// One simple command while it is read.
#[derive(Default)]
struct Pending {
    words: Vec<String>,
    word: Option<String>,
    /// The next word is the target of a redirection, no argument.
    redirected: bool,
}

impl Pending {
    fn push(&mut self, character: char) {
        self.word.get_or_insert_default().push(character);
    }

    fn end_word(&mut self) {
        if let Some(word) = self.word.take() {
            if std::mem::take(&mut self.redirected) {
                return;
            }
            self.words.push(word);
        }
    }
}

impl Reader {
    fn next(&mut self) -> Option<char> {
        let character = self.characters.get(self.at).copied();
        self.at += 1;
        character
    }

    fn peek(&self) -> Option<char> {
        self.characters.get(self.at).copied()
    }

    /// Reads commands up to the unquoted `end` (or the end of the text). Nesting is kept on a stack of our own: the text
    /// comes from a model and may be nested without limit.
    fn list(&mut self, end: Option<char>) {
        let mut stack: Vec<(Option<char>, Pending, bool)> = Vec::new();
        let mut closing = end;
        let mut pending = Pending::default();
        let mut in_quotes = false;
        while let Some(character) = self.next() {
            if in_quotes {
                match character {
                    '"' => in_quotes = false,
                    '\\' => self.escaped(&mut pending, true),
                    '$' if self.peek() == Some('(') => {
                        self.at += 1;
                        stack.push((closing.replace(')'), std::mem::take(&mut pending), true));
                        in_quotes = false;
                    }
                    '`' if closing != Some('`') => {
                        stack.push((closing.replace('`'), std::mem::take(&mut pending), true));
                        in_quotes = false;
                    }
                    _ => pending.push(character),
                }
                continue;
            }
            if Some(character) == closing {
                self.finish(&mut pending);
                match stack.pop() {
                    Some((outer, outer_pending, outer_quotes)) => {
                        closing = outer;
                        pending = outer_pending;
                        in_quotes = outer_quotes;
                    }
                    None => return,
                }
                continue;
            }
            match character {
                '"' => {
                    pending.word.get_or_insert_default();
                    in_quotes = true;
                }
                '\'' => self.single_quoted(&mut pending),
                '\\' => self.escaped(&mut pending, false),
                '#' if pending.word.is_none() => self.comment(),
                '`' => {
                    // What a substitution prints is unknown; an empty word keeps its place.
                    pending.word.get_or_insert_default();
                    stack.push((closing.replace('`'), std::mem::take(&mut pending), false));
                }
                '(' => {
                    if pending.word.as_deref() == Some("$") {
                        pending.word = Some(String::new());
                    }
                    stack.push((closing.replace(')'), std::mem::take(&mut pending), false));
                }
                '<' | '>' => self.redirection(&mut pending),
                '&' if self.peek() == Some('>') => {}
                ';' | '|' | '&' | '\n' | '\r' | ')' => self.finish(&mut pending),
                _ if character.is_whitespace() => pending.end_word(),
                _ => pending.push(character),
            }
        }
        self.finish(&mut pending);
        while let Some((_, mut outer, _)) = stack.pop() {
            self.finish(&mut outer);
        }
    }

    fn finish(&mut self, pending: &mut Pending) {
        pending.end_word();
        pending.redirected = false;
        let words = std::mem::take(&mut pending.words);
        if words.iter().any(|word| !word.is_empty()) {
            self.commands.push(words);
        }
    }

    fn escaped(&mut self, pending: &mut Pending, in_quotes: bool) {
        match self.next() {
            None => pending.push('\\'),
            Some('\n') => {}
            Some(character) => {
                if in_quotes && !matches!(character, '"' | '\\' | '$' | '`') {
                    pending.push('\\');
                }
                pending.push(character);
            }
        }
    }

    fn single_quoted(&mut self, pending: &mut Pending) {
        pending.word.get_or_insert_default();
        while let Some(character) = self.next() {
            if character == '\'' {
                return;
            }
            pending.push(character);
        }
    }

    fn comment(&mut self) {
        while self.peek().is_some_and(|character| character != '\n') {
            self.at += 1;
        }
    }

    fn redirection(&mut self, pending: &mut Pending) {
        // A number right before the sign is a descriptor, no word.
        let is_descriptor = pending.word.as_deref().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
        if is_descriptor {
            pending.word = None;
        }
        pending.end_word();
        while self.peek().is_some_and(|character| matches!(character, '<' | '>' | '&' | '|')) {
            self.at += 1;
        }
        pending.redirected = self.peek() != Some('(');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        simple_commands(text).into_iter().map(|words| words.join(" ")).collect()
    }

    #[test]
    fn separators_quotes_and_redirections() {
        let rows: [(&str, &[&str]); 14] = [
            ("a b && c; d | e & f\ng", &["a b", "c", "d", "e", "f", "g"]),
            ("a 'b; c' \"d && e\"", &["a b; c d && e"]),
            ("a \\\n b", &["a b"]),
            ("a # b; c\nd", &["a", "d"]),
            ("a 2>&1 -f >out 2>>err <in -g", &["a -f -g"]),
            ("a &>all -f", &["a -f"]),
            ("(a; b) && { c; }", &["a", "b", "{ c", "}"]),
            ("a $(b -c) d", &["b -c", "a  d"]),
            ("a \"x $(b -c) y\" d", &["b -c", "a x  y d"]),
            ("a `b c` d", &["b c", "a  d"]),
            ("a <(b c)", &["b c", "a"]),
            ("a 'unfinished", &["a unfinished"]),
            ("a $(b", &["b", "a "]),
            ("", &[]),
        ];
        for (text, expected) in rows {
            assert_eq!(words(text), expected, "{text}");
        }
    }

    #[test]
    fn deep_nesting_needs_no_stack() {
        let text = "$(".repeat(200_000) + "a";
        assert!(words(&text) == ["a"]);
    }
}
