//! The typings of hook authors against the engine's own types: the fields of every event, result and of what they are made of. Each interface of
//! `typings/` stands with one field per line, so that they can be read without a TypeScript compiler.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use hookrt::serve::schema::documents;
use serde_json::Value;

const EVENTS: &str = include_str!("../../typings/pi-coding-agent/events.d.ts");
const FOLDERS: [&str; 3] = ["pi-agent-core", "pi-ai", "pi-coding-agent"];

struct Field {
    optional: bool,
    text: String,
}

#[derive(Default)]
struct Interface {
    extends: Vec<String>,
    fields: BTreeMap<String, Field>,
}

struct Typings(BTreeMap<String, Interface>);

impl Typings {
    fn read() -> Typings {
        let mut interfaces = BTreeMap::new();
        for folder in FOLDERS {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("typings").join(folder);
            for entry in std::fs::read_dir(folder).unwrap() {
                interfaces.extend(interfaces_of(&std::fs::read_to_string(entry.unwrap().path()).unwrap()));
            }
        }
        Typings(interfaces)
    }

    /// Fields of an interface and of those it extends.
    fn fields(&self, name: &str) -> BTreeMap<&str, &Field> {
        let interface = self.0.get(name).unwrap_or_else(|| panic!("no interface {name} in the typings"));
        let mut fields = BTreeMap::new();
        for base in &interface.extends {
            fields.extend(self.fields(base));
        }
        fields.extend(interface.fields.iter().map(|(name, field)| (name.as_str(), field)));
        fields
    }
}

/// `\texport interface NAME extends A, B {` to the `\t}` below it, a field a line.
fn interfaces_of(text: &str) -> Vec<(String, Interface)> {
    let mut found: Vec<(String, Interface)> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if let Some(head) = line.strip_prefix("\texport interface ").and_then(|rest| rest.split(" {").next()) {
            let (name, extends) = head.split_once(" extends ").unwrap_or((head, ""));
            let plain = |name: &str| name.split('<').next().unwrap_or_default().trim().to_owned();
            let extends = extends.split(", ").filter(|base| !base.is_empty()).map(plain).collect();
            found.push((plain(name), Interface { extends, fields: BTreeMap::new() }));
            inside = !line.ends_with('}');
        } else if line == "\t}" {
            inside = false;
        } else if let (true, Some((_, interface))) = (inside, found.last_mut()) {
            let field = line.strip_prefix("\t\t").and_then(|line| line.strip_suffix(';')).unwrap_or_default();
            if let Some((name, kind)) = field.split_once(": ").filter(|(name, _)| !name.starts_with(['\t', '*', '/'])) {
                let optional = name.ends_with('?') || kind.split(" | ").any(|part| part == "undefined");
                let name = name.trim_start_matches("readonly ").trim_end_matches('?').trim_matches('"').to_owned();
                interface.fields.insert(name, Field { optional, text: kind.to_owned() });
            }
        }
    }
    found
}

struct Schema(Value);

impl Schema {
    fn of_events() -> Schema {
        Schema(documents().into_iter().find(|(name, _)| *name == "events.json").unwrap().1)
    }

    fn definition(&self, reference: &Value) -> (String, &Value) {
        let name = reference["$ref"].as_str().and_then(|text| text.rsplit('/').next()).unwrap_or_default();
        (name.to_owned(), &self.0["$defs"][name])
    }

    /// Each event's name and the schema of its fields.
    fn events(&self) -> BTreeMap<String, &Value> {
        let all = self.0["$defs"]["Event"]["anyOf"].as_array().unwrap();
        let named = all.iter().filter_map(|event| Some((event["properties"]["type"]["const"].as_str()?, event)));
        named.map(|(name, event)| (name.to_owned(), self.definition(event).1)).collect()
    }

    /// Kinds of value a field may have, where that is plain to see.
    fn kinds(&self, property: &Value) -> BTreeSet<&'static str> {
        let property = if property["$ref"].is_string() { self.definition(property).1 } else { property };
        let named = |name: &str| match name {
            "string" => Some("string"),
            "boolean" => Some("boolean"),
            "integer" | "number" => Some("number"),
            "array" => Some("array"),
            _ => None,
        };
        match &property["type"] {
            Value::String(name) => named(name).into_iter().collect(),
            Value::Array(names) => names.iter().filter_map(|name| named(name.as_str()?)).collect(),
            _ => BTreeSet::new(),
        }
    }
}

