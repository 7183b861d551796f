//! The session state a host pushed (`docs/protocol.md` §10): reads of it cost no round trip.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::{Map, Value, json};

/// Params of `mirror.snapshot`, and the answer to `session.snapshot`.
#[derive(Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Snapshot {
    /// The session's header entry, or null.
    pub header: Value,
    /// All entries in file order.
    pub entries: Vec<Value>,
    pub leaf_id: Option<String>,
    /// `cwd`, `sessionDir`, `sessionId`, `sessionFile`, `sessionName`, `artifactsDir`.
    pub session: Option<Map<String, Value>>,
}

/// Params of `mirror.append`.
#[derive(Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Append {
    /// Entries that follow those already there.
    pub entries: Vec<Value>,
    pub leaf_id: Option<String>,
}

/// `state` of `mirror.set` and `runner.initialize`: fields not named stay, `null` is a value.
#[derive(Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct State {
    pub is_idle: Option<bool>,
    pub has_queued_messages: Option<bool>,
    /// The current model, null for none.
    #[serde(deserialize_with = "present")]
    pub model: Option<Value>,
    /// As in a snapshot; given fields replace.
    pub session: Option<Map<String, Value>>,
    /// Size of the terminal in cells.
    pub terminal: Option<Terminal>,
    /// `"dark"`, `"light"`, or `{name?, fg, bg, symbols?}` with the opening escape sequence of each colour.
    pub theme: Option<Value>,
}

/// Size of a terminal in cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, serde::Serialize, schemars::JsonSchema)]
pub struct Terminal {
    pub columns: u32,
    pub rows: u32,
}

fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// What a read finds.
#[derive(Debug, PartialEq)]
pub enum Read {
    /// The host pushed it; `None` is `undefined`.
    Known(Option<Value>),
    /// The entries are not there: `session.snapshot` brings them.
    NeedsSnapshot,
    /// It is asked for under its own name.
    Ask,
}

/// The pushed state of one runner.
#[derive(Debug, Default)]
pub struct Mirror {
    entries: Option<Entries>,
    session: Map<String, Value>,
    is_idle: Option<bool>,
    has_queued_messages: Option<bool>,
    model: Option<Value>,
    /// Raised with every change of the session.
    version: u64,
}

#[derive(Debug, Default)]
struct Entries {
    header: Value,
    list: Vec<Value>,
    by_id: HashMap<String, usize>,
    leaf_id: Option<String>,
}

impl Mirror {
    /// Number of the session's state, once it is known and the host tells of its changes.
    pub fn version(&self) -> Option<u64> {
        self.entries.is_some().then_some(self.version)
    }

    /// Replaces all that is known of the session.
    pub fn snapshot(&mut self, snapshot: Snapshot) {
        self.version += 1;
        let mut entries = Entries { header: snapshot.header, leaf_id: snapshot.leaf_id, ..Entries::default() };
        entries.append(snapshot.entries);
        self.entries = Some(entries);
        if let Some(session) = snapshot.session {
            self.session = session;
        }
    }

    /// Adds entries. Without a snapshot there is nothing to add to, and the next read asks for one.
    pub fn append(&mut self, append: Append) {
        self.version += 1;
        if let Some(entries) = &mut self.entries {
            entries.append(append.entries);
            entries.leaf_id = append.leaf_id;
        }
    }

    /// Takes over the fields that are named; theme and terminal are the isolate's.
    pub fn set(&mut self, state: &State) {
        self.is_idle = state.is_idle.or(self.is_idle);
        self.has_queued_messages = state.has_queued_messages.or(self.has_queued_messages);
        if let Some(model) = &state.model {
            self.model = Some(model.clone());
        }
        self.version += u64::from(state.session.is_some());
        for (name, value) in state.session.iter().flatten() {
            self.session.insert(name.clone(), value.clone());
        }
    }

