//! The command line: one file a verb, arguments in `args.rs`, shared pieces in `session.rs` and `render.rs`.

mod args;
pub mod case;
mod check;
mod check_types;
mod command;
mod emit;
mod init;
mod input;
mod inspect;
mod lifecycle;
mod list;
mod permission_args;
mod play;
mod render;
mod replay;
mod serve;
mod session;
mod test;
mod tool;
mod trust;
mod typings;

use std::process::ExitCode;

use clap::Parser as _;

/// Parses the arguments of the process and runs the verb.
pub fn main() -> ExitCode {
    let cli = match args::Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Nobody can be told when the terminal is gone.
            let _ = error.print();
            // 2 would say "blocked".
            return ExitCode::from(u8::from(error.use_stderr()));
        }
    };
    init_log(cli.verbose);
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().worker_threads(2).build() {
        Ok(runtime) => runtime,
        Err(error) => return render::failure(&anyhow::anyhow!("cannot start: {error}")),
    };
    let outcome = runtime.block_on(async {
        if cli.verb.reports_on_hooks() {
            render::keep_output()?;
        }
        match cli.verb {
            args::Verb::Emit(args) => emit::run(args).await,
            args::Verb::Replay(args) => replay::run(args).await,
            args::Verb::Tool(args) => tool::run(args).await,
            args::Verb::Command(args) => command::run(args).await,
            args::Verb::Serve(args) => serve::run(args).await,
            args::Verb::Check(args) => check::run(args).await,
            args::Verb::Play(args) => play::run(args).await,
            args::Verb::List(args) => list::run(args),
            args::Verb::Trust(args) => trust::run(args),
            args::Verb::Init(args) => init::run(args),
            args::Verb::Lifecycle(args) => lifecycle::run(args).await,
            args::Verb::Test(args) => test::run(args).await,
        }
    });
    // A program or a dialog that is still open must not keep the process.
    runtime.shutdown_background();
    match outcome {
        Ok(code) => ExitCode::from(code),
        Err(error) => render::failure(&error),
    }
}

/// Hooks' own output and the engine's log go to standard error; `HOOKRT_LOG` chooses what.
fn init_log(verbose: bool) {
    let default = if verbose { "hookrt=debug" } else { "hookrt=info" };
    let filter = tracing_subscriber::EnvFilter::try_from_env("HOOKRT_LOG").unwrap_or_else(|_| default.into());
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(render::stderr_has_colors())
        .without_time()
        .with_target(false)
        .try_init();
}
