//! Runs the built binary in a folder of its own.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// A temporary folder with hooks in it.
pub struct Folder {
    directory: tempfile::TempDir,
}

/// What a run of the binary gave.
#[derive(Debug)]
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    /// The one JSON object on standard output.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// One JSON object a line.
    pub fn lines(&self) -> Vec<Value> {
        self.stdout
            .lines()
            .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {self:?}")))
            .collect()
    }
}

impl Folder {
    pub fn new() -> Self {
        Folder { directory: tempfile::tempdir().expect("a temporary directory") }
    }

    pub fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self::new();
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }

    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        std::fs::write(&path, bytes).expect("a file");
        path
    }

    pub fn run(&self, args: &[&str]) -> Run {
        self.run_with(args, "")
    }

    /// Runs the binary with `input` on standard input; a run of more than a minute fails the test.
    pub fn run_with(&self, args: &[&str], input: &str) -> Run {
        let mut child = Command::new(env!("CARGO_BIN_EXE_hookrt"))
            .args(args)
            .current_dir(self.path())
            .env("HOOKRT_LOG", "warn")
            // The person's own policy file is not part of the test.
            .env("HOOKRT_CONFIG_DIR", self.path().join(".config"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        // A run that does not read its input closes the pipe; that is its business.
        let _ = stdin.write_all(input.as_bytes());
        drop(stdin);
        let started = Instant::now();
        let id = child.id();
        let done = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        let watch = done.clone();
        std::thread::spawn(move || {
            while !watch.load(std::sync::atomic::Ordering::SeqCst) {
                if started.elapsed() > Duration::from_secs(60) {
                    let _ = Command::new("kill").args(["-9", &id.to_string()]).status();
                    return;
                }
                std::thread::sleep(Duration::from_millis(50));
            }
        });
        let output = child.wait_with_output().expect("the binary ends");
        done.store(true, std::sync::atomic::Ordering::SeqCst);
        let run = Run {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        };
        assert!(run.code >= 0, "killed: {args:?} {run:?}");
        assert!(!run.stderr.contains("panicked"), "{args:?} {run:?}");
        run
    }
}

/// Refuses `rm`, lets everything else pass.
pub const GATE: &str = r#"export default (pi) => pi.on("tool_call", async (event, ctx) => {
  if (!String(event.input.command).startsWith("rm")) return;
  if (ctx.hasUI && (await ctx.ui.confirm("Remove?", event.input.command))) return;
  return { block: true, reason: "rm is refused" };
});
"#;

pub const RM: &str = r#"{"toolName":"bash","toolCallId":"t","input":{"command":"rm -rf /"}}"#;
pub const LS: &str = r#"{"toolName":"bash","toolCallId":"t","input":{"command":"ls"}}"#;

/// A machine of one person: `project/`, where the binary runs, `home/` and the state directory.
pub struct Machine {
    pub root: tempfile::TempDir,
}

impl Machine {
    pub fn empty() -> Machine {
        Machine { root: tempfile::tempdir().unwrap() }
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.root.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub fn run(&self, env: &[(&str, &str)], args: &[&str]) -> Output {
        let at = |name: &str| self.root.path().join(name);
        let mut command = Command::new(env!("CARGO_BIN_EXE_hookrt"));
        command.args(args).current_dir(at("project"));
        command.env("HOME", at("home")).env("HOOKRT_STATE_DIR", at("state")).env_remove("HOOKRT_TRUST_PROJECT");
        command.envs(env.iter().copied()).output().unwrap()
    }
}
