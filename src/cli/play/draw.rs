//! The state of the screen as a picture: the log and the calls, an open dialog or component below, status line and command line last.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph};
use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

use super::ansi_line::ansi_line;
use super::app::App;
use super::editing::Editing;
use super::host::Kind;
use super::prompt::Prompt;

/// Columns from which the calls stand beside the log.
const WIDE: u16 = 90;

pub fn draw(app: &App, frame: &mut Frame<'_>) {
    let area = frame.area();
    let below = below_height(app, area);
    let [top, middle, status, line] =
        Layout::vertical([Constraint::Min(0), Constraint::Length(below), Constraint::Length(1), Constraint::Length(1)])
            .areas(area);
    draw_top(app, frame, top);
    match (app.prompts.front(), app.components.last()) {
        (Some(prompt), _) => draw_prompt(prompt, frame, middle),
        (None, Some(component)) => {
            let lines: Vec<Line<'static>> = component.lines.iter().map(|line| ansi_line(line)).collect();
            frame.render_widget(Clear, middle);
            frame.render_widget(Paragraph::new(lines), middle);
        }
        (None, None) => {}
    }
    let width = usize::from(status.width);
    let mut text = app.status.render(width);
    if text.is_empty() && app.running > 0 {
        text = format!("\u{1b}[2m{} running\u{1b}[0m", app.running);
    }
    frame.render_widget(Paragraph::new(ansi_line(&text)), status);
    draw_command_line(app, frame, line);
}

fn below_height(app: &App, area: Rect) -> u16 {
    let most = area.height.saturating_sub(2);
    let wanted = match (app.prompts.front(), app.components.last()) {
        (Some(prompt), _) => prompt_lines(prompt).len() + 2,
        (None, Some(component)) => component.lines.len(),
        (None, None) => 0,
    };
    u16::try_from(wanted).unwrap_or(u16::MAX).min(most)
}

fn draw_top(app: &App, frame: &mut Frame<'_>, area: Rect) {
    let calls = if app.show_calls && area.width >= WIDE { area.width / 3 } else { 0 };
    let [left, right] = Layout::horizontal([Constraint::Min(0), Constraint::Length(calls)]).areas(area);
    frame.render_widget(Paragraph::new(tail(app.log.iter().rev(), left, app.scroll)), left);
    if calls > 0 {
        let block = Block::new()
            .borders(ratatui::widgets::Borders::LEFT)
            .title("host calls")
            .style(Style::new().fg(Color::DarkGray));
        let mut inner = block.inner(right);
        // The title stands on the first row.
        inner.y += 1;
        inner.height = inner.height.saturating_sub(1);
        frame.render_widget(block, right);
        frame.render_widget(Paragraph::new(tail(app.calls.iter().rev(), inner, 0)), inner);
    }
}

/// The last lines that fit, wrapped; `newest_first` in reverse order.
fn tail<'a>(newest_first: impl Iterator<Item = &'a String>, area: Rect, skip: usize) -> Vec<Line<'static>> {
    let (width, height) = (usize::from(area.width), usize::from(area.height));
    let mut lines = Vec::new();
    for text in newest_first.skip(skip) {
        if lines.len() >= height {
            break;
        }
        let mut wrapped = wrap(ansi_line(text), width);
        wrapped.reverse();
        lines.extend(wrapped);
    }
    lines.truncate(height);
    lines.reverse();
    lines
}

