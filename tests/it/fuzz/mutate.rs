//! Input that is nearly right: kept files, cut, doubled and sprinkled.

use proptest::prelude::*;
use proptest::sample::{Index, select};

/// What a reader may stumble over.
const TOKENS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "null",
    "true",
    "-",
    "1e999",
    "0x1",
    "\\ud800",
    "\\u0000",
    "\u{feff}",
    "\n",
    "\r\n",
    "\0",
    "__proto__",
    "\"hooks\":",
    "\"decision\":\"deny\"",
    "\"id\":",
    "\"method\":",
    "💥",
    "\u{202e}",
    "/*",
    "//",
    "../",
    "%2f",
    "#",
    "?",
    "@",
];

#[derive(Debug, Clone)]
enum Change {
    Cut(Index, usize),
    Double(Index, usize),
    Insert(Index, &'static str),
    Flip(Index, u8),
    End(Index),
}

/// One of `files`, changed in up to six places.
pub fn mutated(files: Vec<Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    let change = prop_oneof![
        3 => (any::<Index>(), 1..24_usize).prop_map(|(at, length)| Change::Cut(at, length)),
        2 => (any::<Index>(), 1..64_usize).prop_map(|(at, length)| Change::Double(at, length)),
        4 => (any::<Index>(), select(TOKENS)).prop_map(|(at, token)| Change::Insert(at, token)),
        2 => (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Change::Flip(at, byte)),
        1 => any::<Index>().prop_map(Change::End),
    ];
    (select(files), proptest::collection::vec(change, 0..6)).prop_map(|(mut bytes, changes)| {
        for change in changes {
            apply(&mut bytes, &change);
        }
        bytes
    })
}

fn apply(bytes: &mut Vec<u8>, change: &Change) {
    let length = bytes.len();
    let range = |at: &Index, wanted: usize| {
        let start = at.index(length + 1);
        start..(start + wanted).min(length)
    };
    match change {
        Change::Cut(at, wanted) => drop(bytes.drain(range(at, *wanted))),
        Change::Double(at, wanted) => bytes.extend_from_within(range(at, *wanted)),
        Change::Insert(at, token) => drop(bytes.splice(range(at, 0), token.bytes())),
        Change::Flip(at, byte) => {
            if let Some(old) = bytes.get_mut(at.index(length.max(1))) {
                *old ^= byte;
            }
        }
        Change::End(at) => bytes.truncate(at.index(length + 1)),
    }
}
