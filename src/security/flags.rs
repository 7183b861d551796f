//! Permission flags of the command line: `--allow-read[=LIST]`, `--deny-net[=LIST]`, `--allow-all`.

use std::path::Path;

use path_clean::PathClean;

use super::permission_set::{Grant, Kind, PermissionSet, Scope};

/// A permission that cannot be read: where it stands and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct PermissionError {
    /// The flag, or the file and the field in it.
    pub place: String,
    /// What is wrong, as a clause.
    pub problem: String,
}

impl PermissionError {
    pub(super) fn new(place: impl Into<String>, problem: impl Into<String>) -> PermissionError {
        PermissionError { place: place.into(), problem: problem.into() }
    }
}

/// The permission flags of one command line, in any number and order.
#[derive(Debug, Clone, Default)]
pub struct PermissionFlags {
    all: bool,
    any_allow: bool,
    grants: [Grant; 6],
}

impl PermissionFlags {
    /// Takes `--allow-all`.
    pub fn allow_all(&mut self) {
        self.all = true;
    }

    /// Takes `--allow-KIND` or `--deny-KIND`: `list` is what stands behind `=`, absent for
    /// everything. Lists are separated by commas; `,,` is a comma inside an item.
    ///
    /// # Errors
    /// When the list is empty or an item cannot be one of its kind.
    pub fn set(&mut self, allow: bool, kind: Kind, list: Option<&str>) -> Result<(), PermissionError> {
        let place = format!("--{}-{kind}", if allow { "allow" } else { "deny" });
        let scope = match list {
            None => Scope::All,
            Some(list) => {
                let items = split_list(list);
                for item in &items {
                    check_item(kind, item).map_err(|problem| PermissionError::new(&place, problem))?;
                }
                Scope::list(items)
            }
        };
        self.any_allow |= allow;
        let grant = &mut self.grants[kind as usize];
        let slot = if allow { &mut grant.allow } else { &mut grant.deny };
        *slot = slot.or(&scope);
        Ok(())
    }

    /// What the flags grant. Without any `--allow-…` that is everything but what is denied; with one,
    /// only what they name. Paths are made absolute against `cwd`.
    pub fn into_set(self, cwd: &Path, home: Option<&Path>) -> PermissionSet {
        let mut set = if self.all || !self.any_allow { PermissionSet::all() } else { PermissionSet::none() };
        for (kind, grant) in Kind::ALL.into_iter().zip(self.grants) {
            let place = set.get_mut(kind);
            place.allow = place.allow.or(&absolute(kind, grant.allow, cwd, home));
            place.deny = absolute(kind, grant.deny, cwd, home);
        }
        set
    }
}

/// The items of a list with `,,` for a comma in one.
fn split_list(list: &str) -> Vec<String> {
    let mut items = vec![String::new()];
    let mut chars = list.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            ',' if chars.next_if_eq(&',').is_some() => items.last_mut().into_iter().for_each(|item| item.push(',')),
            ',' => items.push(String::new()),
            c => items.last_mut().into_iter().for_each(|item| item.push(c)),
        }
    }
    items
}

/// The items of [`Kind::Sys`].
#[rustfmt::skip]
pub const SYS: [&str; 21] = [
    "ca", "cpus", "getegid", "getPriority", "gid", "homedir", "hostname", "loadavg", "networkInterfaces", "osRelease", "osUptime",
    "setegid", "seteuid", "setgid", "setPriority", "setuid", "statfs", "systemMemoryInfo", "uid", "umask", "userInfo",
];

/// Whether a text can be an item of a kind; if not, why, as a clause.
pub(super) fn check_item(kind: Kind, item: &str) -> Result<(), String> {
    let wrong = |why: &str| Err(format!("`{item}` {why}"));
    match kind {
        _ if item.trim().is_empty() => Err("an item of the list is empty".to_owned()),
        _ if item.contains('\0') => wrong("has a zero byte in it"),
        Kind::Net if item.contains("://") => wrong("is a URL; give a host or host:port"),
        Kind::Net if item.contains(char::is_whitespace) => wrong("is no host or host:port"),
        Kind::Sys if !SYS.contains(&item) => Err(format!("`{item}` is unknown; there are {}", SYS.join(", "))),
        Kind::Env if item.contains('=') => wrong("is no name of a variable"),
        _ => Ok(()),
    }
}

