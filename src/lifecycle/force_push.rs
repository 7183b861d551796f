//! Whether a shell command force-pushes with git: the judgement behind the pack `block-force-push`.

use super::shell_words::simple_commands;

/// Commands that run the command named after them.
const WRAPPERS: [&str; 16] = [
    "sudo",
    "doas",
    "env",
    "command",
    "builtin",
    "exec",
    "nohup",
    "nice",
    "ionice",
    "time",
    "timeout",
    "stdbuf",
    "setsid",
    "xargs",
    "watch",
    "caffeinate",
];
/// Shell keywords that stand before a command.
const KEYWORDS: [&str; 8] = ["if", "then", "else", "elif", "while", "until", "do", "!"];
/// Commands whose `-c` argument (or, for `eval`, whose arguments) are shell text again.
const SHELLS: [&str; 6] = ["sh", "bash", "zsh", "dash", "ksh", "fish"];
/// Options of git itself that take the next word.
const GIT_VALUE_OPTIONS: [&str; 7] =
    ["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix"];
/// Options of `git push` that take the next word.
const PUSH_VALUE_OPTIONS: [&str; 5] = ["-o", "--push-option", "--receive-pack", "--exec", "--repo"];
/// Shell text inside shell text inside …: deeper than this nobody writes by accident.
const MAX_NESTING: usize = 8;

/// Whether `text` contains a `git push` with `--force`, `-f`, `--force-with-lease` or a `+refspec` (git's own spelling
/// of the same thing).
pub(crate) fn is_force_push(text: &str) -> bool {
    is_force_push_nested(text, MAX_NESTING)
}

fn is_force_push_nested(text: &str, nesting: usize) -> bool {
    simple_commands(text).iter().any(|words| {
        // A function body begins in the middle of a simple command: `f() { git push -f; }`.
        words.split(|word| word == "{").any(|part| command_forces(part, nesting))
    })
}

fn command_forces(words: &[String], nesting: usize) -> bool {
    let mut rest = words;
    let mut wrapped = false;
    while let Some((first, after)) = rest.split_first() {
        let program = program_name(first);
        if program == "git" {
            if git_forces(after) {
                return true;
            }
            // Behind a wrapper an earlier `git` may have been an option's value (`sudo -u git git push`).
            if !wrapped {
                return false;
            }
        } else if SHELLS.contains(&program) || program == "eval" {
            return nesting > 0 && script_forces(program, after, nesting - 1);
        } else if WRAPPERS.contains(&program) {
            wrapped = true;
        } else if !(wrapped || is_assignment(first) || KEYWORDS.contains(&first.as_str())) {
            return false;
        }
        rest = after;
    }
    false
}

fn script_forces(program: &str, words: &[String], nesting: usize) -> bool {
    if program == "eval" {
        return is_force_push_nested(&words.join(" "), nesting);
    }
    let script = words
        .iter()
        .position(|word| word.starts_with('-') && !word.starts_with("--") && word.contains('c'))
        .and_then(|at| words[at + 1..].iter().find(|word| !word.starts_with('-')));
    script.is_some_and(|script| is_force_push_nested(script, nesting))
}

fn git_forces(words: &[String]) -> bool {
    let mut at = 0;
    while let Some(word) = words.get(at) {
        if GIT_VALUE_OPTIONS.contains(&word.as_str()) {
            at += 2;
        } else if word.starts_with('-') {
            at += 1;
        } else {
            return word == "push" && push_forces(&words[at + 1..]);
        }
    }
    false
}

fn push_forces(words: &[String]) -> bool {
    let mut options = true;
    let mut at = 0;
    while let Some(word) = words.get(at) {
        at += 1;
        if word.starts_with('+') && word.len() > 1 {
            return true;
        }
        if !options || !word.starts_with('-') {
            continue;
        }
        if word == "--" {
            options = false;
        } else if PUSH_VALUE_OPTIONS.contains(&word.as_str()) {
            at += 1;
        } else if forces(word) {
            return true;
        }
    }
    false
}

fn forces(option: &str) -> bool {
    match option.strip_prefix("--") {
        Some(name) => name == "force" || name.starts_with("force-w") || name.starts_with("force="),
        None => short_options(option).any(|letter| letter == 'f'),
    }
}

/// The letters of a cluster such as `-uf`, up to the one that takes the rest as its value.
fn short_options(word: &str) -> impl Iterator<Item = char> + '_ {
    word.chars().skip(1).take_while(|letter| *letter != 'o')
}

fn program_name(word: &str) -> &str {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    name.strip_suffix(".exe").unwrap_or(name)
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn force_pushes_are_seen() {
        for text in [
            "git push --force",
            "git push -f",
            "git push origin main --force",
            "git push --force-with-lease",
            "git push --force-with-lease=main:abc origin",
            "git push -uf origin main",
            "git push origin +main",
            "cd repo && git push -f",
            "make; git push -f; echo done",
            "A=1 B='x y' git push -f",
            "git -C dir push -f",
            "git -c push.default=current --no-pager push origin --force",
            "git --git-dir=.git push -f",
            "/usr/bin/git push -f",
            "sudo -u git git push -f",
            "env GIT_SSH=x git push -f",
            "bash -c 'git push -f'",
            "bash -lc \"cd x && git push --force\"",
            "sh -c \"bash -c 'git push -f'\"",
            "eval git push -f",
            "echo $(git push -f)",
            "echo \"$(git push -f)\"",
            "x=`git push -f`",
            "(cd x; git push -f)",
            "if true; then git push -f; fi",
            "{ git push -f; }",
            "f() { git push -f; }; f",
            "git push 2>&1 -f | tail -1",
            "git \\\n push -f",
            "git push \"--force\"",
            "echo a\ngit push -f\n",
            "git status & git push -f",
        ] {
            assert!(is_force_push(text), "{text}");
        }
    }

    #[test]
    fn other_commands_pass() {
        for text in [
            "git push",
            "git push origin main && rm -f x",
            "git push origin main; ls -f",
            "git commit -m 'git push --force'",
            "git commit -m \"never git push -f\"",
            "echo git push -f",
            "git pull -f",
            "git fetch --force",
            "git push --follow-tags",
            "git push --force-if-includes",
            "git push -o ci.skip origin",
            "git push -o -f origin",
            "git push -u origin feature-f",
            "git push -- -f",
            "git stash push -f",
            "# git push -f",
            "grep -rf 'git push' .",
            "gitk push -f",
            "",
        ] {
            assert!(!is_force_push(text), "{text}");
        }
    }
}
