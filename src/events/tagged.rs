//! How a union told apart by one field is read: a known tag gives its variant, anything else is
//! kept raw in `Other`.
//!
//! serde's own `untagged` fallback would do most of it, but it hides why a known variant did not
//! fit; a host that sends a broken event has to be told.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::values::Extra;

/// The tag of an object, when it is text.
pub(super) fn tag_of<'a>(object: &'a Extra, tag: &str) -> Option<&'a str> {
    object.get(tag).and_then(Value::as_str)
}

/// Reads the variant a tag names, without the tag itself.
pub(super) fn variant<T: DeserializeOwned>(mut object: Extra, tag: &str) -> serde_json::Result<T> {
    object.shift_remove(tag);
    serde_json::from_value(Value::Object(object))
}

/// Reading for a union that keeps an object of unknown tag or odd shape in `Other(Extra)`.
macro_rules! keep_odd_shapes {
    ($union:ident by $tag:literal { $($wire:literal => $variant:ident),+ $(,)? }) => {
        impl<'de> serde::Deserialize<'de> for $union {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let object = $crate::events::values::Extra::deserialize(deserializer)?;
                let read = match $crate::events::tagged::tag_of(&object, $tag) {
                    $(Some($wire) => {
                        $crate::events::tagged::variant(object.clone(), $tag).map($union::$variant).ok()
                    })+
                    _ => None,
                };
                Ok(read.unwrap_or($union::Other(object)))
            }
        }

        impl $union {
            /// The tag that tells the variants apart, empty when the value has none.
            pub fn tag(&self) -> &str {
                match self {
                    $($union::$variant(_) => $wire,)+
                    $union::Other(object) => {
                        $crate::events::tagged::tag_of(object, $tag).unwrap_or_default()
                    }
                }
            }
        }
    };
}
pub(super) use keep_odd_shapes;
