//! What is on the screen and how it changes: by keys, by what hooks wish, by what their runs give.

use std::collections::VecDeque;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use serde_json::{Map, Value};
use tokio::sync::{mpsc, oneshot};

use super::editing::Editing;
use super::host::{PlayHost, Wish};
use super::orders::{emit, plain, read_event};
use super::prompt::Prompt;
use super::screen::Screen;
use crate::runner::HookRunner;
use crate::ui::StatusLine;

/// Lines the log and the list of calls keep.
const KEPT: usize = 2_000;
/// Two Ctrl-C within this time leave a component that takes them as keys.
const TWICE: Duration = Duration::from_secs(1);

/// What a task tells when it is done.
#[derive(Debug)]
pub enum Note {
    Log(String),
    /// This component has had a key: it wants to be drawn.
    Typed(u64),
    Drawn {
        component: u64,
        lines: Result<Vec<String>, String>,
    },
    Ended,
    Quit,
}

/// A component on the screen.
pub struct Component {
    call: u32,
    pub id: u64,
    pub lines: Vec<String>,
    closed: Option<oneshot::Sender<()>>,
    /// A drawing is under way; `again` asks for another after it.
    drawing: bool,
    again: bool,
}

/// The state of the screen.
pub struct App {
    pub log: VecDeque<String>,
    pub calls: VecDeque<String>,
    pub show_calls: bool,
    /// Lines the log is scrolled up.
    pub scroll: usize,
    pub status: StatusLine,
    pub prompts: VecDeque<Prompt>,
    pub components: Vec<Component>,
    pub line: Editing,
    history: Vec<String>,
    /// Runs that are under way.
    pub running: usize,
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
    /// A component took the terminal (`tui.stop()`).
    pub stopped: bool,
    pub over: bool,
    answers: VecDeque<Value>,
    last_interrupt: Option<Instant>,
    host: PlayHost,
    runner: HookRunner,
    notes: mpsc::UnboundedSender<Note>,
    typist: mpsc::UnboundedSender<(u64, String)>,
}

pub const HELP: &str = "\u{1b}[2m/name args runs a command · :event {\"type\":…} or :NAME {…} emits · text is a prompt · :commands · :calls · PgUp PgDn scroll · Ctrl-C or :quit leaves\u{1b}[0m";

impl App {
    pub fn new(host: PlayHost, runner: HookRunner, notes: mpsc::UnboundedSender<Note>) -> App {
        App {
            log: VecDeque::new(),
            calls: VecDeque::new(),
            show_calls: true,
            scroll: 0,
            status: StatusLine::new(),
            prompts: VecDeque::new(),
            components: Vec::new(),
            line: Editing::default(),
            history: Vec::new(),
            running: 0,
            size: (80, 24),
            stopped: false,
            over: false,
            answers: VecDeque::new(),
            last_interrupt: None,
            typist: start_typist(runner.clone(), notes.clone()),
            host,
            runner,
            notes,
        }
    }

    pub fn log(&mut self, text: impl AsRef<str>) {
        for line in text.as_ref().split('\n') {
            self.log.push_back(line.to_owned());
        }
        while self.log.len() > KEPT {
            self.log.pop_front();
        }
    }

