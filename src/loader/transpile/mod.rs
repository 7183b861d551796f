//! From source text to code that both engines run (swc): types stripped, syntax lowered, module
//! kind found, positions kept in a source map.

mod cjs_exports;
mod compile;
mod contexts;
mod es_to_cjs;
mod facts;
mod lower;
mod options;
mod parse;
mod prelude;
mod using;

pub use cjs_exports::CjsExports;
pub(super) use compile::inspect;
pub use compile::{ModuleKind, Transpiled, transpile};
pub use options::{CompilerOptions, JsxMode, PackageType, TranspileOptions};
