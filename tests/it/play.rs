//! `hookrt play` in a pseudo-terminal: it works, and the terminal is afterwards as it was.
#![cfg(unix)]

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const HOOK: &str = "
export default pi => {
  pi.on('session_start', (e, ctx) => { ctx.ui.setStatus('git', 'status-branch'); console.log('printed-by-hook'); });
  pi.on('session_shutdown', () => { require('node:fs').writeFileSync('gone', 'yes'); });
  pi.on('turn_start', (e, ctx) => { ctx.ui.notify(`turn-${e.turnIndex}`); });
  pi.on('tool_call', async (e, ctx) => (await ctx.ui.confirm('Allow?', e.input.command)) ? undefined : { block: true, reason: 'refused-by-person' });
  pi.registerMessageRenderer('fancy', (m, o, theme) => ({ render: () => [theme.bold(`drawn-${m.content}`)] }));
  pi.registerCommand('ask', { description: 'Ask', handler: async (args, ctx) => {
    const color = await ctx.ui.select('Colour', ['red', 'green', 'blue']);
    const name = await ctx.ui.input('Name', 'placeholder');
    const text = await ctx.ui.editor('Text', 'prefilled');
    const none = await ctx.ui.input('Cancelled');
    ctx.ui.notify(`got-${args}-${color}-${name}-${text}-${none === undefined}`);
    pi.sendMessage({ customType: 'fancy', content: 'message', display: true });
  } });
  pi.registerCommand('move', async (args, ctx) => {
    const end = await ctx.ui.custom((tui, theme, done) => {
      let x = 0;
      const timer = setInterval(() => tui.requestRender(), 20);
      return {
        render: width => [theme.fg('accent', `at-x${x}-of-${width}`)],
        handleInput(key) { if (key === '\\u001b[C') x++; if (key === 'e') { tui.stop(); tui.start(); } if (key === 's') tui.stop(); if (key === 'q' || key === 's') { clearInterval(timer); done(x); } },
      };
    });
    ctx.ui.notify(`ended-at-${end}`);
  });
};";

/// What a terminal shows after this output: enough of one for a program that positions its cursor, prints and clears.
fn screen(output: &str) -> String {
    let mut rows = vec![vec![' '; 200]; 60];
    let (mut row, mut column) = (0, 0);
    let mut rest = output.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '\u{1b}' {
            match c {
                '\r' => column = 0,
                '\n' => row = (row + 1).min(59),
                _ => {
                    rows[row][column] = c;
                    column = (column + 1).min(199);
                }
            }
            continue;
        }
        if rest.next() != Some('[') {
            continue;
        }
        let mut params = String::new();
        let end = loop {
            match rest.next() {
                Some(c @ '\u{40}'..='\u{7e}') => break c,
                Some(c) => params.push(c),
                None => break ' ',
            }
        };
        let number = |index: usize| params.split(';').nth(index).and_then(|n| n.parse::<usize>().ok()).unwrap_or(1);
        match end {
            'H' => (row, column) = (number(0).saturating_sub(1).min(59), number(1).saturating_sub(1).min(199)),
            'J' => rows.iter_mut().for_each(|row| row.fill(' ')),
            _ => {}
        }
    }
    let line = |row: Vec<char>| row.into_iter().collect::<String>().trim_end().to_owned();
    rows.into_iter().map(line).collect::<Vec<_>>().join("\n").trim_end().to_owned()
}

/// A program in a pseudo-terminal of 100 by 30.
struct Pty {
    terminal: OwnedFd,
    keyboard: File,
    child: Child,
    output: Arc<Mutex<Vec<u8>>>,
    before: String,
    _folder: tempfile::TempDir,
}

