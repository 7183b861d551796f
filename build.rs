//! Makes the start-up snapshot: the runtime with every extension loaded and none of the lazy ones run, plus the sources of the lazy ones,
//! so that the binary reads nothing from the machine it was built on.

#[path = "src/engine/extensions.rs"]
mod extensions;
#[path = "src/engine/ops/mod.rs"]
mod ops;
#[allow(dead_code)]
#[path = "src/engine/port.rs"]
mod port;
#[path = "build/transpile.rs"]
mod transpile;

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use deno_core::snapshot::{CreateSnapshotOptions, create_snapshot};
use deno_core::{Extension, ExtensionFileSource, ExtensionFileSourceCode, v8};

fn main() {
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    for watched in ["build.rs", "build", "js", "src/engine/ops", "src/engine/extensions.rs", "src/engine/port.rs"] {
        println!("cargo:rerun-if-changed={watched}");
    }
    let target = std::env::var("TARGET").expect("cargo sets TARGET");
    println!("cargo:rustc-env=HOOKRT_TARGET={target}");
    if target.ends_with("linux-gnu") {
        // At a fixed address the loader has 5 MB of tables less to relocate, and to make resident, at every start; Node and Bun do the same.
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
    if target == "x86_64-unknown-linux-gnu"
        && std::env::var("PROFILE").is_ok_and(|profile| profile == "release")
        && links_with_lld()
    {
        // What a start runs of V8 lies side by side; else it would make a page in every corner of the library resident.
        let order = Path::new(env!("CARGO_MANIFEST_DIR")).join("build/startup-order.txt");
        for arg in ["--no-warn-symbol-ordering", &format!("--symbol-ordering-file={}", order.display())] {
            println!("cargo:rustc-link-arg-bins=-Xlinker");
            println!("cargo:rustc-link-arg-bins={arg}");
        }
    }

    let mut all = extensions::extensions();
    let ours = all.last_mut().expect("the list is not empty");
    ours.lazy_loaded_esm_files.to_mut().extend(shipped_modules(Path::new(env!("CARGO_MANIFEST_DIR"))));
    let (lazy_scripts, lazy_modules) = lazy_sources(&all);
    let snapshot = create_snapshot(
        CreateSnapshotOptions {
            cargo_manifest_dir: env!("CARGO_MANIFEST_DIR"),
            startup_snapshot: None,
            skip_op_registration: false,
            extensions: all,
            extension_transpiler: Some(Rc::new(transpile::extension_source)),
            with_runtime_cb: Some(Box::new(|runtime| {
                // `node:vm` needs its context template inside the snapshot.
                let isolate = runtime.v8_isolate();
                v8::scope!(scope, isolate);
                let mode = deno_node::ContextInitMode::ForSnapshot;
                let template = deno_node::init_global_template(scope, mode);
                let mode = deno_node::ContextInitMode::ForSnapshot;
                let context = deno_node::create_v8_context(scope, template, mode, std::ptr::null_mut());
                assert_eq!(scope.add_context(context), deno_node::VM_CONTEXT_INDEX);
            })),
        },
        None,
    )
    .expect("the extension sources load");
    std::fs::write(out.join("hookrt.snapshot"), &snapshot.output).expect("OUT_DIR is writable");

    let consumed: HashSet<String> = snapshot.consumed_lazy_specifiers.into_iter().collect();
    let mut table = String::new();
    for (name, sources) in [("LAZY_SCRIPTS", lazy_scripts), ("LAZY_MODULES", lazy_modules)] {
        writeln!(table, "pub static {name}: &[(&str, &str)] = &[").expect("writing to a string");
        for (specifier, path) in sources {
            if !consumed.contains(&specifier) {
                let file = embed(&out, &specifier, &path, name == "LAZY_SCRIPTS");
                writeln!(table, "    ({specifier:?}, include_str!({file:?})),").expect("writing to a string");
            }
        }
        writeln!(table, "];").expect("writing to a string");
    }
    std::fs::write(out.join("lazy_sources.rs"), table).expect("OUT_DIR is writable");
}

/// Whether the compiler links with the `lld` it brings along, as it does on this target unless told otherwise.
fn links_with_lld() -> bool {
    let told = std::env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    if std::env::var_os("RUSTC_LINKER").is_some()
        || ["linker", "fuse-ld", "link-self-contained"].iter().any(|flag| told.contains(flag))
    {
        return false;
    }
    let rustc = std::env::var_os("RUSTC").expect("cargo sets RUSTC");
    let Ok(output) = std::process::Command::new(rustc).args(["--print", "sysroot"]).output() else { return false };
    let sysroot = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    Path::new(&sysroot).join("lib/rustlib/x86_64-unknown-linux-gnu/bin/gcc-ld/ld.lld").exists()
}

/// Modules of `js/` that load at first use: what hooks import by a package name, the theme and the `Bun` global.
fn shipped_modules(root: &Path) -> Vec<ExtensionFileSource> {
    let js = root.join("js");
    let mut files = Vec::new();
    for start in ["40_theme.js", "40_theme", "60_host_packages", "70_bun.js", "70_bun", "71_bun_global.js"] {
        collect_modules(&js.join(start), &mut files);
    }
    files.sort();
    let leak = |text: String| -> &'static str { Box::leak(text.into_boxed_str()) };
    files
        .into_iter()
        .map(|file| {
            let name = file.strip_prefix(&js).expect("the file is below js").to_string_lossy().into_owned();
            ExtensionFileSource::loaded_during_snapshot(
                leak(format!("ext:hookrt/{name}")),
                leak(file.to_string_lossy().into_owned()),
            )
        })
        .collect()
}

fn collect_modules(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        if path.file_name().is_some_and(|name| name == "test") {
            return;
        }
        for entry in std::fs::read_dir(path).expect("js is readable") {
            collect_modules(&entry.expect("js is readable").path(), files);
        }
    } else if path.is_file() && path.extension().is_some_and(|extension| extension == "js") {
        files.push(path.to_path_buf());
    }
}

