//! The platform's shell, and killing everything a hook started.

use tokio::process::{Child, Command};

/// The kernel takes no single argument of this size or more, in bytes.
#[cfg(unix)]
const MAX_ARGUMENT: usize = 128 * 1024 - 1;

/// The shell with `text` as its command, in a process group of its own.
#[cfg(unix)]
pub(crate) fn shell(text: &str) -> Command {
    let mut command = Command::new("/bin/sh");
    command.arg("-c").process_group(0);
    if text.len() <= MAX_ARGUMENT {
        command.arg(text);
        return command;
    }
    // A hundred thousand characters can be four hundred kilobytes: they travel in pieces and are put together inside.
    let pieces = pieces(text, MAX_ARGUMENT);
    let names: Vec<String> = (1..=pieces.len()).map(|number| format!("${{{number}}}")).collect();
    let script = format!("hook_command=\"{}\"; set --; eval \"$hook_command\"", names.concat());
    command.arg(script).arg("sh").args(pieces);
    command
}

/// The shell with `text` as its command, in a process group of its own.
#[cfg(windows)]
pub(crate) fn shell(text: &str) -> Command {
    const CREATE_NEW_PROCESS_GROUP: u32 = 0x0000_0200;
    let mut command = Command::new("cmd");
    // With /s cmd takes the text between the outer quotes as it is; ordinary quoting would escape inside it.
    command.raw_arg(format!("/d /s /c \"{text}\"")).creation_flags(CREATE_NEW_PROCESS_GROUP);
    command
}

#[cfg(unix)]
fn pieces(text: &str, longest: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = (0..=rest.len().min(longest)).rev().find(|end| rest.is_char_boundary(*end)).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        pieces.push(piece);
        rest = after;
    }
    pieces
}

/// The processes of one hook. Dropping it kills them, unless it was released before.
#[derive(Debug)]
pub(crate) struct ProcessGroup {
    leader: Option<u32>,
}

impl ProcessGroup {
    pub(crate) fn of(child: &Child) -> Self {
        ProcessGroup { leader: child.id() }
    }

    /// The leader has ended by itself, or was killed and reaped: its id may soon belong to somebody else.
    pub(crate) fn release(&mut self) {
        self.leader = None;
    }

    /// Kills the whole group at once. Only while the leader has not been reaped.
    #[cfg(unix)]
    pub(crate) fn kill(&mut self) {
        use nix::sys::signal::{Signal, killpg};
        use nix::unistd::Pid;
        if let Some(leader) = self.leader.take().and_then(|leader| i32::try_from(leader).ok()) {
            // An error means that nobody is left, which is what was wanted.
            let _ = killpg(Pid::from_raw(leader), Signal::SIGKILL);
        }
    }

    /// Kills the whole tree below the leader.
    #[cfg(windows)]
    pub(crate) fn kill(&mut self) {
        if let Some(leader) = self.leader.take() {
            let _ = std::process::Command::new("taskkill")
                .args(["/T", "/F", "/PID", &leader.to_string()])
                .stdin(std::process::Stdio::null())
                .stdout(std::process::Stdio::null())
                .stderr(std::process::Stdio::null())
                .status();
        }
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.kill();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_cut_between_characters() {
        let text = "語".repeat(10);
        let parts = pieces(&text, 7);
        assert!(parts.iter().all(|part| part.len() <= 7));
        assert_eq!(parts.concat(), text);
    }
}
