//! The session of `play`: a list of entries in memory, enough for hooks that read and write one.

use serde_json::{Map, Value, json};

/// Entries in order, each the child of the one before it.
#[derive(Debug, Default)]
pub struct Session {
    entries: Vec<Value>,
    leaf: Option<String>,
    /// How many sessions there were before this one.
    number: u64,
    next_entry: u64,
    version: u64,
}

impl Session {
    /// Raised with every change.
    pub fn version(&self) -> u64 {
        self.version
    }

    pub fn file(&self) -> String {
        format!("/play/session-{}.jsonl", self.number)
    }

    /// Appends an entry of this type under the leaf and gives its id.
    pub fn append(&mut self, kind: &str, fields: Map<String, Value>) -> String {
        self.next_entry += 1;
        let id = format!("e{}", self.next_entry);
        let mut entry = Map::new();
        entry.insert("type".to_owned(), kind.into());
        entry.insert("id".to_owned(), id.clone().into());
        entry.insert("parentId".to_owned(), self.leaf.clone().map_or(Value::Null, Value::String));
        entry.extend(fields.into_iter().filter(|(name, _)| name != "id" && name != "kind"));
        self.entries.push(Value::Object(entry));
        self.leaf = Some(id.clone());
        self.version += 1;
        id
    }

    /// Starts the next session with what a hook's `setup` appended.
    pub fn start_next(&mut self, setup: Vec<Value>) {
        self.entries.clear();
        self.leaf = None;
        self.number += 1;
        self.version += 1;
        for call in setup {
            if let Value::Object(fields) = call {
                let kind = fields.get("kind").and_then(Value::as_str).unwrap_or("custom").to_owned();
                self.append(&kind, fields);
            }
        }
    }

    /// Makes an entry the leaf; false when there is none of this id.
    pub fn go_to(&mut self, id: &str) -> bool {
        let known = self.find(id).is_some();
        if known {
            self.leaf = Some(id.to_owned());
            self.version += 1;
        }
        known
    }

    fn find(&self, id: &str) -> Option<&Value> {
        self.entries.iter().find(|entry| entry["id"] == id)
    }

    /// From the first entry to `leaf`.
    fn branch(&self, leaf: Option<&str>) -> Vec<Value> {
        let mut branch = Vec::new();
        let mut next = leaf.and_then(|id| self.find(id));
        while let Some(entry) = next {
            branch.push(entry.clone());
            next = entry["parentId"].as_str().and_then(|id| self.find(id));
        }
        branch.reverse();
        branch
    }

    /// What a getter of the session manager answers.
    pub fn read(&self, getter: &str, args: &[Value]) -> Option<Value> {
        let id = args.first().and_then(Value::as_str);
        match getter {
            "getEntries" => Some(Value::Array(self.entries.clone())),
            "getBranch" => Some(Value::Array(self.branch(id.or(self.leaf.as_deref())))),
            "getEntry" => self.find(id?).cloned(),
            "getLeafId" => Some(self.leaf.clone().map_or(Value::Null, Value::String)),
            "getLeafEntry" => self.find(self.leaf.as_deref()?).cloned(),
            "getSessionId" => Some(format!("play-{}", self.number).into()),
            "getSessionFile" => Some(self.file().into()),
            "getSessionDir" => Some("/play".into()),
            "getHeader" => Some(json!({ "type": "session", "id": format!("play-{}", self.number) })),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_make_a_tree() {
        let mut session = Session::default();
        let first = session.append("custom", Map::new());
        session.append("custom", Map::new());
        assert!(session.go_to(&first) && !session.go_to("nope"));
        let third = session.append("label", Map::new());
        let ids = |value: Option<Value>| -> Vec<String> {
            value.unwrap().as_array().unwrap().iter().map(|entry| entry["id"].as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(ids(session.read("getEntries", &[])), ["e1", "e2", "e3"]);
        assert_eq!(ids(session.read("getBranch", &[])), ["e1", "e3"]);
        assert_eq!(session.read("getLeafId", &[]), Some(third.into()));
        let version = session.version();
        session.start_next(vec![json!({ "id": "setup-1", "kind": "message", "message": { "role": "user" } })]);
        assert!(session.version() > version);
        assert_eq!(session.read("getLeafEntry", &[]).unwrap()["message"]["role"], "user");
        assert_eq!(session.read("getLeafEntry", &[]).unwrap()["parentId"], Value::Null);
    }
}
