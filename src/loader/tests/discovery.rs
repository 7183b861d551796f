use std::path::PathBuf;

use super::Tree;
use crate::loader::{
    DiscoverOptions, Discovery, FoundHook, HookProvider, HookState, Level, ProviderFinding, Surroundings,
    builtin_providers, discover, discover_with, merge_configured,
};

fn found(tree: &Tree, options: &DiscoverOptions, env: &[(&str, &str)]) -> Discovery {
    let read = |name: &str| env.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_string());
    discover(&tree.path("cwd"), &tree.path("home"), &read, options)
}

fn relative(tree: &Tree, path: &std::path::Path) -> String {
    path.strip_prefix(&tree.root).unwrap_or(path).display().to_string()
}

fn items(tree: &Tree, discovery: &Discovery) -> Vec<String> {
    let line =
        |item: &crate::loader::HookItem| format!("{} {} {}", item.provider, item.id(), relative(tree, &item.path));
    discovery.items.iter().map(line).collect()
}

#[test]
fn every_provider_in_priority_and_byte_order() {
    let tree = Tree::new(&[
        ("cwd/.xcsh/hooks/pre/bash.ts", ""),
        ("cwd/.xcsh/hooks/pre/10-a.ts", ""),
        ("cwd/.xcsh/hooks/pre/2-b.ts", ""),
        ("cwd/.xcsh/hooks/post/edit.min.js", ""),
        ("home/.xcsh/agent/hooks/pre/user.ts", ""),
        ("home/.xcsh/hooks/pre/gate.sh", ""),
        ("home/.claude/hooks/post/read.fish", ""),
        ("home/.codex/hooks/post-edit.ts", ""),
        ("cwd/.codex/hooks/thing.js", ""),
        ("cwd/.codex/hooks/thing.mts", ""),
        ("cwd/.omp/hooks/o.ts", ""),
        ("home/.pi/agent/hooks/p.mjs", ""),
        ("cwd/.pi/hooks/notes.md", ""),
    ]);
    let discovery = found(&tree, &DiscoverOptions::default(), &[]);
    assert_eq!(
        items(&tree, &discovery),
        [
            "native hook:pre:10-a:10-a.ts cwd/.xcsh/hooks/pre/10-a.ts",
            "native hook:pre:2-b:2-b.ts cwd/.xcsh/hooks/pre/2-b.ts",
            "native hook:pre:bash:bash.ts cwd/.xcsh/hooks/pre/bash.ts",
            "native hook:post:edit.min:edit.min.js cwd/.xcsh/hooks/post/edit.min.js",
            "native hook:pre:user:user.ts home/.xcsh/agent/hooks/pre/user.ts",
            "xcsh hook:pre:gate:gate.sh home/.xcsh/hooks/pre/gate.sh",
            "xcsh hook:pre:10-a.ts:10-a.ts cwd/.xcsh/hooks/pre/10-a.ts",
            "xcsh hook:pre:2-b.ts:2-b.ts cwd/.xcsh/hooks/pre/2-b.ts",
            "xcsh hook:pre:bash.ts:bash.ts cwd/.xcsh/hooks/pre/bash.ts",
            "xcsh hook:post:edit.min.js:edit.min.js cwd/.xcsh/hooks/post/edit.min.js",
            "claude hook:post:read:read.fish home/.claude/hooks/post/read.fish",
            "codex hook:post:edit:post-edit.ts home/.codex/hooks/post-edit.ts",
            "codex hook:pre:thing:thing.js cwd/.codex/hooks/thing.js",
            "loose hook:pre:*:o.ts cwd/.omp/hooks/o.ts",
            "loose hook:pre:*:p.mjs home/.pi/agent/hooks/p.mjs",
        ]
    );
    assert_eq!(discovery.providers, ["native", "xcsh", "claude", "codex", "loose"]);
    assert!(discovery.warnings.is_empty(), "{:?}", discovery.warnings);
    let shells = discovery.items.iter().filter(|item| item.shell).count();
    assert_eq!(shells, 2);

    // The same file found by two providers is loaded once, and configured paths come last.
    let configured = ["./x.ts", "~/y.ts", "./.omp/hooks/../hooks/o.ts", "file://host/z"];
    let configured = configured.map(str::to_string);
    let (paths, errors) = merge_configured(&discovery, &configured, &tree.path("cwd"), &tree.path("home"));
    let paths: Vec<String> = paths.iter().map(|entry| relative(&tree, &entry.path)).collect();
    assert_eq!(paths.len(), 11 + 2);
    assert_eq!(paths[4], "home/.xcsh/agent/hooks/pre/user.ts");
    assert_eq!(paths[11..], ["cwd/x.ts", "home/y.ts"]);
    assert_eq!(errors.len(), 1);
}

