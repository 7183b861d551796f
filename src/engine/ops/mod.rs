//! The ops behind `js/`. They take and give text, forward to the [`Port`](super::port::Port) and hold no rules of their own.

pub mod env;
mod exec;
mod fs_events;
mod host;
mod node_gaps;
mod report;
mod tame;

deno_core::extension!(
    hookrt_private_ns,
    esm_entry_point = "ext:hookrt_private_ns/00_private_ns.js",
    esm = [dir "js", "00_private_ns.js"],
);

deno_core::extension!(
    hookrt_fs_events,
    ops = [fs_events::op_fs_events_open, fs_events::op_fs_events_poll],
    lazy_loaded_js = [dir "js", "40_fs_events.js"],
);

deno_core::extension!(
    hookrt,
    ops = [
        exec::op_exec,
        exec::op_exec_kill,
        host::op_handler_count,
        host::op_host_call,
        host::op_host_call_sync,
        host::op_host_cancel,
        host::op_host_notify,
        host::op_host_session_version,
        host::op_require_resolve,
        report::op_bytes_to_base64,
        report::op_emit_done,
        report::op_handler_begins,
        report::op_hook_error,
        report::op_hook_warning,
        report::op_in_host,
        report::op_log,
        report::op_monotonic_ms,
        report::op_hook_print,
        report::op_register,
        report::op_session_over,
        node_gaps::op_bootstrap_color_depth,
        node_gaps::op_bootstrap_unstable_args,
        node_gaps::op_console_size,
        node_gaps::op_create_worker,
        node_gaps::op_current_thread_cpu_usage,
        node_gaps::op_host_get_worker_cpu_usage,
        node_gaps::op_host_post_message,
        node_gaps::op_host_post_message_raw,
        node_gaps::op_host_recv_ctrl,
        node_gaps::op_host_recv_message,
        node_gaps::op_host_recv_message_sync,
        node_gaps::op_host_terminate_worker,
        node_gaps::op_http_start,
        node_gaps::op_napi_open,
        node_gaps::op_node_worker_thread_post_message,
        node_gaps::op_node_worker_thread_recv_message,
        node_gaps::op_node_worker_thread_register,
        node_gaps::op_node_worker_thread_set_listener_count,
        node_gaps::op_pid,
        node_gaps::op_set_raw,
    ],
    esm_entry_point = "ext:hookrt/99_main.js",
    esm = [
        dir "js",
        "05_host.js",
        "07_values.js",
        "10_globals.js",
        "15_private_ns.js",
        "16_children.js",
        "20_pi.js",
        "25_session_cache.js",
        "30_context.js",
        "35_scope.js",
        "40_ui.js",
        "41_theme_instance.js",
        "42_components.js",
        "45_dialects.js",
        "46_session_end.js",
        "47_hooks.js",
        "48_input_guard.js",
        "49_host_handlers.js",
        "50_dispatch.js",
        "55_commands.js",
        "56_require.js",
        "60_host_packages.js",
        "99_main.js",
    ],
    lazy_loaded_js = [
        dir "js",
        "61_packages/bun-sqlite.js",
        "61_packages/bun.js",
        "61_packages/found_by_name.js",
        "61_packages/pi-agent-core.js",
        "61_packages/pi-ai.js",
        "61_packages/pi-coding-agent.js",
        "61_packages/pi-tui.js",
        "61_packages/pi-utils.js",
        "61_packages/typebox-compiler.js",
        "61_packages/typebox-value.js",
        "61_packages/typebox.js",
    ],
    synthetic_esm = [
        // Always there, never built from a script. QuickJS asks for the imports of modules it linked long ago again; under these
        // names deno_core finds them without asking who may import them. The loader refuses them to hooks.
        "ext:core/mod.js" = "ext:hookrt/61_packages/found_by_name.js",
        "ext:core/ops" = "ext:hookrt/61_packages/found_by_name.js",
        "hookrt:bun-sqlite" = "ext:hookrt/61_packages/bun-sqlite.js",
        "hookrt:bun" = "ext:hookrt/61_packages/bun.js",
        "hookrt:pi-agent-core" = "ext:hookrt/61_packages/pi-agent-core.js",
        "hookrt:pi-ai" = "ext:hookrt/61_packages/pi-ai.js",
        "hookrt:pi-coding-agent" = "ext:hookrt/61_packages/pi-coding-agent.js",
        "hookrt:pi-tui" = "ext:hookrt/61_packages/pi-tui.js",
        "hookrt:pi-utils" = "ext:hookrt/61_packages/pi-utils.js",
        "hookrt:typebox" = "ext:hookrt/61_packages/typebox.js",
        "hookrt:typebox-compiler" = "ext:hookrt/61_packages/typebox-compiler.js",
        "hookrt:typebox-value" = "ext:hookrt/61_packages/typebox-value.js",
    ],
    middleware = tame::replace,
);
