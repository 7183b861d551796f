//! What hooks may reach, as plain data, and how one set narrows another.

use std::fmt;
use std::path::Path;

/// What a permission is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Reading files; items are paths.
    Read,
    /// Writing files; items are paths.
    Write,
    /// The network; items are `host` or `host:port`.
    Net,
    /// Child processes, `pi.exec` too; items are program names or paths.
    Run,
    /// Environment variables; items are names, `NAME_*` is a prefix.
    Env,
    /// Facts about the machine; items are names such as `hostname`.
    Sys,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 6] = [Kind::Read, Kind::Write, Kind::Net, Kind::Run, Kind::Env, Kind::Sys];

    /// The name in flags and in the policy file.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Read => "read",
            Kind::Write => "write",
            Kind::Net => "net",
            Kind::Run => "run",
            Kind::Env => "env",
            Kind::Sys => "sys",
        }
    }

    /// The kind of that name.
    pub fn parse(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// Whether its items are paths.
    pub fn is_path(self) -> bool {
        matches!(self, Kind::Read | Kind::Write)
    }

    /// Whether everything that `narrow` names is also named by `wide`.
    fn covers(self, wide: &str, narrow: &str) -> bool {
        match self {
            Kind::Read | Kind::Write => Path::new(narrow).starts_with(wide),
            Kind::Net => net_covers(wide, narrow),
            Kind::Env => wide.strip_suffix('*').map_or(wide == narrow, |prefix| narrow.starts_with(prefix)),
            Kind::Run | Kind::Sys => wide == narrow,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

fn net_covers(wide: &str, narrow: &str) -> bool {
    let (wide_host, wide_port) = split_port(wide);
    let (host, port) = split_port(narrow);
    let same_host = match wide_host.strip_prefix("*.") {
        Some(domain) => {
            host.len() > domain.len()
                && host.to_ascii_lowercase().ends_with(&domain.to_ascii_lowercase())
                && host.as_bytes()[host.len() - domain.len() - 1] == b'.'
        }
        None => wide_host.eq_ignore_ascii_case(host),
    };
    same_host && (wide_port.is_none() || wide_port == port)
}

fn split_port(item: &str) -> (&str, Option<&str>) {
    match item.rsplit_once(':') {
        // A colon inside an IPv6 address is no port.
        Some((host, port)) if !host.contains(':') || host.ends_with(']') => (host, Some(port)),
        _ => (item, None),
    }
}

/// How much of a kind. A list is never empty: for the engine an empty list means everything.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Nothing.
    #[default]
    None,
    /// These items.
    List(Vec<String>),
    /// Everything.
    All,
}

impl Scope {
    /// These items, sorted, each once; [`Scope::None`] when there are none.
    pub fn list(items: impl IntoIterator<Item = String>) -> Scope {
        let mut items: Vec<String> = items.into_iter().collect();
        items.sort();
        items.dedup();
        if items.is_empty() { Scope::None } else { Scope::List(items) }
    }

    /// As the permission options of the engine want it: `None` is nothing, an empty list everything.
    pub fn to_option(&self) -> Option<Vec<String>> {
        match self {
            Scope::None => None,
            Scope::List(items) => Some(items.clone()),
            Scope::All => Some(Vec::new()),
        }
    }

    /// What both allow.
    fn and(&self, other: &Scope, kind: Kind) -> Scope {
        match (self, other) {
            (Scope::None, _) | (_, Scope::None) => Scope::None,
            (Scope::All, scope) | (scope, Scope::All) => scope.clone(),
            (Scope::List(a), Scope::List(b)) => {
                let within = |items: &'_ [String], limits: &'_ [String]| -> Vec<String> {
                    items.iter().filter(|item| limits.iter().any(|limit| kind.covers(limit, item))).cloned().collect()
                };
                Scope::list(within(a, b).into_iter().chain(within(b, a)))
            }
        }
    }

    /// What either names.
    pub(super) fn or(&self, other: &Scope) -> Scope {
        match (self, other) {
            (Scope::All, _) | (_, Scope::All) => Scope::All,
            (Scope::None, scope) | (scope, Scope::None) => scope.clone(),
            (Scope::List(a), Scope::List(b)) => Scope::list(a.iter().chain(b).cloned()),
        }
    }
}

/// What is allowed of a kind and what of it is denied; a denial beats an allowance.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Grant {
    /// Allowed.
    pub allow: Scope,
    /// Denied.
    pub deny: Scope,
}

/// What hooks may reach.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PermissionSet {
    /// Nothing was narrowed by an allowance: every kind is allowed, also those without a switch.
    /// Denials may still stand beside it.
    pub allow_all: bool,
    /// Reading files.
    pub read: Grant,
    /// Writing files.
    pub write: Grant,
    /// The network.
    pub net: Grant,
    /// Child processes.
    pub run: Grant,
    /// Environment variables.
    pub env: Grant,
    /// Facts about the machine.
    pub sys: Grant,
}

