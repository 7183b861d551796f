//! `session_shutdown` and the end of a runner: whatever hooks have running ends with them.

use std::time::{Duration, Instant};

use serde_json::json;

use super::scripted::Agent;

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_the_session_stops_timers_and_closes_dialogs() {
    let agent = Agent::new(
        "export default pi => {
           pi.on('session_start', (e, ctx) => { setInterval(() => ctx.ui.setStatus('t', 'tick'), 1); setTimeout(() => ctx.ui.input('open'), 5); });
           pi.on('session_shutdown', (e, ctx) => ctx.ui.notify('bye'));
           pi.on('turn_start', (e, ctx) => ctx.ui.notify('still here'));
         }",
    )
    .await;
    agent.emit("session_start", json!({})).await;
    agent.script.until(|s| s.open_dialogs() == ["input"] && s.told().len() > 3).await;
    agent.emit("session_shutdown", json!({})).await;
    let before = agent.script.told();
    assert_eq!(before[before.len() - 2..], ["info: bye", "closed input"]);
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(agent.script.told(), before, "no timer fires any more");
    agent.emit("turn_start", json!({})).await;
    assert_eq!(agent.script.told().last().unwrap(), "info: still here", "the hooks stay loaded");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shutdown_handler_that_dawdles_is_left_behind() {
    let agent = Agent::new(
        "export default pi => {
           pi.on('session_shutdown', () => new Promise(resolve => setTimeout(resolve, 60_000)));
           pi.on('session_shutdown', (e, ctx) => ctx.ui.notify('second'));
         }",
    )
    .await;
    let started = Instant::now();
    agent.emit("session_shutdown", json!({})).await;
    let took = started.elapsed();
    assert!(took > Duration::from_millis(1900) && took < Duration::from_secs(10), "{took:?}");
    assert_eq!(agent.error_texts(), ["session_shutdown: timed out: session_shutdown handlers have 2000 ms"]);
}

#[cfg(unix)]
mod processes {
    use super::*;

    const PARENTS: &str = "
      import { spawn } from 'node:child_process';
      export default pi => pi.on('session_start', async (e, ctx) => {
        const child = spawn('sleep', ['600']);
        const kept = spawn('sh', ['-c', 'echo $$; exec sleep 600']);
        const pid = await new Promise(resolve => kept.stdout.once('data', data => resolve(String(data).trim())));
        pi.exec('sh', ['-c', 'echo $$ > pid; sleep 600 & wait']);
        ctx.ui.notify(`children ${child.pid} ${pid}`);
      })";

    fn alive(pid: i32) -> bool {
        // A killed child that its parent has not collected yet is no longer running.
        std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
    }

    async fn children(agent: &Agent) -> Vec<i32> {
        agent.emit("session_start", json!({})).await;
        agent.script.until(|s| s.told().iter().any(|line| line.starts_with("info: children"))).await;
        let file = agent.runner.cwd().join("pid");
        let mut pids: Vec<i32> = agent
            .script
            .told()
            .iter()
            .find_map(|line| line.strip_prefix("info: children ").map(str::to_owned))
            .unwrap()
            .split(' ')
            .map(|pid| pid.parse().unwrap())
            .collect();
        agent.script.until(|_| std::fs::read_to_string(&file).is_ok_and(|text| text.ends_with('\n'))).await;
        pids.push(std::fs::read_to_string(&file).unwrap().trim().parse().unwrap());
        for pid in &pids {
            assert!(alive(*pid), "{pid} of {pids:?}");
        }
        pids
    }

    async fn all_gone(pids: &[i32]) {
        let deadline = Instant::now() + Duration::from_secs(5);
        while pids.iter().any(|pid| alive(*pid)) {
            assert!(Instant::now() < deadline, "{:?}", pids.iter().map(|pid| (pid, alive(*pid))).collect::<Vec<_>>());
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn children_end_with_the_session() {
        let agent = Agent::new(PARENTS).await;
        let pids = children(&agent).await;
        agent.emit("session_shutdown", json!({})).await;
        all_gone(&pids).await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_child_that_was_let_go_lives_on() {
        let agent = Agent::new(
            "import { spawn } from 'node:child_process';
             export default pi => pi.on('session_shutdown', (e, ctx) => {
               const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
               child.unref();
               ctx.ui.notify(`${child.pid}`);
             })",
        )
        .await;
        agent.emit("session_shutdown", json!({})).await;
        assert!(agent.runner.close(Duration::from_secs(5)).await);
        let pid: i32 = agent.script.told()[0].trim_start_matches("info: ").parse().unwrap();
        assert!(alive(pid));
        nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), nix::sys::signal::Signal::SIGKILL).unwrap();
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn children_end_with_the_runner() {
        let agent = Agent::new(PARENTS).await;
        let pids = children(&agent).await;
        assert!(agent.runner.close(Duration::from_secs(5)).await);
        all_gone(&pids).await;
    }
}
