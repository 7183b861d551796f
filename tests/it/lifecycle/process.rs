//! Deadline, process tree, pipes, captured output.

use std::path::Path;
use std::time::{Duration, Instant};

use hookrt::lifecycle::{EventName, HookOutput, HostHook, LifecycleEvent, TurnEnd};
use serde_json::{Value, json};

use super::support::{Project, eventually, pre};

const LIMIT: Duration = Duration::from_secs(1);

async fn run_in(project: &Project, command: &str, limit: Option<Duration>, args: &Value) -> HookOutput {
    let mut hook = HostHook::new(EventName::PreToolUse, command);
    hook.time_limit = limit;
    let mut outcome = project.with_hooks([hook]).run(pre("bash", args)).await;
    outcome.outputs.remove(0)
}

async fn run(command: &str) -> HookOutput {
    run_in(&Project::new(), command, None, &json!({})).await
}

/// Processes of this group that are not dead yet. Zombies count as dead: who reaps them is not ours to decide.
#[cfg(target_os = "linux")]
fn alive_in_group(group: &str) -> Vec<String> {
    let mut alive = Vec::new();
    for entry in std::fs::read_dir("/proc").expect("/proc").flatten() {
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
        // The command, in parentheses, may hold anything; the fields after it may not.
        let Some((_, fields)) = stat.rsplit_once(')') else { continue };
        let fields: Vec<&str> = fields.split_whitespace().collect();
        if fields.get(2) == Some(&group) && fields.first() != Some(&"Z") {
            alive.push(stat);
        }
    }
    alive
}

