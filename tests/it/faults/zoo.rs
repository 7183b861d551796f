//! Hooks that misbehave, one kind a line. What they do to a tool call is written down; whatever it is, the next ordinary call is answered.

mod fail_closed;
mod globals;
mod node;
mod values;
mod work;

use std::time::{Duration, Instant};

use hookrt::runner::EmitError;
use tokio::time::timeout;

use super::support::{Bench, allowed, confine, load, load_with};

/// What a kind does to its own tool call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// The tool does not run: the handler failed or was stopped.
    Refused,
    /// The handler answered before it misbehaved, or what it did is no failure of the handler.
    Allowed,
}
use Fate::{Allowed, Refused};

/// Name, body of the handler (`e` is the event, `ctx` its context, `pi` the hook's), fate.
pub type Kind = (&'static str, &'static str, Fate);

const ZOO: &[Kind] = &[
    ("throws", "throw new Error('boom')", Refused),
    ("throws undefined", "throw undefined", Refused),
    ("throws a symbol", "throw Symbol('q')", Refused),
    (
        "throws a hostile error",
        "const x = new Error(); Object.defineProperty(x, 'message', { get() { throw 1 } }); throw x",
        Refused,
    ),
    ("throws a proxy", "throw new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 } })", Refused),
    ("rejects", "return Promise.reject(new Error('no'))", Refused),
    ("thenable that throws", "return { then() { throw new Error('then') } }", Refused),
    ("thenable getter that throws", "return { get then() { throw new Error('then') } }", Refused),
    ("block getter that throws", "return { get block() { throw new Error('g') } }", Refused),
    ("proxy that throws", "return new Proxy({}, { get() { throw new Error('p') } })", Refused),
    ("revoked proxy", "const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy", Refused),
    ("endless loop", "for (;;);", Refused),
    ("endless loop in finally", "try { for (;;); } finally { for (;;); }", Refused),
    ("endless loop in catch", "for (;;) { try { for (;;); } catch {} }", Refused),
    ("endless loop after await", "await null; for (;;);", Refused),
    ("endless loop after a timer", "await new Promise((r) => setTimeout(r, 5)); for (;;);", Refused),
    ("backtracking pattern", "/^(a+)+$/.test('a'.repeat(64) + '!')", Refused),
    (
        "endless microtask while a builtin is loaded",
        "Promise.resolve().then(() => { for (;;); }); require('node:http2')",
        Refused,
    ),
    ("microtask storm", "const f = () => Promise.resolve().then(f); return f()", Refused),
    ("nextTick storm", "const f = () => process.nextTick(f); f(); await new Promise(() => {})", Refused),
    ("async generator without end", "for await (const x of (async function* () { for (;;) yield 1; })());", Refused),
    ("getter that loops", "return { get block() { for (;;); } }", Refused),
    ("toJSON that loops", "return { block: true, details: { toJSON() { for (;;); } } }", Refused),
    ("never settles", "return new Promise(() => {})", Refused),
    ("never settles after a timer", "await new Promise((r) => setTimeout(r, 5)); await new Promise(() => {})", Refused),
    ("recursion without end", "const f = (n: number): number => f(n + 1) + 1; return { block: f(0) > 0 }", Refused),
    ("recursion through JSON", "const o: any = { toJSON() { return JSON.stringify(o) } }; JSON.stringify(o)", Refused),
    ("recursion through a proxy", "const p: any = new Proxy({}, { get: (t, k, r) => r[k] }); p.x", Refused),
    (
        "deep nesting",
        "let o: any = {}; for (let i = 0; i < 1e5; i++) o = { o }; return { block: true, reason: 'r', o }",
        Refused,
    ),
    ("array that grows", "const a: any[] = []; for (;;) a.push(new Array(1e5).fill(a.length))", Refused),
    ("string that grows", "let s = 'x'; for (;;) s += s + Math.random()", Refused),
    ("string too long", "'x'.repeat(2 ** 30)", Refused),
    ("buffer too large", "new Uint8Array(2 ** 33)", Refused),
    ("buffers without end", "const a = []; for (;;) a.push(new Uint8Array(1 << 24).fill(1))", Refused),
    ("map that grows", "const m = new Map(); for (let i = 0; ; i++) m.set(i, { i })", Refused),
    ("exits", "process.exit(0)", Refused),
    ("exits by another name", "process.reallyExit(0)", Refused),
    ("aborts", "process.abort()", Refused),
    ("opens the inspector", "require('node:inspector').open()", Refused),
    ("deletes its input", "delete e.input", Refused),
    ("defines its input anew", "Object.defineProperty(e, 'input', { value: {} })", Refused),
    (
        "listens for the end of the process",
        "process.on('exit', () => {}); process.on('unhandledRejection', () => {})",
        Allowed,
    ),
    ("moves", "process.chdir('/')", Refused),
    ("native loop", "[].indexOf.call({ length: 2 ** 53 - 1 } as any, 1 as never)", Refused),
    (
        "native loop after a timer",
        "await new Promise((r) => setTimeout(r, 5)); [].includes.call({ length: 2 ** 53 - 1 } as any, 1 as never)",
        Refused,
    ),
    ("never settles beside an interval", "setInterval(() => {}, 50); return new Promise(() => {})", Refused),
    ("stray rejection", "Promise.reject(new Error('stray'))", Allowed),
    ("stray timer", "setTimeout(() => { throw new Error('late') }, 0)", Allowed),
    ("stray microtask", "queueMicrotask(() => { throw new Error('late') })", Allowed),
    ("stray nextTick", "process.nextTick(() => { throw new Error('late') })", Allowed),
    ("stray immediate", "setImmediate(() => { throw new Error('late') })", Allowed),
    ("prints a lot", "for (let i = 0; i < 200; i++) console.error('noise')", Allowed),
    ("returns a symbol", "return Symbol('s')", Allowed),
    ("returns a function", "return () => 1", Allowed),
    ("returns a number", "return 1", Allowed),
    ("closes its streams", "process.stdout.end?.(); process.stderr.end?.()", Allowed),
    ("leaves a process", "require('node:child_process').spawn('sleep', ['30'])", Allowed),
];

