//! One hook: what it listens to, what it runs, where it comes from.

use std::path::PathBuf;
use std::time::Duration;

use super::events::EventName;
use super::matcher::Matcher;
use super::packs::Pack;

/// How the verdict of a hook is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Protocol {
    /// The exit code, with `blockOnFailure`.
    #[default]
    Plain,
    /// Claude Code's: exit 2 or a decision on stdout.
    ClaudeCode,
}

/// Where a hook was configured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookSource {
    /// A pack the user's own configuration names.
    UserPack,
    /// A pack the project's hooks.json names.
    ProjectPack,
    /// An entry of the project's hooks.json, counted from 0.
    ProjectFile {
        /// Index in the `hooks` array.
        index: usize,
    },
    /// Given by the host, counted from 0.
    Host {
        /// Index in the host's list.
        index: usize,
    },
}

impl HookSource {
    /// Whether the repository decides about this hook, so that it needs the trust gate.
    pub fn is_project(self) -> bool {
        matches!(self, HookSource::ProjectPack | HookSource::ProjectFile { .. })
    }

    /// For people: `user pack`, `hooks.json pack`, `hooks.json hooks[2]`, `host hook 0`.
    pub fn describe(self) -> String {
        match self {
            HookSource::UserPack => "user pack".to_owned(),
            HookSource::ProjectPack => "hooks.json pack".to_owned(),
            HookSource::ProjectFile { index } => format!("hooks.json hooks[{index}]"),
            HookSource::Host { index } => format!("host hook {index}"),
        }
    }
}

/// What a hook does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Action {
    Pack(Pack),
    Command { command: String, cwd: PathBuf, time_limit: Option<Duration>, pass_env: Vec<String> },
}

/// A configured hook, ready to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hook {
    pub(crate) event: EventName,
    pub(crate) matcher: Matcher,
    pub(crate) block_on_failure: bool,
    pub(crate) protocol: Protocol,
    pub(crate) pack: Option<String>,
    pub(crate) source: HookSource,
    pub(crate) action: Action,
}

impl Hook {
    pub(crate) fn from_pack(pack: Pack, source: HookSource) -> Self {
        Hook {
            event: pack.info().event,
            matcher: pack.matcher(),
            block_on_failure: pack.info().blocks,
            protocol: Protocol::Plain,
            pack: Some(pack.info().name.to_owned()),
            source,
            action: Action::Pack(pack),
        }
    }

    /// The event it listens to.
    pub fn event(&self) -> EventName {
        self.event
    }

    /// Its tool matcher.
    pub fn matcher(&self) -> &Matcher {
        &self.matcher
    }

    /// Name of its pack, where it has one.
    pub fn pack(&self) -> Option<&str> {
        self.pack.as_deref()
    }

    /// How its verdict is read.
    pub fn protocol(&self) -> Protocol {
        self.protocol
    }

    /// Whether a non-zero exit blocks (plain protocol, blockable events).
    pub fn blocks_on_failure(&self) -> bool {
        self.block_on_failure
    }

    /// Where it was configured.
    pub fn source(&self) -> HookSource {
        self.source
    }

    /// The shell command, or `pack:<name>` for a native pack.
    pub fn command(&self) -> String {
        match &self.action {
            Action::Pack(pack) => format!("pack:{}", pack.info().name),
            Action::Command { command, .. } => command.clone(),
        }
    }

    /// Whether it runs for this event and tool.
    pub fn selects(&self, event: EventName, tool: Option<&str>) -> bool {
        self.event == event && self.matcher.matches(tool)
    }
}

/// An extra hook given by the host. It is the host's own code: no trust gate applies.
#[derive(Debug, Clone)]
pub struct HostHook {
    /// The event it listens to.
    pub event: EventName,
    /// Shell command.
    pub command: String,
    /// Tool matcher; empty matches all.
    pub matcher: String,
    /// Whether a non-zero exit blocks (plain protocol, blockable events).
    pub block_on_failure: bool,
    /// How its verdict is read.
    pub protocol: Protocol,
    /// `HOOK_PACK`.
    pub pack: Option<String>,
    /// Working directory; the project directory when absent.
    pub cwd: Option<PathBuf>,
    /// A limit below the general one.
    pub time_limit: Option<Duration>,
    /// Variables it gets although they look secret. Only a host can ask for that, never a project's file.
    pub pass_env: Vec<String>,
}

impl HostHook {
    /// A plain hook for every tool that never blocks.
    pub fn new(event: EventName, command: impl Into<String>) -> Self {
        HostHook {
            event,
            command: command.into(),
            matcher: String::new(),
            block_on_failure: false,
            protocol: Protocol::Plain,
            pack: None,
            cwd: None,
            time_limit: None,
            pass_env: Vec::new(),
        }
    }

    /// Only for these tools.
    pub fn matcher(mut self, matcher: impl Into<String>) -> Self {
        self.matcher = matcher.into();
        self
    }

    /// A non-zero exit blocks.
    pub fn blocking(mut self) -> Self {
        self.block_on_failure = true;
        self
    }

    /// Verdicts in Claude Code's protocol.
    pub fn claude_code(mut self) -> Self {
        self.protocol = Protocol::ClaudeCode;
        self
    }

    /// A limit below the general one.
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = Some(limit);
        self
    }

    pub(crate) fn into_hook(self, index: usize, project: &std::path::Path) -> Hook {
        Hook {
            event: self.event,
            matcher: Matcher::new(self.matcher),
            block_on_failure: self.block_on_failure,
            protocol: self.protocol,
            pack: self.pack,
            source: HookSource::Host { index },
            action: Action::Command {
                command: self.command,
                cwd: self.cwd.unwrap_or_else(|| project.to_owned()),
                time_limit: self.time_limit,
                pass_env: self.pass_env,
            },
        }
    }
}
