//! A JavaScript runtime ready for hooks: started from the snapshot, its extensions given what they need, the engine's entry points at hand.

use std::rc::Rc;
use std::sync::Arc;

use deno_core::{JsRuntime, OpMetricsEvent, OpMetricsFactoryFn, OpMetricsFn, RuntimeOptions, v8};
use deno_permissions::PermissionsContainer;
use deno_resolver::npm::{DenoInNpmPackageChecker, NpmResolver};
use sys_traits::impls::RealSys;

use super::extensions::extensions;
use super::modules::Loader;
use super::node_services;
use super::ops::env::Environment;
use super::port::PortRc;
use super::tls::CertificatesOfEnvironment;

static SNAPSHOT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/hookrt.snapshot"));

mod lazy_sources {
    include!(concat!(env!("OUT_DIR"), "/lazy_sources.rs"));
}

/// What a runtime is started with.
pub struct StartOptions {
    pub port: PortRc,
    pub loader: Rc<Loader>,
    /// The engine's configuration for `js/99_main.js`, as JSON text.
    pub config: String,
    /// Heap limit in bytes.
    pub heap_limit: usize,
    /// Added to `process.env`.
    pub env: Vec<(String, String)>,
    /// A debugger may attach.
    pub inspect: bool,
    /// What hooks may reach.
    pub permissions: PermissionsContainer,
}

/// The functions of `js/99_main.js`.
pub struct EntryPoints {
    pub load: v8::Global<v8::Function>,
    pub unload: v8::Global<v8::Function>,
    pub go_live: v8::Global<v8::Function>,
    pub emit: v8::Global<v8::Function>,
    pub call: v8::Global<v8::Function>,
    pub abort: v8::Global<v8::Function>,
    pub stopped: v8::Global<v8::Function>,
    pub stalled: v8::Global<v8::Function>,
    pub orphaned: v8::Global<v8::Function>,
    pub add_foreign_hook: v8::Global<v8::Function>,
    pub dispose: v8::Global<v8::Function>,
    pub cancel: v8::Global<v8::Function>,
    pub reconfigure: v8::Global<v8::Function>,
    pub load_builtin: v8::Global<v8::Function>,
}

/// Starts a runtime on the current thread, which must be inside a tokio runtime of the current-thread kind.
pub fn start(options: StartOptions) -> Result<(JsRuntime, EntryPoints), String> {
    super::platform::init_platform();
    let fs: deno_fs::FileSystemRc = deno_fs::sync::MaybeArc::new(deno_fs::RealFs);
    let mut js = JsRuntime::try_new(RuntimeOptions {
        module_loader: Some(options.loader.clone()),
        startup_snapshot: Some(SNAPSHOT),
        residual_lazy_js_sources: lazy_sources::LAZY_SCRIPTS,
        residual_lazy_esm_sources: lazy_sources::LAZY_MODULES,
        extensions: extensions(),
        create_params: Some(super::memory::create_params(options.heap_limit)),
        op_metrics_factory_fn: Some(keep_whole(options.port.clone())),
        inspector: options.inspect,
        is_main: options.inspect,
        ..RuntimeOptions::default()
    })
    .map_err(|error| error.to_string())?;
    let certificates = Arc::new(CertificatesOfEnvironment::default());
    js.lazy_init_extensions(vec![
        deno_web::deno_web::args(Arc::new(deno_web::BlobStore::default()), None, true, Default::default()),
        deno_fetch::deno_fetch::args(deno_fetch::Options {
            user_agent: concat!("hookrt/", env!("CARGO_PKG_VERSION")).to_owned(),
            root_cert_store_provider: Some(certificates.clone()),
            file_fetch_handler: Rc::new(deno_fetch::FsFetchHandler),
            ..deno_fetch::Options::default()
        }),
        deno_crypto::deno_crypto::args(None),
        deno_net::deno_net::args(Some(certificates), None),
        deno_http::deno_http::args(deno_http::Options::default()),
        deno_io::deno_io::args(Some(stdio())),
        deno_fs::deno_fs::args(fs.clone()),
        deno_os::deno_os::args(None),
        deno_process::deno_process::args(None),
        deno_node::deno_node::args::<DenoInNpmPackageChecker, NpmResolver<RealSys>, RealSys>(
            Some(node_services::services(options.loader)),
            fs,
        ),
    ])
    .map_err(|error| error.to_string())?;
    {
        let state = js.op_state();
        let mut state = state.borrow_mut();
        state.put(options.port);
        state.put(Environment::from(options.env));
        state.put(options.permissions);
    }
    let entry_points = configure(&mut js, &options.config)?;
    Ok((js, entry_points))
}

