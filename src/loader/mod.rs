//! From a path to runnable code: finding hooks, resolving what they import, compiling TypeScript.
//!
//! Pure Rust over `std::fs`; no engine type appears here. An engine's module loader calls
//! [`resolve`] per import and [`load_module`] per file; [`resolve_hook_path`] and [`hook_entry`] come
//! before that, for the path a person wrote.

mod cache;
mod cjs_wrapper;
mod discover;
mod error;
mod file_url;
mod frame;
mod json_module;
mod listing;
mod load;
mod module_resolver;
mod node_modules;
mod package_json;
mod packages;
mod places;
mod providers;
mod resolve;
mod source_map;
mod source_text;
mod specifier;
mod static_imports;
#[cfg(test)]
mod tests;
mod transpile;
mod tsconfig;

pub use cache::{BlobKind, CacheKey, TranspileCache};
pub use cjs_wrapper::cjs_wrapper;
pub use discover::{
    DiscoverOptions, Discovery, HookItem, HookPath, HookState, discover, discover_with, merge_configured,
};
pub use error::{LoaderError, NOT_UTF8};
pub use file_url::{file_url_to_path, is_file_url, path_to_file_url, utf8_path};
pub use frame::code_frame;
pub use json_module::json_module;
pub use listing::{ListedHook, Listing};
pub use load::{LoadedModule, cjs_export_names, load_module};
pub use module_resolver::{ResolveContext, Resolved, resolve};
pub use node_modules::ResolveMode;
pub use packages::{host_module, is_node_builtin};
pub use places::{Place, Places};
pub use providers::{FoundHook, HookProvider, Level, ProviderFinding, Surroundings, builtin_providers};
pub use resolve::{hook_entry, resolve_hook_path};
pub use source_map::SourceMap;
pub use source_text::{FileKind, ReadGuard, decode_source, is_shell_path, read_source, read_text};
pub use static_imports::{StaticImport, static_imports};
pub use transpile::{
    CjsExports, CompilerOptions, JsxMode, ModuleKind, PackageType, TranspileOptions, Transpiled, transpile,
};
pub use tsconfig::{TsConfig, tsconfig_files};
