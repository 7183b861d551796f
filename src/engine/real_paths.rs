//! Permissions of files hold for where a path really leads. The permission crate compares paths as they are written, so a link inside a
//! directory that may be read would open whatever it points to; this parser hands it the real place instead.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use deno_permissions::{
    AllowRunDescriptorParseResult, DenyRunDescriptor, EnvDescriptor, EnvDescriptorParseError, FfiDescriptor,
    ImportDescriptor, NetDescriptor, NetDescriptorParseError, PathQueryDescriptor, PathResolveError,
    PermissionDescriptorParser, ReadDescriptor, RunDescriptorParseError, RunQueryDescriptor,
    RuntimePermissionDescriptorParser, SpecialFilePathQueryDescriptor, SysDescriptor, SysDescriptorParseError,
    WriteDescriptor,
};
use sys_traits::impls::RealSys;

use crate::security::{Grant, PermissionSet, Scope};

/// How many links one path may lead over, as in the kernel.
const MAX_LINKS: usize = 40;

#[derive(Debug)]
pub struct RealPaths {
    inner: RuntimePermissionDescriptorParser<RealSys>,
    grants: [Grant; 2],
}

impl RealPaths {
    pub fn new(set: &PermissionSet) -> RealPaths {
        let inner = RuntimePermissionDescriptorParser::new(RealSys);
        RealPaths { inner, grants: [&set.read, &set.write].map(real_grant) }
    }

    /// The place to ask for: the path with the links of its directories followed. The last name stays what it is, for there are calls that
    /// are about a link itself, unless it is a link to where less is allowed.
    fn place(&self, path: &Path) -> PathBuf {
        let place = in_real_directory(path);
        let target = follow(place.clone());
        let narrower = |grant: &Grant| allows(grant, &place) && !allows(grant, &target);
        if self.grants.iter().any(narrower) { target } else { place }
    }
}

fn real_grant(grant: &Grant) -> Grant {
    let real = |scope: &Scope| match scope {
        Scope::List(items) => Scope::list(items.iter().map(|item| text(real(Path::new(item))))),
        other => other.clone(),
    };
    Grant { allow: real(&grant.allow), deny: real(&grant.deny) }
}

fn allows(grant: &Grant, path: &Path) -> bool {
    let names = |scope: &Scope| match scope {
        Scope::None => false,
        Scope::All => true,
        Scope::List(items) => items.iter().any(|item| path.starts_with(item)),
    };
    names(&grant.allow) && !names(&grant.deny)
}

/// Where a path leads, with every link followed; what is not there yet is where it would be made.
fn real(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| follow(in_real_directory(path)))
}

fn in_real_directory(path: &Path) -> PathBuf {
    match (path.parent(), path.file_name()) {
        (Some(directory), Some(name)) => real(directory).join(name),
        _ => path.to_path_buf(),
    }
}

/// Where the link at `place` leads, be there something or not; `place` itself when it is none.
fn follow(mut place: PathBuf) -> PathBuf {
    for _ in 0..MAX_LINKS {
        let Ok(target) = std::fs::read_link(&place) else { break };
        let target = place.parent().unwrap_or(Path::new("/")).join(target);
        place = in_real_directory(&path_clean::clean(target));
    }
    place
}

fn text(path: PathBuf) -> String {
    path.to_string_lossy().into_owned()
}

/// Where names are not files: the permission crate has rules of its own for them.
fn is_of_the_kernel(path: &Path) -> bool {
    ["/proc", "/dev", "/sys"].iter().any(|root| path.starts_with(root))
}

impl PermissionDescriptorParser for RealPaths {
    fn parse_read_descriptor(&self, item: &str) -> Result<ReadDescriptor, PathResolveError> {
        self.inner.parse_read_descriptor(&text(real(Path::new(item))))
    }

    fn parse_write_descriptor(&self, item: &str) -> Result<WriteDescriptor, PathResolveError> {
        self.inner.parse_write_descriptor(&text(real(Path::new(item))))
    }

