//! What the hooks of a trusted project import from elsewhere in it: recorded, and held to the record when it is read.

use serde_json::Value;

use super::support::Machine;

struct Project {
    machine: Machine,
}

const HOOK: &str = r#"
import { x } from "../../../lib/l";
import dep from "dep";
import { y } from "@p/y";
export default (pi: any) => pi.on("tool_call", async (event: any) => {
    const { d } = await import("../../../lib/dyn");
    const r = require("../../../lib/req.cjs");
    let more = "";
    try {
        if (event.input.write) require("node:fs").writeFileSync("lib/late.cjs", "module.exports = 'EVIL'");
        if (event.input.late) more = require("../../../lib/late.cjs");
        if (event.input.imported) more = (await import(event.input.imported)).default;
        if (event.input.required) more = JSON.stringify(require(event.input.required));
    } catch (error) {
        more = `${error.name}: ${error.message}`;
    }
    return { block: true, reason: [x, dep, y, d, r, more].join(" ").trim() };
});
"#;

const FILES: [(&str, &str); 9] = [
    (".xcsh/hooks/pre/bash.ts", HOOK),
    ("lib/l.ts", "export const x = 'l1'"),
    ("lib/y.ts", "export const y = 'y1'"),
    ("lib/dyn.ts", "export const d = 'd1'"),
    ("lib/req.cjs", "module.exports = 'r1'"),
    ("lib/late.cjs", "module.exports = 'late'"),
    ("node_modules/dep/index.js", "module.exports = 'dep1'"),
    ("tsconfig.json", r#"{"compilerOptions":{"paths":{"@p/*":["./lib/*"]}}}"#),
    ("other/y.ts", "export const y = 'EVIL'"),
];
const GOOD: &str = "l1 dep1 y1 d1 r1";

impl Project {
    fn trusted() -> Project {
        let project = Project { machine: Machine::empty() };
        FILES.iter().for_each(|(path, text)| project.write(path, text));
        assert!(project.machine.run(&[], &["trust"]).status.success());
        project
    }

    fn write(&self, path: &str, text: &str) {
        self.machine.write(&format!("project/{path}"), text);
    }

    /// The reason the hook gives, else why it did not load.
    fn says(&self, input: &str, env: &[(&str, &str)], args: &[&str]) -> String {
        let data = format!(r#"{{"input":{input}}}"#);
        let output = self.machine.run(env, &[&["emit", "tool_call", "--discover", "--data", &data], args].concat());
        let result: Value = serde_json::from_slice(&output.stdout).unwrap();
        let said = result["result"]["reason"].as_str().or(result["loadErrors"][0]["error"].as_str());
        said.unwrap_or_else(|| panic!("{result}")).to_owned()
    }
}

#[test]
fn a_trusted_project_runs_until_what_it_imports_changes() {
    let project = Project::trusted();
    assert_eq!(project.says("{}", &[], &[]), GOOD);
    let edits = [
        ("lib/l.ts", "export const x = 'EVIL'"),
        ("lib/dyn.ts", "export const d = 'EVIL'"),
        ("lib/req.cjs", "module.exports = 'EVIL'"),
        ("node_modules/dep/index.js", "module.exports = 'EVIL'"),
        ("node_modules/dep/package.json", r#"{"main":"./other.js"}"#),
        ("tsconfig.json", r#"{"compilerOptions":{"paths":{"@p/*":["./other/*"]}}}"#),
        (".xcsh/node_modules/dep/index.js", "module.exports = 'EVIL'"),
    ];
    for (path, text) in edits {
        let before = FILES.iter().find(|(known, _)| *known == path).map(|(_, text)| *text);
        project.write(path, text);
        let said = project.says("{}", &[], &[]);
        assert!(said.starts_with("Not trusted") && said.contains(path), "{path}: {said}");
        let listed = project.machine.run(&[], &["list"]);
        assert!(String::from_utf8_lossy(&listed.stderr).contains(path), "{path}");
        match before {
            Some(before) => project.write(path, before),
            None => std::fs::remove_file(project.machine.root.path().join("project").join(path)).unwrap(),
        }
    }
    std::fs::remove_dir_all(project.machine.root.path().join("project/.xcsh/node_modules")).unwrap();
    assert_eq!(project.says("{}", &[], &[]), GOOD);
}

#[test]
fn what_is_trusted_is_told() {
    let project = Project::trusted();
    let told = String::from_utf8(project.machine.run(&[], &["trust"]).stdout).unwrap();
    for line in
        ["  .xcsh/hooks/pre/bash.ts\n", "  lib/dyn.ts\n", "  tsconfig.json\n", "import from node_modules: 1 files"]
    {
        assert!(told.contains(line), "{line}: {told}");
    }
    assert!(!told.contains("other/y.ts"));
    let listed = String::from_utf8(project.machine.run(&[], &["trust", "--list"]).stdout).unwrap();
    assert!(listed.contains("(1 files, 7 that they import)"), "{listed}");
}

#[test]
fn a_module_under_a_computed_name_is_refused_unless_it_is_recorded() {
    let project = Project::trusted();
    for input in [r#"{"imported":"../../../other/y.ts"}"#, r#"{"required":"../../../other/y.ts"}"#] {
        let said = project.says(input, &[], &[]);
        let refused =
            said.contains("other/y.ts is not among the files that were trusted") && said.contains("hookrt trust");
        assert!(refused, "{said}");
        for (env, args) in [(&[("HOOKRT_TRUST_PROJECT", "1")][..], &[][..]), (&[], &["--trust"])] {
            let said = project.says(input, env, args);
            assert!(said.starts_with(GOOD) && !said.contains("not among"), "{said}");
        }
    }
    assert_eq!(project.says(r#"{"required":"../../../lib/late.cjs"}"#, &[], &[]), format!("{GOOD} \"late\""));
    project.write("data.json", "[1]");
    assert!(project.says(r#"{"required":"../../../data.json"}"#, &[], &[]).contains("not among"));
}

#[test]
fn a_file_that_changes_while_the_hook_runs_is_refused() {
    let project = Project::trusted();
    assert_eq!(project.says(r#"{"late":true}"#, &[], &[]), format!("{GOOD} late"));
    let said = project.says(r#"{"late":true,"write":true}"#, &[], &[]);
    assert!(said.contains("lib/late.cjs was changed since its project was trusted"), "{said}");
}

#[test]
fn a_hook_that_is_named_imports_what_it_likes() {
    let project = Project::trusted();
    let hook = r#"import { y } from "./other/y"; import "dep";
        export default (pi: any) => pi.on("tool_call", async () => ({ block: true, reason: y + (await import("./more" + ".cjs")).default }))"#;
    project.write("mine.ts", hook);
    project.write("more.cjs", "module.exports = require('./most' + '.cjs')");
    project.write("most.cjs", "module.exports = ' and more'");
    std::fs::remove_dir_all(project.machine.root.path().join("project/.xcsh/hooks/pre")).unwrap();
    project.write(".xcsh/hooks/pre/calm.ts", "export default (pi: any) => {}");
    assert!(project.machine.run(&[], &["trust"]).status.success());
    assert_eq!(project.says("{}", &[], &["--hook", "mine.ts"]), "EVIL and more");
}
