//! Limits in time: CPU, wall clock, and what does not count.

use std::time::{Duration, Instant};

use hookrt::runner::EmitError;

use super::support::{allowed, confine, load, load_with};

#[tokio::test]
async fn a_spinning_handler_is_stopped_within_its_budget() {
    let hook =
        "export default (pi: any) => pi.on('tool_call', (e: any) => { if (e.input.m === 'spin') while (true) {} });";
    let bench = load(&[hook]).await;
    let mut best = Duration::MAX;
    for _ in 0..5 {
        let start = Instant::now();
        let outcome = bench.call("spin").await;
        assert!(!allowed(&outcome), "{outcome:?}");
        best = best.min(start.elapsed());
    }
    // The budget is CPU time: on a busy machine the wall clock runs ahead of it, so the best of a few counts.
    assert!(best < Duration::from_millis(1_500), "{best:?}");
    assert!(allowed(&bench.call("fine").await));
    let errors = bench.take_errors();
    assert_eq!(errors.len(), 5, "{errors:?}");
    assert!(errors[0].error.starts_with("timed out") && errors[0].event == "tool_call", "{errors:?}");
}

#[tokio::test]
async fn waiting_for_a_child_process_does_not_count() {
    let hook = "import { execSync } from 'node:child_process'; \
                export default (pi: any) => pi.on('tool_call', () => { execSync('sleep 0.6'); });";
    let bench = load(&[hook]).await;
    assert!(allowed(&bench.call("x").await), "{:?}", bench.take_errors());
}

#[tokio::test]
async fn a_child_process_waited_for_without_a_timeout_has_one() {
    let hook = "import { execSync } from 'node:child_process'; \
                export default (pi: any) => pi.on('tool_call', (e: any) => { \
                    if (e.input.m !== 'wait') return; \
                    try { execSync('sleep 60'); } catch (error: any) { return { block: true, reason: String(error.code) }; } \
                });";
    let bench = load_with(&[hook], |options| options.sync_child_timeout = Duration::from_millis(300)).await;
    let start = Instant::now();
    let outcome = bench.call("wait").await;
    assert!(format!("{outcome:?}").contains("ETIMEDOUT"), "{outcome:?}");
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    assert!(allowed(&bench.call("fine").await));
    assert!(bench.take_errors().is_empty());
}

/// Code that holds the thread without using CPU time.
const BLOCKS: [&str; 3] = [
    "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);",
    "try { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); } finally { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); }",
    "execSync('mkfifo pipe', { cwd: dirname(fileURLToPath(import.meta.url)) }); readFileSync(new URL('pipe', import.meta.url));",
];

#[tokio::test]
async fn a_handler_that_holds_the_thread_without_running_is_stopped() {
    for code in BLOCKS {
        let hook = format!(
            "import {{ execSync }} from 'node:child_process'; import {{ readFileSync }} from 'node:fs'; \
             import {{ dirname }} from 'node:path'; import {{ fileURLToPath }} from 'node:url'; \
             export default (pi: any) => pi.on('tool_call', (e: any) => {{ if (e.input.m === 'block') {{ {code} }} }});"
        );
        let bench = load_with(&[&hook], |options| options.blocked_limit = Duration::from_millis(400)).await;
        let start = Instant::now();
        let outcome = bench.call("block").await;
        assert!(!allowed(&outcome), "{code}: {outcome:?}");
        assert!(start.elapsed() < Duration::from_secs(20), "{code}: {:?}", start.elapsed());
        assert!(allowed(&bench.call("fine").await), "{code}: {:?}", bench.take_errors());
    }
}

#[tokio::test]
async fn a_short_synchronous_wait_is_no_fault() {
    let hook = "export default (pi: any) => pi.on('tool_call', () => { \
                    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600); return { block: true, reason: 'waited' }; });";
    let bench = load(&[hook]).await;
    let outcome = bench.call("x").await;
    assert!(format!("{outcome:?}").contains("waited"), "{outcome:?}");
}

#[tokio::test]
#[cfg(unix)]
async fn a_hook_signals_what_it_started_and_nothing_of_the_agent() {
    let hook = r"import { spawn } from 'node:child_process';
        export default (pi: any) => pi.on('tool_call', async () => {
            const refused = [process.pid, process.ppid, 0, -1].filter((pid) => {
                try { process.kill(pid, 'SIGTERM'); return false; } catch (error: any) { return /agent/.test(error.message); }
            });
            const child = spawn('sleep', ['60']);
            const ended = new Promise((resolve) => child.on('exit', (_code, signal) => resolve(signal)));
            process.kill(child.pid!, 'SIGTERM');
            return { block: true, reason: [refused.length, await ended, process.kill(process.pid, 0)].join() };
        });";
    let bench = load(&[hook]).await;
    let outcome = bench.call("x").await;
    assert!(format!("{outcome:?}").contains("4,SIGTERM,true"), "{outcome:?} {:?}", bench.take_errors());
}