#[test]
fn disabled_then_shadowed_then_invalid() {
    let tree = Tree::new(&[
        ("cwd/.xcsh/hooks/pre/a.ts", "project"),
        ("home/.xcsh/agent/hooks/pre/a.ts", "user"),
        ("home/.codex/hooks/pre-.ts", ""),
        ("cwd/.codex/hooks/pre-.ts", ""),
    ]);
    let discovery = found(&tree, &DiscoverOptions::default(), &[]);
    let native: Vec<_> = discovery.all.iter().filter(|item| item.provider == "native").collect();
    assert_eq!(native[0].state, HookState::Active);
    assert_eq!(native[0].level, Level::Project);
    assert_eq!(native[1].state, HookState::Shadowed { by: native[0].path.clone() });
    // The invalid winner hides the second one, and only it is warned about.
    let codex: Vec<_> = discovery.all.iter().filter(|item| item.provider == "codex").collect();
    assert!(matches!(codex[0].state, HookState::Invalid { .. }));
    assert!(matches!(codex[1].state, HookState::Shadowed { .. }));
    let path = tree.path("home/.codex/hooks/pre-.ts");
    let expected = format!("[OpenAI Codex] Invalid item at {}: Missing tool", path.display());
    assert_eq!(discovery.warnings, [expected]);

    let options = DiscoverOptions {
        disabled_items: ["hook:pre:a:a.ts".to_string()].into(),
        disabled_providers: ["codex".to_string()].into(),
    };
    let discovery = found(&tree, &options, &[]);
    assert!(discovery.all.iter().all(|item| item.provider == "xcsh"), "{:?}", discovery.all);
    assert!(discovery.warnings.is_empty());
    assert_eq!(discovery.providers, ["native", "xcsh"]);
    let disabled = |item: &&crate::loader::HookItem| item.state == HookState::Disabled;
    // Two of each provider that is off or whose item is, and the project's once more as another provider finds it.
    assert_eq!(discovery.found.iter().filter(disabled).count(), 5);
}

