//! Text a `PostToolUse` hook gives back to the model (`lifecycle.md`, PostToolUse feedback).

use super::claude_code::ToolFeedback;
use super::hook::Protocol;
use super::output::HookOutput;

/// Most characters one hook contributes.
const MAX_PER_HOOK: usize = 4_000;
/// Most characters all hooks of one tool call contribute.
const MAX_PER_CALL: usize = 8_000;
const OPENING: &str = "<hook_feedback event=\"PostToolUse\">";
const CLOSING: &str = "</hook_feedback>";
const TAG: &str = "hook_feedback";

/// Collects the feedback of one tool call.
#[derive(Debug, Default)]
pub(crate) struct Feedback {
    blocks: Vec<String>,
    characters: usize,
}

impl Feedback {
    /// Adds what a finished hook contributes, if anything.
    pub(crate) fn add(&mut self, protocol: Protocol, output: &HookOutput) {
        let Some(text) = contribution(protocol, output) else {
            return;
        };
        let room = MAX_PER_HOOK.min(MAX_PER_CALL - self.characters);
        let text = inert(&text);
        let text = first_characters(&text, room);
        if !text.is_empty() {
            self.characters += text.chars().count();
            self.blocks.push(format!("{OPENING}{text}{CLOSING}"));
        }
    }

    /// The blocks in hook order, one below the other.
    pub(crate) fn finish(self) -> Option<String> {
        (!self.blocks.is_empty()).then(|| self.blocks.join("\n"))
    }
}

fn contribution(protocol: Protocol, output: &HookOutput) -> Option<String> {
    let text = match protocol {
        Protocol::Plain if output.exit == 0 => Some(output.stdout.clone()),
        Protocol::Plain => None,
        Protocol::ClaudeCode if output.exit == 2 && !output.stderr.trim().is_empty() => Some(output.stderr.clone()),
        Protocol::ClaudeCode if matches!(output.exit, 0 | 2) => ToolFeedback::read(&output.stdout).into_text(),
        Protocol::ClaudeCode => None,
    }?;
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

fn first_characters(text: &str, count: usize) -> &str {
    match text.char_indices().nth(count) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}

/// Takes the tags out of a text that would end the block, or pretend to begin another: their `<` becomes `&lt;`.
fn inert(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        safe.push_str(before);
        let name = tag[1..].trim_start_matches(|character: char| character.is_whitespace() || character == '/');
        let is_ours = name.get(..TAG.len()).is_some_and(|start| start.eq_ignore_ascii_case(TAG));
        safe.push_str(if is_ours { "&lt;" } else { "<" });
        rest = &tag[1..];
    }
    safe.push_str(rest);
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(stdout: &str) -> HookOutput {
        HookOutput { stdout: stdout.to_owned(), ..HookOutput::default() }
    }

    fn collected(texts: &[&str]) -> String {
        let mut feedback = Feedback::default();
        for text in texts {
            feedback.add(Protocol::Plain, &plain(text));
        }
        feedback.finish().unwrap_or_default()
    }

    #[test]
    fn one_block_per_hook_in_order() {
        assert_eq!(
            collected(&[" a \n", "", "b"]),
            "<hook_feedback event=\"PostToolUse\">a</hook_feedback>\n<hook_feedback event=\"PostToolUse\">b</hook_feedback>"
        );
        assert_eq!(collected(&[" \n"]), "");
    }

    #[test]
    fn caps_count_characters() {
        let long = "語".repeat(5_000);
        for (hooks, expected) in [(1, 4_000), (2, 8_000), (3, 8_000)] {
            let text = collected(&vec![long.as_str(); hooks]);
            assert_eq!(text.matches('語').count(), expected);
            assert_eq!(text.matches(CLOSING).count(), hooks.min(2));
        }
    }

    #[test]
    fn a_closing_tag_cannot_break_out() {
        for tag in ["</hook_feedback>", "</ Hook_Feedback >", "< /hook_feedback", "<hook_feedback event=\"x\">"] {
            let text = collected(&[&format!("a{tag}b")]);
            assert_eq!(text.matches('<').count(), 2, "{text}");
            assert!(text.contains("a&lt;"), "{text}");
        }
        assert!(collected(&["<b>x</b> <hook"]).contains("<b>x</b> <hook</"));
    }
}
