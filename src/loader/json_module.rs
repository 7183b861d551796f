//! JSON files as ES modules: the data as default export, and each key that is an identifier by name.

use std::path::Path;

use serde_json::Value;

use super::error::LoaderError;
use super::frame::code_frame;

/// Code of a module that exports the data of `text`. Comments and trailing commas are allowed in
/// `.jsonc` files. Errors: `Syntax` at the place where the text is not JSON.
pub fn json_module(text: &str, path: &Path) -> Result<String, LoaderError> {
    let comments = path.extension().is_some_and(|extension| extension == "jsonc");
    let value: Value = if comments {
        json5::from_str(text)
            .map_err(|error| LoaderError::Config { path: path.to_path_buf(), message: error.to_string() })?
    } else {
        serde_json::from_str(text).map_err(|error| {
            let (line, column) = (error.line() as u32, error.column() as u32);
            let message = error.to_string();
            let reason = message.split(" at line ").next().unwrap_or_default();
            LoaderError::Syntax {
                path: path.to_path_buf(),
                line,
                column,
                message: format!("Invalid JSON: {reason}"),
                frame: code_frame(text, line, column),
            }
        })?
    };
    // Parsed by the engine: `__proto__` keys and large numbers mean what they mean there. serde's
    // tree has passed, so the text below is valid JSON.
    let json = if comments { value.to_string() } else { text.to_string() };
    let literal = Value::String(json).to_string();
    let mut code = format!("const data = JSON.parse({});\nexport default data;\n", js_safe(&literal));
    if let Value::Object(fields) = &value {
        for (index, name) in fields.keys().filter(|name| is_identifier(name)).enumerate() {
            code.push_str(&format!("const e{index} = data.{name};\nexport {{ e{index} as {name} }};\n"));
        }
    }
    Ok(code)
}

/// Line separators are allowed in string literals of JavaScript by now, but not by every engine.
fn js_safe(literal: &str) -> String {
    literal.replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

/// Whether a name may stand in an export list unquoted; ASCII only, other names stay reachable
/// through the default export. `default` is taken.
pub(super) fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    let first = chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_' || c == '$');
    first && chars.all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$') && name != "default"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_become_named_exports() {
        let code = json_module(r#"{"a":1,"b-c":2,"default":3,"class":4}"#, Path::new("x.json")).unwrap();
        assert!(code.contains("as a }") && code.contains("as class }"), "{code}");
        assert!(!code.contains("b-c }") && !code.contains("as default"), "{code}");
        assert!(json_module("[1]", Path::new("x.json")).unwrap().ends_with("export default data;\n"));
    }

    #[test]
    fn errors_have_a_position() {
        let error = json_module("{\n  \"a\": 1,\n}", Path::new("x.json")).unwrap_err();
        assert!(matches!(error, LoaderError::Syntax { line: 3, .. }), "{error}");
        assert!(json_module("{ \"a\": 1, /* c */ }", Path::new("x.jsonc")).is_ok());
    }
}
