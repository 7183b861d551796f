//! `--allow-…`, `--deny-…` and the user's policy file on the verbs that run hooks.

use serde_json::json;

use super::support::Folder;

/// Reads a file and runs a program, and blocks with what came of it.
const REACH: &str = r#"import { readFileSync } from "node:fs";
export default (pi) => {
  const reach = async (what) => { try { return await what(); } catch (error) { return error.name; } };
  pi.on("tool_call", async (_event, ctx) => ({ block: true, reason: [
    await reach(() => readFileSync(ctx.cwd + "/data/note.txt", "utf8")),
    await reach(async () => (await pi.exec("echo", ["ran"])).stdout.trim()),
  ].join(" ") }));
};
"#;

const CALL: &str = r#"{"toolName":"bash","toolCallId":"t","input":{}}"#;

fn folder() -> Folder {
    Folder::with(&[("reach.ts", REACH), ("data/note.txt", "note")])
}

fn reached(folder: &Folder, flags: &[&str]) -> serde_json::Value {
    let args = ["emit", "tool_call", "--hook", "reach.ts", "--data", CALL];
    let run = folder.run(&[&args[..], flags].concat());
    assert_eq!(run.code, 2, "{flags:?} {run:?}");
    run.json()["result"]["reason"].clone()
}

#[test]
fn flags_say_what_hooks_reach() {
    let folder = folder();
    for (flags, reason) in [
        (&[][..], "note ran"),
        (&["--allow-all"], "note ran"),
        (&["-A", "--deny-run"], "note NotCapable"),
        (&["--deny-read=data", "--deny-run=sh"], "NotCapable ran"),
        (&["--allow-net"], "NotCapable NotCapable"),
        (&["--allow-read=data", "--allow-run=sh,echo"], "note ran"),
        (&["--allow-read=.", "--deny-read=data/note.txt"], "NotCapable NotCapable"),
        (&["--allow-run=./echo"], "NotCapable NotCapable"),
    ] {
        assert_eq!(reached(&folder, flags), reason, "{flags:?}");
    }
}