/// A line cut into rows of `width` cells.
fn wrap(line: Line<'static>, width: usize) -> Vec<Line<'static>> {
    let mut rows = vec![Vec::new()];
    let mut used = 0;
    for span in line.spans {
        let mut row_text = String::new();
        for grapheme in span.content.graphemes(true) {
            let cells = grapheme.width();
            if used + cells > width && used > 0 {
                push(&mut rows, &mut row_text, span.style);
                rows.push(Vec::new());
                used = 0;
            }
            used += cells;
            row_text.push_str(grapheme);
        }
        push(&mut rows, &mut row_text, span.style);
    }
    rows.into_iter().map(Line::from).collect()
}

fn push(rows: &mut [Vec<Span<'static>>], text: &mut String, style: Style) {
    if let (false, Some(row)) = (text.is_empty(), rows.last_mut()) {
        row.push(Span::styled(std::mem::take(text), style));
    }
}

fn prompt_lines(prompt: &Prompt) -> Vec<Line<'static>> {
    let mut lines: Vec<Line<'static>> = Vec::new();
    match prompt.kind {
        Kind::Select | Kind::Confirm => {
            if prompt.kind == Kind::Confirm {
                lines.extend(prompt.text.lines().map(ansi_line));
            }
            lines.extend(prompt.options.iter().enumerate().map(|(index, option)| {
                let (mark, style) = if index == prompt.chosen {
                    ("→ ", Style::new().add_modifier(Modifier::BOLD))
                } else {
                    ("  ", Style::new())
                };
                Line::styled(format!("{mark}{option}"), style)
            }));
        }
        Kind::Input if prompt.typed.text().is_empty() => {
            lines.push(Line::from(vec![
                cursor(" "),
                Span::styled(prompt.text.clone(), Style::new().fg(Color::DarkGray)),
            ]));
        }
        Kind::Input | Kind::Editor => lines.extend(typed_lines(&prompt.typed)),
    }
    let hint = match prompt.kind {
        Kind::Select => "↑↓ Enter, Esc cancels",
        Kind::Confirm => "y n Enter, Esc cancels",
        Kind::Input => "Enter, Esc cancels",
        Kind::Editor => "Enter accepts, Alt-Enter starts a line, Esc cancels",
    };
    lines.push(Line::styled(hint, Style::new().fg(Color::DarkGray)));
    lines
}

fn draw_prompt(prompt: &Prompt, frame: &mut Frame<'_>, area: Rect) {
    frame.render_widget(Clear, area);
    let block = Block::bordered().title(prompt.title.clone());
    frame.render_widget(Paragraph::new(prompt_lines(prompt)).block(block), area);
}

fn cursor(under: &str) -> Span<'static> {
    Span::styled(under.to_owned(), Style::new().add_modifier(Modifier::REVERSED))
}

/// A text with its cursor, a row a line.
fn typed_lines(typed: &Editing) -> Vec<Line<'static>> {
    let (before, after) = typed.parts();
    let mut rows: Vec<Line<'static>> = before.split('\n').map(|row| Line::from(row.to_owned())).collect();
    let mut rest = after.split('\n');
    let first = rest.next().unwrap_or_default();
    let under = first.graphemes(true).next().unwrap_or_default();
    if let Some(row) = rows.last_mut() {
        row.spans.push(cursor(if under.is_empty() { " " } else { under }));
        row.spans.push(Span::raw(first[under.len()..].to_owned()));
    }
    rows.extend(rest.map(|row| Line::from(row.to_owned())));
    rows
}

fn draw_command_line(app: &App, frame: &mut Frame<'_>, area: Rect) {
    let mut line = Line::from(Span::styled("› ", Style::new().fg(Color::Cyan)));
    let open = app.prompts.is_empty() && app.components.is_empty();
    // A text of several rows, set by a hook, is shown in one.
    for row in typed_lines(&app.line) {
        if line.spans.len() > 1 {
            line.spans.push(Span::raw("⏎"));
        }
        line.spans.extend(row.spans);
    }
    if !open {
        line = line.style(Style::new().add_modifier(Modifier::DIM));
    }
    frame.render_widget(Paragraph::new(line), area);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_wrap_at_cells_and_keep_their_colours() {
        let rows = wrap(ansi_line("ab\u{1b}[31m日本\u{1b}[0mc"), 3);
        let texts: Vec<String> =
            rows.iter().map(|row| row.spans.iter().map(|span| span.content.as_ref()).collect()).collect();
        assert_eq!(texts, ["ab", "日", "本c"]);
        assert_eq!(rows[2].spans[0].style.fg, Some(Color::Indexed(1)));
        assert_eq!(wrap(ansi_line(""), 3).len(), 1);
        assert_eq!(wrap(ansi_line("日"), 1).len(), 1, "what never fits still ends");
    }
}
