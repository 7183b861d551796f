//! Extension sources on their way into the snapshot: types are stripped, the node version is filled in, and every script that speaks of
//! `Deno` gets the private namespace under that name, so that the global can be taken away from hooks.

use deno_core::{ModuleCodeString, ModuleName, SourceMapData};
use deno_error::JsErrorBox;
use swc_core::common::{FileName, GLOBALS, Globals, Mark, SourceMap, sync::Lrc};
use swc_core::ecma::ast::{EsVersion, Pass, Program};
use swc_core::ecma::codegen::to_code_default;
use swc_core::ecma::parser::{Parser, StringInput, Syntax, TsSyntax, lexer::Lexer};
use swc_core::ecma::transforms::base::{fixer::fixer, hygiene::hygiene, resolver};
use swc_core::ecma::transforms::typescript::strip;

/// The transpiler that deno_core calls for each extension source.
pub fn extension_source(
    name: ModuleName,
    source: ModuleCodeString,
) -> Result<(ModuleCodeString, Option<SourceMapData>), JsErrorBox> {
    let specifier: &str = &name;
    let mut text = source.as_str().to_owned();
    if specifier.ends_with("deno_node/_process/process.ts") {
        text = text.replace("__NODE_VERSION__", deno_node::NODE_VERSION);
    }
    if specifier == "node:module" {
        // Where Node gives up, the loader is asked.
        let anchor = "  const requireStack = [];\n";
        assert!(text.contains(anchor), "node:module resolves file names in another way now");
        let ask = "  const known = internals.hookrt.requireResolve(request, parent?.filename, Module);\n  if (known !== undefined) return known;\n";
        text = text.replacen(anchor, &format!("{ask}{anchor}"), 1);
        // What it finds by itself, the loader hears of: modules of a trusted project are held to its record unless a named hook asks.
        for found in ["op_require_real_path(filename)", "selfResolved", "maybeResolved"] {
            let anchor = format!("return {found};");
            assert!(text.matches(&anchor).count() == 1, "node:module resolves file names in another way now");
            let tell = format!("return internals.hookrt.requireFound({found}, parent?.filename);");
            text = text.replacen(&anchor, &tell, 1);
        }
    }
    if specifier.ends_with("deno_node/internal/child_process.ts") {
        // Of what keeps a child from starting, `spawnSync` tells a missing file alone; Node tells the rest as well.
        let anchor = "(\"ENOENT\", command, args, true);\n    }\n  }\n  return result;";
        assert!(text.contains(anchor), "spawnSync fails in another way now");
        let rest = "(\"ENOENT\", command, args, true);\n    } else {\n      const known = codeMap.get(err?.code) !== undefined && err.name !== \"NotCapable\";\n      \
            result.error = known ? _createSpawnError(err.code, command, args, true) : err;\n    }\n    result.pid = 0;\n    \
            result.status = result.signal = result.output = result.stdout = result.stderr = null;\n  }\n  return result;";
        text = text.replacen(anchor, rest, 1);
    }
    if specifier == "node:console" {
        // It wants the `console` that hooks see, from a module that only Deno's own runtime has.
        let import = "import { windowOrWorkerGlobalScope } from \"ext:runtime/98_global_scope_shared.js\";";
        assert!(text.contains(import), "node:console finds the console in another way now");
        let own = "import { internals } from \"ext:core/mod.js\"; const windowOrWorkerGlobalScope = { console: { value: internals.hookConsole } };";
        text = text.replacen(import, own, 1);
    }
    // `node:` specifiers carry no extension; plain JavaScript is TypeScript, too.
    let is_typescript = specifier.ends_with(".ts") || specifier.starts_with("node:");
    if is_typescript {
        text = strip_types(specifier, text)?;
    }
    if specifier == "ext:deno_fs/30_fs.js" {
        // It builds a function from text, which runs where `Deno` is hidden.
        text = text.replace("Deno.build.os", &format!("{:?}", target_os()));
    }
    if specifier.starts_with("ext:hookrt/") {
        // deno_core's loader for lazy modules resolves nothing relative.
        text = absolute_imports(specifier, &text);
    }
    // Lazy sources are handed to the engine as one-byte strings.
    Ok((ascii(&bind_private_ns(specifier, text)).into(), None))
}

