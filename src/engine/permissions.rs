//! A permission set as the ops of the deno crates ask for it, and what an isolate may load as code.

use std::borrow::Cow;
use std::cell::RefCell;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use deno_error::JsErrorBox;
use deno_permissions::{OpenAccessKind, Permissions, PermissionsContainer, PermissionsOptions};

use super::real_paths::RealPaths;
use crate::loader::FileKind;
use crate::security::{PermissionError, PermissionSet, Scope};

/// The engine's form of a set. Nothing ever prompts: what is not granted is denied.
///
/// # Errors
/// When an item cannot be one of its kind, such as a host name that is none.
pub fn container(set: &PermissionSet) -> Result<PermissionsContainer, String> {
    let parser = Arc::new(RealPaths::new(set));
    if set.is_unrestricted() {
        return Ok(PermissionsContainer::allow_all(parser));
    }
    // Native code and remote imports have no switch: neither is there for hooks.
    let rest = set.allow_all.then(Vec::new);
    let options = PermissionsOptions {
        allow_read: set.read.allow.to_option(),
        deny_read: set.read.deny.to_option(),
        allow_write: set.write.allow.to_option(),
        deny_write: set.write.deny.to_option(),
        allow_net: set.net.allow.to_option(),
        deny_net: set.net.deny.to_option(),
        allow_run: set.run.allow.to_option(),
        deny_run: set.run.deny.to_option(),
        allow_env: set.env.allow.to_option(),
        deny_env: set.env.deny.to_option(),
        allow_sys: set.sys.allow.to_option(),
        deny_sys: set.sys.deny.to_option(),
        allow_ffi: rest.clone(),
        allow_import: rest,
        prompt: false,
        ..PermissionsOptions::default()
    };
    let permissions = Permissions::from_options(&*parser, &options).map_err(|error| error.to_string())?;
    Ok(PermissionsContainer::new(parser, permissions))
}

/// Whether the engine can take a set: an item that the flags let pass may still be no host or program.
///
/// # Errors
/// When it cannot; the error names `place` and what is wrong.
pub fn check(place: &str, set: &PermissionSet) -> Result<(), PermissionError> {
    container(set).map(drop).map_err(|problem| PermissionError { place: place.to_owned(), problem })
}

/// What hooks may import and require. Their own code needs no permission to read files: that is code files, wherever they are, what lies
/// below the hook's folder (dot files apart), and whatever is in `node_modules`. Any other file is data, and needs one. What is denied by
/// its path cannot be imported either; a denial of everything leaves the code.
pub struct CodeAccess {
    permissions: PermissionsContainer,
    /// Denies what is denied, and nothing else.
    denials: Option<PermissionsContainer>,
    denies_all: bool,
    folders: RefCell<Vec<PathBuf>>,
}

impl CodeAccess {
    /// # Errors
    /// As [`container`].
    pub fn new(set: &PermissionSet, permissions: PermissionsContainer) -> Result<CodeAccess, String> {
        let deny = set.read.deny.clone();
        let denies_all = deny == Scope::All;
        let denials = match deny {
            Scope::None => None,
            deny => {
                let mut all = PermissionSet::all();
                all.read.deny = deny;
                Some(container(&all)?)
            }
        };
        Ok(CodeAccess { permissions, denials, denies_all, folders: RefCell::default() })
    }

    /// A hook's own module: what lies beside it is its own.
    pub fn add_entry(&self, file: &Path) {
        let real = std::fs::canonicalize(file).unwrap_or_else(|_| file.to_path_buf());
        if let Some(folder) = real.parent() {
            self.folders.borrow_mut().push(folder.to_path_buf());
        }
    }

    /// # Errors
    /// `NotCapable` when `path` is no code of the hooks and may not be read either.
    pub fn check(&self, path: &Path) -> Result<(), JsErrorBox> {
        if self.permissions.query_read_all() {
            return Ok(());
        }
        // Where a link leads counts. What is not there has no content that could be told.
        let Ok(real) = std::fs::canonicalize(path) else { return Ok(()) };
        if real.is_dir() {
            return Ok(());
        }
        let is_code = is_code(&real);
        if let Some(denials) = self.denials.as_ref().filter(|_| !(self.denies_all && is_code)) {
            let denied = denials.check_open(Cow::Borrowed(&real), OpenAccessKind::Read, Some("import"));
            denied.map_err(JsErrorBox::from_err)?;
        }
        if is_code || self.folders.borrow().iter().any(|folder| is_visible_in(&real, folder)) {
            return Ok(());
        }
        let checked = self.permissions.check_open(Cow::Owned(real), OpenAccessKind::Read, Some("import"));
        checked.map(drop).map_err(JsErrorBox::from_err)
    }
}

