//! What a terminal can show: whether colours are wanted and how many there are.

use std::env;
use std::ffi::OsString;
use std::io::{IsTerminal, stderr, stdout};

/// The colours a stream takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Colors {
    /// None at all.
    Off,
    /// The 16 named ones.
    Basic,
    /// The palette of 256.
    Palette,
    /// 24 bits.
    True,
}

impl Colors {
    /// What stdout takes.
    pub fn of_stdout() -> Colors {
        Colors::detect(stdout().is_terminal(), |name| env::var_os(name))
    }

    /// What stderr takes.
    pub fn of_stderr() -> Colors {
        Colors::detect(stderr().is_terminal(), |name| env::var_os(name))
    }

    /// Decides from whether the stream is a terminal and from the environment: `NO_COLOR` (set to
    /// anything but the empty text) and `TERM=dumb` mean none, whatever else stands there;
    /// `COLORTERM` and `TERM` say how many.
    pub fn detect(is_terminal: bool, env: impl Fn(&str) -> Option<OsString>) -> Colors {
        let text = |name| env(name).map(|value| value.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
        let term = text("TERM");
        if !is_terminal || env("NO_COLOR").is_some_and(|value| !value.is_empty()) || term == "dumb" {
            return Colors::Off;
        }
        if matches!(text("COLORTERM").as_str(), "truecolor" | "24bit") || term.ends_with("-direct") {
            Colors::True
        } else if term.contains("256color") || term.contains("kitty") || term.contains("ghostty") {
            Colors::Palette
        } else {
            Colors::Basic
        }
    }

    /// Whether there are any.
    pub fn is_on(self) -> bool {
        self != Colors::Off
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detect(is_terminal: bool, vars: &[(&str, &str)]) -> Colors {
        Colors::detect(is_terminal, |name| vars.iter().find(|(key, _)| *key == name).map(|(_, value)| value.into()))
    }

    #[test]
    fn no_color_beats_everything_but_an_empty_one_counts_as_unset() {
        let rich = [("TERM", "xterm-256color"), ("COLORTERM", "truecolor")];
        assert_eq!(detect(true, &rich), Colors::True);
        assert_eq!(detect(true, &[rich[0], rich[1], ("NO_COLOR", "0")]), Colors::Off);
        assert_eq!(detect(true, &[rich[0], rich[1], ("NO_COLOR", "")]), Colors::True);
    }

    #[test]
    fn a_pipe_and_a_dumb_terminal_get_none() {
        assert_eq!(detect(false, &[("COLORTERM", "truecolor")]), Colors::Off);
        assert_eq!(detect(true, &[("TERM", "dumb"), ("COLORTERM", "truecolor")]), Colors::Off);
    }

    #[test]
    fn term_says_how_many() {
        assert_eq!(detect(true, &[("TERM", "screen-256color")]), Colors::Palette);
        assert_eq!(detect(true, &[("TERM", "xterm")]), Colors::Basic);
        assert_eq!(detect(true, &[]), Colors::Basic);
    }
}
