//! Blocking streams for the threads that read and write a connection, and standard streams that nothing else can reach.

use std::io::{self, Read, Write};
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// A stream whose polls block: for a thread that does nothing else. Costs one wake-up less than a reactor.
#[derive(Debug)]
pub struct Blocking<S>(pub S);

impl<S: Read + Unpin> AsyncRead for Blocking<S> {
    fn poll_read(mut self: Pin<&mut Self>, _: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let count = loop {
            match self.0.read(buffer.initialize_unfilled()) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other?,
            }
        };
        buffer.advance(count);
        Poll::Ready(Ok(()))
    }
}

impl<S: Write + Unpin> AsyncWrite for Blocking<S> {
    fn poll_write(mut self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Poll::Ready(loop {
            match self.0.write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other,
            }
        })
    }

    fn poll_flush(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(self.0.flush())
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(context)
    }
}

/// Writes what a stream takes without waiting and says how many bytes that were; 0 is none.
pub type AtOnce = Box<dyn Fn(&[u8]) -> usize + Send + Sync>;

/// A way to write short lines to a pipe or socket without its writing thread: an answer then costs one wake-up less. `None` for streams
/// that cannot tell whether a write would wait.
#[cfg(unix)]
pub fn at_once(output: &impl std::os::fd::AsFd) -> Option<AtOnce> {
    use std::os::fd::AsRawFd;
    use std::os::unix::fs::FileTypeExt;
    let stream = std::fs::File::from(output.as_fd().try_clone_to_owned().ok()?);
    let kind = stream.metadata().ok()?.file_type();
    let written = |count: isize| usize::try_from(count).unwrap_or(0);
    if kind.is_socket() {
        return Some(Box::new(move |bytes| {
            let flags = libc::MSG_DONTWAIT | NO_SIGNAL;
            // SAFETY: the descriptor is open as long as `stream` lives; the bytes are ours for the call.
            written(unsafe { libc::send(stream.as_raw_fd(), bytes.as_ptr().cast(), bytes.len(), flags) })
        }));
    }
    if kind.is_fifo() {
        return Some(Box::new(move |bytes| {
            // A pipe that is ready takes so much in one piece; more could wait for its reader.
            if bytes.len() > libc::PIPE_BUF {
                return 0;
            }
            let mut ready = libc::pollfd { fd: stream.as_raw_fd(), events: libc::POLLOUT, revents: 0 };
            // SAFETY: as above, and one descriptor is what we pass.
            let count = unsafe { libc::poll(&mut ready, 1, 0) };
            if count != 1 || ready.revents != libc::POLLOUT {
                return 0;
            }
            // SAFETY: as above.
            written(unsafe { libc::write(stream.as_raw_fd(), bytes.as_ptr().cast(), bytes.len()) })
        }));
    }
    None
}

#[cfg(target_os = "linux")]
const NO_SIGNAL: i32 = libc::MSG_NOSIGNAL;
#[cfg(all(unix, not(target_os = "linux")))]
const NO_SIGNAL: i32 = 0;

/// The process's standard output for whoever writes the report or the protocol. From now on descriptor 1 is standard error, so that neither a
/// library nor a program that a hook starts can write there.
///
/// # Errors
/// When a descriptor cannot be duplicated.
#[cfg(unix)]
pub fn take_standard_output() -> io::Result<std::fs::File> {
    use std::os::fd::AsFd;
    let output = io::stdout().as_fd().try_clone_to_owned()?;
    nix::unistd::dup2_stdout(io::stderr().as_fd())?;
    Ok(output.into())
}

/// The process's standard output.
///
/// # Errors
/// Never here.
#[cfg(not(unix))]
pub fn take_standard_output() -> io::Result<io::Stdout> {
    Ok(io::stdout())
}

/// The process's standard input and output as streams of the protocol; what [`take_standard_output`] does for the output, and descriptor 0 is
/// empty from now on.
///
/// # Errors
/// When a descriptor cannot be duplicated.
#[cfg(unix)]
pub fn take_standard_streams() -> io::Result<(std::fs::File, std::fs::File)> {
    use std::os::fd::AsFd;
    let input = io::stdin().as_fd().try_clone_to_owned()?;
    let output = take_standard_output()?;
    nix::unistd::dup2_stdin(&std::fs::File::open("/dev/null")?)?;
    Ok((input.into(), output))
}

/// The process's standard input and output.
///
/// # Errors
/// Never here.
#[cfg(not(unix))]
pub fn take_standard_streams() -> io::Result<(io::Stdin, io::Stdout)> {
    Ok((io::stdin(), io::stdout()))
}
