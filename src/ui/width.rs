//! How many terminal cells a text takes, and cutting it to a number of them.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::ansi::{Piece, SgrState, pieces};

/// The width of a text in columns. Colour sequences and control characters take none; a
/// grapheme (a letter with its accents, an emoji joined of several, a flag) counts once.
pub fn visible_width(text: &str) -> usize {
    pieces(text).map(|piece| if let Piece::Text(text) = piece { text_width(text) } else { 0 }).sum()
}

fn text_width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.graphemes(true).map(UnicodeWidthStr::width).sum() }
}

/// Cuts a text to `width` columns. What does not fit is replaced by `ellipsis`, itself cut when
/// even that is too wide. A grapheme is never split, a colour sequence neither; colours that are
/// on at the end are reset. The result may be one column narrower when a wide character would
/// have stood across the edge.
pub fn truncate_to_width(text: &str, width: usize, ellipsis: &str) -> String {
    let fits = visible_width(text) <= width;
    let ellipsis = if fits || visible_width(ellipsis) <= width {
        ellipsis.to_owned()
    } else {
        truncate_to_width(ellipsis, width, "")
    };
    let room = if fits { width } else { width.saturating_sub(visible_width(&ellipsis)) };
    let mut out = String::with_capacity(text.len().min(room.saturating_mul(4) + 32));
    let mut used = 0;
    let mut colors = SgrState::default();
    'text: for piece in pieces(text) {
        match piece {
            Piece::Control(_) => {}
            Piece::Sgr(sequence) => {
                colors.apply(sequence);
                out.push_str(sequence);
            }
            Piece::Text(text) => {
                for grapheme in text.graphemes(true) {
                    let cells = grapheme.width();
                    if used + cells > room {
                        break 'text;
                    }
                    used += cells;
                    out.push_str(grapheme);
                }
            }
        }
    }
    if !fits {
        out.push_str(&ellipsis);
    }
    out.push_str(colors.reset());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_in_cells() {
        for (text, cells) in [
            ("", 0),
            ("abc", 3),
            ("日本", 4),
            ("e\u{301}", 1),
            ("👩‍👩‍👧‍👦", 2),
            ("🇩🇪", 2),
            ("👍🏽", 2),
            ("❤️", 2),
            ("\u{1b}[38;2;1;2;3mab\u{1b}[0m", 2),
            ("\u{200b}", 0),
            ("한글", 4),
        ] {
            assert_eq!(visible_width(text), cells, "{text:?}");
        }
    }

    #[test]
    fn a_wide_character_never_stands_across_the_edge() {
        assert_eq!(truncate_to_width("日本語", 4, "…"), "日…");
        assert_eq!(truncate_to_width("日本語", 5, "…"), "日本…");
        assert_eq!(truncate_to_width("日本語", 6, "…"), "日本語");
        assert_eq!(truncate_to_width("日", 1, ""), "");
        assert_eq!(truncate_to_width("abcdef", 2, "..."), "..");
    }

    proptest::proptest! {
        #[test]
        fn a_cut_text_fits_and_ends_its_colours(text in "([a-z ]|日|e\u{301}|👩‍👩‍👧|🇩🇪|\u{1b}\\[[0-9;]{0,6}m|\u{1b}\\[|\u{1b}|\\PC){0,40}", width in 0usize..30) {
            let cut = truncate_to_width(&text, width, "…");
            proptest::prop_assert!(visible_width(&cut) <= width, "{cut:?}");
            let mut colors = SgrState::default();
            for piece in pieces(&cut) {
                if let Piece::Sgr(sequence) = piece {
                    colors.apply(sequence);
                }
            }
            proptest::prop_assert!(!colors.is_active(), "{cut:?}");
        }

        #[test]
        fn nothing_is_lost_between_pieces(text in "(\u{1b}|\u{9b}|[\\[\\]\\(m;0-9]|\u{7}|\\PC|\\p{Cc}){0,60}") {
            let joined: String = pieces(&text)
                .map(|piece| match piece {
                    Piece::Text(part) | Piece::Sgr(part) | Piece::Control(part) => part,
                })
                .collect();
            proptest::prop_assert_eq!(joined, text);
        }
    }
}
