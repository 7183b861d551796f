//! An open dialog: what it shows and what keys do in it.

use serde_json::Value;
use tokio::sync::oneshot;

use super::editing::Editing;
use super::host::Kind;
use crate::host::Dialog;

/// A dialog on the screen, or waiting for the one before it.
pub struct Prompt {
    pub id: u32,
    pub kind: Kind,
    pub title: String,
    /// The message of a confirmation, the placeholder of an input.
    pub text: String,
    pub options: Vec<String>,
    /// The chosen option.
    pub chosen: usize,
    pub typed: Editing,
    answer: Option<oneshot::Sender<Option<Value>>>,
}

impl Prompt {
    pub fn new(kind: Kind, dialog: Dialog, answer: oneshot::Sender<Option<Value>>) -> Prompt {
        let text = dialog.text.unwrap_or_default();
        let typed = if kind == Kind::Editor { Editing::new(&text) } else { Editing::default() };
        let options = if kind == Kind::Confirm { vec!["Yes".to_owned(), "No".to_owned()] } else { dialog.options };
        Prompt { id: dialog.id, kind, title: dialog.title, text, options, chosen: 0, typed, answer: Some(answer) }
    }

    /// Gives the hook its answer; `None` is a cancelled dialog.
    pub fn answer(&mut self, value: Option<Value>) {
        if let Some(answer) = self.answer.take() {
            // A hook that no longer waits drops the answer.
            let _ = answer.send(value);
        }
    }

    /// Applies a key; true when the dialog is answered.
    pub fn key(&mut self, key: &str) -> bool {
        if matches!(key, "\u{1b}" | "\u{3}") {
            self.answer(None);
            return true;
        }
        match self.kind {
            Kind::Select | Kind::Confirm => self.choose(key),
            Kind::Input => match key {
                "\r" => self.finish_typing(),
                "\n" => false,
                _ => {
                    self.typed.key(key);
                    false
                }
            },
            Kind::Editor => match key {
                "\r" => self.finish_typing(),
                "\u{1b}\r" | "\u{1b}[13;2u" => {
                    self.typed.key("\n");
                    false
                }
                _ => {
                    self.typed.key(key);
                    false
                }
            },
        }
    }

    fn finish_typing(&mut self) -> bool {
        let typed = self.typed.take();
        self.answer(Some(Value::String(typed)));
        true
    }

    fn choose(&mut self, key: &str) -> bool {
        let last = self.options.len().saturating_sub(1);
        match key {
            "\u{1b}[A" | "\u{1b}OA" | "k" => self.chosen = self.chosen.saturating_sub(1),
            "\u{1b}[B" | "\u{1b}OB" | "j" | "\t" => self.chosen = (self.chosen + 1).min(last),
            "y" | "Y" if self.kind == Kind::Confirm => return self.pick(0),
            "n" | "N" if self.kind == Kind::Confirm => return self.pick(1),
            "\r" => return self.pick(self.chosen),
            _ => {
                let number = key.parse::<usize>().ok().filter(|number| (1..=self.options.len()).contains(number));
                return number.is_some_and(|number| self.pick(number - 1));
            }
        }
        false
    }

    fn pick(&mut self, index: usize) -> bool {
        let value = match self.kind {
            Kind::Confirm => Some(Value::Bool(index == 0)),
            _ => self.options.get(index).cloned().map(Value::String),
        };
        self.answer(value);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(kind: Kind, text: &str, keys: &[&str]) -> Option<Value> {
        let (answer, mut answered) = oneshot::channel();
        let options = vec!["a".to_owned(), "b".to_owned(), "c".to_owned()];
        let dialog = Dialog { id: 1, title: "t".to_owned(), text: Some(text.to_owned()), options, timeout_ms: None };
        let mut prompt = Prompt::new(kind, dialog, answer);
        for (index, key) in keys.iter().enumerate() {
            assert_eq!(prompt.key(key), index == keys.len() - 1, "{key:?}");
        }
        answered.try_recv().unwrap()
    }

    #[test]
    fn keys_answer_dialogs() {
        assert_eq!(open(Kind::Select, "", &["\u{1b}[B", "\u{1b}[B", "\u{1b}[B", "\u{1b}[A", "\r"]), Some("b".into()));
        assert_eq!(open(Kind::Select, "", &["9", "3"]), Some("c".into()));
        assert_eq!(open(Kind::Confirm, "", &["\r"]), Some(true.into()));
        assert_eq!(open(Kind::Confirm, "", &["n"]), Some(false.into()));
        assert_eq!(open(Kind::Input, "hint", &["h", "i", "\r"]), Some("hi".into()), "the hint is no answer");
        assert_eq!(open(Kind::Editor, "pre", &["\u{1b}\r", "x", "\r"]), Some("pre\nx".into()));
    }

    #[test]
    fn a_cancelled_dialog_has_no_answer() {
        for kind in [Kind::Select, Kind::Confirm, Kind::Input, Kind::Editor] {
            assert_eq!(open(kind, "text", &["\u{1b}"]), None);
        }
    }
}
