//! Programs that hooks start through `pi.exec`: no shell, own process group, closed standard input. And how any program is waited for.

use std::cell::RefCell;
use std::future::Future;
use std::process::{ExitStatus, Stdio};
use std::rc::Rc;
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::process::{Child, Command};
use tokio::sync::oneshot;

use super::port::{ExecOutput, ExecRequest};

/// Exit code of a program that was killed by its time limit, by an abort or by a signal.
const KILLED: i32 = 137;
/// Exit code of a program that could not be started because it does not exist.
const NOT_FOUND: i32 = 127;
/// How long output is awaited after the program itself has ended.
const DRAIN: Duration = Duration::from_millis(200);
/// Exit code of a program that exists but could not be started.
const NOT_EXECUTABLE: i32 = 126;

/// Runs a program to its end. `kill` ends it early. A program that cannot be started is code 126 or 127 with the reason in `stderr`.
pub async fn run(request: ExecRequest, kill: oneshot::Receiver<()>) -> ExecOutput {
    let mut command = match &request.program {
        Some(program) => Command::new(program),
        None => Command::new(&request.command),
    };
    #[cfg(unix)]
    command.arg0(&request.command);
    command.args(&request.args).current_dir(&request.cwd).kill_on_drop(true);
    for (name, value) in &request.env {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    #[cfg(unix)]
    command.process_group(0);
    let mut child = match spawn(&mut command) {
        Ok(child) => child,
        Err(error) => return not_started(&request, &error),
    };
    let mut group = Group::of(&child);
    let limit = async {
        match request.timeout_ms {
            0 => std::future::pending().await,
            ms => tokio::time::sleep(Duration::from_millis(ms)).await,
        }
    };
    let stop = async {
        tokio::select! {
            () = limit => {}
            // A sender that is gone means that the generation ends: the program ends with it.
            _ = kill => {}
        }
    };
    let Ended { status, stdout, stderr, stopped } = ended(&mut child, stop, || group.kill()).await;
    group.finished();
    let by_signal = status.as_ref().is_ok_and(|status| status.code().is_none());
    let code = match status {
        Ok(status) if !stopped => status.code().unwrap_or(KILLED),
        Err(_) if !stopped => 1,
        _ => KILLED,
    };
    ExecOutput { stdout: text(&stdout), stderr: text(&stderr), code, killed: stopped || by_signal }
}

/// Starts a program with closed standard input, for [`ended`].
pub fn spawn(command: &mut Command) -> std::io::Result<Child> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
}

/// How a program ended.
pub struct Ended {
    pub status: std::io::Result<ExitStatus>,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// `stop` came first.
    pub stopped: bool,
}

/// Waits for the program itself; what it left running may hold the pipes open. When `stop` comes first, `kill` is called.
pub async fn ended(child: &mut Child, stop: impl Future<Output = ()>, kill: impl Fn()) -> Ended {
    let output = (Buffer::default(), Buffer::default());
    let pipes = {
        let (stdout, stderr) =
            (collect(child.stdout.take(), output.0.clone()), collect(child.stderr.take(), output.1.clone()));
        async { tokio::join!(stdout, stderr) }
    };
    tokio::pin!(pipes, stop);
    let (mut drained, mut stopped) = (false, false);
    let status = loop {
        tokio::select! {
            biased;
            status = child.wait() => break status,
            _ = &mut pipes, if !drained => drained = true,
            () = &mut stop, if !stopped => { stopped = true; kill(); }
        }
    };
    if !drained {
        // What has arrived by now is the output.
        let _ = tokio::time::timeout(DRAIN, pipes).await;
    }
    Ended { status, stdout: output.0.take(), stderr: output.1.take(), stopped }
}

fn not_started(request: &ExecRequest, error: &std::io::Error) -> ExecOutput {
    let missing_cwd = !std::path::Path::new(&request.cwd).is_dir();
    let (code, reason) = if missing_cwd {
        (NOT_EXECUTABLE, format!("the working directory {} does not exist", request.cwd))
    } else if error.kind() == std::io::ErrorKind::NotFound {
        (NOT_FOUND, "command not found".to_owned())
    } else {
        (NOT_EXECUTABLE, error.to_string())
    };
    ExecOutput { stderr: format!("{}: {reason}", request.command), code, ..ExecOutput::default() }
}

type Buffer = Rc<RefCell<Vec<u8>>>;

async fn collect(pipe: Option<impl tokio::io::AsyncRead + Unpin>, into: Buffer) {
    let Some(mut pipe) = pipe else { return };
    let mut chunk = vec![0; 16 * 1024];
    // A broken pipe ends the output; what came before it counts.
    while let Ok(read @ 1..) = pipe.read(&mut chunk).await {
        into.borrow_mut().extend_from_slice(&chunk[..read]);
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The process group a program leads.
struct Group {
    #[cfg(unix)]
    id: Option<nix::unistd::Pid>,
}

impl Group {
    fn of(child: &Child) -> Group {
        #[cfg(unix)]
        return Group { id: child.id().and_then(|id| i32::try_from(id).ok()).map(nix::unistd::Pid::from_raw) };
        #[cfg(not(unix))]
        {
            let _ = child;
            Group {}
        }
    }

    /// The program has ended by itself: what it left running stays.
    fn finished(&mut self) {
        #[cfg(unix)]
        {
            self.id = None;
        }
    }

    fn kill(&self) {
        #[cfg(unix)]
        if let Some(id) = self.id {
            // Already gone is as good as killed.
            let _ = nix::sys::signal::killpg(id, nix::sys::signal::Signal::SIGKILL);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // A call that is dropped before its end (the generation is over) takes its whole group along.
        self.kill();
    }
}