/// A hook that misbehaves when `event.input.m` is `bad`.
pub fn hook(body: &str, asynchronous: bool) -> String {
    let function = if asynchronous { "async (e: any, ctx: any)" } else { "(e: any, ctx: any)" };
    format!(
        "export default (pi: any) => pi.on('tool_call', {function} => {{ if (e.input.m !== 'bad') return; {body}; }});"
    )
}

/// A second hook whose handler always runs and never blocks: the neighbour that must not suffer.
const NEIGHBOUR: &str = "export default (pi: any) => pi.on('tool_call', () => ({ block: false, reason: 'seen' }));";

/// Nothing takes longer, whatever the machine is doing.
const HANGS: Duration = Duration::from_secs(30);
/// When the next call has to be answered: by the same isolate, and by the one that was made in its place.
const SOON: Duration = Duration::from_millis(50);
const SOON_REBUILT: Duration = Duration::from_millis(500);
/// A busy machine may be late; not so often.
const ATTEMPTS: u32 = 7;

/// How many threads want each core of this machine, at least 1: what has to be ready soon waits for its turn as well.
fn crowd() -> u32 {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load: f64 = load.split(' ').next().and_then(|load| load.parse().ok()).unwrap_or(1.0);
    let cores = std::thread::available_parallelism().map_or(1.0, |cores| cores.get() as f64);
    (load / cores).ceil().max(1.0) as u32
}

/// How one visit went: what the fault took, and what the next call took beyond its limit.
struct Visit {
    fault: Duration,
    next: Duration,
    late: bool,
}