/// Marks the ops that evaluate a part of the runtime on its first use. Torn in the middle it is broken for good, and deno_core takes it for granted
/// that its evaluation ends: it panics in a frame that cannot unwind.
fn keep_whole(port: PortRc) -> OpMetricsFactoryFn {
    let mark: OpMetricsFn = Rc::new(move |_, event, _| port.whole(matches!(event, OpMetricsEvent::Dispatched)));
    Box::new(move |_, _, op| matches!(op.name, "op_lazy_load_esm" | "op_load_ext_script").then(|| mark.clone()))
}

/// Hooks have no terminal: they read nothing, and what they print goes to the log on standard error, never to a protocol stream.
fn stdio() -> deno_io::Stdio {
    let null =
        || std::fs::OpenOptions::new().read(true).write(true).open(if cfg!(windows) { "NUL" } else { "/dev/null" });
    let pipe = |file: std::io::Result<std::fs::File>| match file.or_else(|_| null()) {
        Ok(file) => deno_io::StdioPipe::file(file),
        Err(_) => deno_io::StdioPipe::inherit(),
    };
    deno_io::Stdio { stdin: pipe(null()), stdout: pipe(standard_error()), stderr: pipe(standard_error()) }
}

#[cfg(unix)]
fn standard_error() -> std::io::Result<std::fs::File> {
    use std::os::fd::AsFd;
    std::io::stderr().as_fd().try_clone_to_owned().map(std::fs::File::from)
}

#[cfg(windows)]
fn standard_error() -> std::io::Result<std::fs::File> {
    use std::os::windows::io::AsHandle;
    std::io::stderr().as_handle().try_clone_to_owned().map(std::fs::File::from)
}

fn configure(js: &mut JsRuntime, config: &str) -> Result<EntryPoints, String> {
    let object = js
        .execute_script("ext:hookrt/start.js", "globalThis.__bootstrap.internals.hookrt")
        .map_err(|error| error.to_string())?;
    let set_build_info =
        js.execute_script("ext:hookrt/build_info.js", "Deno.core.setBuildInfo").map_err(|error| error.to_string())?;
    deno_core::scope!(scope, js);
    let target = text(scope, env!("HOOKRT_TARGET"));
    let object = v8::Local::new(scope, object).to_object(scope).ok_or("the snapshot has no entry points")?;
    let set_build_info = v8::Local::new(scope, set_build_info);
    call(scope, set_build_info, &[target])?;
    let configure = member(scope, object, "configure")?;
    let config = text(scope, config);
    call(scope, configure.into(), &[config])?;
    let mut global = |name: &str| member(scope, object, name).map(|function| v8::Global::new(scope, function));
    Ok(EntryPoints {
        load: global("load")?,
        unload: global("unload")?,
        go_live: global("goLive")?,
        emit: global("emit")?,
        call: global("call")?,
        abort: global("abort")?,
        stopped: global("stopped")?,
        stalled: global("stalled")?,
        orphaned: global("orphaned")?,
        add_foreign_hook: global("addForeignHook")?,
        dispose: global("dispose")?,
        cancel: global("cancel")?,
        reconfigure: global("reconfigure")?,
        load_builtin: global("loadBuiltin")?,
    })
}

fn text<'s>(scope: &mut v8::PinScope<'s, '_>, text: &str) -> v8::Local<'s, v8::Value> {
    v8::String::new(scope, text).map_or_else(|| v8::undefined(scope).into(), Into::into)
}

fn member<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    object: v8::Local<'s, v8::Object>,
    name: &str,
) -> Result<v8::Local<'s, v8::Function>, String> {
    let key = text(scope, name);
    let value = object.get(scope, key).ok_or_else(|| format!("the snapshot lacks {name}"))?;
    value.try_into().map_err(|_| format!("the snapshot lacks {name}"))
}

fn call<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    function: v8::Local<'s, v8::Value>,
    args: &[v8::Local<'s, v8::Value>],
) -> Result<(), String> {
    let function: v8::Local<v8::Function> = function.try_into().map_err(|_| "not a function".to_owned())?;
    v8::tc_scope!(scope, scope);
    let receiver = v8::undefined(scope).into();
    if function.call(scope, receiver, args).is_some() {
        return Ok(());
    }
    let message = scope.exception().map_or_else(|| "terminated".to_owned(), |error| error.to_rust_string_lossy(scope));
    Err(message)
}
