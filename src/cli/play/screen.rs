//! The terminal as a guest leaves it: whatever ends the program – return, error, panic, signal – the terminal is as it was found.

use std::io::{IsTerminal, Write, stdout};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::ensure;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use ratatui::crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{cursor, execute};

/// Whether the terminal is ours at the moment. One per process, as the terminal is.
static TAKEN: AtomicBool = AtomicBool::new(false);

pub type Terminal = ratatui::Terminal<CrosstermBackend<std::io::Stdout>>;

/// The terminal while it is ours; dropping it gives it back.
pub struct Screen {
    pub terminal: Terminal,
}

impl Screen {
    /// Takes the terminal: raw keys, alternate screen. A panic anywhere gives it back before its message is printed.
    pub fn take() -> anyhow::Result<Screen> {
        ensure!(
            std::io::stdin().is_terminal() && stdout().is_terminal(),
            "play needs a terminal for its input and output"
        );
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            give_back();
            super::stderr::restore();
            before(info);
        }));
        enter()?;
        Ok(Screen { terminal: Terminal::new(CrosstermBackend::new(stdout()))? })
    }

    /// Lets somebody else have the terminal until [`Screen::resume`].
    pub fn suspend(&mut self) {
        give_back();
    }

    /// Takes the terminal again and draws everything anew.
    pub fn resume(&mut self) -> anyhow::Result<()> {
        enter()?;
        execute!(stdout(), Clear(ClearType::All))?;
        // A new one knows nothing of what was drawn. (Its own `clear` asks the terminal where the cursor is, and the answer would come as keys.)
        self.terminal = Terminal::new(CrosstermBackend::new(stdout()))?;
        Ok(())
    }

    /// Whether the terminal is still ours; a panic elsewhere takes it away.
    pub fn is_taken() -> bool {
        TAKEN.load(Ordering::SeqCst)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

fn enter() -> std::io::Result<()> {
    enable_raw_mode()?;
    TAKEN.store(true, Ordering::SeqCst);
    execute!(stdout(), EnterAlternateScreen, EnableBracketedPaste, cursor::Hide)
}

/// Gives the terminal back; harmless when it is not ours.
pub fn give_back() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    // A terminal that is gone cannot be restored, and nothing is left to tell.
    let _ = execute!(stdout(), DisableBracketedPaste, LeaveAlternateScreen, cursor::Show);
    let _ = disable_raw_mode();
    let _ = stdout().flush();
}