    /// What a hook asked for.
    pub fn wish(&mut self, wish: Wish, screen: &mut Screen) -> anyhow::Result<()> {
        match wish {
            Wish::Ask { kind, dialog, answer } => {
                let mut prompt = Prompt::new(kind, dialog, answer);
                match self.answers.pop_front() {
                    Some(given) => {
                        let value = given.get(kind.name()).filter(|value| !value.is_null()).cloned();
                        let shown = value.as_ref().map_or_else(|| "cancelled".to_owned(), Value::to_string);
                        self.log(format!("\u{1b}[36m? {}\u{1b}[0m {shown}", prompt.title));
                        prompt.answer(value);
                    }
                    None => self.prompts.push_back(prompt),
                }
            }
            Wish::Show { id, component, closed } => {
                let shown = Component {
                    call: id,
                    id: component,
                    lines: Vec::new(),
                    closed: Some(closed),
                    drawing: false,
                    again: false,
                };
                self.components.push(shown);
                self.draw_component(component);
            }
            Wish::Draw(component) => self.draw_component(component),
            Wish::Stop => {
                self.stopped = true;
                screen.suspend();
            }
            Wish::Start => self.resume(screen)?,
            Wish::Close(id) => {
                self.prompts.retain(|prompt| prompt.id != id);
                self.components.retain(|component| component.call != id);
                // A component that ends without giving the terminal back has given it back.
                if self.components.is_empty() {
                    self.resume(screen)?;
                }
            }
            Wish::Notify { level, message } => {
                let color = match level.as_str() {
                    "error" => 31,
                    "warning" => 33,
                    _ => 34,
                };
                self.log(format!("\u{1b}[{color}m{level}\u{1b}[0m {message}"));
            }
            Wish::Status { key, text } => {
                self.status.set(&key, text.as_deref());
            }
            Wish::EditorText(text) => self.line = Editing::new(&text),
            Wish::Message(message) => self.show_message(message),
            Wish::Answers(answers) => self.answers.extend(answers),
            Wish::Call { name, args } => {
                let args: Vec<String> = args.iter().map(Value::to_string).collect();
                self.calls.push_back(format!("{name}({})", args.join(", ")));
                if self.calls.len() > KEPT {
                    self.calls.pop_front();
                }
            }
        }
        Ok(())
    }

    fn resume(&mut self, screen: &mut Screen) -> anyhow::Result<()> {
        if self.stopped {
            self.stopped = false;
            screen.resume()?;
            self.draw_all();
        }
        Ok(())
    }

    /// What a task gave.
    pub fn note(&mut self, note: Note) {
        match note {
            Note::Log(text) => self.log(text),
            Note::Typed(component) => self.draw_component(component),
            Note::Drawn { component, lines } => self.drawn(component, lines),
            Note::Ended => self.running = self.running.saturating_sub(1),
            Note::Quit => self.over = true,
        }
    }

    fn drawn(&mut self, id: u64, lines: Result<Vec<String>, String>) {
        let Some(component) = self.components.iter_mut().find(|component| component.id == id) else { return };
        component.drawing = false;
        let again = std::mem::take(&mut component.again);
        match lines {
            Ok(lines) => component.lines = lines,
            Err(error) => self.log(format!("\u{1b}[31mthe component cannot be drawn: {error}\u{1b}[0m")),
        }
        if again {
            self.draw_component(id);
        }
    }

    /// Asks component `id` for its lines; while it is drawing the next drawing waits.
    fn draw_component(&mut self, id: u64) {
        let (columns, rows) = self.size;
        let Some(component) = self.components.iter_mut().find(|component| component.id == id) else { return };
        if component.drawing {
            component.again = true;
            return;
        }
        component.drawing = true;
        let (runner, notes) = (self.runner.clone(), self.notes.clone());
        tokio::spawn(async move {
            let lines =
                runner.render_component(id, columns.into(), rows.into()).await.map_err(|error| error.to_string());
            let _ = notes.send(Note::Drawn { component: id, lines });
        });
    }

    fn draw_all(&mut self) {
        let ids: Vec<u64> = self.components.iter().map(|component| component.id).collect();
        for id in ids {
            self.draw_component(id);
        }
    }

    /// The terminal has this size now.
    pub fn resized(&mut self, size: (u16, u16)) {
        if size != self.size {
            self.size = size;
            self.draw_all();
        }
    }

    /// A key: to the open dialog, else to the component, else to the command line.
    pub fn key(&mut self, key: &str) {
        if let Some(prompt) = self.prompts.front_mut() {
            if prompt.key(key) {
                self.prompts.pop_front();
            }
            return;
        }
        if let Some(component) = self.components.last() {
            let now = Instant::now();
            let twice = key == "\u{3}" && self.last_interrupt.is_some_and(|last| now - last < TWICE);
            if twice {
                // Off the screen at once: keys typed right after are for what lies below.
                let closed = self.components.pop().and_then(|component| component.closed);
                let _ = closed.map(|closed| closed.send(()));
            } else {
                self.last_interrupt = (key == "\u{3}").then_some(now);
                // One task types all keys, so that they keep their order.
                let _ = self.typist.send((component.id, key.to_owned()));
            }
            return;
        }
        match key {
            "\u{3}" | "\u{4}" => self.over = true,
            "\r" => self.enter(),
            "\u{1b}[5~" => self.scroll = (self.scroll + 10).min(self.log.len()),
            "\u{1b}[6~" => self.scroll = self.scroll.saturating_sub(10),
            "\u{1b}[A" | "\u{1b}OA" => {
                if let Some(last) = self.history.pop() {
                    self.line = Editing::new(&last);
                }
            }
            _ => {
                self.line.key(key);
            }
        }
        *self.host.editor_text.lock().unwrap_or_else(PoisonError::into_inner) = self.line.text().to_owned();
    }

