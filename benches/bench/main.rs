//! `make bench`: hookrt beside Bun, Deno and Node with jiti that host the same hook files, in one run. Prints one table and writes it as JSON to
//! `target/bench.json`. A ratio is cost against cost: 0.5 means that hookrt needs half of what the peer needs.
//!
//! Words after `--` choose groups of rows: `cold`, `serve`, `process`; none chooses all.

mod claims;
mod cold;
mod echo;
mod hook_files;
mod in_process;
mod measure;
mod payload;
mod peers;
mod serve;
mod table;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use hook_files::HookFiles;
use peers::Peer;
use table::Table;

type Failure = Box<dyn std::error::Error>;

/// After this the run is given up: something hangs.
const LIMIT: Duration = Duration::from_secs(240);
const GROUPS: [&str; 3] = ["cold", "serve", "process"];

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some(echo::ARGUMENT) {
        return ended(echo::run());
    }
    hookrt::init_platform();
    std::thread::spawn(|| {
        std::thread::sleep(LIMIT);
        eprintln!("bench: given up after {} s", LIMIT.as_secs());
        std::process::exit(1);
    });
    ended(run())
}

fn ended(outcome: Result<(), Failure>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Failure> {
    // cargo's own `--bench` is no group.
    let chosen: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    if let Some(unknown) = chosen.iter().find(|word| !GROUPS.contains(&word.as_str())) {
        return Err(format!("unknown group {unknown}: the groups are {}", GROUPS.join(", ")).into());
    }
    let wants = |group: &str| chosen.is_empty() || chosen.iter().any(|word| word == group);

    let target = target_directory();
    let scratch = tempfile::tempdir()?;
    let files = HookFiles::write(scratch.path())?;
    let peers = peers::find(&target.join("peers"), scratch.path());
    let mut table = Table::new(&peers);
    if wants("cold") {
        cold::measure(&mut table, &peers, &files)?;
    }
    if wants("serve") {
        serve::measure(&mut table, &peers, &files)?;
    }
    if wants("process") {
        in_process::peers(&mut table, &peers, &files)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(in_process::hookrt(&mut table, &files))?;
    }
    let claims = claims::judge(&table);
    print!("{}", table.text());
    print!("{}", claims::text(&claims));
    let path = target.join("bench.json");
    std::fs::write(&path, format!("{:#}\n", table.json(&claims)))?;
    println!("\nwritten to {}", path.display());
    Ok(())
}

/// The directory cargo builds into.
fn target_directory() -> PathBuf {
    let temporary = Path::new(env!("CARGO_TARGET_TMPDIR"));
    temporary.parent().unwrap_or(temporary).to_path_buf()
}

/// The command as a person runs it, with or without a cache of compiled hooks.
fn hookrt_command(files: &HookFiles, cached: bool) -> std::process::Command {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_hookrt"));
    let cache = if cached { files.directory.join("cache") } else { PathBuf::new() };
    command.env("HOOKRT_CACHE_DIR", cache);
    command
}

/// Who is measured: hookrt (`None`) and every peer.
fn contestants(peers: &[Peer]) -> impl Iterator<Item = Option<&Peer>> {
    std::iter::once(None).chain(peers.iter().map(Some))
}
