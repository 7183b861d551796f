//! A line of text with ANSI colours as the terminal library draws it.

use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

use crate::ui::ansi::{Piece, pieces};

/// The line with its colours; whatever else a line may hold (cursor movements, titles) is dropped. Tabs become three spaces.
pub fn ansi_line(text: &str) -> Line<'static> {
    let mut style = Style::default();
    let mut spans = Vec::new();
    for piece in pieces(text) {
        match piece {
            Piece::Text(text) => spans.push(Span::styled(text.to_owned(), style)),
            Piece::Sgr(sequence) => style = apply(style, sequence),
            Piece::Control("\t") => spans.push(Span::styled("   ", style)),
            Piece::Control(_) => {}
        }
    }
    Line::from(spans)
}

fn apply(mut style: Style, sequence: &str) -> Style {
    let body = sequence.trim_start_matches("\u{1b}[").trim_end_matches('m');
    let mut codes = body.split([';', ':']).map(|code| code.parse::<u16>().unwrap_or(0));
    while let Some(code) = codes.next() {
        style = match code {
            0 => Style::default(),
            1 => style.add_modifier(Modifier::BOLD),
            2 => style.add_modifier(Modifier::DIM),
            3 => style.add_modifier(Modifier::ITALIC),
            4 => style.add_modifier(Modifier::UNDERLINED),
            7 => style.add_modifier(Modifier::REVERSED),
            8 => style.add_modifier(Modifier::HIDDEN),
            9 => style.add_modifier(Modifier::CROSSED_OUT),
            22 => style.remove_modifier(Modifier::BOLD | Modifier::DIM),
            23 => style.remove_modifier(Modifier::ITALIC),
            24 => style.remove_modifier(Modifier::UNDERLINED),
            27 => style.remove_modifier(Modifier::REVERSED),
            28 => style.remove_modifier(Modifier::HIDDEN),
            29 => style.remove_modifier(Modifier::CROSSED_OUT),
            30..=37 => style.fg(Color::Indexed((code - 30) as u8)),
            90..=97 => style.fg(Color::Indexed((code - 82) as u8)),
            40..=47 => style.bg(Color::Indexed((code - 40) as u8)),
            100..=107 => style.bg(Color::Indexed((code - 92) as u8)),
            38 => extended(&mut codes).map_or(style, |color| style.fg(color)),
            48 => extended(&mut codes).map_or(style, |color| style.bg(color)),
            39 => style.fg(Color::Reset),
            49 => style.bg(Color::Reset),
            _ => style,
        };
    }
    style
}

/// The rest of `38;5;N` or `38;2;R;G;B`.
fn extended(codes: &mut impl Iterator<Item = u16>) -> Option<Color> {
    let mut byte = || codes.next().map(|code| code.min(255) as u8);
    match byte()? {
        5 => Some(Color::Indexed(byte()?)),
        2 => Some(Color::Rgb(byte()?, byte()?, byte()?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_become_styles_and_the_rest_vanishes() {
        let line = ansi_line("a\u{1b}[1;31mb\u{1b}[38;2;1;2;3mc\u{1b}[48;5;9md\u{1b}[0m\u{1b}[2J\u{1b}]0;t\u{7}e");
        let styles: Vec<(&str, Style)> = line.spans.iter().map(|span| (span.content.as_ref(), span.style)).collect();
        let bold = Style::default().add_modifier(Modifier::BOLD);
        assert_eq!(
            styles,
            [
                ("a", Style::default()),
                ("b", bold.fg(Color::Indexed(1))),
                ("c", bold.fg(Color::Rgb(1, 2, 3))),
                ("d", bold.fg(Color::Rgb(1, 2, 3)).bg(Color::Indexed(9))),
                ("e", Style::default()),
            ]
        );
        assert_eq!(ansi_line("\u{1b}[38;9m\u{1b}[48mx").spans.len(), 1, "cut sequences change nothing");
    }
}
