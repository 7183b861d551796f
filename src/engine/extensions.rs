//! The one list of extensions. `build.rs` makes the snapshot from it and the runtime starts with it: a snapshot only fits the very same list.

use deno_core::Extension;
use deno_resolver::npm::{DenoInNpmPackageChecker, NpmResolver};
use sys_traits::impls::RealSys;

use super::ops;

/// Every extension in the order they depend on each other; those with parameters get them later, see `runtime::start`.
pub fn extensions() -> Vec<Extension> {
    vec![
        ops::hookrt_private_ns::init(),
        deno_telemetry::deno_telemetry::init(),
        deno_webidl::deno_webidl::init(),
        deno_web::deno_web::lazy_init(),
        deno_fetch::deno_fetch::lazy_init(),
        deno_crypto::deno_crypto::lazy_init(),
        deno_net::deno_net::lazy_init(),
        deno_tls::deno_tls::init(),
        deno_http::deno_http::lazy_init(),
        deno_io::deno_io::lazy_init(),
        deno_fs::deno_fs::lazy_init(),
        deno_os::deno_os::lazy_init(),
        deno_process::deno_process::lazy_init(),
        deno_node_crypto::deno_node_crypto::init(),
        deno_node_sqlite::deno_node_sqlite::init(),
        deno_node::deno_node::lazy_init::<DenoInNpmPackageChecker, NpmResolver<RealSys>, RealSys>(),
        ops::hookrt_fs_events::init(),
        ops::hookrt::init(),
    ]
}
