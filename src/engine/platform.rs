//! The JavaScript engine's process-wide state.

use std::sync::Once;

/// Initialises the JavaScript engine for this process; later calls do nothing. `main` calls it before any other thread exists, embedders
/// should do the same; a runner that finds it missing does it itself.
pub fn init_platform() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| deno_core::JsRuntime::init_platform(None));
}

/// Name of the engine this build runs hooks on: `v8` or `quickjs`.
pub const ENGINE: &str = if cfg!(feature = "v8") { "v8" } else { "quickjs" };

/// Whether this engine can keep the compiled form of code and take it back.
pub(super) const HAS_CODE_CACHE: bool = cfg!(feature = "v8");

/// Version of that engine.
pub fn engine_version() -> &'static str {
    deno_core::v8::VERSION_STRING
}