type Sources = Vec<(String, PathBuf)>;

fn lazy_sources(extensions: &[Extension]) -> (Sources, Sources) {
    let mut scripts = Vec::new();
    let mut modules = Vec::new();
    for extension in extensions {
        scripts.extend(extension.lazy_loaded_js_files.iter().filter_map(on_disk));
        modules.extend(extension.lazy_loaded_esm_files.iter().filter_map(on_disk));
    }
    for list in [&mut scripts, &mut modules] {
        list.sort();
        list.dedup_by(|a, b| a.0 == b.0);
    }
    (scripts, modules)
}

fn on_disk(file: &ExtensionFileSource) -> Option<(String, PathBuf)> {
    #[allow(deprecated, reason = "the variant is how deno_core names a file on disk")]
    match &file.code {
        ExtensionFileSourceCode::LoadedFromFsDuringSnapshot(path) => {
            Some((file.specifier.to_string(), PathBuf::from(path)))
        }
        _ => None,
    }
}

/// Writes the transpiled source of `specifier` into `out` and returns its path. A script is wrapped as the engine runs it, so that it can take
/// the text from the binary as it is, without a copy on its heap.
fn embed(out: &Path, specifier: &str, source: &Path, is_script: bool) -> PathBuf {
    let text = std::fs::read_to_string(source).unwrap_or_else(|error| panic!("{}: {error}", source.display()));
    let (code, _) = transpile::extension_source(specifier.to_owned().into(), text.into())
        .unwrap_or_else(|error| panic!("{specifier}: {error}"));
    let name: String = specifier.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let file = out.join(format!("{name}.js"));
    let code = if is_script { deno_core::wrap_lazy_ext_script(code.as_str()) } else { code.as_str().to_owned() };
    std::fs::write(&file, code).expect("OUT_DIR is writable");
    file
}