    fn parse_path_query<'a>(&self, path: Cow<'a, Path>) -> Result<PathQueryDescriptor<'a>, PathResolveError> {
        let everywhere = |grant: &Grant| grant.allow == Scope::All && grant.deny == Scope::None;
        let Ok(absolute) = std::path::absolute(&path) else { return self.inner.parse_path_query(path) };
        let written = path_clean::clean(absolute);
        if path.as_os_str().is_empty() || is_of_the_kernel(&written) || self.grants.iter().all(everywhere) {
            return self.inner.parse_path_query(path);
        }
        let place = self.place(&written);
        if place == written {
            return self.inner.parse_path_query(path);
        }
        Ok(PathQueryDescriptor::new_known_absolute(Cow::Owned(place)))
    }

    fn parse_special_file_descriptor<'a>(
        &self,
        path: PathQueryDescriptor<'a>,
    ) -> Result<SpecialFilePathQueryDescriptor<'a>, PathResolveError> {
        self.inner.parse_special_file_descriptor(path)
    }

    fn parse_net_descriptor(&self, item: &str) -> Result<NetDescriptor, NetDescriptorParseError> {
        self.inner.parse_net_descriptor(item)
    }

    fn parse_import_descriptor(&self, item: &str) -> Result<ImportDescriptor, NetDescriptorParseError> {
        self.inner.parse_import_descriptor(item)
    }

    fn parse_env_descriptor(&self, item: &str) -> Result<EnvDescriptor, EnvDescriptorParseError> {
        self.inner.parse_env_descriptor(item)
    }

    fn parse_sys_descriptor(&self, item: &str) -> Result<SysDescriptor, SysDescriptorParseError> {
        self.inner.parse_sys_descriptor(item)
    }

    fn parse_allow_run_descriptor(&self, item: &str) -> Result<AllowRunDescriptorParseResult, RunDescriptorParseError> {
        self.inner.parse_allow_run_descriptor(item)
    }

    fn parse_deny_run_descriptor(&self, item: &str) -> Result<DenyRunDescriptor, PathResolveError> {
        self.inner.parse_deny_run_descriptor(item)
    }

    fn parse_ffi_descriptor(&self, item: &str) -> Result<FfiDescriptor, PathResolveError> {
        self.inner.parse_ffi_descriptor(item)
    }

    fn parse_net_query(&self, query: &str) -> Result<NetDescriptor, NetDescriptorParseError> {
        self.inner.parse_net_query(query)
    }

    fn parse_run_query<'a>(&self, query: &'a str) -> Result<RunQueryDescriptor<'a>, RunDescriptorParseError> {
        self.inner.parse_run_query(query)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use deno_permissions::OpenAccessKind::{self, Read, ReadNoFollow, Write, WriteNoFollow};

    use super::super::permissions::container;
    use super::*;

    struct Tree {
        _dir: tempfile::TempDir,
        root: PathBuf,
    }

    /// `in/` with links that lead out, `out/secret`, and `alias`, which leads to `in/`.
    fn tree() -> Tree {
        let dir = tempfile::tempdir().unwrap();
        let root = std::fs::canonicalize(dir.path()).unwrap();
        std::fs::create_dir_all(root.join("in/sub")).unwrap();
        std::fs::create_dir(root.join("out")).unwrap();
        std::fs::write(root.join("in/file"), "").unwrap();
        std::fs::write(root.join("out/secret"), "").unwrap();
        for (target, link) in [
            ("../out/secret", "in/to-secret"),
            ("../out", "in/to-out"),
            ("../out/new", "in/to-nothing"),
            ("file", "in/to-file"),
            ("in", "alias"),
        ] {
            symlink(target, root.join(link)).unwrap();
        }
        Tree { _dir: dir, root }
    }

    fn may(set: &PermissionSet, path: &Path, kind: OpenAccessKind) -> bool {
        container(set).unwrap().check_open(Cow::Borrowed(path), kind, None).is_ok()
    }

    fn list(path: &Path) -> Scope {
        Scope::list([path.to_string_lossy().into_owned()])
    }

    #[test]
    fn a_link_out_of_an_allowed_directory_leads_nowhere() {
        let tree = tree();
        for allowed in ["in", "alias"] {
            let grant = Grant { allow: list(&tree.root.join(allowed)), deny: Scope::None };
            let set = PermissionSet { read: grant.clone(), write: grant, ..PermissionSet::none() };
            for kind in [Read, ReadNoFollow, Write, WriteNoFollow] {
                for name in ["in/file", "in/to-file", "in/new", "alias/sub/../file", "in/to-file/../file"] {
                    assert!(may(&set, &tree.root.join(name), kind), "{allowed} {name} {kind:?}");
                }
                for name in
                    ["out/secret", "in/to-secret", "in/to-out/secret", "in/to-nothing", "alias/to-out/x", "in/../out"]
                {
                    assert!(!may(&set, &tree.root.join(name), kind), "{allowed} {name} {kind:?}");
                }
            }
        }
    }

    #[test]
    fn a_denial_holds_however_a_file_is_named() {
        let tree = tree();
        let mut set = PermissionSet::all();
        set.read.deny = list(&tree.root.join("alias"));
        assert!(may(&set, &tree.root.join("out/secret"), Read));
        for name in ["in/file", "alias/file"] {
            assert!(!may(&set, &tree.root.join(name), Read), "{name}");
        }
    }

    #[test]
    fn a_link_to_where_less_is_allowed_may_be_read_not_written() {
        let tree = tree();
        let read = Grant { allow: list(&tree.root), deny: Scope::None };
        let write = Grant { allow: list(&tree.root.join("in")), deny: Scope::None };
        let set = PermissionSet { read, write, ..PermissionSet::none() };
        assert!(may(&set, &tree.root.join("in/to-secret"), Read));
        assert!(!may(&set, &tree.root.join("in/to-secret"), Write));
    }

    #[test]
    fn links_in_a_circle_come_to_an_end() {
        let tree = tree();
        symlink("loop", tree.root.join("in/loop")).unwrap();
        let mut set = PermissionSet::none();
        set.read.allow = list(&tree.root.join("in"));
        may(&set, &tree.root.join("in/loop/x"), Read);
    }
}