    /// Answers a synchronous read of a hook.
    pub fn read(&self, name: &str, args: &[Value]) -> Read {
        let flag = |flag: Option<bool>| flag.map_or(Read::Ask, |flag| Read::Known(Some(flag.into())));
        match name {
            "ctx.isIdle" => flag(self.is_idle),
            "ctx.hasQueuedMessages" => flag(self.has_queued_messages),
            "ctx.getModel" => self.model.as_ref().map_or(Read::Ask, known),
            _ => match name.strip_prefix("session.") {
                Some(getter) => self.read_session(getter, args),
                None => Read::Ask,
            },
        }
    }

    fn read_session(&self, getter: &str, args: &[Value]) -> Read {
        let field = match getter {
            "getCwd" => "cwd",
            "getSessionDir" => "sessionDir",
            "getSessionId" => "sessionId",
            "getSessionFile" => "sessionFile",
            "getSessionName" => "sessionName",
            "getArtifactsDir" => "artifactsDir",
            "getEntries" | "getEntry" | "getBranch" | "getTree" | "getLabel" | "getHeader" | "getLeafId"
            | "getLeafEntry" => {
                let entries = self.entries.as_ref();
                return entries.map_or(Read::NeedsSnapshot, |entries| Read::Known(entries.read(getter, args)));
            }
            _ => return Read::Ask,
        };
        self.session.get(field).map_or(Read::Ask, known)
    }
}

/// `null` in the mirror is "none", which hooks see as `undefined`.
fn known(value: &Value) -> Read {
    Read::Known((!value.is_null()).then(|| value.clone()))
}

impl Entries {
    fn append(&mut self, entries: Vec<Value>) {
        for entry in entries {
            if let Some(id) = text(&entry, "id") {
                self.by_id.insert(id.to_owned(), self.list.len());
            }
            self.list.push(entry);
        }
    }

    fn get(&self, id: &str) -> Option<&Value> {
        self.list.get(*self.by_id.get(id)?)
    }

    fn read(&self, getter: &str, args: &[Value]) -> Option<Value> {
        let id = args.first().and_then(Value::as_str);
        match getter {
            "getEntries" => Some(Value::Array(self.list.clone())),
            "getEntry" => self.get(id?).cloned(),
            "getHeader" => Some(self.header.clone()),
            "getLeafId" => Some(self.leaf_id.clone().into()),
            "getLeafEntry" => self.get(self.leaf_id.as_deref()?).cloned(),
            "getLabel" => self.label(id?),
            "getBranch" => Some(Value::Array(self.branch(id.or(self.leaf_id.as_deref())))),
            "getTree" => Some(self.tree()),
            _ => None,
        }
    }

    /// The entries from the root to `leaf`.
    fn branch(&self, leaf: Option<&str>) -> Vec<Value> {
        let mut branch = Vec::new();
        let mut next = leaf;
        // A parent loop in a damaged file must come to an end.
        while let Some(entry) = next.and_then(|id| self.get(id)).filter(|_| branch.len() < self.list.len()) {
            branch.push(entry.clone());
            next = text(entry, "parentId");
        }
        branch.reverse();
        branch
    }

    /// The newest label of an entry; one without text takes it away.
    fn label(&self, target: &str) -> Option<Value> {
        let labels = |entry: &&Value| text(entry, "type") == Some("label") && text(entry, "targetId") == Some(target);
        self.list.iter().rev().find(labels)?.get("label").filter(|label| !label.is_null()).cloned()
    }

    /// `{entry, children, label?}[]`: the entries without a parent (or with one that is missing) and what hangs on them.
    fn tree(&self) -> Value {
        let mut children: HashMap<Option<&str>, Vec<usize>> = HashMap::new();
        for (index, entry) in self.list.iter().enumerate() {
            let parent = text(entry, "parentId").filter(|id| self.by_id.get(*id).is_some_and(|at| *at < index));
            children.entry(parent).or_default().push(index);
        }
        // From the last to the first: files only grow, so children are finished before their parent.
        let mut done: HashMap<usize, Value> = HashMap::new();
        for (index, entry) in self.list.iter().enumerate().rev() {
            let id = text(entry, "id");
            let below = id.and_then(|id| children.remove(&Some(id))).unwrap_or_default();
            let below: Vec<Value> = below.into_iter().filter_map(|child| done.remove(&child)).collect();
            let mut node = json!({ "entry": entry, "children": below });
            if let Some(label) = id.and_then(|id| self.label(id)) {
                node["label"] = label;
            }
            done.insert(index, node);
        }
        let roots = children.remove(&None).unwrap_or_default();
        Value::Array(roots.into_iter().filter_map(|root| done.remove(&root)).collect())
    }
}