fn pid_in(file: &Path) -> String {
    std::fs::read_to_string(file).expect("the hook wrote its process id").trim().to_owned()
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_deadline_kills_the_whole_group() {
    let project = Project::new();
    for command in [
        "echo $$ > pid; sleep 60 & sleep 60",
        "echo $$ > pid; trap '' TERM INT HUP; sleep 60",
        "echo $$ > pid; sh -c 'sleep 60' & wait",
        "echo $$ > pid; exec sleep 60",
        "echo $$ > pid; exec 1>&- 2>&- 0<&-; sleep 60",
    ] {
        let output = run_in(&project, command, Some(LIMIT), &json!({})).await;
        assert_eq!((output.exit, output.timed_out), (124, true), "{command}");
        assert!((1000..2000).contains(&output.ms), "{command}: {} ms", output.ms);
        let group = pid_in(&project.join("pid"));
        eventually("the group is gone", || alive_in_group(&group).is_empty()).await;
    }
}

#[tokio::test]
async fn output_before_the_deadline_is_kept() {
    let output = run_in(&Project::new(), "echo out; echo err >&2; sleep 60", Some(LIMIT), &json!({})).await;
    assert_eq!((output.stdout.as_str(), output.stderr.as_str()), ("out\n", "err\n"));
}

#[tokio::test]
async fn the_exit_of_the_hook_is_the_verdict_although_a_descendant_holds_the_pipe() {
    for command in ["echo out; sleep 20 & exit 0", "echo out; setsid sleep 20 & exit 0", "echo out; sleep 20 & exit 7"]
    {
        // Once in a few tries: a busy machine can be late at any of them.
        let mut fastest = u128::MAX;
        let mut output = HookOutput::default();
        for _ in 0..5 {
            let started = Instant::now();
            output = run(command).await;
            fastest = fastest.min(started.elapsed().as_millis());
            if fastest < 1000 {
                break;
            }
        }
        assert!(fastest < 1000, "{command}: {fastest} ms");
        let exit = if command.ends_with('7') { 7 } else { 0 };
        assert_eq!((output.exit, output.stdout.as_str(), output.timed_out), (exit, "out\n", false), "{command}");
    }
}

#[tokio::test]
async fn a_descendant_outside_the_group_cannot_stretch_the_deadline() {
    let output = run_in(&Project::new(), "setsid sleep 20 & sleep 60", Some(LIMIT), &json!({})).await;
    assert_eq!((output.exit, output.timed_out), (124, true));
    assert!(output.ms < 2000, "{} ms", output.ms);
}

#[tokio::test]
async fn a_hook_need_not_read_its_arguments() {
    let project = Project::new();
    let megabyte = json!({ "text": "x".repeat(1_000_000) });
    for command in ["exit 0", "exec 0<&-; sleep 0.2", "head -c 10 >/dev/null"] {
        let output = run_in(&project, command, None, &megabyte).await;
        assert_eq!((output.exit, output.timed_out), (0, false), "{command}");
    }
    let output = run_in(&project, "sleep 60", Some(LIMIT), &megabyte).await;
    assert_eq!((output.exit, output.timed_out), (124, true));
    assert!(output.ms < 2000, "writing counts: {} ms", output.ms);
}

#[tokio::test]
async fn death_by_a_signal_is_exit_1() {
    for signal in ["KILL", "TERM", "SEGV"] {
        assert_eq!(run(&format!("kill -{signal} $$; sleep 5")).await.exit, 1, "{signal}");
    }
}

#[tokio::test]
async fn two_hundred_kilobytes_of_wide_characters_arrive_whole() {
    let output = run("i=0; while [ $i -lt 700 ]; do printf '漢字仮名交じり文漢字仮名交じり文漢字仮名交じり文漢字仮名交じり文漢字仮名交じり文漢字仮名交じり文漢字仮名交じり文漢字仮名交じり文漢字仮名交じり文漢字仮名交じり文漢字仮名交じり文漢字仮名交じり文語語語語'; i=$((i+1)); done").await;
    assert_eq!(output.stdout.len(), 700 * 300);
    assert_eq!(output.stdout.matches('漢').count(), 700 * 12);
    assert!(!output.stdout.contains('\u{fffd}') && !output.truncated);
}

#[tokio::test]
async fn half_a_gigabyte_ends_at_the_cap_without_stalling() {
    let output = run("yes 語語語語語 | head -c 500000000; echo done >&2").await;
    assert_eq!((output.exit, output.timed_out, output.stderr.as_str()), (0, false, "done\n"));
    assert!(output.truncated && output.stdout.len() <= 1024 * 1024 && output.stdout.len() > 1024 * 1024 - 4);
    assert!(!output.stdout.contains('\u{fffd}'));
}

#[tokio::test]
async fn both_streams_have_their_own_cap() {
    let output =
        run("head -c 2000000 /dev/zero | tr '\\0' o; head -c 3000000 /dev/zero | tr '\\0' e >&2; exit 3").await;
    assert_eq!((output.exit, output.truncated), (3, true));
    assert_eq!((output.stdout.len(), output.stderr.len()), (1024 * 1024, 1024 * 1024));
    assert!(!run("printf '\\377'").await.truncated);
    assert_eq!(run("printf 'a\\377b'").await.stdout, "a\u{fffd}b");
}

#[tokio::test]
async fn a_directory_that_is_gone_is_told() {
    let project = Project::new();
    let gone = project.join("gone");
    let hook = HostHook { cwd: Some(gone.clone()), ..HostHook::new(EventName::PreToolUse, "exit 0").blocking() };
    let outcome = project.with_hooks([hook]).run(pre("bash", &json!({}))).await;
    assert!(outcome.blocked && outcome.outputs[0].could_not_start());
    let reason = outcome.reason.unwrap_or_default();
    assert!(
        reason.contains("could not start `exit 0`")
            && reason.contains(&*gone.to_string_lossy())
            && reason.contains("does not exist"),
        "{reason}"
    );
}

#[tokio::test]
async fn commands_run_where_their_file_lives() {
    let project = Project::with_file(&json!({ "hooks": [{ "event": "Stop", "command": "pwd -P" }] }));
    let outcome = project.dispatcher().run(LifecycleEvent::Stop(TurnEnd { session_id: String::new() })).await;
    let expected = project.path().canonicalize().expect("the project");
    assert_eq!(Path::new(outcome.outputs[0].stdout.trim_end()), expected);
}

#[tokio::test]
async fn a_command_of_the_greatest_length_starts() {
    // 3 bytes a character: more than the kernel takes as one argument.
    let comment = "語".repeat(99_000);
    let output = run(&format!("echo $#; cat; : '{comment}'; exit 9")).await;
    assert_eq!((output.exit, output.stdout.as_str()), (9, "0\n{}"));
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_dropped_future_leaves_no_process() {
    let project = Project::new();
    let hooks = project
        .with_hooks([HostHook::new(EventName::PreToolUse, "echo $$ > pid.new; mv pid.new pid; sleep 60 & sleep 60")]);
    let running = tokio::spawn(async move { hooks.run(pre("bash", &json!({}))).await });
    eventually("the hook started", || project.join("pid").exists()).await;
    running.abort();
    let group = pid_in(&project.join("pid"));
    eventually("the group is gone", || alive_in_group(&group).is_empty()).await;
}

#[cfg(target_os = "linux")]
#[test]
fn a_runtime_that_ends_leaves_no_process() {
    let project = Project::new();
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
    let hooks = project
        .with_hooks([HostHook::new(EventName::PreToolUse, "echo $$ > pid.new; mv pid.new pid; sleep 60 & sleep 60")]);
    runtime.spawn(async move { hooks.run(pre("bash", &json!({}))).await });
    let started = Instant::now();
    while !project.join("pid").exists() && started.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(10));
    }
    drop(runtime);
    let group = pid_in(&project.join("pid"));
    let started = Instant::now();
    while !alive_in_group(&group).is_empty() {
        assert!(started.elapsed() < Duration::from_secs(10), "still there: {:?}", alive_in_group(&group));
        std::thread::sleep(Duration::from_millis(10));
    }
}