fn is_code(file: &Path) -> bool {
    // Without an extension a file may be anything, a key for instance.
    (file.extension().is_some() && FileKind::from_path(file).is_some_and(|kind| kind != FileKind::Json))
        || file.file_name() == Some(OsStr::new("package.json"))
        || file.components().any(|part| part.as_os_str() == "node_modules")
}

/// Whether `file` lies below `folder` without a name on the way that begins with a dot.
fn is_visible_in(file: &Path, folder: &Path) -> bool {
    file.strip_prefix(folder).is_ok_and(|below| {
        below
            .components()
            .all(|part| matches!(part, Component::Normal(name) if !name.as_encoded_bytes().starts_with(b".")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::security::{Grant, SYS};

    fn list(items: &[&str]) -> Scope {
        Scope::list(items.iter().map(|item| (*item).to_owned()))
    }

    fn access(set: &PermissionSet) -> CodeAccess {
        CodeAccess::new(set, container(set).unwrap()).unwrap()
    }

    #[test]
    fn what_is_denied_by_its_path_is_not_imported_either() {
        let dir = tempfile::tempdir().unwrap();
        let root = std::fs::canonicalize(dir.path()).unwrap();
        for name in ["secret.json", "secret.ts", "open.json", "open.ts"] {
            std::fs::write(root.join(name), "{}").unwrap();
        }
        let denying = |deny: Scope| {
            let mut set = PermissionSet::all();
            set.read.deny = deny;
            let access = access(&set);
            access.add_entry(&root.join("hook.ts"));
            access
        };
        let some = [root.join("secret.json"), root.join("secret.ts")];
        let by_path = denying(Scope::list(some.iter().map(|path| path.to_string_lossy().into_owned())));
        let everything = denying(Scope::All);
        for (name, path, all) in [
            ("secret.json", false, false),
            ("secret.ts", false, true),
            ("open.json", true, false),
            ("open.ts", true, true),
        ] {
            assert_eq!(by_path.check(&root.join(name)).is_ok(), path, "{name}");
            assert_eq!(everything.check(&root.join(name)).is_ok(), all, "{name}");
        }
    }

    #[test]
    fn every_fact_about_the_machine_that_flags_know_the_engine_knows() {
        let sys = Grant { allow: list(&SYS), deny: Scope::None };
        container(&PermissionSet { sys, ..PermissionSet::none() }).unwrap();
    }

    #[test]
    fn nothing_in_the_list_is_nothing_at_all() {
        let permissions = container(&PermissionSet::none()).unwrap();
        assert!(!permissions.query_read_all());
        assert!(permissions.check_env("HOME").is_err());
    }

    #[test]
    fn a_hook_may_load_its_code_and_what_lies_beside_it() {
        let dir = tempfile::tempdir().unwrap();
        let root = std::fs::canonicalize(dir.path()).unwrap();
        let file = |name: &str| {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, "{}").unwrap();
            path
        };
        let access = access(&PermissionSet::none());
        access.add_entry(&file("hooks/a.ts"));
        for name in ["lib/b.js", "hooks/data.json", "hooks/in/notes.txt", "lib/node_modules/p/x.json", "p/package.json"]
        {
            assert!(access.check(&file(name)).is_ok(), "{name}");
        }
        for name in ["data.json", "hooks/.env", "hooks/.aws/credentials.txt", "id_rsa"] {
            let error = access.check(&file(name)).unwrap_err();
            assert_eq!(deno_error::JsErrorClass::get_class(&error), "NotCapable", "{name}");
        }
        assert!(access.check(&root.join("none.json")).is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_what_it_leads_to() {
        let dir = tempfile::tempdir().unwrap();
        let hooks = dir.path().join("hooks");
        std::fs::create_dir(&hooks).unwrap();
        std::fs::write(dir.path().join("secret"), "s").unwrap();
        let access = access(&PermissionSet::none());
        access.add_entry(&hooks.join("a.ts"));
        for name in ["link.js", "link.json"] {
            std::os::unix::fs::symlink(dir.path().join("secret"), hooks.join(name)).unwrap();
            assert!(access.check(&hooks.join(name)).is_err(), "{name}");
        }
    }
}
