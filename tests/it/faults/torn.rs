//! The engine's own work in the middle of which a hook fails: first uses of builtins, the recovery after a stop, the writing of an answer.

use std::time::{Duration, Instant};

use super::support::{allowed, load, load_with, on_quickjs};

/// Builtins that evaluate much of the runtime on their first use.
const BUILTINS: [&str; 14] = [
    "http",
    "https",
    "http2",
    "net",
    "tls",
    "dgram",
    "child_process",
    "readline",
    "crypto",
    "zlib",
    "dns",
    "sqlite",
    "stream/web",
    "test",
];

/// Packages that ship with the engine.
const PACKAGES: [&str; 4] = ["@mariozechner/pi-coding-agent", "@mariozechner/pi-tui", "typebox", "bun"];

/// A stop in the middle of that would break them for every other hook, or the process with them.
#[tokio::test]
async fn a_stop_while_a_builtin_is_first_used_breaks_neither_it_nor_the_process() {
    let node = BUILTINS.map(|name| format!("node:{name}"));
    let packages = PACKAGES.map(str::to_owned);
    for (gets, names) in
        [("require(name)", &node[..]), ("await import(name)", &node[..]), ("await import(name)", &packages[..])]
    {
        // Uses up most of its budget, then needs the builtin.
        let hook = format!(
            "export default (pi: any) => pi.on('tool_call', async (e: any) => {{ \
                 const [name, ms] = e.input.m.split(' '); \
                 for (const end = performance.now() + Number(ms); performance.now() < end;); \
                 if (Object.keys({gets}).length < 1) throw new Error('empty'); }});"
        );
        for start in [176, 184, 192] {
            let bench = load_with(&[&hook], |options| options.cpu_budget = Duration::from_millis(200)).await;
            assert!(bench.load_errors.is_empty(), "{:?}", bench.load_errors);
            for name in names {
                let _ = bench.call(&format!("{name} {start}")).await;
                let errors = bench.take_errors();
                let stopped = errors.iter().all(|error| error.error.starts_with("timed out"));
                assert!(stopped, "{gets} of {name}, {start}: {errors:?}");
                // On a slow machine one budget may not do for it; what has been evaluated stays.
                let mut passes = false;
                for _ in 0..5 {
                    passes = passes || allowed(&bench.call(&format!("{name} 0")).await);
                }
                assert!(passes, "{gets} of {name}, {start}: {:?}", bench.take_errors());
                bench.take_errors();
            }
            bench.runner.shutdown();
        }
    }
}

/// A hook that uses what the others may have torn. Its timer is of another length than theirs: where the stack ends in the middle of deno_core's
/// list of timers of one length, that list is torn, which nothing of ours can prevent.
const USES: &str = "import { readFileSync } from 'node:fs'; import { Readable } from 'node:stream'; \
    export default (pi: any) => pi.on('tool_call', async () => { \
        await new Promise((done) => setTimeout(done, 3)); Readable.from([1]); (await import('typebox')).Type.String(); \
        if (typeof readFileSync !== 'function' || typeof Bun.file !== 'function') throw new Error('torn'); });";

/// What a hook does where the stack ends.
const AT_THE_END: [&str; 7] = [
    "setTimeout(() => {}, 0)",
    "require('node:http')",
    "Bun.file('x')",
    "pi.typebox.Type.String()",
    "import('node:http').catch(() => {})",
    "import('typebox').catch(() => {})",
    "import('@mariozechner/pi-tui').catch(() => {})",
];

#[tokio::test]
async fn a_first_use_where_the_stack_ends_tears_nothing() {
    for (number, what) in AT_THE_END.into_iter().enumerate() {
        if on_quickjs() && number < 4 {
            continue; // its limit cannot be moved while it runs
        }
        let hook = format!(
            "export default (pi: any) => pi.on('tool_call', (e: any) => {{ if (e.input.m !== 'deep') return; \
                 let n = 0; const f = (): any => {{ try {{ f() }} catch {{}} if (n++ < 500) try {{ {what} }} catch {{}} }}; f(); }});"
        );
        let bench = load_with(&[&hook, USES], |options| options.cpu_budget = Duration::from_secs(5)).await;
        let _ = bench.call("deep").await;
        bench.take_errors();
        assert!(allowed(&bench.call("fine").await), "{what}: {:?}", bench.take_errors());
        bench.runner.shutdown();
    }
}

/// Hooks' code that the engine runs into while it deals with them, and an event it then refuses.
const IN_THE_ENGINE: [&str; 3] = [
    // A getter that answers differently the second time: the text of the engine's own object was nothing.
    "const seen = new WeakSet(); Object.defineProperty(Object.prototype, 'toJSON', { configurable: true, set() {}, get() { \
         if (this === Object.prototype) return undefined; \
         if (!seen.has(this)) { seen.add(this); return undefined } return () => undefined } }); throw new Error('refuses')",
    "Object.defineProperty(Object.prototype, 'toJSON', { configurable: true, get() { for (;;); } }); throw new Error('refuses')",
    "Object.defineProperty(Object.prototype, 'toJSON', { configurable: true, get() { for (;;); } }); for (;;);",
];

#[tokio::test]
async fn a_hook_in_the_way_of_its_own_recovery_is_refused_and_the_next_emit_is_answered() {
    for code in IN_THE_ENGINE {
        let hook = format!(
            "export default (pi: any) => pi.on('tool_call', (e: any) => {{ if (e.input.m === 'bad') {{ {code} }} }});"
        );
        let bench = load(&[&hook]).await;
        for _ in 0..2 {
            let outcome = tokio::time::timeout(Duration::from_secs(30), bench.call("bad")).await.expect("an answer");
            assert!(!allowed(&outcome), "{code}: {outcome:?}");
        }
        bench.runner.shutdown();
    }
}

#[tokio::test]
async fn messages_that_a_stop_came_from_are_not_read_again() {
    let spins = "export default (pi: any) => pi.on('context', (e: any) => { \
                     Object.defineProperty(e, 'messages', { configurable: true, get() { for (;;); } }); });";
    let counts = "export default (pi: any) => pi.on('context', (e: any) => ({ messages: [...e.messages, 'second'] }));";
    let bench = load(&[spins, counts]).await;
    let began = Instant::now();
    let messages = bench.runner.emit_context(vec!["first".into()]).await.expect("messages");
    assert_eq!(messages, ["first", "second"]);
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}

/// Its static import evaluates a builtin, which runs into a setter of another hook.
#[tokio::test]
async fn an_import_that_spins_in_a_builtin_ends_the_load() {
    let poison = "Object.defineProperty(Object.prototype, '_events', { configurable: true, set() { for (;;); } }); \
                  export default (pi: any) => pi.on('tool_call', () => {});";
    let imports =
        "import events from 'node:events'; export default (pi: any) => pi.on('tool_call', () => { typeof events });";
    let bench = tokio::time::timeout(Duration::from_secs(40), load(&[poison, imports])).await.expect("loads or fails");
    assert!(bench.load_errors.len() <= 1, "{:?}", bench.load_errors);
    let outcome = tokio::time::timeout(Duration::from_secs(40), bench.call("fine")).await;
    assert!(outcome.is_ok(), "no answer");
}