#[tokio::test]
async fn the_wall_clock_limit_ends_a_handler_that_waits() {
    let hook = "export default (pi: any) => pi.on('tool_call', (e: any) => e.input.m === 'wait' ? new Promise((r) => setTimeout(r, 60000)) : undefined);";
    let bench = load_with(&[hook], |options| options.handler_timeout = Some(Duration::from_millis(150))).await;
    let start = Instant::now();
    let outcome = bench.call("wait").await;
    assert!(!allowed(&outcome), "{outcome:?}");
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    assert!(bench.take_errors()[0].error.contains("did not finish within 150 ms"));
    assert!(allowed(&bench.call("fine").await));
}

#[tokio::test]
async fn a_module_or_factory_that_spins_is_a_load_error_and_the_others_load() {
    let module = "while (true) {} export default () => {};";
    let factory = "export default () => { while (true) {} };";
    let never = "export default () => new Promise(() => {});";
    let fine = "export default (pi: any) => pi.on('tool_call', () => ({ block: true, reason: 'here' }));";
    let bench = load(&[module, factory, never, fine]).await;
    let failed: Vec<usize> = bench.load_errors.iter().map(|error| error.hook).collect();
    assert_eq!(failed, [0, 1, 2], "{:?}", bench.load_errors);
    assert!(bench.load_errors[0].error.contains("timed out"), "{:?}", bench.load_errors);
    assert!(!allowed(&bench.call("x").await));
}

#[tokio::test]
async fn native_code_that_cannot_be_stopped_is_told_under_its_hook() {
    for wait in ["", "await 1;", "await new Promise((done) => setTimeout(done, 5));"] {
        let spins = format!(
            "export default (pi: any) => pi.on('tool_call', async () => {{ {wait} [].includes.call({{ length: 2 ** 53 - 1 }} as any, 1 as never); }});"
        );
        let bench = load(&["export default () => {}", &spins]).await;
        let path = bench.runner.hook_path(1);
        let outcome = tokio::time::timeout(Duration::from_secs(30), bench.call("x")).await.expect("an answer");
        let errors = bench.take_errors();
        let named = match &outcome {
            Err(EmitError::Lost { hook_path, reason }) => *hook_path == path && reason.contains("native code"),
            // An engine that can stop it.
            Err(EmitError::Thrown(..)) => {
                errors.iter().all(|error| error.hook_path == path && error.event == "tool_call")
            }
            _ => false,
        };
        assert!(named, "{wait}: {outcome:?} {errors:?}");
    }
}

/// What the thread has not even seen when it is given up is answered as well.
#[tokio::test]
async fn calls_that_stand_behind_native_code_are_answered() {
    let spins = "export default (pi: any) => pi.on('tool_call', (e: any) => { \
                     if (e.input.m === 'spin') [].includes.call({ length: 2 ** 53 - 1 } as any, 1 as never); });";
    let bench = load(&[spins]).await;
    let calls = async { tokio::join!(bench.call("spin"), bench.call("behind"), bench.call("behind")) };
    let (spin, ..) = tokio::time::timeout(Duration::from_secs(30), calls).await.expect("three answers");
    assert!(!allowed(&spin), "{spin:?}");
    assert!(allowed(&bench.call("fine").await), "{:?}", bench.take_errors());
}

#[tokio::test]
async fn a_shutdown_answers_what_is_open_although_a_hook_holds_the_thread() {
    let hook = "export default (pi: any) => pi.on('tool_call', () => { \
                    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20_000); });";
    let bench = load_with(&[hook], |options| options.blocked_limit = Duration::from_secs(60)).await;
    let ends = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        bench.runner.shutdown();
        Instant::now()
    };
    let (held, behind, ended) = tokio::join!(bench.call("held"), bench.call("behind"), ends);
    assert!(matches!(held, Err(EmitError::Gone(_))), "{held:?}");
    assert!(matches!(behind, Err(EmitError::Gone(_))), "{behind:?}");
    assert!(ended.elapsed() < Duration::from_secs(5), "{:?}", ended.elapsed());
}

/// One isolate lost is all lost: the next generation has them again, with the same permissions.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_confined_hook_that_breaks_its_isolate_is_as_confined_in_the_next_and_ends_in_quarantine() {
    let confined = r#"export default (pi: any) => pi.on("tool_call", async (e: any) => {
      if (e.input.m === "bad") [].indexOf.call({ length: 2 ** 53 - 1 } as any, 1 as never);
      return { block: false, reason: await pi.exec("true", []).then(() => "ran", (error: Error) => error.name) };
    });"#;
    let wide = r#"export default (pi: any) => pi.on("tool_call", () => {});"#;
    let bench = load_with(&[wide, confined], |options| confine(options, "hook1.ts")).await;
    assert!(bench.load_errors.is_empty(), "{:?}", bench.load_errors);
    for round in 0..3 {
        let outcome = bench.call("good").await.expect("an outcome").result.expect("a result");
        assert_eq!(outcome.reason.as_deref(), Some("NotCapable"), "round {round}");
        assert!(!allowed(&bench.call("bad").await), "round {round}");
    }
    let outcome = bench.call("good").await.expect("an outcome").result.expect("a result");
    assert!(outcome.block && outcome.reason.is_some_and(|reason| reason.contains("quarantine")), "after three faults");
    bench.runner.shutdown();
}
