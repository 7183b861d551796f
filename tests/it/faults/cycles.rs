//! Runners that come and go leave nothing behind.

use std::time::Duration;

use hookrt::loader::TranspileCache;
use hookrt::runner::load_hooks;

use super::support::{allowed, call, load, on_quickjs, quick, scaled};
use crate::resources::{Resources, alone, own_memory};

const HOOK: &str = "import { join } from 'node:path'; \
                    export default (pi: any) => { \
                      setInterval(() => {}, 10); \
                      pi.on('tool_call', async () => { await null; return { block: false, reason: join('a', 'b') }; }); \
                    };";
/// What memory may gain, in KiB, from the first hundred cycles to the last one, whatever their number.
const SAME: usize = 5 * 1024;
/// What an isolate of QuickJS leaves behind, in KiB: its binding does not give the heap back (README, Engines).
const QUICKJS_KEEPS: usize = 4_500;

/// Fails when memory has grown by more than it may in so many cycles.
fn check_memory(what: &str, before: usize, cycles: usize) {
    let gained = own_memory().saturating_sub(before);
    eprintln!("{what}: {before} KiB, gained {gained} KiB in {cycles} cycles");
    let kept = if on_quickjs() { cycles * QUICKJS_KEEPS } else { 0 };
    assert!(gained <= SAME + kept, "{gained} KiB more after {cycles} cycles");
}

/// A hundred cycles and then four hundred; on QuickJS, where one takes five times as long, fewer unless the long run is asked for.
fn cycles() -> (usize, usize) {
    match (on_quickjs(), scaled(0, 1) == 1) {
        (true, false) => (20, 80),
        (_, long) => (100, if long { 4_900 } else { 400 }),
    }
}

/// One runner: made, asked once, gone.
async fn cycle(folder: &std::path::Path, path: &str) {
    let mut options = quick(folder);
    options.cache = Some(TranspileCache::at(&folder.join("cache")));
    let loaded = load_hooks(&[path], options).await.expect("the engine starts");
    assert_eq!(loaded.errors, []);
    assert!(allowed(&call(&loaded.runner, "x").await));
    assert!(loaded.runner.close(Duration::from_secs(20)).await, "it did not end");
}

fn hook_file() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("hook.ts");
    std::fs::write(&path, HOOK).expect("the folder is writable");
    let path = path.to_string_lossy().into_owned();
    (folder, path)
}

#[tokio::test]
async fn five_hundred_runners_leave_nothing_behind() {
    if !alone(module_path!(), "five_hundred_runners_leave_nothing_behind") {
        return;
    }
    let (folder, path) = hook_file();
    let (first, others) = cycles();
    for _ in 0..first {
        cycle(folder.path(), &path).await;
    }
    let (before, memory) = (Resources::settled().await, own_memory());
    for _ in 0..others {
        cycle(folder.path(), &path).await;
    }
    Resources::are_back_at(&before).await;
    check_memory("runners", memory, others);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn five_hundred_runners_on_many_threads_leave_nothing_behind() {
    if !alone(module_path!(), "five_hundred_runners_on_many_threads_leave_nothing_behind") {
        return;
    }
    let (folder, path) = hook_file();
    let round = async |cycles: usize| {
        let mut running = tokio::task::JoinSet::new();
        for _ in 0..4 {
            let (folder, path) = (folder.path().to_owned(), path.clone());
            running.spawn(async move {
                for _ in 0..cycles / 4 {
                    cycle(&folder, &path).await;
                }
            });
        }
        while let Some(done) = running.join_next().await {
            done.expect("one of the threads");
        }
    };
    let (first, others) = cycles();
    round(first).await;
    let (before, memory) = (Resources::settled().await, own_memory());
    round(others).await;
    Resources::are_back_at(&before).await;
    check_memory("runners on many threads", memory, others);
}

#[tokio::test]
async fn a_hundred_reloads_leave_nothing_behind() {
    if !alone(module_path!(), "a_hundred_reloads_leave_nothing_behind") {
        return;
    }
    let bench = load(&[HOOK, HOOK]).await;
    let round = async |reloads: usize| {
        for _ in 0..reloads {
            let reloaded = bench.runner.reload().await.expect("the engine starts");
            assert!(!reloaded.kept, "{reloaded:?}");
            assert!(allowed(&bench.call("x").await));
        }
    };
    round(20).await;
    let (before, memory) = (Resources::settled().await, own_memory());
    let others = scaled(80, 980);
    round(others).await;
    Resources::are_back_at(&before).await;
    check_memory("reloads", memory, others);
    assert!(bench.runner.generation() >= 100);
}
