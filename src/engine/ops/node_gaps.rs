//! Ops that the node polyfills import by name and that belong to Deno's own runtime. What hooks need is real; workers, native
//! add-ons and database backups say that they are not available.

use deno_core::{OpState, ResourceId, op2};
use deno_error::JsErrorBox;

macro_rules! not_available {
    ($($name:ident => $what:literal),* $(,)?) => {
        $(
            #[op2(fast)]
            pub fn $name() -> Result<(), JsErrorBox> {
                Err(unavailable($what))
            }
        )*
    };
}

fn unavailable(what: &str) -> JsErrorBox {
    JsErrorBox::new("NotSupported", format!("{what} not available in hooks"))
}

not_available! {
    op_create_worker => "worker threads are",
    op_host_get_worker_cpu_usage => "worker threads are",
    op_host_post_message => "worker threads are",
    op_host_post_message_raw => "worker threads are",
    op_host_recv_ctrl => "worker threads are",
    op_host_recv_message => "worker threads are",
    op_host_recv_message_sync => "worker threads are",
    op_host_terminate_worker => "worker threads are",
    op_node_worker_thread_post_message => "worker threads are",
    op_node_worker_thread_recv_message => "worker threads are",
    op_node_worker_thread_register => "worker threads are",
    op_node_worker_thread_set_listener_count => "worker threads are",
    op_napi_open => "native add-ons (.node files) are",
}

/// Hooks have no terminal of their own, so there is nothing to switch to raw mode.
#[op2(fast)]
pub fn op_set_raw(#[smi] _rid: ResourceId, _is_raw: bool, _cbreak: bool) -> Result<(), JsErrorBox> {
    Err(unavailable("raw terminal mode is"))
}

#[op2(fast)]
pub fn op_bootstrap_color_depth() -> i32 {
    1
}

#[op2]
#[serde]
pub fn op_bootstrap_unstable_args() -> Vec<String> {
    Vec::new()
}

/// Columns and rows; a hook's output goes to a log, so it is always the conventional 80 × 24.
#[op2]
#[serde]
pub fn op_console_size() -> (u32, u32) {
    (80, 24)
}

/// This process's id, or its parent's.
#[op2(fast)]
pub fn op_pid(parent: bool) -> u32 {
    #[cfg(unix)]
    if parent {
        return std::os::unix::process::parent_id();
    }
    #[cfg(not(unix))]
    let _ = parent;
    std::process::id()
}

/// Fills `[user, system]` CPU time of the engine's thread in microseconds.
#[op2(fast)]
pub fn op_current_thread_cpu_usage(#[buffer] out: &mut [f64]) {
    let (user, system) = thread_cpu_micros();
    if let [first, second, ..] = out {
        *first = user;
        *second = system;
    }
}

#[cfg(target_os = "linux")]
fn thread_cpu_micros() -> (f64, f64) {
    use nix::sys::resource::{UsageWho, getrusage};
    match getrusage(UsageWho::RUSAGE_THREAD) {
        Ok(usage) => {
            let micros = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 * 1e6 + time.tv_usec() as f64;
            (micros(usage.user_time()), micros(usage.system_time()))
        }
        Err(_) => (0.0, 0.0),
    }
}

#[cfg(not(target_os = "linux"))]
fn thread_cpu_micros() -> (f64, f64) {
    (0.0, 0.0)
}

/// Serves HTTP on an accepted TCP connection, for `node:http` servers.
#[op2(fast)]
#[smi]
pub fn op_http_start(state: &mut OpState, #[smi] rid: ResourceId) -> Result<ResourceId, JsErrorBox> {
    let stream = state
        .resource_table
        .take::<deno_net::io::TcpStreamResource>(rid)
        .map_err(|_| JsErrorBox::new("NotSupported", "only plain TCP connections can be served over HTTP in hooks"))?;
    let stream =
        std::rc::Rc::try_unwrap(stream).map_err(|_| JsErrorBox::new("Busy", "the TCP connection is in use"))?;
    let (read, write) = stream.into_inner();
    let stream = read.reunite(write).map_err(|error| JsErrorBox::generic(error.to_string()))?;
    let address = stream.local_addr().map_err(JsErrorBox::from_err)?;
    Ok(deno_http::http_create_conn_resource(state, stream, address, "http"))
}
