//! Arguments, parsed and nothing else.

use std::ffi::OsString;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};

use super::permission_args::PermissionArgs;
use crate::lifecycle::catalogue;
use crate::runner::LEAST_HEAP_LIMIT_MIB;

/// Runs the JavaScript and TypeScript hooks of coding agents.
#[derive(Debug, Parser)]
#[command(version, about, max_term_width = 100)]
pub struct Cli {
    /// Log more to standard error.
    #[arg(long, short, global = true)]
    pub verbose: bool,
    #[command(subcommand)]
    pub verb: Verb,
}

#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Emit one event to hooks and print what they gave as one JSON object.
    ///
    /// Exit code: 2 when a tool call was blocked or a session_before_* event cancelled, 1 on any load, usage or engine error, else 0.
    Emit(EmitArgs),
    /// Emit the events of a JSON-lines file ({"event","data","answers"?} a line) to one runner; one result object a line.
    Replay(ReplayArgs),
    /// Run a command as a tool between its hooks.
    Tool(ToolArgs),
    /// Run a slash command that a hook registers.
    Command(CommandArgs),
    /// Serve hooks to an agent over JSON-RPC on standard input and output (docs/protocol.md).
    Serve(ServeArgs),
    /// Load hooks and report what they register, or what is wrong with them.
    Check(CheckArgs),
    /// Try hooks in the terminal: dialogs, notices, status line, components, commands, events.
    Play(PlayArgs),
    /// Show every hook file that is found, in the order hooks run, and what becomes of it.
    List(ListArgs),
    /// Let a project's own hook files run, just as they are now.
    Trust(TrustArgs),
    /// Write a hook to start from, a tsconfig.json and the typings.
    Init(InitArgs),
    /// Run and inspect AX Code's shell lifecycle hooks.
    Lifecycle(super::lifecycle::LifecycleArgs),
    /// Run the cases (folders with a case.json) below some folders; exit code 1 when one fails.
    Test(TestArgs),
}

impl Verb {
    /// Whether hooks run while it has something to print. `serve` and `play` have standard output for themselves in their own ways.
    pub fn reports_on_hooks(&self) -> bool {
        match self {
            Verb::Emit(_) | Verb::Replay(_) | Verb::Tool(_) | Verb::Command(_) | Verb::Check(_) | Verb::Test(_) => true,
            Verb::Lifecycle(_) | Verb::List(_) | Verb::Trust(_) | Verb::Init(_) | Verb::Serve(_) | Verb::Play(_) => {
                false
            }
        }
    }
}

/// Which hooks, and how they run.
#[derive(Debug, Args, Clone)]
pub struct HookArgs {
    /// A hook file, or a directory with an index file or package.json; may be repeated, the order counts.
    #[arg(long = "hook", value_name = "PATH")]
    pub hooks: Vec<String>,
    /// A hook that must load, else every tool call is refused.
    #[arg(long = "require", value_name = "PATH")]
    pub required: Vec<String>,
    /// Directory the hooks run in.
    #[arg(long, value_name = "DIR")]
    pub cwd: Option<PathBuf>,
    /// What becomes of a handler's edits to event.input.
    #[arg(long, value_enum, default_value = "ignore")]
    pub input_mutation: InputMutationArg,
    /// How long a hook may take to load, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 10_000)]
    pub load_timeout: u64,
    /// CPU time one handler may use, in milliseconds; waiting does not count.
    #[arg(long, value_name = "MS", default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub cpu_budget: u64,
    /// Heap limit of the hooks' isolate, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 512, value_parser = heap_limit)]
    pub heap_limit: usize,
    /// Also load the hooks that are found for the directory, before those that are named (see `hookrt list`).
    #[arg(long)]
    pub discover: bool,
    /// Run the project's own hook files although nobody recorded `hookrt trust` for them.
    #[arg(long, requires = "discover")]
    pub trust: bool,
    /// Print a line per handler to standard error: hook, event, time, kind of result.
    #[arg(long)]
    pub trace: bool,
    #[command(flatten)]
    pub inspect: InspectArgs,
    #[command(flatten)]
    pub permissions: PermissionArgs,
}