/// Name of the target's operating system as deno_core has it.
fn target_os() -> String {
    match std::env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("macos") => "darwin".to_owned(),
        Ok(os) => os.to_owned(),
        Err(_) => "linux".to_owned(),
    }
}

fn bind_private_ns(specifier: &str, text: String) -> String {
    let speaks_of_it = text.contains("Deno.") || text.contains("Deno[");
    if !speaks_of_it || specifier.starts_with("ext:core/") || specifier.starts_with("ext:hookrt") {
        return text;
    }
    const SCRIPT_HEAD: &str = "(function () {";
    const SCRIPT_HEAD_TIGHT: &str = "(function() {";
    for head in [SCRIPT_HEAD, SCRIPT_HEAD_TIGHT] {
        let Some(at) = text.find(head) else { continue };
        if text[..at].lines().all(is_preamble) {
            let (before, after) = text.split_at(at + head.len());
            return format!("{before} const Deno = __bootstrap.internals.privateNs;{after}");
        }
    }
    format!(
        "import {{ internals as __hookrtInternals }} from \"ext:core/mod.js\"; const Deno = __hookrtInternals.privateNs; {text}"
    )
}

/// What may stand before a script's enclosing function.
fn is_preamble(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with("//") || line == "\"use strict\";"
}

fn strip_types(specifier: &str, text: String) -> Result<String, JsErrorBox> {
    let map: Lrc<SourceMap> = Default::default();
    let file = map.new_source_file(FileName::Custom(specifier.to_owned()).into(), text);
    let syntax = Syntax::Typescript(TsSyntax { decorators: true, ..Default::default() });
    let lexer = Lexer::new(syntax, EsVersion::latest(), StringInput::from(&*file), None);
    let module = Parser::new_from(lexer)
        .parse_module()
        .map_err(|error| JsErrorBox::generic(format!("{specifier}: {:?}", error.into_kind())))?;
    GLOBALS.set(&Globals::new(), || {
        let unresolved = Mark::new();
        let top_level = Mark::new();
        let mut program = Program::Module(module);
        let mut passes = (resolver(unresolved, top_level, true), strip(unresolved, top_level), hygiene(), fixer(None));
        passes.process(&mut program);
        Ok(to_code_default(map, None, &program))
    })
}

/// Rewrites `from "./x.js"` and `import "../x.js"` to the specifier they mean.
fn absolute_imports(specifier: &str, text: &str) -> String {
    let directory = specifier.rsplit_once('/').map_or(specifier, |(directory, _)| directory);
    let mut out = String::with_capacity(text.len() + 256);
    for line in text.split_inclusive('\n') {
        let import = ["from \"", "import \""].iter().find_map(|head| line.find(head).map(|at| at + head.len()));
        match import {
            Some(at) if line[at..].starts_with('.') && !line.trim_start().starts_with(['/', '*']) => {
                let end = line[at..].find('"').map_or(line.len(), |length| at + length);
                out.push_str(&line[..at]);
                out.push_str(&join(directory, &line[at..end]));
                out.push_str(&line[end..]);
            }
            _ => out.push_str(line),
        }
    }
    out
}

fn join(directory: &str, relative: &str) -> String {
    let mut parts: Vec<&str> = directory.split('/').collect();
    for part in relative.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            name => parts.push(name),
        }
    }
    parts.join("/")
}

/// Writes every character beyond ASCII as `\uXXXX`. All of them stand in strings, templates, patterns and comments, where that means the same.
fn ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii() {
            out.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    out
}
