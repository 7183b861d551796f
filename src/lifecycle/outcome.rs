//! What came of an event: the sum over its hooks.

use serde::Serialize;

use super::events::EventName;
use super::output::HookOutput;

/// The strictest decision any hook stated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// No hook decided anything.
    #[default]
    None,
    /// A hook allowed it.
    Allow,
    /// A hook asked for a person's confirmation; `blocked` tells the answer.
    Ask,
    /// A hook (or an unreadable configuration that is enforced) refused it.
    Deny,
}

/// Why an event was blocked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKind {
    /// A hook refused.
    Hook,
    /// Hooks asked, and nobody said yes.
    PermissionDeclined,
    /// The hooks file cannot be read and the configuration is enforced.
    Configuration,
}

/// What came of an event.
#[derive(Debug, Clone, Serialize)]
pub struct Outcome {
    /// The event.
    pub event: EventName,
    /// Whether what the event announced must not happen.
    pub blocked: bool,
    /// The opposite of `blocked`.
    pub ok: bool,
    /// The strictest decision any hook stated.
    pub decision: Decision,
    /// Why it was blocked, or what was asked.
    pub reason: Option<String>,
    /// `PostToolUse` only: `<hook_feedback>` blocks to append to the tool result.
    pub feedback: Option<String>,
    /// One per hook that ran, in order.
    pub outputs: Vec<HookOutput>,
    /// Failures that did not block.
    pub warnings: Vec<String>,
    /// Why it was blocked, for programs.
    #[serde(skip)]
    pub block_kind: Option<BlockKind>,
    #[serde(skip)]
    pub(crate) subject: String,
}

impl Outcome {
    pub(crate) fn new(event: EventName, tool: Option<&str>) -> Self {
        Outcome {
            event,
            blocked: false,
            ok: true,
            decision: Decision::None,
            reason: None,
            feedback: None,
            outputs: Vec::new(),
            warnings: Vec::new(),
            block_kind: None,
            subject: match tool {
                Some(tool) => format!("tool {tool}"),
                None => "prompt".to_owned(),
            },
        }
    }

    pub(crate) fn state(&mut self, decision: Decision) {
        self.decision = self.decision.max(decision);
    }

    pub(crate) fn block(&mut self, kind: BlockKind, reason: String) {
        self.blocked = true;
        self.ok = false;
        self.block_kind = Some(kind);
        self.reason = Some(reason);
    }

    /// Writes to the log what a caller does not get to see: failures that did not block, and what packs said.
    pub(crate) fn log(&self, session: &str) {
        for warning in &self.warnings {
            tracing::warn!(target: "hookrt::lifecycle", session, "{warning}");
        }
        let packs = self.outputs.iter().filter(|output| output.pack.is_some() && !output.stderr.is_empty());
        for output in packs {
            tracing::info!(target: "hookrt::lifecycle", session, "{}", output.stderr.trim());
        }
    }

    /// What the failed hooks have to say, for a block without a reason of its own.
    pub(crate) fn failed_hooks(&self) -> String {
        let details: Vec<String> =
            self.outputs.iter().filter(|output| output.exit != 0).map(HookOutput::detail).collect();
        if details.is_empty() { "hook failed".to_owned() } else { details.join("\n") }
    }

    /// The error a host shows (and a model sees) for a block: `PreToolUse hook blocked tool <id>: <detail>`,
    /// `UserPromptSubmit hook blocked prompt: <detail>`, or an ordinary permission refusal where a question was declined.
    /// `None` when nothing is blocked.
    pub fn error_message(&self) -> Option<String> {
        let kind = self.block_kind?;
        let reason = self.reason.as_deref().unwrap_or("hook failed");
        Some(match kind {
            BlockKind::PermissionDeclined => reason.to_owned(),
            BlockKind::Hook | BlockKind::Configuration => {
                format!("{} hook blocked {}: {reason}", self.event, self.subject)
            }
        })
    }
}