#[test]
fn the_other_verbs_take_them_too() {
    let folder = folder();
    folder.write("events.jsonl", format!(r#"{{"event":"tool_call","data":{CALL}}}"#));
    folder.write("case/hook.ts", REACH);
    folder.write("case/case.json", r#"{"description":"d","steps":[{"event":"tool_call"}]}"#);
    let blocked = json!({ "block": true, "reason": "NotCapable NotCapable" });
    folder.write(
        "case/expected.json",
        json!({ "steps": [{ "event": "tool_call", "result": blocked, "by": { "hookPath": "hook.ts", "line": 4 } }] })
            .to_string(),
    );
    let replayed = folder.run(&["replay", "events.jsonl", "--hook", "reach.ts", "--allow-env"]);
    assert_eq!(replayed.lines()[0]["result"], blocked, "{replayed:?}");
    let tool = folder.run(&["tool", "bash", "--hook", "reach.ts", "--allow-env", "--", "true"]);
    assert_eq!(tool.json()["reason"], "NotCapable NotCapable", "{tool:?}");
    let tested = folder.run(&["test", "case", "--allow-env"]);
    assert_eq!(tested.code, 0, "{tested:?}");
}

#[test]
fn check_shows_what_a_hook_was_denied_while_it_loaded() {
    let folder = Folder::with(&[(
        "hook.ts",
        r#"try { process.env.HOME } catch {} export default (pi) => { try { process.env.HOME; process.env.SHELL } catch {} };"#,
    )]);
    let run = folder.run(&["check", "hook.ts", "--json", "--allow-env=NONE"]);
    let denied = json!([r#"Requires env access to "HOME", run again with the --allow-env flag"#]);
    assert_eq!((run.code, &run.json()["hooks"][0]["denials"]), (0, &denied));
    let text = folder.run(&["check", "hook.ts", "--allow-env=NONE"]).stdout;
    assert!(text.contains("denied: Requires env access"), "{text}");
}

#[test]
fn flags_that_say_nothing_clear_are_refused() {
    let folder = folder();
    for (flag, problem) in [
        ("--allow-read=", "--allow-read: an item of the list is empty"),
        ("--deny-net=http://x", "--deny-net: `http://x` is a URL; give a host or host:port"),
        ("--allow-sys=name", "--allow-sys: `name` is unknown"),
        ("--allow-ffi", "unexpected argument '--allow-ffi'"),
        ("--allow-net=not a host", "is no host"),
        ("--allow-net=[", "permissions: "),
    ] {
        let run = folder.run(&["emit", "tool_call", "--hook", "reach.ts", flag]);
        assert!(run.code == 1 && run.stderr.contains(problem), "{flag} {run:?}");
    }
}

#[test]
fn writes_to_the_environment_stay_inside() {
    let folder = Folder::with(&[(
        "hook.ts",
        r#"import { execSync } from "node:child_process";
export default (pi) => pi.on("tool_call", async () => {
  process.env.HOOKRT_CASE = "inside";
  const ours = [(await pi.exec("sh", ["-c", "echo $HOOKRT_CASE"])).stdout, execSync("echo $HOOKRT_CASE").toString()];
  return { block: true, reason: ours.map((text) => text.trim()).join(" ") };
});
"#,
    )]);
    let run = folder.run(&["tool", "bash", "--hook", "hook.ts", "--", "true"]);
    assert_eq!(run.json()["reason"], "inside inside");
    let command = ["sh", "-c", "echo out-$HOOKRT_CASE"];
    let args = ["tool", "bash", "--hook", "env.ts", "--"];
    folder.write(
        "env.ts",
        r#"export default (pi) => pi.on("tool_call", () => { process.env.HOOKRT_CASE = "inside"; });"#,
    );
    let run = folder.run(&[&args[..], &command[..]].concat());
    assert_eq!(run.json()["content"][0]["text"], "out-\n");
}

#[test]
fn a_program_that_may_run_cannot_be_made_to_load_code() {
    let folder = Folder::with(&[(
        "hook.ts",
        r#"export default (pi) => pi.on("tool_call", async () => {
  process.env.LD_PRELOAD = "/tmp/x.so";
  await pi.exec("echo", ["ran"]);
});
"#,
    )]);
    let run =
        folder.run(&["emit", "tool_call", "--hook", "hook.ts", "--data", CALL, "--allow-run=echo", "--allow-env"]);
    let reason = run.json()["result"]["reason"].clone();
    assert!(run.code == 2 && reason.as_str().unwrap_or_default().contains("LD_PRELOAD"), "{run:?}");
}

#[cfg(unix)]
#[test]
fn an_allowed_program_is_the_one_that_was_found_at_the_start() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with(&[(
        "hook.ts",
        r#"export default (pi) => pi.on("tool_call", async (_event, ctx) => {
  process.env.PATH = ctx.cwd + "/bin:" + process.env.PATH;
  await pi.exec("echo", ["ran"]);
});
"#,
    )]);
    let fake = folder.write("bin/echo", "#!/bin/sh\necho fake\n");
    std::fs::set_permissions(fake, std::fs::Permissions::from_mode(0o755)).expect("a mode");
    let run =
        folder.run(&["emit", "tool_call", "--hook", "hook.ts", "--data", CALL, "--allow-run=echo", "--allow-env"]);
    assert_eq!(run.json()["result"]["reason"], r#"Requires run access to "echo", run again with the --allow-run flag"#);
}

#[cfg(unix)]
#[test]
fn links_do_not_lead_out_of_what_may_be_read() {
    let folder = folder();
    folder.write("hook/reach.ts", REACH);
    std::os::unix::fs::symlink("../data", folder.path().join("hook/data")).expect("a link");
    let args = ["emit", "tool_call", "--hook", "reach.ts", "--cwd", "hook", "--data", CALL];
    let run = folder.run(&[&args[..], &["--allow-read=."]].concat());
    assert_eq!(run.json()["result"]["reason"], "NotCapable NotCapable", "{run:?}");
    let run = folder.run(&[&args[..], &["--allow-read=.,../data"]].concat());
    assert_eq!(run.json()["result"]["reason"], "note NotCapable", "{run:?}");
}

#[test]
fn the_policy_file_narrows_single_hooks_and_directories() {
    let folder = folder();
    let (wide, narrow) = ("wide/hook.ts", "narrow/hook.ts");
    folder.write(wide, REACH.replace("block: true", "block: false"));
    folder.write(narrow, REACH);
    let hooks = folder.path().join("narrow").to_string_lossy().into_owned();
    folder.write(".config/permissions.json", json!({ "hooks": { hooks: { "deny": { "run": true } } } }).to_string());
    let args = ["emit", "tool_call", "--data", CALL, "--hook", wide, "--hook", narrow];
    assert_eq!(folder.run(&args).json()["result"]["reason"], "note NotCapable");
    let other_way = ["emit", "tool_call", "--data", CALL, "--hook", narrow, "--hook", wide];
    assert_eq!(folder.run(&other_way).json()["result"]["reason"], "note NotCapable");
    // It never gives more than the flags.
    assert_eq!(folder.run(&[&args[..], &["--allow-net"]].concat()).json()["result"]["reason"], "NotCapable NotCapable");
    let checked = folder.run(&["check", wide, narrow, "--json"]).json();
    let shown = |hook: usize| checked["hooks"][hook]["permissions"].clone();
    assert_eq!((shown(0), shown(1)), (json!({ "allow": "all" }), json!({ "allow": "all", "deny": { "run": true } })));
    let text = folder.run(&["check", wide, narrow]).stdout;
    assert!(text.contains("may reach: everything but not run"), "{text}");
}

#[cfg(unix)]
#[test]
fn a_policy_holds_by_every_name_of_a_hook() {
    let folder = folder();
    folder.write("real/hook.ts", REACH);
    std::os::unix::fs::symlink("real/hook.ts", folder.path().join("link.ts")).expect("a link");
    for name in ["link.ts", "real/hook.ts", "real"] {
        let entry = folder.path().join(name).to_string_lossy().into_owned();
        folder.write(".config/permissions.json", json!({ "hooks": { entry: { "allow": {} } } }).to_string());
        let run = folder.run(&["emit", "tool_call", "--data", CALL, "--hook", "link.ts"]);
        assert_eq!(run.json()["result"]["reason"], "NotCapable NotCapable", "{name}");
    }
}

#[test]
fn a_policy_file_that_cannot_be_read_stops_the_run() {
    let folder = folder();
    for (policy, problem) in [
        ("{", "permissions.json: EOF"),
        (r#"{"hooks": {"rel": {}}}"#, r#"permissions.json: hooks["rel"]: must be an absolute path"#),
        (r#"{"hooks": {"/h": {"deny": {"net": ["["]}}}}"#, r#"permissions.json: hooks["/h"]: "#),
    ] {
        folder.write(".config/permissions.json", policy);
        let run = folder.run(&["emit", "tool_call", "--hook", "reach.ts", "--data", CALL]);
        assert!(run.code == 1 && run.stdout.is_empty() && run.stderr.contains(problem), "{policy} {run:?}");
    }
}

#[test]
fn list_shows_what_hooks_may_reach() {
    let folder = Folder::with(&[(".xcsh/hooks/pre/hook.ts", "export default () => {}")]);
    let hooks = folder.path().join(".xcsh").to_string_lossy().into_owned();
    folder
        .write(".config/permissions.json", json!({ "hooks": { hooks: { "allow": { "env": ["HOME"] } } } }).to_string());
    let rows = folder.run(&["list", "--json"]).json()["items"].clone();
    let rows = rows.as_array().expect("a list");
    let row = rows.iter().find(|row| row["name"] == "hook.ts").expect("the hook");
    assert_eq!(row["permissions"], json!({ "allow": { "env": ["HOME"] } }));
    let text = folder.run(&["list", "--deny-env=HOME"]).stdout;
    assert!(text.contains("may reach: env=HOME but not env=HOME"), "{text}");
}
