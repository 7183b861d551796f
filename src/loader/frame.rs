//! Code frames: the offending line with its neighbours and a caret.

/// Longest stretch of a source line that is shown, in characters.
const MAX_WIDTH: usize = 120;

/// Draws the lines around `line`/`column` (both 1-based, columns in characters):
///
/// ```text
///   1 | const a = 1
/// > 2 | const b = = 2
///     |           ^
/// ```
pub fn code_frame(source: &str, line: u32, column: u32) -> String {
    let line = line.max(1) as usize;
    let first = line.saturating_sub(2).max(1);
    let digits = (line + 1).to_string().len();
    let mut frame = String::new();
    for (index, text) in source.lines().enumerate().skip(first - 1).take(line + 2 - first) {
        let number = index + 1;
        let marked = number == line;
        let column = column.max(1) as usize;
        // A minified line is cut so that the caret stays in view.
        let start = if marked && column > MAX_WIDTH { column - MAX_WIDTH / 2 } else { 0 };
        let shown: String =
            text.chars().skip(start).take(MAX_WIDTH).map(|c| if c.is_control() { ' ' } else { c }).collect();
        if !frame.is_empty() {
            frame.push('\n');
        }
        let mark = if marked { '>' } else { ' ' };
        frame.push_str(format!("{mark} {number:>digits$} | {shown}").trim_end());
        if marked {
            let pad = " ".repeat(column - 1 - start);
            frame.push_str(&format!("\n  {:>digits$} | {pad}^", ""));
        }
    }
    frame
}

#[cfg(test)]
mod tests {
    use super::code_frame;

    #[test]
    fn caret_stands_under_the_column() {
        let frame = code_frame("const a = 1\r\nlet b = = 2\nx", 2, 9);
        assert_eq!(frame, "  1 | const a = 1\n> 2 | let b = = 2\n    |         ^\n  3 | x");
    }

    #[test]
    fn long_lines_are_cut_around_the_caret() {
        let source = format!("{}!{}", "a".repeat(500), "b".repeat(500));
        let frame = code_frame(&source, 1, 501);
        let lines: Vec<&str> = frame.lines().collect();
        assert!(lines[0].len() < 140);
        assert_eq!(lines[0].find('!'), lines[1].find('^'));
    }

    #[test]
    fn positions_outside_the_source_do_not_panic() {
        assert_eq!(code_frame("", 7, 9), "");
        code_frame("a", 1, 4_000_000);
    }
}
