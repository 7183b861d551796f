//! Claude Code's wire protocol: what a hook printed, and the verdict table (`lifecycle.md`, Verdicts).

use super::json::Node;
use super::output::HookOutput;
use super::verdict::Verdict;

/// The reason of a block that names none.
const BLOCKED: &str = "blocked by hook";
/// The reason of a question that names none.
const CONFIRM: &str = "hook requested user confirmation";

/// What an entry of this protocol decided about a blockable event, and what to tell the person who wrote it.
///
/// `block_on_failure` decides only where the protocol's table is silent: output that was cut before a decision could be
/// read, and a decision that is `null`.
pub(crate) fn decide(output: &HookOutput, block_on_failure: bool) -> (Verdict, Option<String>) {
    if output.timed_out {
        // A slow gate must not be an open gate; a refusal that arrived in time keeps its reason.
        let reason = Decision::read(&output.stdout)
            .and_then(|decision| match decision.verdict() {
                Some(Verdict::Block { reason }) => reason,
                _ => None,
            })
            .unwrap_or_else(|| output.failure());
        return (Verdict::block(reason), None);
    }
    match output.exit {
        2 => (Verdict::block(reason_of_exit_2(output)), None),
        0 => decide_by_stdout(output, block_on_failure),
        _ => (Verdict::Proceed, Some(output.failure())),
    }
}

fn reason_of_exit_2(output: &HookOutput) -> String {
    text(&output.stderr)
        .or_else(|| Decision::read(&output.stdout).and_then(|decision| decision.reason()))
        .unwrap_or_else(|| BLOCKED.to_owned())
}

fn decide_by_stdout(output: &HookOutput, block_on_failure: bool) -> (Verdict, Option<String>) {
    if output.stdout.trim().is_empty() {
        return (Verdict::Proceed, None);
    }
    let Some(decision) = Decision::read(&output.stdout) else {
        if output.truncated && block_on_failure {
            let reason = "hook output was cut at its size limit before a decision could be read";
            return (Verdict::block(reason), None);
        }
        return (Verdict::Proceed, Some("stdout is no JSON object, so it holds no decision".to_owned()));
    };
    match decision.verdict() {
        Some(Verdict::Block { reason }) => {
            let reason = reason.or_else(|| text(&output.stderr)).unwrap_or_else(|| BLOCKED.to_owned());
            (Verdict::block(reason), decision.warning())
        }
        Some(verdict) => (verdict, decision.warning()),
        None if decision.is_null() && block_on_failure => (Verdict::block("hook answered with a null decision"), None),
        None => (Verdict::Proceed, decision.warning()),
    }
}

/// A decision object, both shapes and all repetitions of them.
struct Decision {
    root: Node,
}

/// One stated decision, strictest last.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Word {
    Null,
    Allow,
    Ask,
    Unknown(String),
    Deny,
}

impl Word {
    fn of(node: &Node) -> Word {
        match node {
            Node::Null => Word::Null,
            Node::Text(word) => match word.as_str() {
                "allow" | "approve" => Word::Allow,
                "ask" => Word::Ask,
                "deny" | "block" => Word::Deny,
                other => Word::Unknown(format!("`{}`", super::config::clip(other))),
            },
            other => Word::Unknown(other.kind().to_owned()),
        }
    }
}

impl Decision {
    fn read(stdout: &str) -> Option<Decision> {
        let root = Node::read(stdout.trim().trim_start_matches('\u{feff}')).ok()?;
        root.as_object()?;
        Some(Decision { root })
    }

    /// The object itself and its `hookSpecificOutput`: decisions count at both levels.
    fn levels(&self) -> impl Iterator<Item = &Node> {
        std::iter::once(&self.root).chain(self.root.all("hookSpecificOutput"))
    }

    fn words(&self) -> impl Iterator<Item = (Word, &Node)> {
        self.levels().flat_map(|level| {
            level.all("permissionDecision").chain(level.all("decision")).map(move |value| (Word::of(value), level))
        })
    }

    /// The strictest decision stated; `None` when there is none.
    fn verdict(&self) -> Option<Verdict> {
        let (word, level) = self.words().max_by(|left, right| left.0.cmp(&right.0))?;
        let reason = reason_at(level).or_else(|| self.reason_beside_decisions());
        match word {
            Word::Null => None,
            Word::Allow => Some(Verdict::Allow),
            Word::Ask => Some(Verdict::Ask { reason: reason.unwrap_or_else(|| CONFIRM.to_owned()) }),
            Word::Deny => Some(Verdict::Block { reason }),
            Word::Unknown(what) => {
                Some(Verdict::Block { reason: Some(format!("hook answered with an unknown decision: {what}")) })
            }
        }
    }

    fn reason(&self) -> Option<String> {
        self.levels().find_map(reason_at)
    }

    /// The reason at a level that decides nothing itself: the reason of an `allow` must not explain a `deny`.
    fn reason_beside_decisions(&self) -> Option<String> {
        self.levels()
            .filter(|level| level.all("permissionDecision").chain(level.all("decision")).next().is_none())
            .find_map(reason_at)
    }

    fn is_null(&self) -> bool {
        self.words().any(|(word, _)| word == Word::Null)
    }

    fn warning(&self) -> Option<String> {
        let unknown = self.words().find_map(|(word, _)| match word {
            Word::Unknown(what) => Some(format!("unknown decision {what}: only allow, deny and ask are known")),
            _ => None,
        });
        unknown.or_else(|| self.is_null().then(|| "a decision is null and counts as none".to_owned()))
    }
}

fn reason_at(level: &Node) -> Option<String> {
    level.all("permissionDecisionReason").chain(level.all("reason")).find_map(|value| value.as_str().and_then(text))
}

/// Trimmed text, `None` when nothing is left.
fn text(raw: &str) -> Option<String> {
    let trimmed = raw.trim();
    (!trimmed.is_empty()).then(|| trimmed.to_owned())
}

/// What a `PostToolUse` entry of this protocol tells the model on stdout.
#[derive(Debug, Default)]
pub(crate) struct ToolFeedback {
    block_reason: Option<String>,
    additional_context: Option<String>,
}

impl ToolFeedback {
    pub(crate) fn read(stdout: &str) -> Self {
        let Some(Decision { root }) = Decision::read(stdout) else {
            return ToolFeedback::default();
        };
        let blocks = root.all("decision").any(|value| value.as_str() == Some("block"));
        ToolFeedback {
            block_reason: root.all("reason").filter(|_| blocks).find_map(|value| value.as_str().and_then(text)),
            additional_context: root
                .all("hookSpecificOutput")
                .flat_map(|nested| nested.all("additionalContext"))
                .find_map(|value| value.as_str().and_then(text)),
        }
    }

    /// The reason of a block before the context.
    pub(crate) fn into_text(self) -> Option<String> {
        self.block_reason.or(self.additional_context)
    }
}
