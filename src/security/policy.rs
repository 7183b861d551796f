//! The user's policy file: what single hooks, or all hooks of a directory, may reach.
//!
//! ```json
//! { "hooks": {
//!     "~/.xcsh/agent/hooks":      { "deny": { "net": true } },
//!     "/srv/app/.xcsh/hooks/pre/fmt.ts": { "allow": { "read": ["/srv/app"], "run": ["prettier"] } }
//! } }
//! ```
//!
//! An entry says what `--allow-…` and `--deny-…` say, and it only narrows: what the flags do not
//! allow stays forbidden. The most specific entry of a hook counts, the others not.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::env::{Env, config_dir, home_dir};
use super::flags::{PermissionError, absolute, absolute_path, check_item};
use super::permission_set::{Kind, PermissionSet, Scope};
use super::strict_json::StrictValue;

/// The name of the policy file in the user's configuration directory.
pub const FILE_NAME: &str = "permissions.json";

/// The entries of a policy file.
#[derive(Debug, Clone, Default)]
pub struct Policy {
    /// Where it stands.
    file: PathBuf,
    entries: Vec<Entry>,
}

#[derive(Debug, Clone)]
struct Entry {
    /// File and field.
    place: String,
    /// As written, made absolute, and where it really leads when that is elsewhere.
    paths: Vec<PathBuf>,
    set: PermissionSet,
}

impl Policy {
    /// Entries that name a file or directory that is not there, each as `PLACE: PATH`: they narrow nothing, which may be a slip.
    pub fn without_file(&self) -> impl Iterator<Item = String> + '_ {
        let gone = self.entries.iter().filter(|entry| !entry.paths.iter().any(|path| path.exists()));
        gone.filter_map(|entry| Some(format!("{}: {} does not exist", entry.place, entry.paths.first()?.display())))
    }

    /// The policy of the user whom the environment describes; none when there is no file.
    ///
    /// # Errors
    /// When the file cannot be read or says something unclear. Do not run hooks then: what was meant
    /// to be forbidden is not known.
    pub fn of_user(env: Env<'_>) -> Result<Policy, PermissionError> {
        let dir = config_dir(env).map_err(|error| PermissionError::new("policy file", error.to_string()));
        match (dir, home_dir(env)) {
            (Ok(dir), home) => Policy::load(&dir.join(FILE_NAME), home.as_deref()),
            // A user without a home has no policy; a directory named wrongly is a mistake.
            (Err(_), None) if env("HOOKRT_CONFIG_DIR").is_none() => Ok(Policy::default()),
            (Err(error), _) => Err(error),
        }
    }

    /// Reads a policy file; a file that does not exist is an empty policy.
    ///
    /// # Errors
    /// As [`Policy::of_user`].
    pub fn load(file: &Path, home: Option<&Path>) -> Result<Policy, PermissionError> {
        match fs::read_to_string(file) {
            Ok(text) => Policy::parse(&text, file, home),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Policy::default()),
            Err(error) => Err(PermissionError::new(file.display().to_string(), format!("cannot be read: {error}"))),
        }
    }

    /// Reads the text of a policy file. `file` is named in errors; relative paths in the text count
    /// from its directory.
    ///
    /// # Errors
    /// When it is no JSON or a field is unknown or of the wrong shape; the error names the field.
    pub fn parse(text: &str, file: &Path, home: Option<&Path>) -> Result<Policy, PermissionError> {
        let reader = Reader { place: file.display().to_string(), base: file.parent().unwrap_or(Path::new("/")), home };
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let StrictValue(top) = serde_json::from_str(text).map_err(|error| reader.error("", error))?;
        let top = top.as_object().ok_or_else(|| reader.error("", "must be an object with hooks"))?;
        let mut policy = Policy { file: file.to_path_buf(), entries: Vec::new() };
        for (key, value) in top {
            match key.as_str() {
                "hooks" => policy.entries = reader.entries(value)?,
                "version" if *value == 1 => {}
                "version" => return Err(reader.error(key, "only version 1 is known")),
                "$schema" => {}
                _ => return Err(reader.error(key, "unknown field; there are version, hooks")),
            }
        }
        Ok(policy)
    }

    /// Whether there is no entry at all.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The file, when there are entries.
    pub fn file(&self) -> Option<&Path> {
        (!self.is_empty()).then_some(&self.file)
    }

    /// What each entry grants, with the place it stands at.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &PermissionSet)> {
        self.entries.iter().map(|entry| (entry.place.as_str(), &entry.set))
    }

    /// What a hook may reach: `base` narrowed by its most specific entry. Give every path the hook has
    /// (as resolved, and with all links followed): if they lead to different entries, each narrows.
    pub fn permissions_for<P: AsRef<Path>>(
        &self,
        base: &PermissionSet,
        hook: impl IntoIterator<Item = P>,
    ) -> PermissionSet {
        let narrow = |set: PermissionSet, path: P| match self.entry_of(path.as_ref()) {
            Some(entry) => set.narrowed_by(&entry.set),
            None => set,
        };
        hook.into_iter().fold(base.clone(), narrow)
    }

    /// The entry whose path is the hook's or its nearest parent's.
    fn entry_of(&self, hook: &Path) -> Option<&Entry> {
        let depth = |entry: &Entry| {
            entry.paths.iter().filter(|path| hook.starts_with(path)).map(|path| path.components().count()).max()
        };
        self.entries
            .iter()
            .filter_map(|entry| Some((depth(entry)?, entry)))
            .max_by_key(|(depth, _)| *depth)
            .map(|(_, e)| e)
    }
}

