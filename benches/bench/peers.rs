//! The runtimes that are compared with: installed from npm into `target/peers` by `scripts/bench.sh`, at the versions of
//! `benches/peers/package.json`. One that is not there is skipped, and said.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A runtime that hosts hooks through `benches/peers/runner.mjs`.
pub struct Peer {
    pub name: &'static str,
    pub version: String,
    binary: PathBuf,
    runner: PathBuf,
    caches: PathBuf,
}

impl Peer {
    /// Runs the runner; whoever calls adds its mode. Without a cache the runtime finds its own empty or is told to keep none.
    pub fn command(&self, cached: bool) -> Command {
        let mut command = Command::new(&self.binary);
        let cache = self.caches.join(self.name);
        match self.name {
            "bun" if !cached => {
                command.env("BUN_RUNTIME_TRANSPILER_CACHE_PATH", "0");
            }
            "bun" => {
                command.env("BUN_RUNTIME_TRANSPILER_CACHE_PATH", &cache);
            }
            "deno" => {
                let directory = if cached { cache } else { self.fresh_directory() };
                command.env("DENO_DIR", directory).envs([("DENO_NO_UPDATE_CHECK", "1"), ("DENO_NO_PACKAGE_JSON", "1")]);
                command.args(["run", "--allow-all", "--no-check", "--no-lock", "--no-config", "--quiet"]);
            }
            _ if cached => {
                command.env("PEER_CACHE", &cache);
            }
            _ => {}
        }
        command.arg(&self.runner);
        command
    }

    fn fresh_directory(&self) -> PathBuf {
        static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let count = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        self.caches.join(format!("{}-empty-{count}", self.name))
    }
}

/// The peers that run; says which do not.
pub fn find(directory: &Path, scratch: &Path) -> Vec<Peer> {
    let runner = directory.join("runner.mjs");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/peers/runner.mjs");
    if directory.is_dir() {
        // Beside node_modules, where Node finds jiti.
        if let Err(error) = std::fs::copy(source, &runner) {
            eprintln!("bench: {}: {error}", runner.display());
        }
    }
    let peer = |name: &'static str, program: &str| {
        let binary = directory.join("node_modules/.bin").join(program);
        let output = Command::new(&binary).arg("--version").output();
        let version = output.ok().filter(|output| output.status.success()).and_then(|output| {
            let text = String::from_utf8(output.stdout).ok()?;
            Some(text.lines().next()?.trim_start_matches("deno ").split(' ').next()?.to_owned())
        });
        let Some(version) = version else {
            eprintln!("bench: {name} is skipped: {} does not run", binary.display());
            return None;
        };
        Some(Peer { name, version, binary, runner: runner.clone(), caches: scratch.join("peers") })
    };
    [peer("bun", "bun"), peer("deno", "deno"), peer("node+jiti", "node")].into_iter().flatten().collect()
}
