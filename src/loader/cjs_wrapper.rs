//! The ES module that stands for a CommonJS file.

use serde_json::Value;

use super::json_module::is_identifier;

/// Code of an ES module that requires the file at `path` (absolute) and exports `names` one by one.
///
/// The default export is `module.exports`, or `exports.default` when the file was compiled from an ES
/// module (`exports.__esModule`), as `hooks.md §1` has it. A name that turns out to be absent is
/// undefined.
pub fn cjs_wrapper(path: &str, names: &[String]) -> String {
    let literal = Value::String(path.to_string()).to_string();
    let mut code = format!(
        "import {{ createRequire }} from \"node:module\";\n\
         const exported = createRequire({literal})({literal});\n\
         const object = typeof exported === \"function\" || (typeof exported === \"object\" && exported !== null);\n\
         const get = (name) => {{ try {{ return object ? exported[name] : undefined; }} catch {{ return undefined; }} }};\n\
         const value = object && get(\"__esModule\") && \"default\" in exported ? exported.default : exported;\n\
         export {{ value as default, exported as \"module.exports\" }};\n",
    );
    let usable = names.iter().filter(|name| !matches!(name.as_str(), "default" | "__esModule" | "module.exports"));
    for (index, name) in usable.enumerate() {
        let quoted = Value::String(name.clone()).to_string();
        let exported = if is_identifier(name) { name } else { &quoted };
        code.push_str(&format!("const e{index} = get({quoted});\nexport {{ e{index} as {exported} }};\n"));
    }
    code
}

#[cfg(test)]
mod tests {
    use super::cjs_wrapper;

    #[test]
    fn names_are_quoted_where_needed() {
        let names = ["a", "class", "x-y", "default", "__esModule"].map(str::to_string);
        let code = cjs_wrapper("/a \"b\"/c.cjs", &names);
        assert!(code.contains(r#"("/a \"b\"/c.cjs")"#), "{code}");
        assert!(code.contains("as a }") && code.contains("as class }"), "{code}");
        assert!(code.contains("as \"x-y\" }"), "{code}");
        assert_eq!(code.matches("as default").count(), 1, "{code}");
        assert!(!code.contains("as __esModule"), "{code}");
    }
}
