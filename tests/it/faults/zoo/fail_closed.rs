//! Whatever runs before, beside or after a gate, its block is never turned into an allow; and a handler that fails is a block itself.

use std::time::Duration;

use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::super::support::{allowed, load_with};
use super::{Fate, Kind, ZOO, globals, hook, node, values, work};

/// Ways to block.
const GATES: &[&str] = &[
    "export default (pi: any) => pi.on('tool_call', (e: any) => e.input.m === 'bad' ? { block: true } : undefined);",
    "export default (pi: any) => pi.on('tool_call', async (e: any) => e.input.m === 'bad' ? { block: true } : undefined);",
    "export default (pi: any) => pi.on('tool_call', async (e: any) => { await null; if (e.input.m === 'bad') return { block: true }; });",
    "export default (pi: any) => pi.on('tool_call', async (e: any) => { \
     await new Promise((r) => setTimeout(r, 1)); if (e.input.m === 'bad') return { block: true, reason: 'later' }; });",
    "export default (pi: any) => pi.on('tool_call', (e: any) => Promise.resolve(e.input.m === 'bad' ? { block: true } : undefined));",
    "export default (pi: any) => pi.on('tool_call', (e: any) => { if (e.input.m === 'bad') throw new Error('no'); });",
    "class No { get block() { return true } } \
     export default (pi: any) => pi.on('tool_call', (e: any) => e.input.m === 'bad' ? new No() : undefined);",
];

#[derive(Debug, Clone)]
enum Member {
    Gate(&'static str),
    Kind(Kind, bool),
    /// A kind that breaks globals, and does so when it is loaded.
    AtLoad(Kind),
    Nothing,
}

impl Member {
    fn source(&self) -> String {
        match self {
            Member::Gate(source) => (*source).to_owned(),
            Member::Kind((_, body, _), asynchronous) => hook(body, *asynchronous || body.contains("await")),
            Member::AtLoad((_, body, _)) => format!(
                "export default (pi: any) => {{ const e: any = {{ input: {{}} }}, ctx: any = {{}}; \
                 try {{ (() => {{ {body} }})() }} catch {{}} }};"
            ),
            Member::Nothing => "export default (pi: any) => pi.on('tool_call', () => undefined);".to_owned(),
        }
    }

    fn breaks_globals(&self) -> bool {
        matches!(self, Member::Kind(kind, _) if globals::KINDS.iter().any(|known| known.0 == kind.0))
    }
}

/// Whether the call must be refused: there is a gate, or a kind that fails and no one before it took away what it fails with.
fn must_be_refused(members: &[Member]) -> bool {
    let at_load = members.iter().any(|member| matches!(member, Member::AtLoad(_)));
    let broken = members.iter().position(Member::breaks_globals).map_or(members.len(), |at| at + 1);
    let sound = if at_load { 0 } else { broken };
    members.iter().any(|member| matches!(member, Member::Gate(_)))
        || members[..sound].iter().any(|member| matches!(member, Member::Kind((_, _, Fate::Refused), _)))
}

fn members() -> impl Strategy<Value = Vec<Member>> {
    let kinds = || {
        // The lists weigh the same, however long they are; endless work takes long and is seldom.
        prop_oneof![
            4 => select(ZOO), 4 => select(values::KINDS), 4 => select(node::KINDS), 1 => select(work::KINDS),
        ]
    };
    let member = prop_oneof![
        3 => select(GATES).prop_map(Member::Gate),
        4 => (kinds(), any::<bool>()).prop_map(|(kind, form)| Member::Kind(kind, form)),
        3 => (select(globals::KINDS), any::<bool>()).prop_map(|(kind, form)| Member::Kind(kind, form)),
        2 => select(globals::KINDS).prop_map(Member::AtLoad),
        1 => Just(Member::Nothing),
    ];
    proptest::collection::vec(member, 1..5)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_fault_turns_a_block_into_an_allow() {
    // Deterministic: a failure can be repeated.
    let mut runner = TestRunner::deterministic();
    let strategy = members();
    let mut gated = 0;
    for number in 0..super::super::support::scaled(120, 5_000) {
        let members = strategy.new_tree(&mut runner).expect("a list").current();
        let sources: Vec<String> = members.iter().map(Member::source).collect();
        let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
        let bench = load_with(&sources, |options| options.cpu_budget = Duration::from_millis(100)).await;
        // Of a hook that does not load the host knows by its load error.
        if bench.load_errors.is_empty() && must_be_refused(&members) {
            let outcome = tokio::time::timeout(super::HANGS, bench.call("bad")).await;
            let outcome = outcome.unwrap_or_else(|_| panic!("list {number} hangs: {members:?}"));
            assert!(!allowed(&outcome), "list {number} was let through with {outcome:?}: {members:#?}");
            gated += 1;
        }
        bench.runner.shutdown();
    }
    assert!(gated > 50, "{gated}");
}
