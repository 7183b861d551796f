//! One run of `play`: load, take the screen, loop, give it back.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;

use super::app::{App, HELP, Note};
use super::draw::draw;
use super::host::{PlayHost, Shown, Wish};
use super::keys::read_keyboard;
use super::orders::emit;
use super::screen::Screen;
use super::stderr::Redirect;
use crate::cli::args::PlayArgs;
use crate::cli::{input, replay, session};
use crate::host::BridgeHost;
use crate::runner::{LoadHooksResult, load_hooks};

/// What the end of the session and of the isolate may take.
const END: Duration = Duration::from_secs(3);

pub async fn run(args: PlayArgs) -> anyhow::Result<u8> {
    let lines = match &args.replay {
        Some(file) => replay::parse(&input::read(&format!("@{file}"), "--replay")?.0)?,
        None => Vec::new(),
    };
    let mut options = session::runner_options(&args.hooks)?;
    let (log, log_lines) = mpsc::unbounded_channel();
    let take = || anyhow::Ok((Screen::take()?, Redirect::start(log.clone())?));
    // Where a debugger is waited for, its address stays in sight and Ctrl-C ends the program.
    let early = (!args.hooks.inspect.waits()).then(take).transpose()?;
    let (wishes, wished) = mpsc::unbounded_channel();
    let host = PlayHost::new(wishes.clone());
    options.host = Arc::new(Shown { host: BridgeHost::new(host.clone()), wishes: wishes.clone() });
    let chosen = session::choose_hooks(&args.hooks, &mut options);
    let mut loaded = load_hooks(&chosen.paths, options).await?;
    loaded.errors.splice(0..0, chosen.refused);
    let (mut screen, _redirect) = early.map_or_else(take, Ok)?;
    host.set_runner(loaded.runner.clone());
    let runner = loaded.runner.clone();
    let (notes, noted) = mpsc::unbounded_channel();
    let mut app = App::new(host, runner.clone(), notes.clone());
    greet(&mut app, &loaded);
    listen(&loaded, &notes);
    runner.initialize();
    let playing = runner.clone();
    app.running += 1;
    tokio::spawn(async move {
        let _ = notes.send(Note::Log(emit(&playing, "session_start", "{}".to_owned()).await));
        for line in lines {
            let _ = wishes.send(Wish::Answers(line.answers.unwrap_or_default()));
            let _ = notes.send(Note::Log(emit(&playing, &line.event, line.data.get().to_owned()).await));
        }
        let _ = notes.send(Note::Ended);
    });
    let outcome = show(&mut app, &mut screen, Inputs { wished, noted, log_lines }).await;
    // Also after an error: the hooks get their end, and what they started ends.
    let _ = tokio::time::timeout(END, emit(&runner, "session_shutdown", "{}".to_owned())).await;
    runner.close(END).await;
    outcome.map(|()| 0)
}

fn greet(app: &mut App, loaded: &LoadHooksResult) {
    for hook in loaded.hooks() {
        let commands: Vec<String> = hook.commands.iter().map(|(name, _)| format!("/{name}")).collect();
        app.log(format!("loaded {} {}", hook.path, commands.join(" ")));
    }
    for error in &loaded.errors {
        app.log(format!("\u{1b}[31m{}: {}\u{1b}[0m", error.path, error.error));
    }
    app.log(HELP);
}

fn listen(loaded: &LoadHooksResult, notes: &mpsc::UnboundedSender<Note>) {
    let told = notes.clone();
    loaded.runner.on_error(move |error| {
        let _ =
            told.send(Note::Log(format!("\u{1b}[31m{} {}: {}\u{1b}[0m", error.hook_path, error.event, error.error)));
    });
    let told = notes.clone();
    loaded.runner.on_warning(move |warning| {
        let _ = told.send(Note::Log(format!("\u{1b}[33m{warning}\u{1b}[0m")));
    });
    let told = notes.clone();
    tokio::spawn(async move {
        stop_signal().await;
        let _ = told.send(Note::Quit);
    });
}

struct Inputs {
    wished: mpsc::UnboundedReceiver<Wish>,
    noted: mpsc::UnboundedReceiver<Note>,
    log_lines: mpsc::UnboundedReceiver<String>,
}

/// Shows the screen until somebody leaves.
async fn show(app: &mut App, screen: &mut Screen, mut inputs: Inputs) -> anyhow::Result<()> {
    let (keys, mut typed) = mpsc::unbounded_channel();
    read_keyboard(keys, || !Screen::is_taken())?;
    // Also how a new size of the terminal is seen.
    let mut tick = tokio::time::interval(Duration::from_millis(250));
    while !app.over {
        if !app.stopped {
            anyhow::ensure!(Screen::is_taken(), "something panicked; its message stands above");
            let size = screen.terminal.size()?;
            app.resized((size.width, size.height));
            screen.terminal.draw(|frame| draw(app, frame))?;
        }
        tokio::select! {
            key = typed.recv() => match key {
                Some(key) => app.key(&key),
                None => anyhow::bail!("the terminal is gone"),
            },
            Some(wish) = inputs.wished.recv() => app.wish(wish, screen)?,
            Some(note) = inputs.noted.recv() => app.note(note),
            Some(line) = inputs.log_lines.recv() => app.log(line),
            _ = tick.tick() => {}
        }
        // What came meanwhile is drawn in one go.
        while let Ok(wish) = inputs.wished.try_recv() {
            app.wish(wish, screen)?;
        }
        while let Ok(note) = inputs.noted.try_recv() {
            app.note(note);
        }
    }
    Ok(())
}

/// Resolves when the process is told to end.
#[cfg(unix)]
async fn stop_signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut interrupt), Ok(mut terminate), Ok(mut hangup)) =
        (signal(SignalKind::interrupt()), signal(SignalKind::terminate()), signal(SignalKind::hangup()))
    else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
        _ = hangup.recv() => {}
    }
}

#[cfg(not(unix))]
async fn stop_signal() {
    // The console's own Ctrl-C arrives as a key.
    std::future::pending().await
}
