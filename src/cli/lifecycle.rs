//! `hookrt lifecycle`: run an event, show packs and hooks, check a file.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::anyhow;
use clap::{Args, Subcommand};
use serde_json::json;

use super::args::pack_names;
use super::input;
use crate::lifecycle::{
    self, BoxFuture, EventName, Headless, Hook, LifecycleDispatcher, LifecycleError, LifecycleEvent, LifecycleSettings,
    Outcome, PermissionAnswer, PermissionPrompt, PermissionRequest, Protocol, Severity, Subject,
};

/// Exit code of a blocked event.
const EXIT_BLOCKED: u8 = 2;
/// Exit code of a file with entries that would not run.
const EXIT_FAILED: u8 = 1;

/// Arguments of `hookrt lifecycle`.
#[derive(Debug, Args)]
pub struct LifecycleArgs {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Run the shell hooks of one event; exit code 2 when they block it
    Run(RunArgs),
    /// Print the catalogue of built-in packs
    Packs {
        /// As JSON instead of markdown
        #[arg(long)]
        json: bool,
    },
    /// Show which hooks would run, where they come from, and whether they are trusted
    List(ListArgs),
    /// Validate a hooks file; exit code 1 when an entry would not run
    Check {
        /// The file, usually .ax-code/hooks.json
        file: PathBuf,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Args)]
struct RunArgs {
    /// Name of the event, such as PreToolUse
    event: String,
    /// Tool id, for the tool events
    #[arg(long)]
    tool: Option<String>,
    /// Session id
    #[arg(long, default_value = "")]
    session: String,
    /// Event arguments: JSON text, @FILE, or - for stdin
    #[arg(long, value_name = "JSON|@FILE|-", allow_hyphen_values = true)]
    args: Option<String>,
    /// Project directory; its .ax-code/hooks.json is read
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// A pack of your own configuration (repeatable)
    #[arg(long = "pack", value_name = "NAME", value_parser = pack_names())]
    packs: Vec<String>,
    /// Block when hooks.json cannot be read
    #[arg(long)]
    enforce: bool,
    /// Print the outcome as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct ListArgs {
    /// Project directory
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// A pack of your own configuration (repeatable)
    #[arg(long = "pack", value_name = "NAME", value_parser = pack_names())]
    packs: Vec<String>,
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// Where the verb prints.
struct Printer<'a, Out: Write> {
    out: &'a mut Out,
    colour: bool,
}

