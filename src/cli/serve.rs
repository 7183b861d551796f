//! `hookrt serve`

use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;

use super::args::ServeArgs;
use crate::runner::RunnerOptions;
use crate::serve::{self, Defaults};

/// How long the isolates may take to end by themselves.
const END: Duration = Duration::from_millis(400);

pub async fn run(args: ServeArgs) -> anyhow::Result<u8> {
    let cwd = std::env::current_dir().context("the current directory cannot be read")?;
    let home = RunnerOptions::new(&cwd).home;
    let defaults = Defaults {
        watch: args.watch,
        inspector: args.inspect.listen()?,
        permissions: args.permissions.into_set(&cwd, &home),
    };
    match &args.socket {
        Some(path) => listen(path, &defaults).await?,
        None => {
            let (input, output) = serve::stdio::take_standard_streams().context("standard streams")?;
            tokio::select! {
                served = serve::serve(input, output, defaults) => served?,
                signalled = terminated() => signalled?,
            }
        }
    }
    crate::engine::end_all(END).await;
    exit_now()
}

/// A hook that spins does not see that everything is over, and tearing down the process below it would crash: what has to be written is
/// written, so nothing is lost.
fn exit_now() -> ! {
    #[cfg(unix)]
    // SAFETY: ends the process without running anything of it.
    unsafe {
        libc::_exit(0)
    }
    #[cfg(not(unix))]
    std::process::exit(0)
}

/// Waits until the process is asked to end.
#[cfg(unix)]
async fn terminated() -> anyhow::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    Ok(())
}

#[cfg(not(unix))]
async fn terminated() -> anyhow::Result<()> {
    Ok(tokio::signal::ctrl_c().await?)
}

#[cfg(unix)]
async fn listen(path: &Path, defaults: &Defaults) -> anyhow::Result<()> {
    use std::os::unix::fs::FileTypeExt;
    use tokio::signal::unix::{SignalKind, signal};
    // Left behind by a server that was killed; a file of any other kind is somebody's.
    if std::fs::symlink_metadata(path).is_ok_and(|meta| meta.file_type().is_socket())
        && std::os::unix::net::UnixStream::connect(path).is_err()
    {
        std::fs::remove_file(path).with_context(|| format!("cannot remove {}", path.display()))?;
    }
    let listener =
        tokio::net::UnixListener::bind(path).with_context(|| format!("cannot listen on {}", path.display()))?;
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    loop {
        let stream = tokio::select! {
            _ = terminate.recv() => break,
            _ = interrupt.recv() => break,
            accepted = listener.accept() => accepted.context("cannot accept a connection")?.0,
        };
        let stream = stream.into_std().and_then(|stream| stream.set_nonblocking(false).map(|()| stream));
        let (input, output) = stream.and_then(|stream| Ok((stream.try_clone()?, stream))).context("a connection")?;
        let defaults = defaults.clone();
        tokio::spawn(async move {
            let closer = output.try_clone();
            if let Err(error) = serve::serve(input, output, defaults).await {
                tracing::error!("a connection: {error}");
            }
            // Its reading thread may still wait for a line.
            if let Ok(stream) = closer {
                let _ = stream.shutdown(std::net::Shutdown::Both);
            }
        });
    }
    let _ = std::fs::remove_file(path);
    Ok(())
}

#[cfg(not(unix))]
async fn listen(_: &Path, _: &Defaults) -> anyhow::Result<()> {
    anyhow::bail!("--socket needs Unix sockets; serve over standard input and output instead")
}