/// Where debuggers attach.
#[derive(Debug, Args, Clone, Default)]
pub struct InspectArgs {
    /// Let Chrome DevTools or VS Code attach to the hooks, at 127.0.0.1:9229 or HOST:PORT; no time limit holds then.
    #[arg(long, value_name = "HOST:PORT", num_args = 0..=1, require_equals = true, default_missing_value = DEBUG_ADDRESS, value_parser = debug_address)]
    pub inspect: Option<SocketAddr>,
    /// The same, and wait for the debugger before the first hook runs.
    #[arg(long, value_name = "HOST:PORT", num_args = 0..=1, require_equals = true, default_missing_value = DEBUG_ADDRESS, value_parser = debug_address, conflicts_with = "inspect")]
    pub inspect_brk: Option<SocketAddr>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum InputMutationArg {
    Ignore,
    Apply,
}

#[derive(Debug, Args)]
pub struct EmitArgs {
    /// Name of the event, e.g. tool_call.
    pub event: String,
    #[command(flatten)]
    pub hooks: HookArgs,
    /// The event's fields besides `type`: JSON, @FILE, or - for standard input.
    #[arg(long, value_name = "JSON|@FILE|-", default_value = "{}", allow_hyphen_values = true)]
    pub data: String,
    /// Answers to dialogs in order, e.g. [{"confirm":true},{"select":"Yes"}]; makes a user interface present.
    #[arg(long, value_name = "JSON|@FILE")]
    pub answers: Option<String>,
}

#[derive(Debug, Args)]
pub struct ReplayArgs {
    /// JSON-lines file, or - for standard input.
    pub file: String,
    #[command(flatten)]
    pub hooks: HookArgs,
}

#[derive(Debug, Args)]
pub struct ToolArgs {
    /// Name of the tool, e.g. bash.
    pub name: String,
    /// Its arguments: JSON, @FILE, or - for standard input.
    #[arg(long, value_name = "JSON|@FILE|-", default_value = "{}", allow_hyphen_values = true)]
    pub input: String,
    #[command(flatten)]
    pub hooks: HookArgs,
    /// Answers to dialogs in order.
    #[arg(long, value_name = "JSON|@FILE")]
    pub answers: Option<String>,
    /// A pack of shell lifecycle hooks to run around the tool, besides the trusted .ax-code/hooks.json of the project; may be repeated.
    #[arg(long = "pack", value_name = "NAME", value_parser = pack_names())]
    pub packs: Vec<String>,
    /// Session id that lifecycle hooks see.
    #[arg(long, default_value = "")]
    pub session: String,
    /// Refuse the tool when the lifecycle hooks file cannot be read.
    #[arg(long)]
    pub enforce: bool,
    /// The program that stands for the tool, and its arguments.
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

#[derive(Debug, Args)]
pub struct CommandArgs {
    /// Name of the command, without the slash.
    pub name: String,
    /// The rest of the line, as the user would type it.
    pub args: Vec<String>,
    #[command(flatten)]
    pub hooks: HookArgs,
    /// Answers to dialogs in order.
    #[arg(long, value_name = "JSON|@FILE")]
    pub answers: Option<String>,
}

#[derive(Debug, Args)]
pub struct ListArgs {
    /// The project; default: the current directory.
    #[arg(long, value_name = "DIR")]
    pub cwd: Option<PathBuf>,
    /// Show the project's own files as if they were trusted.
    #[arg(long)]
    pub trust: bool,
    /// An item that is switched off: hook:TYPE:TOOL:NAME.
    #[arg(long, value_name = "ID")]
    pub disable: Vec<String>,
    /// A provider that is switched off.
    #[arg(long, value_name = "ID")]
    pub disable_provider: Vec<String>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub permissions: PermissionArgs,
}

#[derive(Debug, Args)]
pub struct TrustArgs {
    /// The project; default: the current directory.
    pub dir: Option<PathBuf>,
    /// Forget the project.
    #[arg(long, conflicts_with = "list")]
    pub revoke: bool,
    /// Show the projects that are trusted.
    #[arg(long)]
    pub list: bool,
    /// With --list: print one JSON object instead of text.
    #[arg(long, requires = "list")]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct InitArgs {
    /// Where; default: the current directory.
    pub dir: Option<PathBuf>,
    /// Overwrite files that are there and differ.
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, Args)]
pub struct ServeArgs {
    /// Listen on a Unix socket instead; every connection is a server of its own.
    #[arg(long, value_name = "PATH")]
    pub socket: Option<PathBuf>,
    /// Load hooks anew when their files change.
    #[arg(long)]
    pub watch: bool,
    #[command(flatten)]
    pub inspect: InspectArgs,
    #[command(flatten)]
    pub permissions: PermissionArgs,
}

#[derive(Debug, Args)]
pub struct PlayArgs {
    #[command(flatten)]
    pub hooks: HookArgs,
    /// JSON-lines file as of `hookrt replay`, emitted after session_start; its answers go to the dialogs, other dialogs are the person's.
    #[arg(long, value_name = "FILE")]
    pub replay: Option<String>,
}

#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Hook files, or directories of hook files.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<String>,
    /// Directory the hooks run in.
    #[arg(long, value_name = "DIR")]
    pub cwd: Option<PathBuf>,
    /// How long a hook may take to load, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 10_000)]
    pub load_timeout: u64,
    /// Also check their types with the project's TypeScript compiler.
    #[arg(long)]
    pub types: bool,
    /// Print one JSON object instead of text.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub permissions: PermissionArgs,
}