fn open_pty() -> Option<(OwnedFd, OwnedFd)> {
    let (mut master, mut slave) = (-1, -1);
    let size = libc::winsize { ws_row: 30, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: the pointers are valid or null where null is allowed; both descriptors are ours afterwards.
    unsafe {
        if libc::openpty(&raw mut master, &raw mut slave, std::ptr::null_mut(), std::ptr::null(), &raw const size) != 0
        {
            return None;
        }
        Some((OwnedFd::from_raw_fd(master), OwnedFd::from_raw_fd(slave)))
    }
}

/// `stty -g` on the terminal.
fn stty(terminal: &OwnedFd) -> String {
    let output = Command::new("stty").arg("-g").stdin(terminal.try_clone().unwrap()).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

impl Pty {
    /// `None` where there are no pseudo-terminals.
    fn start(extra: &[&str]) -> Option<Pty> {
        let Some((master, terminal)) = open_pty() else {
            eprintln!("skipped: no pseudo-terminal to be had");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("hook.ts"), HOOK).unwrap();
        let line = r#"{"event":"tool_call","data":{"toolName":"bash","toolCallId":"1","input":{"command":"ls"}},"answers":[{"confirm":false}]}"#;
        std::fs::write(folder.path().join("replay.jsonl"), line).unwrap();
        let before = stty(&terminal);
        let io = || Stdio::from(terminal.try_clone().unwrap());
        let mut command = Command::new(env!("CARGO_BIN_EXE_hookrt"));
        command.args(["play", "--hook", "hook.ts"]).args(extra).current_dir(folder.path());
        command.env("TERM", "xterm-256color").stdin(io()).stdout(io()).stderr(io());
        // SAFETY: only calls that are allowed between fork and exec.
        unsafe {
            command.pre_exec(|| {
                libc::setsid();
                libc::ioctl(0, libc::TIOCSCTTY as _, 0);
                Ok(())
            });
        }
        let child = command.spawn().unwrap();
        let output: Arc<Mutex<Vec<u8>>> = Arc::default();
        let seen = output.clone();
        let mut reader = File::from(master.try_clone().unwrap());
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(read @ 1..) = reader.read(&mut bytes) {
                seen.lock().unwrap().extend_from_slice(&bytes[..read]);
            }
        });
        let pty = Pty { terminal, keyboard: File::from(master), child, output, before, _folder: folder };
        pty.wait_for("status-branch");
        Some(pty)
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.output.lock().unwrap()).into_owned()
    }

    fn wait_for(&self, text: &str) {
        let deadline = Instant::now() + Duration::from_secs(30);
        while !screen(&self.text()).contains(text) {
            assert!(Instant::now() < deadline, "no {text:?} in\n{}", screen(&self.text()));
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn send(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits for the end; the terminal must be as it was.
    fn end(mut self) -> (ExitStatus, String) {
        let deadline = Instant::now() + Duration::from_secs(30);
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(Instant::now() < deadline, "it does not end: {:?}", self.text());
            std::thread::sleep(Duration::from_millis(10));
        };
        assert_eq!(stty(&self.terminal), self.before);
        while !self.text().contains("\u{1b}[?1049l") {
            assert!(Instant::now() < deadline, "the alternate screen was not left");
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(self.text().contains("\u{1b}[?25h"), "the cursor is shown again");
        (status, self.text())
    }
}

#[test]
fn the_terminal_is_restored_however_it_ends() {
    for (how, keys, code) in [("Ctrl-C", "\u{3}", 0), (":quit", ":quit\r", 0), ("panic", ":panic\r", 101)] {
        let Some(mut pty) = Pty::start(&[]) else { return };
        assert_ne!(stty(&pty.terminal), pty.before, "raw while it runs");
        pty.send(keys);
        let gone = pty._folder.path().join("gone");
        let folder = std::mem::replace(&mut pty._folder, tempfile::tempdir().unwrap());
        let (status, text) = pty.end();
        assert_eq!(status.code(), Some(code), "{how}");
        if how == "panic" {
            assert!(text.contains("asked for by :panic"), "its message is on the screen: {text:?}");
        } else {
            assert!(gone.exists(), "{how}: session_shutdown was emitted");
        }
        drop(folder);
    }
}

#[test]
fn signals_restore_the_terminal_too() {
    for signal in [libc::SIGTERM, libc::SIGINT, libc::SIGHUP] {
        let Some(pty) = Pty::start(&[]) else { return };
        // SAFETY: a signal to our own child.
        unsafe { libc::kill(pty.child.id() as i32, signal) };
        assert_eq!(pty.end().0.code(), Some(0), "{signal}");
    }
}

#[test]
fn dialogs_commands_messages_and_events() {
    let Some(mut pty) = Pty::start(&["--replay", "replay.jsonl"]) else { return };
    pty.wait_for("printed-by-hook");
    pty.wait_for("refused-by-person");
    pty.send("/ask with-args\r");
    pty.wait_for("Colour");
    pty.send("\u{1b}[B\r");
    pty.wait_for("placeholder");
    pty.send("me\r");
    pty.wait_for("prefilled");
    pty.send("!\r");
    pty.wait_for("Cancelled");
    pty.send("\u{1b}");
    pty.wait_for("got-with-args-green-me-prefilled!-true");
    pty.wait_for("drawn-message");
    pty.send(":event {\"type\":\"turn_start\",\"turnIndex\":7}\r");
    pty.wait_for("turn-7");
    pty.send(":tool_call {\"toolName\":\"bash\",\"toolCallId\":\"2\",\"input\":{\"command\":\"danger-zone\"}}\r");
    pty.wait_for("│danger-zone");
    pty.send("n");
    pty.send(":quit\r");
    pty.end();
}

#[test]
fn a_component_is_drawn_and_gets_raw_keys() {
    let Some(mut pty) = Pty::start(&[]) else { return };
    pty.send("/move\r");
    pty.wait_for("at-x0-of-100");
    pty.send("\u{1b}[C\u{1b}[C\u{1b}[C");
    let resized = libc::winsize { ws_row: 20, ws_col: 60, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: an open terminal and a valid size.
    unsafe { libc::ioctl(pty.terminal.as_raw_fd(), libc::TIOCSWINSZ as _, &raw const resized) };
    pty.wait_for("at-x3-of-60");
    pty.send("q");
    pty.wait_for("ended-at-3");
    pty.send("\u{3}");
    pty.end();
}

#[test]
fn a_component_may_have_the_terminal_for_itself() {
    let Some(mut pty) = Pty::start(&[]) else { return };
    let taken = |pty: &Pty, times: usize| {
        let deadline = Instant::now() + Duration::from_secs(30);
        while pty.text().matches("\u{1b}[?1049h").count() < times {
            assert!(Instant::now() < deadline, "not taken {times} times");
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    pty.send("/move\r");
    pty.wait_for("at-x0");
    pty.send("e");
    taken(&pty, 2);
    pty.send("\u{1b}[C");
    pty.wait_for("at-x1");
    pty.send("s"); // leaves it stopped: its end gives the terminal back
    taken(&pty, 3);
    pty.wait_for("ended-at-1");
    pty.send(":quit\r");
    assert_eq!(pty.end().0.code(), Some(0));
}

#[test]
fn a_command_goes_on_in_a_new_session() {
    let handoff = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/examples/handoff/hook.ts");
    let Some(mut pty) = Pty::start(&["--hook", handoff]) else { return };
    pty.send("why-is-it-red\r");
    pty.wait_for("before_agent_start");
    pty.send("/handoff fix-it\r");
    pty.wait_for("accepts");
    pty.send("!\r");
    pty.wait_for("Handed");
    pty.send(":quit\r");
    assert_eq!(pty.end().0.code(), Some(0));
}

#[test]
fn the_example_game_plays_and_goes_on_where_it_was_left() {
    let game = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/examples/lights-out/hook.ts");
    let Some(mut pty) = Pty::start(&["--hook", game]) else { return };
    pty.send("/lights 3\r");
    pty.wait_for("0 moves");
    pty.send("\u{1b}[A ");
    pty.wait_for("1 moves");
    pty.send("q");
    pty.wait_for("pi.appendEntry(\"lights-out\"");
    pty.send("/lights\r");
    pty.wait_for("1 moves · arrows");
    pty.send("\u{3}\u{3}");
    pty.send(":quit\r");
    assert_eq!(pty.end().0.code(), Some(0));
}

#[test]
fn without_a_terminal_it_says_so() {
    let output = Command::new(env!("CARGO_BIN_EXE_hookrt")).arg("play").stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("needs a terminal"));
}
