//! `--inspect` and `--inspect-brk`.

use super::args::InspectArgs;
use crate::engine::Inspector;

impl InspectArgs {
    /// The port for debuggers, when one is wanted; every target is told on standard error.
    pub fn listen(&self) -> anyhow::Result<Option<Inspector>> {
        let Some(address) = self.inspect_brk.or(self.inspect) else { return Ok(None) };
        let inspector = Inspector::listen(address, self.waits(), |target| {
            let mut lines = format!("Debugger listening on {}\n", target.url);
            if target.waits {
                lines += "Waiting for the debugger (chrome://inspect, or \"attach\" in VS Code)\n";
            }
            // In one piece: editors look for the line in what they get.
            eprint!("{lines}");
        })?;
        Ok(Some(inspector))
    }

    /// Whether the first hook waits for a debugger.
    pub fn waits(&self) -> bool {
        self.inspect_brk.is_some()
    }
}