/// Reads what one entry says, `{allow?, deny?}`, where something else than a policy file has it. `place` is named in errors; relative
/// paths count from `base`.
///
/// # Errors
/// When a field is unknown or of the wrong shape; the error names the field.
pub fn parse_set(
    value: &Value,
    place: &str,
    base: &Path,
    home: Option<&Path>,
) -> Result<PermissionSet, PermissionError> {
    Reader { place: place.to_owned(), base, home }.set(value, "")
}

struct Reader<'a> {
    place: String,
    base: &'a Path,
    home: Option<&'a Path>,
}

impl Reader<'_> {
    fn error(&self, field: &str, problem: impl ToString) -> PermissionError {
        let field = field.trim_start_matches('.');
        let place = if field.is_empty() { self.place.clone() } else { format!("{}: {field}", self.place) };
        PermissionError::new(place, problem.to_string())
    }

    fn entries(&self, value: &Value) -> Result<Vec<Entry>, PermissionError> {
        let object = value.as_object().ok_or_else(|| self.error("hooks", "must be an object from path to entry"))?;
        let mut entries: Vec<Entry> = Vec::new();
        for (key, value) in object {
            let field = format!("hooks[{key:?}]");
            let place = format!("{}: {field}", self.place);
            let entry = Entry { place, paths: self.paths(key, &field)?, set: self.set(value, &field)? };
            if entries.iter().any(|other| other.paths.iter().any(|path| entry.paths.contains(path))) {
                return Err(self.error(&field, "names a path that another entry names too"));
            }
            entries.push(entry);
        }
        Ok(entries)
    }

    fn paths(&self, key: &str, field: &str) -> Result<Vec<PathBuf>, PermissionError> {
        if !key.starts_with(['/', '~']) && !Path::new(key).is_absolute() {
            return Err(self.error(field, "must be an absolute path or begin with ~/"));
        }
        if key.starts_with('~') && self.home.is_none() {
            return Err(self.error(field, "there is no home directory"));
        }
        let written = absolute_path(key, self.base, self.home);
        let real = fs::canonicalize(&written).ok().filter(|real| *real != written);
        Ok(std::iter::once(written).chain(real).collect())
    }

    fn set(&self, value: &Value, field: &str) -> Result<PermissionSet, PermissionError> {
        let object = value.as_object().ok_or_else(|| self.error(field, "must be an object with allow or deny"))?;
        if let Some(unknown) = object.keys().find(|key| !matches!(key.as_str(), "allow" | "deny")) {
            return Err(self.error(&format!("{field}.{unknown}"), "unknown field; there are allow, deny"));
        }
        let mut set = match object.get("allow") {
            None => PermissionSet::all(),
            Some(Value::String(all)) if all == "all" => PermissionSet::all(),
            Some(allow) => {
                let mut set = PermissionSet::none();
                self.scopes(allow, &format!("{field}.allow"), |kind, scope| set.get_mut(kind).allow = scope)?;
                set
            }
        };
        if let Some(deny) = object.get("deny") {
            self.scopes(deny, &format!("{field}.deny"), |kind, scope| set.get_mut(kind).deny = scope)?;
        }
        Ok(set)
    }

    fn scopes(&self, value: &Value, field: &str, mut put: impl FnMut(Kind, Scope)) -> Result<(), PermissionError> {
        let object =
            value.as_object().ok_or_else(|| self.error(field, "must be an object from kind to true or a list"))?;
        for (name, value) in object {
            let field = format!("{field}.{name}");
            let Some(kind) = Kind::parse(name) else {
                let kinds = Kind::ALL.map(Kind::as_str).join(", ");
                return Err(self.error(&field, format!("unknown kind; there are {kinds}")));
            };
            put(kind, self.scope(kind, value, &field)?);
        }
        Ok(())
    }

    fn scope(&self, kind: Kind, value: &Value, field: &str) -> Result<Scope, PermissionError> {
        let items = match value {
            Value::Bool(true) => return Ok(Scope::All),
            Value::Bool(false) => return Ok(Scope::None),
            Value::Array(items) => items,
            _ => return Err(self.error(field, "must be true, false or a list of texts")),
        };
        let mut list = Vec::new();
        for (at, item) in items.iter().enumerate() {
            let field = format!("{field}[{at}]");
            let text = item.as_str().ok_or_else(|| self.error(&field, "must be text"))?;
            check_item(kind, text).map_err(|problem| self.error(&field, problem))?;
            list.push(text.to_owned());
        }
        Ok(absolute(kind, Scope::list(list), self.base, self.home))
    }
}