#[derive(Debug, Args)]
pub struct TestArgs {
    /// Folders of cases, or cases themselves.
    #[arg(required = true, value_name = "DIR")]
    pub dirs: Vec<String>,
    /// Only cases whose path contains this text.
    #[arg(long, value_name = "TEXT")]
    pub filter: Option<String>,
    /// Write what came out to expected.json, keeping the placeholders that hold.
    #[arg(long)]
    pub update: bool,
    /// Print one JSON object instead of text.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub inspect: InspectArgs,
    #[command(flatten)]
    pub permissions: PermissionArgs,
}

fn heap_limit(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(mib) if mib >= LEAST_HEAP_LIMIT_MIB => Ok(mib),
        Ok(_) => Err(format!("at least {LEAST_HEAP_LIMIT_MIB} MiB")),
        Err(error) => Err(format!("{error}")),
    }
}

/// Where Node's debuggers look first.
const DEBUG_ADDRESS: &str = "127.0.0.1:9229";

/// `HOST:PORT`, `PORT` or `HOST`.
fn debug_address(text: &str) -> Result<SocketAddr, String> {
    let default: SocketAddr = DEBUG_ADDRESS.parse().map_err(|error| format!("{error}"))?;
    if let Ok(port) = text.parse() {
        return Ok(SocketAddr::new(default.ip(), port));
    }
    if let Ok(ip) = text.parse() {
        return Ok(SocketAddr::new(ip, default.port()));
    }
    let named = if text.contains(':') { text.to_owned() } else { format!("{text}:{}", default.port()) };
    let mut found = named.to_socket_addrs().map_err(|error| format!("{error}; give it as 127.0.0.1:9229"))?;
    found.next().ok_or_else(|| format!("{text} has no address"))
}

/// The packs there are: a slip is told with the one that was meant.
pub fn pack_names() -> PossibleValuesParser {
    PossibleValuesParser::new(catalogue().map(|pack| pack.name))
}
