//! A process per call: from `exec` until the process with the first verdict has ended.

use std::process::{Command, Stdio};
use std::time::Instant;

use crate::hook_files::HookFiles;
use crate::measure::{Samples, cpu_of_children};
use crate::peers::Peer;
use crate::table::Table;
use crate::{Failure, contestants, hookrt_command, payload};

const ROUNDS: usize = 25;

pub fn measure(table: &mut Table, peers: &[Peer], files: &HookFiles) -> Result<(), Failure> {
    for (row, cpu_row, cached) in [("cold", "cold_cpu", false), ("cold_cached", "cold_cached_cpu", true)] {
        let mut samples: Vec<(Option<&Peer>, Samples, Samples)> =
            contestants(peers).map(|peer| (peer, Samples::default(), Samples::default())).collect();
        // In turns, so that whatever else the machine does meets all of them. The first round fills the caches.
        for round in 0..=ROUNDS {
            for (peer, samples, cpu) in &mut samples {
                let mut command = command(*peer, files, cached);
                let (start, used) = (Instant::now(), cpu_of_children());
                run(&mut command)
                    .map_err(|message| format!("{}: {message}", peer.map_or("hookrt", |peer| peer.name)))?;
                if round > 0 {
                    samples.push(start.elapsed());
                    cpu.push(cpu_of_children().saturating_sub(used));
                }
            }
        }
        for (peer, samples, cpu) in samples {
            table.set_of(peer, row, samples.median());
            if cfg!(unix) {
                table.set_of(peer, cpu_row, cpu.median());
            }
        }
    }
    Ok(())
}

fn command(peer: Option<&Peer>, files: &HookFiles, cached: bool) -> Command {
    let event = payload::tool_call().to_string();
    match peer {
        None => {
            let mut command = hookrt_command(files, cached);
            command.args(["emit", "tool_call", "--data", &event, "--hook"]).arg(&files.gate);
            command
        }
        Some(peer) => {
            let mut command = peer.command(cached);
            command.arg("once").arg(&files.gate).arg(event);
            command
        }
    }
}

/// Runs to the end; the verdict must be that of the gate.
fn run(command: &mut Command) -> Result<(), String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    match text.contains(r#""block":true"#) {
        true => Ok(()),
        false => Err(format!("no verdict but {text}{}", String::from_utf8_lossy(&output.stderr))),
    }
}