#[cfg(test)]
mod tests {
    use super::super::permission_set::Grant;
    use super::*;

    fn parse(text: &str) -> Result<Policy, PermissionError> {
        Policy::parse(text, Path::new("/c/permissions.json"), Some(Path::new("/home/u")))
    }

    fn list(items: &[&str]) -> Scope {
        Scope::list(items.iter().map(|item| (*item).to_owned()))
    }

    #[test]
    fn the_most_specific_entry_counts_alone() {
        let policy = parse(
            r#"{"hooks": {
                "~/h":          {"deny": {"net": true}},
                "/home/u/h/in": {"allow": {"read": ["~/x", "rel"]}},
                "~/h/in/a.ts":  {"allow": "all"}
            }}"#,
        )
        .unwrap();
        let of = |path: &str| policy.permissions_for(&PermissionSet::all(), [path]);
        assert!(of("/elsewhere/a.ts").is_unrestricted());
        assert!(of("/home/u/h2/a.ts").is_unrestricted());
        assert_eq!(of("/home/u/h/b.ts").net, Grant { allow: Scope::All, deny: Scope::All });
        let inner = of("/home/u/h/in/b.ts");
        assert_eq!(inner.read.allow, list(&["/c/rel", "/home/u/x"]));
        assert_eq!((inner.net.allow, inner.net.deny), (Scope::None, Scope::None));
        assert!(of("/home/u/h/in/a.ts").is_unrestricted());
    }

    #[test]
    fn an_entry_never_gives_more_than_the_flags() {
        let policy = parse(r#"{"hooks": {"/h": {"allow": {"read": true, "net": true}}}}"#).unwrap();
        let mut base = PermissionSet::none();
        base.read.allow = list(&["/w"]);
        let set = policy.permissions_for(&base, ["/h/a.ts"]);
        assert_eq!((set.read.allow, set.net.allow, set.allow_all), (list(&["/w"]), Scope::None, false));
    }

    #[test]
    fn every_path_of_a_hook_narrows() {
        let policy = parse(r#"{"hooks": {"/a": {"deny": {"run": true}}, "/b": {"deny": {"net": true}}}}"#).unwrap();
        let set = policy.permissions_for(&PermissionSet::all(), ["/a/link.ts", "/b/real.ts"]);
        assert_eq!((set.run.deny, set.net.deny), (Scope::All, Scope::All));
    }

    #[test]
    fn mistakes_name_file_and_field() {
        for (text, parts) in [
            ("{", "/c/permissions.json"),
            ("[]", "must be an object"),
            (r#"{"hooks": {"/h": {"deny": {"net": true}, "deny": {}}}}"#, "\"deny\" stands twice"),
            (r#"{"hook": {}}"#, "permissions.json: hook: unknown field"),
            (r#"{"version": 2}"#, "version: only version 1"),
            (r#"{"hooks": []}"#, "hooks: must be an object"),
            (r#"{"hooks": {"rel": {}}}"#, r#"hooks["rel"]: must be an absolute path"#),
            (r#"{"hooks": {"/h": {"alow": {}}}}"#, r#"hooks["/h"].alow: unknown field"#),
            (r#"{"hooks": {"/h": {"allow": true}}}"#, r#"hooks["/h"].allow: must be an object"#),
            (r#"{"hooks": {"/h": {"allow": {"ffi": true}}}}"#, r#".allow.ffi: unknown kind"#),
            (r#"{"hooks": {"/h": {"deny": {"net": "x"}}}}"#, r#".deny.net: must be true"#),
            (r#"{"hooks": {"/h": {"deny": {"net": ["a", 7]}}}}"#, r#".deny.net[1]: must be text"#),
            (r#"{"hooks": {"/h": {"deny": {"net": ["http://a"]}}}}"#, r#".deny.net[0]: `http://a` is a URL"#),
            (r#"{"hooks": {"/h": {}, "/h/": {}}}"#, r#"hooks["/h/"]: names a path"#),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(parts), "{error} lacks {parts}");
        }
    }

    #[test]
    fn no_file_is_no_policy_and_an_unreadable_one_is_a_mistake() {
        let dir = tempfile::tempdir().unwrap();
        assert!(Policy::load(&dir.path().join("none.json"), None).unwrap().is_empty());
        assert!(Policy::load(dir.path(), None).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn an_entry_holds_for_where_its_path_leads() {
        let dir = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(dir.path()).unwrap();
        fs::create_dir(root.join("real")).unwrap();
        std::os::unix::fs::symlink(root.join("real"), root.join("link")).unwrap();
        let text =
            serde_json::json!({"hooks": {root.join("link").to_str().unwrap(): {"deny": {"run": true}}}}).to_string();
        let policy = Policy::parse(&text, &root.join("p.json"), None).unwrap();
        let set = policy.permissions_for(&PermissionSet::all(), [root.join("real/a.ts")]);
        assert_eq!(set.run.deny, Scope::All);
    }
}
