//! The `hookrt` binary: the engine platform first, before any other thread exists, then the command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    hookrt::init_platform();
    hookrt::cli::main()
}
