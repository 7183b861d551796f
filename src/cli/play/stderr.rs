//! Standard error while the screen is ours: what hooks print and the engine logs becomes lines of the log instead of dirt on the screen.

use tokio::sync::mpsc;

#[cfg(unix)]
pub use unix::{Redirect, restore};

/// Where nothing is redirected.
#[cfg(not(unix))]
pub struct Redirect;

#[cfg(not(unix))]
pub fn restore() {}

#[cfg(not(unix))]
impl Redirect {
    pub fn start(_lines: mpsc::UnboundedSender<String>) -> std::io::Result<Redirect> {
        Ok(Redirect)
    }
}

#[cfg(unix)]
mod unix {
    use std::fs::File;
    use std::io::{BufRead, BufReader};
    use std::os::fd::{AsRawFd, OwnedFd};
    use std::sync::atomic::{AtomicI32, Ordering};

    use super::mpsc;

    /// Where standard error was, -1 while it is there.
    static ORIGINAL: AtomicI32 = AtomicI32::new(-1);

    /// Dropping it puts standard error back where it was.
    pub struct Redirect;

    impl Redirect {
        /// Sends every line written to standard error to `lines`.
        pub fn start(lines: mpsc::UnboundedSender<String>) -> std::io::Result<Redirect> {
            let (reader, writer) = std::io::pipe()?;
            // SAFETY: copies a descriptor; children do not inherit the copy.
            let original = unsafe { libc::fcntl(libc::STDERR_FILENO, libc::F_DUPFD_CLOEXEC, 3) };
            if original < 0 {
                return Err(std::io::Error::last_os_error());
            }
            ORIGINAL.store(original, Ordering::SeqCst);
            replace(writer.as_raw_fd())?;
            let reader = File::from(OwnedFd::from(reader));
            std::thread::Builder::new().name("stderr".to_owned()).spawn(move || {
                for line in BufReader::new(reader).split(b'\n').map_while(Result::ok) {
                    if lines.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                        return;
                    }
                }
            })?;
            Ok(Redirect)
        }
    }

    impl Drop for Redirect {
        fn drop(&mut self) {
            restore();
        }
    }

    /// Puts standard error back; harmless when it is in its place.
    pub fn restore() {
        let original = ORIGINAL.swap(-1, Ordering::SeqCst);
        if original >= 0 {
            // A standard error that cannot be put back has nobody to tell.
            let _ = replace(original);
        }
    }

    fn replace(with: i32) -> std::io::Result<()> {
        // SAFETY: both descriptors are open.
        match unsafe { libc::dup2(with, libc::STDERR_FILENO) } {
            -1 => Err(std::io::Error::last_os_error()),
            _ => Ok(()),
        }
    }
}
