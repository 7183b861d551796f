//! Programs that hooks start through `pi.exec`: no shell, own process group, closed standard input.

use std::cell::RefCell;
use std::process::Stdio;
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
    command
        .args(&request.args)
        .current_dir(&request.cwd)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    for (name, value) in &request.env {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    #[cfg(unix)]
    command.process_group(0);
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return not_started(&request, &error),
    };
    let mut group = Group::of(&child);
    let output = (Buffer::default(), Buffer::default());
    let pipes = {
        let (stdout, stderr) =
            (collect(child.stdout.take(), output.0.clone()), collect(child.stderr.take(), output.1.clone()));
        async { tokio::join!(stdout, stderr) }
    };
    let limit = async {
        match request.timeout_ms {
            0 => std::future::pending().await,
            ms => tokio::time::sleep(Duration::from_millis(ms)).await,
        }
    };
    tokio::pin!(pipes, limit, kill);
    let (mut drained, mut killed) = (false, false);
    let status = loop {
        tokio::select! {
            biased;
            status = child.wait() => break status,
            _ = &mut pipes, if !drained => drained = true,
            () = &mut limit, if !killed => { killed = true; group.kill(); }
            // A sender that is gone means that the generation ends: the program ends with it.
            _ = &mut kill, if !killed => { killed = true; group.kill(); }
        }
    };
    group.finished();
    if !drained {
        // A program left behind may hold the pipes open; what has arrived by now is the output.
        let _ = tokio::time::timeout(DRAIN, pipes).await;
    }
    let by_signal = status.as_ref().is_ok_and(|status| status.code().is_none());
    let code = match status {
        Ok(status) if !killed => status.code().unwrap_or(KILLED),
        Err(_) if !killed => 1,
        _ => KILLED,
    };
    ExecOutput { stdout: text(&output.0), stderr: text(&output.1), code, killed: killed || by_signal }
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

fn text(buffer: &Buffer) -> String {
    String::from_utf8_lossy(&buffer.borrow()).into_owned()
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