    fn enter(&mut self) {
        let text = self.line.take();
        let text = text.trim();
        self.scroll = 0;
        if text.is_empty() {
            return;
        }
        self.history.push(text.to_owned());
        self.log(format!("\u{1b}[1m› {text}\u{1b}[0m"));
        if let Some(command) = text.strip_prefix('/') {
            let (name, args) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
            self.run_command(name.to_owned(), args.trim_start().to_owned());
        } else if let Some(order) = text.strip_prefix(':') {
            self.order(order);
        } else {
            self.host.append_user_message(text);
            self.emit("before_agent_start".to_owned(), Map::from_iter([("prompt".to_owned(), text.into())]));
        }
    }

    fn order(&mut self, order: &str) {
        let (word, rest) = order.split_once(char::is_whitespace).unwrap_or((order, ""));
        match word {
            "quit" | "q" => self.over = true,
            "help" | "h" => self.log(HELP),
            "calls" => self.show_calls = !self.show_calls,
            "commands" => {
                for command in self.runner.get_registered_commands() {
                    self.log(format!("/{}  {}", command.name, command.description.unwrap_or_default()));
                }
            }
            // For trying that the terminal survives it.
            "panic" => panic!("asked for by :panic"),
            _ => match read_event(word, rest) {
                Ok((name, fields)) => self.emit(name, fields),
                Err(error) => self.log(format!("\u{1b}[31m{error}\u{1b}[0m")),
            },
        }
    }

    fn run_command(&mut self, name: String, args: String) {
        self.running += 1;
        let (runner, notes) = (self.runner.clone(), self.notes.clone());
        tokio::spawn(async move {
            if let Err(error) = runner.run_command(&name, &args).await {
                let _ = notes.send(Note::Log(format!("\u{1b}[31m/{name}: {error}\u{1b}[0m")));
            }
            let _ = notes.send(Note::Ended);
        });
    }

    /// Emits an event and shows what came back.
    pub fn emit(&mut self, name: String, fields: Map<String, Value>) {
        self.running += 1;
        let (runner, notes) = (self.runner.clone(), self.notes.clone());
        tokio::spawn(async move {
            let shown = emit(&runner, &name, Value::Object(fields).to_string()).await;
            let _ = notes.send(Note::Log(shown));
            let _ = notes.send(Note::Ended);
        });
    }

    fn show_message(&mut self, message: Value) {
        let kind = message["customType"].as_str().unwrap_or_default().to_owned();
        let shown = message["display"] != false;
        let (runner, notes, width) = (self.runner.clone(), self.notes.clone(), u32::from(self.size.0));
        if !shown {
            return;
        }
        tokio::spawn(async move {
            let drawn = runner.render_message(&kind, &message, false, width).await.ok().flatten();
            let text = drawn.map_or_else(
                || format!("\u{1b}[35m[{kind}]\u{1b}[0m {}", plain(&message["content"])),
                |lines| lines.join("\n"),
            );
            let _ = notes.send(Note::Log(text));
        });
    }
}

/// Hands keys to components, one after the other.
fn start_typist(runner: HookRunner, notes: mpsc::UnboundedSender<Note>) -> mpsc::UnboundedSender<(u64, String)> {
    let (typist, mut keys) = mpsc::unbounded_channel::<(u64, String)>();
    tokio::spawn(async move {
        while let Some((component, key)) = keys.recv().await {
            // A throw goes to the error listeners, which the log shows; a component that has gone takes no more keys.
            let _ = runner.input_component(component, &key).await;
            let _ = notes.send(Note::Typed(component));
        }
    });
    typist
}