impl PermissionSet {
    /// Everything: the default for trusted hooks.
    pub fn all() -> PermissionSet {
        let all = || Grant { allow: Scope::All, deny: Scope::None };
        PermissionSet { allow_all: true, read: all(), write: all(), net: all(), run: all(), env: all(), sys: all() }
    }

    /// Nothing.
    pub fn none() -> PermissionSet {
        let none = Grant::default;
        PermissionSet {
            allow_all: false,
            read: none(),
            write: none(),
            net: none(),
            run: none(),
            env: none(),
            sys: none(),
        }
    }

    /// The grant of a kind.
    pub fn get(&self, kind: Kind) -> &Grant {
        match kind {
            Kind::Read => &self.read,
            Kind::Write => &self.write,
            Kind::Net => &self.net,
            Kind::Run => &self.run,
            Kind::Env => &self.env,
            Kind::Sys => &self.sys,
        }
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, kind: Kind) -> &mut Grant {
        match kind {
            Kind::Read => &mut self.read,
            Kind::Write => &mut self.write,
            Kind::Net => &mut self.net,
            Kind::Run => &mut self.run,
            Kind::Env => &mut self.env,
            Kind::Sys => &mut self.sys,
        }
    }

    /// Whether nothing at all is held back.
    pub fn is_unrestricted(&self) -> bool {
        self.allow_all && Kind::ALL.iter().all(|kind| self.get(*kind).deny == Scope::None)
    }

    /// What both sets allow: allowances of both, denials of either. Never wider than `self`.
    pub fn narrowed_by(&self, other: &PermissionSet) -> PermissionSet {
        let mut set = PermissionSet { allow_all: self.allow_all && other.allow_all, ..PermissionSet::none() };
        for kind in Kind::ALL {
            let (a, b) = (self.get(kind), other.get(kind));
            *set.get_mut(kind) = Grant { allow: a.allow.and(&b.allow, kind), deny: a.deny.or(&b.deny) };
        }
        set
    }
}

impl Default for PermissionSet {
    fn default() -> Self {
        PermissionSet::all()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(kind: Kind, a: &[&str], b: &[&str]) -> Scope {
        let scope = |items: &[&str]| Scope::list(items.iter().map(|item| (*item).to_owned()));
        assert_eq!(scope(a).and(&scope(b), kind), scope(b).and(&scope(a), kind), "order must not matter");
        scope(a).and(&scope(b), kind)
    }

    #[test]
    fn two_lists_leave_what_both_cover() {
        let list = |items: &[&str]| Scope::list(items.iter().map(|item| (*item).to_owned()));
        for (kind, a, b, left) in [
            (Kind::Read, &["/a", "/b/c"][..], &["/a/x", "/b", "/d"][..], &["/a/x", "/b/c"][..]),
            (Kind::Read, &["/ab"], &["/a"], &[]),
            (Kind::Net, &["h", "k:1"], &["H:80", "k:2"], &["H:80"]),
            (Kind::Net, &["*.x.org"], &["a.x.org", "x.org", "evilx.org"], &["a.x.org"]),
            (Kind::Net, &["[::1]"], &["[::1]:80"], &["[::1]:80"]),
            (Kind::Env, &["CI_*"], &["CI_X", "HOME"], &["CI_X"]),
            (Kind::Run, &["git", "ls"], &["git"], &["git"]),
            (Kind::Sys, &["uid"], &["gid"], &[]),
        ] {
            assert_eq!(both(kind, a, b), list(left), "{kind} {a:?} {b:?}");
        }
    }

    #[test]
    fn an_empty_list_is_nothing_never_everything() {
        assert_eq!(Scope::list([]), Scope::None);
        assert_eq!(both(Kind::Run, &["a"], &["b"]).to_option(), None);
        assert_eq!(Scope::All.to_option(), Some(Vec::new()));
    }

    #[test]
    fn narrowing_keeps_denials_of_both_and_never_widens() {
        let mut a = PermissionSet::all();
        a.run.deny = Scope::list(["rm".to_owned()]);
        let mut b = PermissionSet::none();
        b.run = Grant { allow: Scope::All, deny: Scope::list(["dd".to_owned()]) };
        let set = a.narrowed_by(&b);
        assert!(!set.allow_all);
        assert_eq!(set.run, Grant { allow: Scope::All, deny: Scope::list(["dd".to_owned(), "rm".to_owned()]) });
        assert_eq!(set.read.allow, Scope::None);
        assert_eq!(PermissionSet::all().narrowed_by(&PermissionSet::all()), PermissionSet::all());
    }
}