/// The same scope with its paths made absolute and cleaned.
pub(super) fn absolute(kind: Kind, scope: Scope, base: &Path, home: Option<&Path>) -> Scope {
    // A program is a name that is looked for, or a path.
    let is_path = |item: &String| kind.is_path() || (kind == Kind::Run && item.contains('/'));
    match scope {
        Scope::List(items) => Scope::list(items.into_iter().map(|item| {
            if is_path(&item) { absolute_path(&item, base, home).to_string_lossy().into_owned() } else { item }
        })),
        other => other,
    }
}

/// A path as a person writes it: `~` is the home directory, a relative one counts from `base`.
pub(super) fn absolute_path(text: &str, base: &Path, home: Option<&Path>) -> std::path::PathBuf {
    let in_home = match text.strip_prefix('~') {
        Some("") => Some(""),
        Some(rest) => rest.strip_prefix('/'),
        None => None,
    };
    match (in_home, home) {
        (Some(rest), Some(home)) => home.join(rest).clean(),
        _ => base.join(text).clean(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(arguments: &[&str]) -> Result<PermissionSet, PermissionError> {
        let mut flags = PermissionFlags::default();
        for argument in arguments {
            let (flag, list) = argument.split_once('=').map_or((*argument, None), |(flag, list)| (flag, Some(list)));
            let (does, kind) = flag.trim_start_matches("--").split_once('-').unwrap();
            match Kind::parse(kind) {
                Some(kind) => flags.set(does == "allow", kind, list)?,
                None => flags.allow_all(),
            }
        }
        Ok(flags.into_set(Path::new("/w"), Some(Path::new("/home/u"))))
    }

    fn list(items: &[&str]) -> Scope {
        Scope::list(items.iter().map(|item| (*item).to_owned()))
    }

    #[test]
    fn without_flags_everything_is_allowed() {
        assert!(set(&[]).unwrap().is_unrestricted());
        assert!(set(&["--allow-all"]).unwrap().is_unrestricted());
    }

    #[test]
    fn a_denial_alone_leaves_the_rest_open() {
        let set = set(&["--deny-run", "--deny-read=secrets,/etc"]).unwrap();
        assert!(set.allow_all && !set.is_unrestricted());
        assert_eq!(set.run.deny, Scope::All);
        assert_eq!(set.read.deny, list(&["/etc", "/w/secrets"]));
    }

    #[test]
    fn any_allowance_turns_the_default_off() {
        let set = set(&["--allow-read=.,~/x", "--allow-read=/tmp", "--allow-net"]).unwrap();
        assert!(!set.allow_all);
        assert_eq!(set.read.allow, list(&["/home/u/x", "/tmp", "/w"]));
        assert_eq!(set.net.allow, Scope::All);
        assert_eq!(set.write.allow, Scope::None);
    }

    #[test]
    fn allow_all_beats_single_allowances_but_not_denials() {
        let set = set(&["--allow-read=/a", "--allow-all", "--deny-net=h"]).unwrap();
        assert!(set.allow_all);
        assert_eq!((set.read.allow, set.net.deny), (Scope::All, list(&["h"])));
    }

    #[test]
    fn two_commas_are_one_in_an_item() {
        assert_eq!(set(&["--allow-run=a,,b,c"]).unwrap().run.allow, list(&["a,b", "c"]));
    }

    #[test]
    fn mistakes_name_the_flag() {
        for (argument, parts) in [
            ("--deny-read=", ["--deny-read", "empty"]),
            ("--allow-run=a,", ["--allow-run", "empty"]),
            ("--allow-net=https://x.org", ["--allow-net", "host:port"]),
            ("--allow-env=A=1", ["--allow-env", "name"]),
            ("--deny-sys=hostnam", ["--deny-sys", "there are ca, cpus, "]),
        ] {
            let text = set(&[argument]).unwrap_err().to_string();
            assert!(parts.iter().all(|part| text.contains(part)), "{text}");
        }
    }
}
