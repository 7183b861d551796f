//! A permission set for people and as JSON, in the words of flags and policy files.

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::permission_set::{Grant, Kind, PermissionSet, Scope};

impl PermissionSet {
    fn written(&self, part: fn(&Grant) -> &Scope) -> String {
        let kinds = Kind::ALL.iter().filter_map(|kind| match part(self.get(*kind)) {
            Scope::None => None,
            Scope::All => Some(kind.to_string()),
            Scope::List(items) => Some(format!("{kind}={}", items.join(","))),
        });
        kinds.collect::<Vec<_>>().join(" ")
    }

    fn listed(&self, part: fn(&Grant) -> &Scope) -> Map<String, Value> {
        let kinds = Kind::ALL.iter().filter_map(|kind| match part(self.get(*kind)) {
            Scope::None => None,
            Scope::All => Some((kind.to_string(), true.into())),
            Scope::List(items) => Some((kind.to_string(), json!(items))),
        });
        kinds.collect()
    }
}

/// `everything`, `nothing`, `read=/a,/b env`, `everything but not net run=rm`.
impl fmt::Display for PermissionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let allowed = if self.allow_all { "everything".to_owned() } else { self.written(|grant| &grant.allow) };
        f.write_str(if allowed.is_empty() { "nothing" } else { &allowed })?;
        let denied = self.written(|grant| &grant.deny);
        if denied.is_empty() { Ok(()) } else { write!(f, " but not {denied}") }
    }
}

/// As an entry of the policy file.
impl Serialize for PermissionSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let allow = if self.allow_all { json!("all") } else { self.listed(|grant| &grant.allow).into() };
        let mut entry = json!({ "allow": allow });
        let deny = self.listed(|grant| &grant.deny);
        if !deny.is_empty() {
            entry["deny"] = deny.into();
        }
        entry.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::policy::parse_set;
    use super::*;

    #[test]
    fn what_is_shown_can_be_read_back() {
        for (entry, text) in [
            (json!({ "allow": "all" }), "everything"),
            (json!({ "allow": {} }), "nothing"),
            (json!({ "allow": "all", "deny": { "net": true, "run": ["rm"] } }), "everything but not net run=rm"),
            (
                json!({ "allow": { "read": ["/a", "/b"], "env": true }, "deny": { "read": ["/a/x"] } }),
                "read=/a,/b env but not read=/a/x",
            ),
        ] {
            let set = parse_set(&entry, "", Path::new("/"), None).unwrap();
            assert_eq!(set.to_string(), text);
            assert_eq!(serde_json::to_value(&set).unwrap(), entry);
        }
    }
}