fn text<'a>(entry: &'a Value, field: &str) -> Option<&'a str> {
    entry.get(field).and_then(Value::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mirror() -> Mirror {
        let mut mirror = Mirror::default();
        mirror.snapshot(
            serde_json::from_value(json!({
                "header": {"type": "session", "id": "s"},
                "entries": [
                    {"id": "a", "parentId": null, "type": "message"},
                    {"id": "b", "parentId": "a", "type": "message"},
                    {"id": "c", "parentId": "a", "type": "message"},
                    {"id": "l", "parentId": "c", "type": "label", "targetId": "a", "label": "start"},
                ],
                "leafId": "b",
                "session": {"sessionId": "s", "sessionName": null},
            }))
            .unwrap(),
        );
        mirror
    }

    fn get(mirror: &Mirror, name: &str, args: &[Value]) -> Value {
        match mirror.read(name, args) {
            Read::Known(Some(value)) => value,
            other => panic!("{name}: {other:?}"),
        }
    }

    #[test]
    fn nothing_pushed_is_asked_for() {
        let mirror = Mirror::default();
        assert_eq!(mirror.read("session.getEntries", &[]), Read::NeedsSnapshot);
        for name in
            ["session.getSessionId", "ctx.isIdle", "ctx.getModel", "models.getAll", "session.getUsageStatistics"]
        {
            assert_eq!(mirror.read(name, &[]), Read::Ask, "{name}");
        }
    }

    #[test]
    fn entries_are_found_from_root_to_leaf() {
        let mut mirror = mirror();
        assert_eq!(
            get(&mirror, "session.getBranch", &[]),
            json!([{"id": "a", "parentId": null, "type": "message"}, {"id": "b", "parentId": "a", "type": "message"}])
        );
        assert_eq!(get(&mirror, "session.getBranch", &["c".into()])[1]["id"], "c");
        assert_eq!(get(&mirror, "session.getLeafEntry", &[])["id"], "b");
        assert_eq!(get(&mirror, "session.getLabel", &["a".into()]), "start");
        assert_eq!(mirror.read("session.getEntry", &["zz".into()]), Read::Known(None));
        mirror.append(
            serde_json::from_value(json!({"entries": [{"id": "d", "parentId": "b", "type": "custom"}], "leafId": "d"}))
                .unwrap(),
        );
        assert_eq!(get(&mirror, "session.getLeafId", &[]), "d");
        assert_eq!(get(&mirror, "session.getBranch", &[]).as_array().unwrap().len(), 3);
    }

    #[test]
    fn the_tree_holds_every_entry_once() {
        let tree = get(&mirror(), "session.getTree", &[]);
        assert_eq!(tree[0]["label"], "start");
        let ids: Vec<&Value> =
            tree[0]["children"].as_array().unwrap().iter().map(|node| &node["entry"]["id"]).collect();
        assert_eq!(ids, ["b", "c"]);
        assert_eq!(tree[0]["children"][1]["children"][0]["entry"]["id"], "l");
    }

    #[test]
    fn null_is_a_value_and_absent_fields_stay() {
        let mut mirror = mirror();
        assert_eq!(mirror.read("session.getSessionName", &[]), Read::Known(None));
        mirror.set(&serde_json::from_value(json!({"isIdle": false, "model": null})).unwrap());
        assert_eq!(mirror.read("ctx.getModel", &[]), Read::Known(None));
        mirror.set(&serde_json::from_value(json!({"session": {"sessionName": "n"}})).unwrap());
        assert_eq!(get(&mirror, "session.getSessionName", &[]), "n");
        assert_eq!(get(&mirror, "session.getSessionId", &[]), "s");
        assert_eq!(get(&mirror, "ctx.isIdle", &[]), false);
    }
}