impl<Out: Write> Printer<'_, Out> {
    fn line(&mut self, text: &str) -> anyhow::Result<()> {
        match writeln!(self.out, "{text}") {
            // A reader that has seen enough is no error, and the verdict still has to become the exit code.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            other => Ok(other?),
        }
    }

    /// One object, one line.
    fn json(&mut self, value: &impl serde::Serialize) -> anyhow::Result<()> {
        let text = serde_json::to_string(value)?;
        self.line(&text)
    }

    fn paint(&self, code: u8, text: &str) -> String {
        if self.colour { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    fn red(&self, text: &str) -> String {
        self.paint(31, text)
    }

    fn yellow(&self, text: &str) -> String {
        self.paint(33, text)
    }

    fn green(&self, text: &str) -> String {
        self.paint(32, text)
    }
}

/// Runs the verb on standard output and returns the exit code.
pub async fn run(arguments: LifecycleArgs) -> anyhow::Result<u8> {
    let mut out = io::stdout();
    let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let colour = out.is_terminal() && !no_colour;
    execute(arguments, &mut out, colour).await
}

/// Runs the verb and returns the exit code. `colour` is for terminals.
pub async fn execute(arguments: LifecycleArgs, out: &mut impl Write, colour: bool) -> anyhow::Result<u8> {
    let mut printer = Printer { out, colour };
    match arguments.verb {
        Verb::Run(arguments) => run_event(arguments, &mut printer).await,
        Verb::Packs { json } => packs(json, &mut printer),
        Verb::List(arguments) => list(arguments, &mut printer),
        Verb::Check { file, json } => check(&file, json, &mut printer),
    }
}

async fn run_event(arguments: RunArgs, printer: &mut Printer<'_, impl Write>) -> anyhow::Result<u8> {
    let read = read_event(&arguments)?;
    let mut settings = settings(arguments.cwd.as_deref(), arguments.packs)?;
    settings.enforce = arguments.enforce;
    settings.prompt = prompt_for(arguments.args.as_deref());
    let hooks = LifecycleDispatcher::new(settings);
    let mut outcome = hooks.run_to_end(read.event).await;
    let mut warnings = hooks.warnings().to_vec();
    if !read.dropped.is_empty() {
        let fields = read.dropped.join(", ");
        warnings.push(format!("{}: hooks of this event do not get the fields {fields}", outcome.event));
    }
    warnings.append(&mut outcome.warnings);
    outcome.warnings = warnings;
    if arguments.json {
        printer.json(&outcome)?;
    } else {
        print_outcome(&outcome, printer)?;
    }
    Ok(if outcome.blocked { EXIT_BLOCKED } else { 0 })
}

fn read_event(arguments: &RunArgs) -> anyhow::Result<lifecycle::ReadEvent> {
    let name: EventName = arguments.event.parse().map_err(with_hint)?;
    let args = match arguments.args.as_deref() {
        None => lifecycle::Args::empty(),
        Some(text) => lifecycle::Args::from_json(&input::read(text, "--args")?.0).map_err(with_hint)?,
    };
    let subject = Subject { session_id: &arguments.session, tool: arguments.tool.as_deref(), call_id: None };
    LifecycleEvent::read(name, subject, &args).map_err(with_hint)
}

fn with_hint(error: LifecycleError) -> anyhow::Error {
    let hint = error.hint();
    anyhow!("{error}\nhint: {hint}")
}

fn settings(cwd: Option<&Path>, packs: Vec<String>) -> anyhow::Result<LifecycleSettings> {
    let directory = match cwd {
        // Hooks run there, so it has to stay valid for a child; and it is shown to the person.
        Some(directory) => std::path::absolute(directory)?,
        None => std::env::current_dir()?,
    };
    let mut settings = LifecycleSettings::new(lifecycle::find_project(&directory));
    settings.user_packs = packs;
    Ok(settings)
}

fn print_outcome(outcome: &Outcome, printer: &mut Printer<'_, impl Write>) -> anyhow::Result<()> {
    for warning in &outcome.warnings {
        let label = printer.yellow("warning:");
        printer.line(&format!("{label} {warning}"))?;
    }
    for output in &outcome.outputs {
        let state = match output.exit {
            0 => printer.green("exit 0"),
            _ if output.timed_out => printer.red("timed out"),
            code => printer.red(&format!("exit {code}")),
        };
        let truncated = if output.truncated { ", output cut at 1 MiB" } else { "" };
        printer.line(&format!("{state} ({} ms{truncated})  {}", output.ms, output.command))?;
        for text in [&output.stdout, &output.stderr] {
            for line in text.lines() {
                printer.line(&format!("    {line}"))?;
            }
        }
    }
    if let Some(feedback) = &outcome.feedback {
        printer.line(feedback)?;
    }
    let state = match outcome.error_message() {
        Some(message) => printer.red(&format!("blocked: {message}")),
        None => printer.green(&format!("{}: not blocked", outcome.event)),
    };
    printer.line(&state)
}

fn packs(json: bool, printer: &mut Printer<'_, impl Write>) -> anyhow::Result<u8> {
    if json {
        printer.json(&lifecycle::catalogue().collect::<Vec<_>>())?;
    } else {
        printer.line(lifecycle::catalogue_markdown().trim_end())?;
    }
    Ok(0)
}

fn list(arguments: ListArgs, printer: &mut Printer<'_, impl Write>) -> anyhow::Result<u8> {
    let hooks = LifecycleDispatcher::new(settings(arguments.cwd.as_deref(), arguments.packs)?);
    let rows = || {
        let active = hooks.hooks().iter().map(|hook| (hook, true));
        active.chain(hooks.untrusted_hooks().iter().map(|hook| (hook, false)))
    };
    if arguments.json {
        let rows: Vec<_> = rows().map(|(hook, trusted)| hook_json(hook, trusted)).collect();
        printer.json(&json!({ "hooks": rows, "warnings": hooks.warnings() }))?;
        return Ok(0);
    }
    for warning in hooks.warnings() {
        let label = printer.yellow("warning:");
        printer.line(&format!("{label} {warning}"))?;
    }
    for (hook, trusted) in rows() {
        let state = if trusted { printer.green("runs") } else { printer.red("not trusted") };
        let command = hook.command().replace('\n', "\\n");
        printer.line(&format!(
            "{state}  {}  {}  {}{}  {command}",
            hook.event(),
            hook.matcher(),
            hook.source().describe(),
            if can_block(hook) { ", may block" } else { "" },
        ))?;
    }
    if rows().next().is_none() {
        printer.line("no lifecycle hooks")?;
    }
    Ok(0)
}

fn hook_json(hook: &Hook, trusted: bool) -> serde_json::Value {
    json!({
        "event": hook.event(),
        "matcher": hook.matcher().as_str(),
        "command": hook.command(),
        "pack": hook.pack(),
        "protocol": match hook.protocol() {
            Protocol::Plain => None,
            Protocol::ClaudeCode => Some("claude-code"),
        },
        "mayBlock": can_block(hook),
        "source": hook.source().describe(),
        "trusted": trusted,
        "runs": trusted,
    })
}

fn can_block(hook: &Hook) -> bool {
    hook.event().is_blockable() && (hook.blocks_on_failure() || hook.protocol() == Protocol::ClaudeCode)
}

fn check(file: &Path, json: bool, printer: &mut Printer<'_, impl Write>) -> anyhow::Result<u8> {
    let project = file.parent().and_then(Path::parent).unwrap_or(Path::new("."));
    let read = match lifecycle::read_file(file, project) {
        Ok(read) => read,
        Err(error) if json => {
            printer
                .json(&json!({ "ok": false, "error": error.to_string(), "hooks": 0, "packs": 0, "problems": [] }))?;
            return Ok(EXIT_FAILED);
        }
        Err(error) => return Err(with_hint(error)),
    };
    let ok = read.problems.iter().all(|problem| problem.severity == Severity::Warning);
    let code = if ok { 0 } else { EXIT_FAILED };
    if json {
        let problems: Vec<_> = read
            .problems
            .iter()
            .map(|problem| {
                json!({
                    "severity": severity_name(problem.severity),
                    "place": problem.place,
                    "message": problem.message,
                })
            })
            .collect();
        printer.json(&json!({
            "ok": ok,
            "error": null,
            "hooks": read.hooks.len(),
            "packs": read.packs.len(),
            "problems": problems,
        }))?;
        return Ok(code);
    }
    for problem in &read.problems {
        let label = match problem.severity {
            Severity::Error => printer.red("error:"),
            Severity::Warning => printer.yellow("warning:"),
        };
        printer.line(&format!("{label} {problem}"))?;
    }
    let summary = format!("{}: {} hooks and {} packs would run", file.display(), read.hooks.len(), read.packs.len());
    printer.line(&summary)?;
    Ok(code)
}

fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

/// A person can be asked when both ends are a terminal and stdin is not spent on the arguments.
fn prompt_for(args: Option<&str>) -> Arc<dyn PermissionPrompt> {
    if args != Some("-") && io::stdin().is_terminal() && io::stderr().is_terminal() {
        Arc::new(TerminalPrompt)
    } else {
        Arc::new(Headless)
    }
}

struct TerminalPrompt;

impl PermissionPrompt for TerminalPrompt {
    fn ask(&self, request: PermissionRequest) -> BoxFuture<'_, PermissionAnswer> {
        Box::pin(async move {
            let asked = tokio::task::spawn_blocking(move || {
                eprint!("[{}] {}\nRun tool {}? [y/N] ", request.permission, request.reason, request.tool);
                let mut answer = String::new();
                io::stdin().read_line(&mut answer).map(|_| answer)
            });
            match asked.await {
                Ok(Ok(answer)) if matches!(answer.trim(), "y" | "Y" | "yes") => PermissionAnswer::Granted,
                Ok(Ok(_)) => PermissionAnswer::Declined,
                _ => PermissionAnswer::Unattended,
            }
        })
    }
}
