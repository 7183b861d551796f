//! Runs one hook command: one deadline over everything, its own process group, its own exit as the verdict
//! (`lifecycle.md`, Running a command).

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout};

use super::capture::Capture;
use super::config::clip;
use super::output::EXIT_TIMED_OUT;
use super::payload::Args;
use super::process_group::{ProcessGroup, shell};
use super::slots::HookSlots;

/// How long output may still arrive after the hook itself has ended. A descendant may hold the pipe for ever.
const DRAIN: Duration = Duration::from_millis(200);
/// How long a killed process may take to disappear before it is left to the runtime's reaper.
const KILL_GRACE: Duration = Duration::from_millis(500);
/// Exit code of a process that could not be created, as a shell would give it.
const EXIT_NOT_STARTED: i32 = 127;

/// What to run.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) command: String,
    pub(crate) cwd: PathBuf,
    /// The whole environment of the child.
    pub(crate) env: Vec<(OsString, OsString)>,
    pub(crate) stdin: Args,
    pub(crate) limit: Duration,
}

/// How it went.
#[derive(Debug, Default)]
pub(crate) struct Finished {
    pub(crate) exit: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) timed_out: bool,
    pub(crate) truncated: bool,
    pub(crate) elapsed: Duration,
}

impl Finished {
    fn not_started(job: &Job, reason: &str) -> Self {
        Finished {
            exit: EXIT_NOT_STARTED,
            stderr: format!("{}: {reason}", not_started_text(&job.command, &job.cwd)),
            ..Finished::default()
        }
    }
}

/// Runs a job when a slot is free. Dropping the future leaves the queue, or kills the whole process group.
pub(crate) async fn run(job: Job, slots: &HookSlots) -> Finished {
    let permit = slots.acquire().await;
    let fallback = Finished::not_started(&job, "the runtime is shutting down");
    // The process outlives this future only until it is killed and reaped; the slot is held until then.
    let (cancel, cancelled) = oneshot::channel::<()>();
    let task = tokio::spawn(async move {
        let finished = supervise(job, cancelled).await;
        drop(permit);
        finished
    });
    let finished = task.await.unwrap_or(fallback);
    drop(cancel);
    finished
}

enum Ending {
    Exited(std::io::Result<ExitStatus>),
    TimedOut,
    Cancelled,
}

async fn supervise(job: Job, mut cancelled: oneshot::Receiver<()>) -> Finished {
    let started = Instant::now();
    let deadline = started + job.limit;
    let mut child = match spawn(&job) {
        Ok(child) => child,
        Err(error) => return Finished::not_started(&job, &spawn_failure(&job.cwd, &error)),
    };
    let mut group = ProcessGroup::of(&child);
    let (mut stdout, mut stderr) = (Capture::default(), Capture::default());
    let ending;
    let exit;
    {
        let traffic = {
            let (stdin, out, err) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
            let (stdout, stderr, args) = (&mut stdout, &mut stderr, &job.stdin);
            async move { tokio::join!(feed(stdin, args), stdout.fill(out), stderr.fill(err)) }
        };
        tokio::pin!(traffic);
        let mut quiet = false;
        ending = loop {
            // Biased: an exit that is already there counts even when the deadline has passed as well.
            tokio::select! {
                biased;
                status = child.wait() => break Ending::Exited(status),
                () = tokio::time::sleep_until(deadline) => break Ending::TimedOut,
                _ = &mut cancelled => break Ending::Cancelled,
                _ = &mut traffic, if !quiet => quiet = true,
            }
        };
        exit = match &ending {
            Ending::Exited(status) => exit_code(status),
            Ending::TimedOut | Ending::Cancelled => {
                group.kill();
                // Whoever does not vanish in time is reaped by the runtime after the child is dropped.
                let _ = timeout(KILL_GRACE, child.wait()).await;
                EXIT_TIMED_OUT
            }
        };
        group.release();
        if !quiet && !matches!(ending, Ending::Cancelled) {
            let _ = timeout(DRAIN, &mut traffic).await;
        }
    }
    let (stdout, stdout_cut) = stdout.into_text();
    let (mut stderr, stderr_cut) = stderr.into_text();
    if let (Ending::Exited(_), 126 | 127) = (&ending, exit) {
        stderr = format!("{}: {}", not_started_text(&job.command, &job.cwd), stderr.trim());
    }
    Finished {
        exit,
        stdout,
        stderr,
        timed_out: matches!(ending, Ending::TimedOut),
        truncated: stdout_cut || stderr_cut,
        elapsed: started.elapsed(),
    }
}

fn spawn(job: &Job) -> std::io::Result<Child> {
    let mut command: Command = shell(&job.command);
    command
        .current_dir(&job.cwd)
        .env_clear()
        .envs(job.env.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    command.spawn()
}

/// Writes the arguments and closes the pipe. A hook that does not read them is fine.
async fn feed(stdin: Option<ChildStdin>, args: &Args) {
    if let Some(mut stdin) = stdin {
        let _ = stdin.write_all(args.as_str().as_bytes()).await;
        let _ = stdin.shutdown().await;
    }
}

/// Death by a signal counts as exit 1.
fn exit_code(status: &std::io::Result<ExitStatus>) -> i32 {
    match status {
        Ok(status) => status.code().unwrap_or(1),
        Err(_) => 1,
    }
}

fn not_started_text(command: &str, cwd: &Path) -> String {
    format!("could not start `{}` in {}", clip(command), cwd.display())
}

fn spawn_failure(cwd: &Path, error: &std::io::Error) -> String {
    // The system reports a missing directory as if the shell were missing.
    if cwd.is_dir() { error.to_string() } else { format!("the directory does not exist ({error})") }
}
