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

/// The process's standard input and output as streams of the protocol. From now on descriptor 0 is empty and descriptor 1 is standard error,
/// so that neither a library nor a program that a hook starts can read or write the protocol.
///
/// # Errors
/// When a descriptor cannot be duplicated.
#[cfg(unix)]
pub fn take_standard_streams() -> io::Result<(std::fs::File, std::fs::File)> {
    use std::os::fd::AsFd;
    let input = io::stdin().as_fd().try_clone_to_owned()?;
    let output = io::stdout().as_fd().try_clone_to_owned()?;
    let null = std::fs::File::open("/dev/null")?;
    nix::unistd::dup2_stdin(&null)?;
    nix::unistd::dup2_stdout(io::stderr().as_fd())?;
    Ok((input.into(), output.into()))
}

/// The process's standard input and output.
///
/// # Errors
/// Never here.
#[cfg(not(unix))]
pub fn take_standard_streams() -> io::Result<(io::Stdin, io::Stdout)> {
    Ok((io::stdin(), io::stdout()))
}