/// The bad hook beside one that must not suffer; `apart` it lives in an isolate of its own, because it may reach less.
async fn bench(source: &str, apart: bool) -> Bench {
    if apart {
        return load_with(&[NEIGHBOUR, source], |options| confine(options, "hook1.ts")).await;
    }
    load(&[source, NEIGHBOUR]).await
}

async fn visit(source: &str, fate: Fate, apart: bool) -> Result<Visit, String> {
    let bench = bench(source, apart).await;
    let culprit = if apart { "hook1.ts" } else { "hook0.ts" };
    if !bench.load_errors.is_empty() {
        return Err(format!("does not load: {:?}", bench.load_errors));
    }
    let before = bench.call("good").await;
    if !allowed(&before) {
        return Err(format!("the call before was refused: {before:?}"));
    }
    let generation = bench.runner.generation();
    let start = Instant::now();
    let outcome = timeout(HANGS, bench.call("bad")).await.map_err(|_| "hangs")?;
    let fault = start.elapsed();
    if allowed(&outcome) != (fate == Allowed) {
        return Err(format!("expected {fate:?} after {fault:?}, got {outcome:?}"));
    }
    let told = bench.take_errors();
    if matches!(outcome, Err(EmitError::Thrown(..))) && !told.iter().any(|error| error.hook_path.ends_with(culprit)) {
        return Err(format!("nobody was told: {told:?}"));
    }
    let start = Instant::now();
    let after = timeout(HANGS, bench.call("good")).await.map_err(|_| "the next call hangs")?;
    let next = start.elapsed();
    if !allowed(&after) {
        return Err(format!("the next call was refused: {after:?}"));
    }
    if after.ok().and_then(|after| after.result).and_then(|result| result.reason).as_deref() != Some("seen") {
        return Err("the neighbour did not answer".to_owned());
    }
    let limit = if bench.runner.generation() == generation { SOON } else { SOON_REBUILT };
    bench.runner.shutdown();
    Ok(Visit { fault, next, late: next > limit * crowd() })
}

/// Every kind has its fate and the next call is answered soon.
async fn visit_all(kinds: &[Kind], apart: bool) {
    let mut wrong = Vec::new();
    for (name, body, fate) in kinds {
        // The quick ones are tried as plain functions, too: what those return is not a promise.
        let mut forms = vec![true];
        while let Some(asynchronous) = forms.pop() {
            let source = hook(body, asynchronous);
            for attempt in 1..=ATTEMPTS {
                match visit(&source, *fate, apart).await {
                    Err(message) => wrong.push(format!("{name} (async {asynchronous}): {message}")),
                    // Whatever else keeps the machine busy may be over by then.
                    Ok(visit) if visit.late && attempt < ATTEMPTS => {
                        tokio::time::sleep(Duration::from_millis(300) * attempt).await;
                        continue;
                    }
                    Ok(visit) if visit.late => {
                        wrong.push(format!("{name}: the next call took {:?} at best", visit.next));
                    }
                    Ok(visit) if asynchronous => {
                        eprintln!("zoo {name}: {fate:?} in {:?}, next in {:?}", visit.fault, visit.next);
                        if visit.fault < QUICK && !body.contains("await") {
                            forms.push(false);
                        }
                    }
                    Ok(_) => {}
                }
                break;
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Faults that are over by then cost little to try again.
const QUICK: Duration = Duration::from_millis(50);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_common_kind_has_its_fate_and_the_next_call_is_answered() {
    visit_all(ZOO, false).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_common_kind_has_the_same_fate_across_isolates() {
    visit_all(ZOO, true).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_odd_answer_has_its_fate_and_the_next_call_is_answered() {
    visit_all(values::KINDS, false).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_broken_global_has_its_fate_and_the_next_call_is_answered() {
    visit_all(globals::KINDS, false).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_endless_work_has_its_fate_and_the_next_call_is_answered() {
    visit_all(work::KINDS, false).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_misuse_of_node_has_its_fate_and_the_next_call_is_answered() {
    visit_all(node::KINDS, false).await;
}
