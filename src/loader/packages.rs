//! The host's own packages, under all names they have had, and the builtin module names.

/// Scopes under which the agent's packages have been published (`hooks.md`, decision 13).
const SCOPES: [&str; 5] = ["@f5-sales-demo", "@oh-my-pi", "@mariozechner", "@earendil-works", "@f5xc-salesdemos"];

/// Package names below those scopes and the canonical name of each.
const NAMES: [(&str, &str); 6] = [
    ("xcsh", "pi-coding-agent"),
    ("pi-coding-agent", "pi-coding-agent"),
    ("pi-ai", "pi-ai"),
    ("pi-tui", "pi-tui"),
    ("pi-utils", "pi-utils"),
    ("pi-agent-core", "pi-agent-core"),
];

const TYPEBOX: [&str; 2] = ["@sinclair/typebox", "typebox"];
const TYPEBOX_SUBPATHS: [&str; 3] = [".", "./compiler", "./value"];

/// The canonical id of a host package: scope-free name plus subpath, such as `pi-coding-agent`,
/// `pi-coding-agent/hooks`, `typebox/compiler`. `None` for every other package.
pub fn host_module(package: &str, subpath: &str) -> Option<String> {
    let canonical = if TYPEBOX.contains(&package) {
        TYPEBOX_SUBPATHS.contains(&subpath).then_some("typebox")?
    } else {
        let (scope, name) = package.split_once('/')?;
        SCOPES.contains(&scope).then_some(())?;
        NAMES.iter().find(|(known, _)| *known == name)?.1
    };
    Some(format!("{canonical}{}", subpath.strip_prefix('.').unwrap_or_default()))
}

/// All published names of the same package, the given one first.
pub fn equivalent_packages(package: &str) -> Vec<String> {
    let mut all = vec![package.to_string()];
    let canonical = |name: &str| NAMES.iter().find(|(known, _)| *known == name).map(|(_, to)| *to);
    if let Some((_, name)) = package.split_once('/')
        && let Some(wanted) = canonical(name)
    {
        for scope in SCOPES {
            for (other, to) in NAMES {
                let candidate = format!("{scope}/{other}");
                if to == wanted && candidate != package {
                    all.push(candidate);
                }
            }
        }
    }
    all
}

/// Builtin modules that may be imported without the `node:` prefix.
const NODE_BUILTINS: [&str; 57] = [
    "assert",
    "assert/strict",
    "async_hooks",
    "buffer",
    "child_process",
    "cluster",
    "console",
    "constants",
    "crypto",
    "dgram",
    "diagnostics_channel",
    "dns",
    "dns/promises",
    "domain",
    "events",
    "fs",
    "fs/promises",
    "http",
    "http2",
    "https",
    "inspector",
    "inspector/promises",
    "module",
    "net",
    "os",
    "path",
    "path/posix",
    "path/win32",
    "perf_hooks",
    "process",
    "punycode",
    "querystring",
    "readline",
    "readline/promises",
    "repl",
    "stream",
    "stream/consumers",
    "stream/promises",
    "stream/web",
    "string_decoder",
    "sys",
    "timers",
    "timers/promises",
    "tls",
    "trace_events",
    "tty",
    "url",
    "util",
    "util/types",
    "v8",
    "vm",
    "wasi",
    "worker_threads",
    "zlib",
    "_http_agent",
    "_stream_readable",
    "_tls_wrap",
];

/// Whether a bare name is a Node builtin.
pub fn is_node_builtin(name: &str) -> bool {
    NODE_BUILTINS.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_equivalent_and_foreign_names_are_not_ours() {
        for package in ["@f5-sales-demo/xcsh", "@mariozechner/pi-coding-agent", "@earendil-works/xcsh"] {
            assert_eq!(host_module(package, ".").as_deref(), Some("pi-coding-agent"));
            assert_eq!(host_module(package, "./hooks").as_deref(), Some("pi-coding-agent/hooks"));
        }
        assert_eq!(host_module("@sinclair/typebox", "./value").as_deref(), Some("typebox/value"));
        for (package, subpath) in
            [("@sinclair/typebox", "./x"), ("@mariozechner/other", "."), ("@foo/pi-ai", "."), ("pi-ai", ".")]
        {
            assert_eq!(host_module(package, subpath), None, "{package}{subpath}");
        }
        let names = equivalent_packages("@oh-my-pi/xcsh");
        assert_eq!(names.len(), 10);
        assert!(names.contains(&"@f5-sales-demo/pi-coding-agent".to_string()));
        assert_eq!(equivalent_packages("chalk"), ["chalk"]);
    }
}