#[test]
fn config_dir_and_plugins() {
    let tree = Tree::new(&[
        ("home/.other/agent/hooks/pre/a.ts", ""),
        ("home/.xcsh/agent/hooks/pre/never.ts", ""),
        (
            "home/.xcsh/plugins/installed_plugins.json",
            r#"{"version":2,"plugins":{"a@m":[{"scope":"user","installPath":"ROOT/pa"}],"b@m":[{"scope":"user","installPath":"ROOT/pb","enabled":false}],"c@m":[{"scope":"user","installPath":"ROOT/pc"}]}}"#,
        ),
        ("pa/hooks/pre/a.sh", ""),
        ("pb/hooks/pre/b.ts", ""),
        ("pc/hooks/pre/c.ts", ""),
        ("pc2/hooks/post/c2.ts", ""),
        ("cwd/deep/x", ""),
    ]);
    let list = tree.path("home/.xcsh/plugins/installed_plugins.json");
    let text = std::fs::read_to_string(&list).unwrap();
    let root = tree.root.display().to_string();
    std::fs::write(&list, text.replace("ROOT", &root)).unwrap();
    let project = format!(r#"{{"plugins":{{"c@m":[{{"scope":"project","installPath":"{root}/pc2"}}]}}}}"#);
    tree.write("cwd/.xcsh/plugins/installed_plugins.json", &project);
    let env = |name: &str| (name == "PI_CONFIG_DIR").then(|| ".other".to_string());
    let cwd = tree.path("cwd/deep");
    let discovery = discover(&cwd, &tree.path("home"), &env, &DiscoverOptions::default());
    assert_eq!(
        items(&tree, &discovery),
        [
            "native hook:pre:a:a.ts home/.other/agent/hooks/pre/a.ts",
            "xcsh-plugins hook:pre:a:a.sh pa/hooks/pre/a.sh",
            "xcsh-plugins hook:post:c2.ts:c2.ts pc2/hooks/post/c2.ts",
        ]
    );
    assert_eq!(discovery.items[1].level, Level::User);
    assert_eq!(discovery.items[2].level, Level::Project);

    std::fs::write(&list, "{").unwrap();
    let discovery = discover(&cwd, &tree.path("home"), &env, &DiscoverOptions::default());
    assert!(discovery.warnings[0].starts_with("[xcsh plugins] Failed to read "));
    assert_eq!(discovery.items.len(), 2, "the rest is still found");
}

#[cfg(unix)]
#[test]
fn what_stands_between_hooks() {
    use std::os::unix::fs::symlink;
    let tree = Tree::new(&[
        ("cwd/x.ts", ""),
        ("cwd/.claude/hooks/pre/.hidden.ts", ""),
        ("cwd/.claude/hooks/pre/x.d.ts", ""),
        ("cwd/.claude/hooks/pre/README.md", ""),
        ("cwd/.claude/hooks/pre/gate.py", ""),
        ("cwd/.claude/hooks/pre/lib/index.ts", ""),
        ("cwd/.claude/hooks/pre/local.tmp.ts", ""),
        ("cwd/.claude/hooks/pre/kept.tmp.ts", ""),
        ("cwd/.claude/.gitignore", "*.tmp.ts\n!kept.tmp.ts\n"),
        ("cwd/.gitignore", ".claude/\n"),
        ("packaged/index.ts", ""),
        ("elsewhere/b.ts", ""),
        ("cwd/.xcsh/hooks/pre/n.tmp.ts", ""),
        ("cwd/.xcsh/.gitignore", "*"),
    ]);
    let pre = tree.path("cwd/.claude/hooks/pre");
    symlink("../../../x.ts", pre.join("link.ts")).unwrap();
    symlink("nowhere.ts", pre.join("broken.ts")).unwrap();
    symlink(tree.path("packaged"), pre.join("packaged")).unwrap();
    symlink(tree.path("elsewhere"), tree.path("cwd/.claude/hooks/post")).unwrap();
    let discovery = found(&tree, &DiscoverOptions::default(), &[]);
    let of = |provider: &str| -> Vec<String> {
        let items = discovery.items.iter().filter(|item| item.provider == provider);
        items.map(|item| item.name.clone()).collect()
    };
    assert_eq!(of("claude"), ["gate.py", "kept.tmp.ts", "link.ts", "packaged", "b.ts"]);
    assert_eq!(of("native"), ["n.tmp.ts"], "does not look at .gitignore");
    assert!(of("xcsh").is_empty(), "does");
    let broken = format!("[Claude Code] Failed to read file: {}", pre.join("broken.ts").display());
    assert_eq!(discovery.warnings, [broken]);
    let skipped: Vec<_> = discovery
        .found
        .iter()
        .filter_map(|item| match &item.state {
            HookState::NotAModule { reason } if item.provider == "claude" => {
                Some((item.name.as_str(), reason.as_str()))
            }
            _ => None,
        })
        .collect();
    assert_eq!(
        skipped,
        [
            ("README.md", "not a module"),
            ("lib", "a folder; providers do not recurse"),
            ("local.tmp.ts", "ignored by .gitignore"),
            ("x.d.ts", "type declarations, not a module"),
        ]
    );
}

struct Custom(&'static str, i32, Result<Option<Level>, &'static str>);

impl HookProvider for Custom {
    fn id(&self) -> &str {
        self.0
    }
    fn display_name(&self) -> &str {
        self.0
    }
    fn priority(&self) -> i32 {
        self.1
    }
    fn find(&self, _: &Surroundings<'_>) -> Result<ProviderFinding, String> {
        let level = self.2?;
        let hook = FoundHook {
            path: PathBuf::from(format!("/{}.ts", self.0)),
            name: format!("{}.ts", self.0),
            hook_type: "pre".to_string(),
            tool: "t".to_string(),
            level,
        };
        Ok(ProviderFinding { hooks: vec![hook], ..Default::default() })
    }
}

#[test]
fn a_provider_that_fails_does_not_fail_the_others() {
    let tree = Tree::new(&[("cwd/.xcsh/hooks/pre/a.ts", "")]);
    let mut providers = builtin_providers();
    providers.push(Box::new(Custom("bad", 200, Err("boom"))));
    providers.push(Box::new(Custom("unmarked", 150, Ok(None))));
    providers.push(Box::new(Custom("same", 100, Ok(Some(Level::User)))));
    let (cwd, home) = (tree.path("cwd"), tree.path("home"));
    let around = Surroundings { cwd: &cwd, home: &home, env: &|_| None };
    let discovery = discover_with(providers, &around, &DiscoverOptions::default());
    let names: Vec<&str> = discovery.items.iter().map(|item| item.provider.as_str()).collect();
    assert_eq!(names, ["native", "same", "xcsh"], "equal priority: registration order");
    assert_eq!(
        discovery.warnings,
        ["[bad] Failed to load: boom", "[unmarked] Item missing _source metadata, skipping"]
    );
}
