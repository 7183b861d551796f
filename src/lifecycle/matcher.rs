//! Which tools a hook is for (`lifecycle.md`, Matcher).

use std::fmt;

/// A tool matcher: empty or `*` matches all, `a|b` are alternatives, `name*` is a prefix, anything else is exact and
/// case-sensitive.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Matcher(String);

/// Characters that say "regular expression" and that no tool id contains.
const REGEX_SIGNS: [char; 11] = ['^', '$', '(', ')', '[', ']', '{', '}', '\\', '+', '?'];

impl Matcher {
    /// Takes the text of a `matcher` field.
    pub fn new(text: impl Into<String>) -> Self {
        Matcher(text.into())
    }

    /// The text as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a hook with this matcher runs for `tool`. Without a tool only an empty matcher and `*` match.
    pub fn matches(&self, tool: Option<&str>) -> bool {
        let text = self.0.trim();
        if text.is_empty() || text == "*" {
            return true;
        }
        let Some(tool) = tool.filter(|tool| !tool.is_empty()) else {
            return false;
        };
        alternatives(text).any(|alternative| match alternative.strip_suffix('*') {
            Some(prefix) => tool.starts_with(prefix),
            None => alternative == tool,
        })
    }

    /// A sentence for the person who wrote a matcher that cannot mean what it seems to, or `None`.
    pub fn advice(&self) -> Option<String> {
        let suspicious: Vec<&str> =
            alternatives(self.0.trim()).filter(|alternative| looks_like_regex(alternative)).collect();
        if suspicious.is_empty() {
            return None;
        }
        let better: Vec<String> = alternatives(self.0.trim()).map(prefix_form).collect();
        Some(format!(
            "`{}` looks like a regular expression, but matchers are exact names, `a|b` and prefixes `name*`; \
             did you mean `{}`?",
            self.0,
            better.join("|")
        ))
    }
}

impl fmt::Display for Matcher {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.0.trim().is_empty() { "*" } else { &self.0 })
    }
}

fn alternatives(text: &str) -> impl Iterator<Item = &str> {
    text.split('|').map(str::trim).filter(|part| !part.is_empty())
}

fn looks_like_regex(alternative: &str) -> bool {
    let body = alternative.strip_suffix('*').unwrap_or(alternative);
    alternative.ends_with(".*") || body.contains('*') || body.contains(REGEX_SIGNS)
}

/// The literal beginning of a would-be regular expression, as a prefix.
fn prefix_form(alternative: &str) -> String {
    if !looks_like_regex(alternative) {
        return alternative.to_owned();
    }
    let literal: String = alternative
        .chars()
        .skip_while(|character| matches!(character, '^' | '('))
        .take_while(|character| character.is_alphanumeric() || matches!(character, '_' | '-' | ':' | '/'))
        .collect();
    let anchored = alternative.starts_with('^') && alternative.ends_with('$');
    let whole = alternative.trim_start_matches('^').trim_end_matches('$') == literal;
    if anchored && whole { literal } else { format!("{literal}*") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_the_contract() {
        let rows: [(&str, Option<&str>, bool); 20] = [
            ("", Some("bash"), true),
            ("", None, true),
            ("*", Some("bash"), true),
            ("*", None, true),
            (" * ", None, true),
            ("bash", Some("bash"), true),
            ("bash", Some("Bash"), false),
            ("bash", Some("bash2"), false),
            ("bash", None, false),
            ("bash", Some(""), false),
            ("edit|write", Some("write"), true),
            (" edit | write ", Some("write"), true),
            ("edit|write", Some("read"), false),
            ("edit|", Some(""), false),
            ("edit|", Some("edit"), true),
            ("mcp__*", Some("mcp__x__y"), true),
            ("mcp__*", Some("mcp_"), false),
            ("read|mcp__*", Some("mcp__a"), true),
            ("a|*", Some("anything"), true),
            ("a|*", None, false),
        ];
        for (matcher, tool, expected) in rows {
            assert_eq!(Matcher::new(matcher).matches(tool), expected, "{matcher:?} against {tool:?}");
        }
    }

    #[test]
    fn advice_only_for_what_looks_like_a_regular_expression() {
        for fine in ["", "*", "bash", "edit|write", "mcp__x__*", "a.b", "mcp__x__y-z"] {
            assert_eq!(Matcher::new(fine).advice(), None, "{fine}");
        }
        let rows = [
            ("mcp__x__.*", "`mcp__x__*`"),
            ("^bash$", "`bash`"),
            ("edit|mcp__(a|b)", "`edit|mcp__*|b*`"),
            ("Notebook.*|bash", "`Notebook*|bash`"),
            ("*suffix", "`*`"),
        ];
        for (matcher, better) in rows {
            let advice = Matcher::new(matcher).advice().unwrap_or_default();
            assert!(advice.contains(better), "{matcher}: {advice}");
        }
    }
}
