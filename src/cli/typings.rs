//! The typings and templates that `hookrt init` writes, embedded.

macro_rules! embedded {
    ($folder:literal: $($path:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("../../typings/", $folder, $path)))),*]
    };
}

/// Path in the folder and text of each file.
type Files = &'static [(&'static str, &'static str)];

/// The folder `typings`, without its tests and templates.
pub const TYPINGS: Files = embedded![
    "":
    "README.md",
    "fallback/bun/index.d.ts",
    "fallback/node/files.d.ts",
    "fallback/node/globals.d.ts",
    "fallback/node/index.d.ts",
    "fallback/node/system.d.ts",
    "pi-agent-core/index.d.ts",
    "pi-ai/index.d.ts",
    "pi-ai/messages.d.ts",
    "pi-coding-agent/api.d.ts",
    "pi-coding-agent/components.d.ts",
    "pi-coding-agent/context.d.ts",
    "pi-coding-agent/events.d.ts",
    "pi-coding-agent/helpers.d.ts",
    "pi-coding-agent/messages.d.ts",
    "pi-coding-agent/session.d.ts",
    "pi-coding-agent/theme.d.ts",
    "pi-coding-agent/tools.d.ts",
    "pi-tui/component.d.ts",
    "pi-tui/images.d.ts",
    "pi-tui/inputs.d.ts",
    "pi-tui/keys.d.ts",
    "pi-tui/text.d.ts",
    "pi-tui/widgets.d.ts",
    "pi-utils/index.d.ts",
    "scopes.d.ts",
    "typebox/compiler.d.ts",
    "typebox/index.d.ts",
    "typebox/value.d.ts",
];

/// What stands beside it.
pub const TEMPLATES: Files = embedded!["templates/": "hook.ts", "tsconfig.json"];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    fn files(root: &Path, folder: &Path, found: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            match path.is_dir() {
                true if ["test", "templates", "node_modules"].contains(&name.as_str()) => {}
                true => files(root, &path, found),
                false => {
                    found.insert(name);
                }
            }
        }
    }

    #[test]
    fn every_file_of_the_typings_is_embedded() {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/typings"));
        let mut found = BTreeSet::new();
        files(root, root, &mut found);
        let embedded: BTreeSet<String> = TYPINGS.iter().map(|(path, _)| (*path).to_owned()).collect();
        assert_eq!(found, embedded);
    }
}
