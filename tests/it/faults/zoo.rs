//! Hooks that misbehave, one kind a line. What they do to a tool call is written down; whatever it is, the next ordinary call is answered.

use std::time::{Duration, Instant};

use super::support::{allowed, load};

/// What a kind does to its own tool call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// The tool does not run: the handler failed or was stopped.
    Refused,
    /// The handler answered before it misbehaved, or what it did is no failure of the handler.
    Allowed,
}
use Fate::{Allowed, Refused};

/// Name, body of the handler (`e` is the event, `ctx` its context, `pi` the hook's), fate.
const ZOO: &[(&str, &str, Fate)] = &[
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
    ("patches Array.prototype", "Array.prototype.map = Array.prototype.push = () => { throw 1 }", Allowed),
    ("patches Promise.prototype.then", "Promise.prototype.then = () => { throw 1 }", Allowed),
    ("patches JSON", "JSON.stringify = JSON.parse = () => { throw 1 }", Allowed),
    ("patches Map.prototype", "Map.prototype.get = Map.prototype.set = () => { throw 1 }", Allowed),
    ("patches Object.prototype.then", "(Object.prototype as any).toJSON = () => { throw 1 }", Allowed),
    (
        "freezes the globals",
        "for (const o of [Object, Array, Promise, JSON, Map, Set]) { Object.freeze(o); Object.freeze((o as any).prototype) }",
        Allowed,
    ),
    (
        "deletes globals",
        "for (const k of ['setTimeout', 'console', 'Promise', 'JSON', 'AbortController']) delete (globalThis as any)[k]",
        Allowed,
    ),
];

fn hook(body: &str) -> String {
    format!(
        "export default (pi: any) => pi.on('tool_call', async (e: any, ctx: any) => {{ if (e.input.m !== 'bad') return; {body}; }});"
    )
}

/// A second hook whose handler always runs and never blocks: the neighbour that must not suffer.
const NEIGHBOUR: &str = "export default (pi: any) => pi.on('tool_call', () => ({ block: false, reason: 'seen' }));";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_kind_has_its_fate_and_the_next_call_is_answered() {
    let mut wrong = Vec::new();
    for (name, body, fate) in ZOO {
        let source = hook(body);
        let bench = load(&[&source, NEIGHBOUR]).await;
        if !bench.load_errors.is_empty() {
            wrong.push(format!("{name}: does not load: {:?}", bench.load_errors));
            continue;
        }
        let before = bench.call("good").await;
        if !allowed(&before) {
            wrong.push(format!("{name}: the call before was refused: {before:?}"));
        }
        let start = Instant::now();
        let Ok(outcome) = tokio::time::timeout(Duration::from_secs(20), bench.call("bad")).await else {
            wrong.push(format!("{name}: hangs"));
            continue;
        };
        let took = start.elapsed();
        if allowed(&outcome) != (*fate == Allowed) {
            wrong.push(format!("{name}: expected {fate:?} after {took:?}, got {outcome:?}"));
        }
        let start = Instant::now();
        match tokio::time::timeout(Duration::from_secs(20), bench.call("good")).await {
            Err(_) => wrong.push(format!("{name}: the next call hangs")),
            Ok(after) if !allowed(&after) => wrong.push(format!("{name}: the next call was refused: {after:?}")),
            Ok(after) => {
                let seen = after.ok().and_then(|after| after.result).and_then(|result| result.reason);
                if seen.as_deref() != Some("seen") {
                    wrong.push(format!("{name}: the neighbour did not answer"));
                }
            }
        }
        eprintln!("zoo {name}: {fate:?} in {took:?}, next in {:?}", start.elapsed());
        bench.runner.shutdown();
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
