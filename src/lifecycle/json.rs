//! JSON that keeps repeated keys.
//!
//! In a policy file or a verdict the ordinary "last one wins" would let a second key silently replace a gate.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::json_text;

/// A JSON value; an object is its fields in order, repeated ones included.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Node {
    Null,
    Bool(bool),
    /// Numbers are never looked at, only told apart.
    Number,
    Text(String),
    List(Vec<Node>),
    Object(Vec<(String, Node)>),
}

impl Node {
    pub(crate) fn as_str(&self) -> Option<&str> {
        match self {
            Node::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn as_object(&self) -> Option<&[(String, Node)]> {
        match self {
            Node::Object(fields) => Some(fields),
            _ => None,
        }
    }

    /// Every value under `key`, in order; none when this is no object.
    pub(crate) fn all<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a Node> {
        self.as_object().unwrap_or_default().iter().filter(move |field| field.0 == key).map(|field| &field.1)
    }

    /// What a person would call this value.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Node::Null => "null",
            Node::Bool(_) => "a boolean",
            Node::Number => "a number",
            Node::Text(_) => "a string",
            Node::List(_) => "an array",
            Node::Object(_) => "an object",
        }
    }

    pub(crate) fn collect_texts(&self, found: &mut Vec<String>) {
        match self {
            Node::Text(text) => found.push(text.clone()),
            Node::List(items) => items.iter().for_each(|item| item.collect_texts(found)),
            Node::Object(fields) => {
                for (key, value) in fields {
                    found.push(key.clone());
                    value.collect_texts(found);
                }
            }
            Node::Null | Node::Bool(_) | Node::Number => {}
        }
    }
}

impl Node {
    /// Reads what a program printed. A decision must not be lost beside something that JavaScript reads and `serde_json` does not: half a
    /// character, a number past the largest one, a thousand levels of nesting.
    pub(crate) fn read(text: &str) -> Result<Node, serde_json::Error> {
        match serde_json::from_str(text) {
            Ok(node) => Ok(node),
            Err(_) => json_text::checked(text).and_then(|raw| Node::deep(&json_text::plain(raw.get()))),
        }
    }

    fn deep(text: &str) -> Result<Node, serde_json::Error> {
        match (serde_json::from_str(text), text.trim_start().as_bytes().first()) {
            (Err(_), Some(b'[')) => {
                let items: Vec<&RawValue> = serde_json::from_str(text)?;
                let items = items.into_iter().map(|item| Node::deep(item.get()));
                json_text::with_stack(|| items.collect::<Result<_, _>>()).map(Node::List)
            }
            (Err(_), Some(b'{')) => {
                let Fields(fields) = serde_json::from_str(text)?;
                let fields = fields.into_iter().map(|(key, value)| Ok((key, Node::deep(value.get())?)));
                json_text::with_stack(|| fields.collect::<Result<_, _>>()).map(Node::Object)
            }
            (node, _) => node,
        }
    }
}

/// The fields of an object, repeated ones included, their values not looked into.
struct Fields<'de>(Vec<(String, &'de RawValue)>);

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldsVisitor)
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Fields<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Fields<'de>, A::Error> {
        let mut fields = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            fields.push(entry);
        }
        Ok(Fields(fields))
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Bool(value))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Node, E> {
        Ok(Node::Number)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Node, E> {
        Ok(Node::Number)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Node, E> {
        Ok(Node::Number)
    }

    fn visit_str<E>(self, value: &str) -> Result<Node, E> {
        Ok(Node::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Node, E> {
        Ok(Node::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Node, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Node::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Node, A::Error> {
        let mut fields = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            fields.push(entry);
        }
        Ok(Node::Object(fields))
    }
}