/// The same of a type in the typings.
fn kinds_of_text(text: &str) -> BTreeSet<&'static str> {
    let array = text.trim_end_matches(" | null").trim_end_matches(" | undefined");
    if array.ends_with("[]") {
        return BTreeSet::from(["array"]);
    }
    let kind = |part: &str| match part {
        "string" => Some("string"),
        "boolean" => Some("boolean"),
        "number" => Some("number"),
        literal if literal.starts_with('"') => Some("string"),
        _ => None,
    };
    text.split(" | ").filter_map(kind).collect()
}

/// Names and rows that differ between an interface and the schema of the type it stands for. `whole`: the interface has no field more.
fn differences(
    schema: &Schema,
    object: &Value,
    name: &str,
    fields: &BTreeMap<&str, &Field>,
    whole: bool,
) -> Vec<String> {
    let none = serde_json::Map::new();
    let properties = object["properties"].as_object().unwrap_or(&none);
    let required = |field: &str| object["required"].as_array().is_some_and(|list| list.iter().any(|one| one == field));
    let mut found = Vec::new();
    for (field, property) in properties {
        let Some(typed) = fields.get(field.as_str()) else {
            found.push(format!("{name}.{field} is not in the typings"));
            continue;
        };
        if typed.optional && required(field) {
            found.push(format!("{name}.{field} is always there, the typings have it optional"));
        }
        let (here, there) = (schema.kinds(property), kinds_of_text(&typed.text));
        if !here.is_empty() && !there.is_empty() && here != there {
            found.push(format!("{name}.{field} is {here:?}, in the typings {there:?}"));
        }
    }
    let more = fields.keys().filter(|field| whole && **field != "type" && !properties.contains_key(**field));
    found.extend(more.map(|field| format!("{name}.{field} is in the typings alone")));
    found
}

/// Event name, interface of the event and of its result, as `HookEventMap` has them.
fn event_map() -> Vec<(String, String, Option<String>)> {
    let rows = EVENTS.lines().filter_map(|line| {
        let (name, rest) = line.strip_prefix("\t\t")?.split_once(": { event: ")?;
        let (event, result) = rest.strip_suffix(" };")?.split_once("; result: ")?;
        let result = Some(result.to_owned()).filter(|result| result != "undefined");
        Some((name.trim_matches('"').to_owned(), event.to_owned(), result))
    });
    rows.collect()
}

#[test]
fn the_events_of_the_typings_are_those_of_the_engine() {
    let (typings, schema) = (Typings::read(), Schema::of_events());
    let map = event_map();
    let events = schema.events();
    let typed: BTreeSet<&String> = map.iter().map(|(name, ..)| name).collect();
    assert_eq!(typed, events.keys().collect::<BTreeSet<_>>());

    let mut found = Vec::new();
    for (name, event, result) in &map {
        // A union: what its members share and what each of them has.
        let union = typings.0.iter().find(|(_, one)| one.extends.iter().any(|base| base == &format!("{event}Base")));
        let fields = typings.fields(union.map_or(event, |(member, _)| member));
        found.extend(differences(&schema, events[name], event, &fields, true));
        let results = schema.0["results"].get(name);
        assert_eq!(result.is_some(), results.is_some(), "{name}");
        if let (Some(result), Some(reference)) = (result, results) {
            let fields = typings.fields(result);
            found.extend(differences(&schema, schema.definition(reference).1, result, &fields, true));
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn what_events_are_made_of_has_the_same_fields() {
    let (typings, schema) = (Typings::read(), Schema::of_events());
    let mut compared = 0;
    let mut found = Vec::new();
    for (name, object) in schema.0["$defs"].as_object().unwrap() {
        let is_event = schema.events().values().any(|event| std::ptr::eq(*event, object));
        if !is_event && object["properties"].is_object() && typings.0.contains_key(name) {
            compared += 1;
            found.extend(differences(&schema, object, name, &typings.fields(name), false));
        }
    }
    assert!(found.is_empty(), "{found:#?}");
    assert!(compared > 20, "{compared}");
}

#[test]
fn a_field_that_goes_or_changes_is_found() {
    let (typings, schema) = (Typings::read(), Schema::of_events());
    let fields = typings.fields("ToolCallEvent");
    let event = schema.events()["tool_call"];
    let with = |change: fn(&mut Value)| {
        let mut event = event.clone();
        change(&mut event);
        differences(&schema, &event, "E", &fields, true)
    };
    assert!(with(|_| {}).is_empty());
    let gone = with(|event| drop(event["properties"].as_object_mut().unwrap().remove("toolName")));
    assert_eq!(gone, ["E.toolName is in the typings alone"]);
    assert_eq!(with(|event| event["properties"]["more"] = Value::Null), ["E.more is not in the typings"]);
    let other = with(|event| event["properties"]["toolName"] = serde_json::json!({ "type": "number" }));
    assert_eq!(other.len(), 1, "{other:?}");
}
