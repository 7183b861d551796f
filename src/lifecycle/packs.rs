//! The five packs that come with the engine, native: no interpreter has to be on the machine (`lifecycle.md`, Packs).

use serde::{Deserialize, Serialize};

use super::events::EventName;
use super::force_push::is_force_push;
use super::json::Node;
use super::matcher::Matcher;
use super::payload::Args;

/// A built-in pack. Each is one hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pack {
    /// Reminds the model to format the files it changed.
    FormatAfterEdit,
    /// Blocks `git push --force` and its relatives.
    BlockForcePush,
    /// Reminds to have run the tests.
    RequireTestsOnStop,
    /// Warns when arguments name a `.env` file.
    ProtectEnvFiles,
    /// Logs each bash command.
    LogBashCommands,
}

/// One row of the catalogue.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PackInfo {
    /// Name as configurations spell it.
    pub name: &'static str,
    /// The event it listens to.
    pub event: EventName,
    /// Its tool matcher; empty for events without a tool.
    pub matcher: &'static str,
    /// Whether it can block.
    pub blocks: bool,
    /// What it does.
    pub description: &'static str,
}

const CATALOGUE: [(Pack, PackInfo); 5] = [
    (
        Pack::FormatAfterEdit,
        PackInfo {
            name: "format-after-edit",
            event: EventName::PostToolUse,
            matcher: "edit|write|multiedit|apply_patch",
            blocks: false,
            description: "Reminds the model to format the files it changed",
        },
    ),
    (
        Pack::BlockForcePush,
        PackInfo {
            name: "block-force-push",
            event: EventName::PreToolUse,
            matcher: "bash",
            blocks: true,
            description: "Blocks `git push` with `--force`, `-f` or `--force-with-lease`, and `+refspec`",
        },
    ),
    (
        Pack::RequireTestsOnStop,
        PackInfo {
            name: "require-tests-on-stop",
            event: EventName::Stop,
            matcher: "",
            blocks: false,
            description: "Reminds to have run the tests after the last change",
        },
    ),
    (
        Pack::ProtectEnvFiles,
        PackInfo {
            name: "protect-env-files",
            event: EventName::PreToolUse,
            matcher: "read|edit|write|bash",
            blocks: false,
            description: "Warns when tool arguments name a `.env` file",
        },
    ),
    (
        Pack::LogBashCommands,
        PackInfo {
            name: "log-bash-commands",
            event: EventName::PreToolUse,
            matcher: "bash",
            blocks: false,
            description: "Logs the first 500 characters of each bash command",
        },
    ),
];

/// Longest part of a command that `log-bash-commands` prints, in characters.
const LOGGED_CHARACTERS: usize = 500;

/// What a pack printed, as a process would have.
#[derive(Debug, Default)]
pub(crate) struct PackOutput {
    pub(crate) exit: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Pack {
    /// The pack of that name.
    pub fn by_name(name: &str) -> Option<Pack> {
        CATALOGUE.iter().find(|row| row.1.name == name).map(|row| row.0)
    }

    /// Its row of the catalogue.
    pub fn info(self) -> PackInfo {
        // The catalogue is in declaration order; a unit test holds it to that.
        CATALOGUE[self as usize].1
    }

    pub(crate) fn matcher(self) -> Matcher {
        Matcher::new(self.info().matcher)
    }

    pub(crate) fn run(self, args: &Args) -> PackOutput {
        match self {
            Pack::FormatAfterEdit => PackOutput {
                stdout: "[hook:format-after-edit] Consider formatting changed files (prettier/eslint --fix/rustfmt).\n"
                    .to_owned(),
                ..PackOutput::default()
            },
            Pack::RequireTestsOnStop => PackOutput {
                stdout: "[hook:require-tests-on-stop] If files were changed this session, ensure \
                         tests/typecheck/verify_project ran after the last mutation.\n"
                    .to_owned(),
                ..PackOutput::default()
            },
            Pack::BlockForcePush if shell_texts(args).iter().any(|text| is_force_push(text)) => PackOutput {
                exit: 2,
                stderr: "Blocked force push by block-force-push hook\n".to_owned(),
                ..PackOutput::default()
            },
            Pack::ProtectEnvFiles if names_env_file(args) => PackOutput {
                stderr: "[hook:protect-env-files] Tool args reference .env — double-check secrets handling\n"
                    .to_owned(),
                ..PackOutput::default()
            },
            Pack::LogBashCommands => {
                let command = shell_texts(args).join("\n");
                let logged: String = command.chars().take(LOGGED_CHARACTERS).collect();
                PackOutput { stderr: format!("[hook:log-bash] {logged}\n"), ..PackOutput::default() }
            }
            Pack::BlockForcePush | Pack::ProtectEnvFiles => PackOutput::default(),
        }
    }
}

/// The rows of the catalogue, in its order.
pub fn catalogue() -> impl Iterator<Item = PackInfo> {
    CATALOGUE.iter().map(|row| row.1)
}

/// The catalogue as a markdown page.
pub fn catalogue_markdown() -> String {
    let names: Vec<String> = catalogue().map(|pack| format!("\"{}\"", pack.name)).collect();
    let mut page = format!(
        "# Lifecycle hook packs\n\nNamed in `.ax-code/hooks.json`:\n\n```json\n{{ \"packs\": [{}] }}\n```\n\n\
         | pack | event | matcher | blocks | effect |\n|---|---|---|---|---|\n",
        names.join(", ")
    );
    for pack in catalogue() {
        let matcher = match pack.matcher {
            "" => "–".to_owned(),
            text => format!("`{}`", text.replace('|', "\\|")),
        };
        page.push_str(&format!(
            "| `{}` | {} | {} | {} | {} |\n",
            pack.name,
            pack.event,
            matcher,
            if pack.blocks { "yes" } else { "no" },
            pack.description
        ));
    }
    page
}

/// The shell text of a tool's arguments; only this field is read, however large or deep the rest is.
#[derive(Deserialize)]
struct ShellArgs {
    #[serde(default, alias = "cmd", alias = "script")]
    command: Option<Node>,
}

fn shell_texts(args: &Args) -> Vec<String> {
    match serde_json::from_str::<ShellArgs>(args.as_str()) {
        Ok(ShellArgs { command: Some(Node::Text(text)) }) => vec![text],
        // An argument list: what it runs is its words in order.
        Ok(ShellArgs { command: Some(Node::List(words)) }) => {
            let words: Vec<String> = words
                .iter()
                .filter_map(Node::as_str)
                .map(|word| format!("'{}'", word.replace('\'', "'\\''")))
                .collect();
            vec![words.join(" ")]
        }
        Ok(_) => Vec::new(),
        // Unexpected shape (a repeated field, arguments that are no object): look at every text.
        Err(_) => texts(args),
    }
}

/// Every text in the arguments, keys included. Arguments nested too deep to read count as one text.
fn texts(args: &Args) -> Vec<String> {
    match serde_json::from_str::<Node>(args.as_str()) {
        Ok(node) => {
            let mut found = Vec::new();
            node.collect_texts(&mut found);
            found
        }
        Err(_) => vec![args.as_str().to_owned()],
    }
}

fn names_env_file(args: &Args) -> bool {
    texts(args).iter().any(|text| has_env_file(text))
}

/// `.env` at the start of a path component, not followed by a letter: `.env`, `a/.env.local`, but neither `.envrc` nor
/// `process.env`.
fn has_env_file(text: &str) -> bool {
    text.match_indices(".env").any(|(at, name)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        !before.is_some_and(|character| character.is_alphanumeric() || matches!(character, '_' | ')' | ']'))
            && !after.is_some_and(char::is_alphabetic)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_catalogue_is_in_declaration_order() {
        for (index, row) in CATALOGUE.iter().enumerate() {
            assert_eq!(row.0 as usize, index, "{}", row.1.name);
        }
    }

    #[test]
    fn env_files_by_name() {
        for text in [
            ".env",
            "cat .env",
            "a/.env",
            "a\\.env",
            "\".env\"",
            ".env.local",
            "<.env",
            "X=.env",
            "*.env",
            ".env\n",
            ".env_old",
            ".env1",
        ] {
            assert!(has_env_file(text), "{text}");
        }
        for text in [".envrc", ".environment", "process.env.HOME", "import.meta.env", "env", ".en", "a.env"] {
            assert!(!has_env_file(text), "{text}");
        }
    }

    #[test]
    fn shell_text_in_its_usual_shapes() {
        let rows = [
            (r#"{"command":"ls"}"#, vec!["ls"]),
            (r#"{"cmd":"ls"}"#, vec!["ls"]),
            (r#"{"command":["git","push","a b"]}"#, vec!["'git' 'push' 'a b'"]),
            (r#"{"description":"git push -f"}"#, vec![]),
            (r#"{"command":"a","command":"b"}"#, vec!["command", "a", "command", "b"]),
            (r#""ls""#, vec!["ls"]),
        ];
        for (text, expected) in rows {
            let args = Args::from_json(text).unwrap_or_else(|_| Args::empty());
            assert_eq!(shell_texts(&args), expected, "{text}");
        }
    }
}
