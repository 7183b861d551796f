//! What the surroundings of a file (tsconfig, package.json) say about how to compile it.

use serde::{Deserialize, Serialize};

/// `"type"` of the nearest `package.json`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PackageType {
    /// No package.json, or one without `type`.
    #[default]
    Absent,
    Module,
    CommonJs,
}

/// How JSX is compiled; the automatic runtime is the default (`hooks.md`, decision 13).
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum JsxMode {
    #[default]
    Automatic,
    /// `jsx: "react-jsxdev"`.
    AutomaticDev,
    /// `jsx: "react"`.
    Classic,
}

/// The `compilerOptions` of a tsconfig that change what is emitted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CompilerOptions {
    pub experimental_decorators: bool,
    pub emit_decorator_metadata: bool,
    pub jsx: JsxMode,
    /// `jsxImportSource`; `react` when absent.
    pub jsx_import_source: Option<String>,
    /// `jsxFactory`; `React.createElement` when absent (classic runtime only).
    pub jsx_factory: Option<String>,
    /// `jsxFragmentFactory`; `React.Fragment` when absent (classic runtime only).
    pub jsx_fragment_factory: Option<String>,
    pub verbatim_module_syntax: bool,
    /// `None` means `true`: native class fields (`hooks.md`, decision 14).
    pub use_define_for_class_fields: Option<bool>,
}

/// Everything besides path and text that the compiled code depends on; part of the cache key.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TranspileOptions {
    pub compiler: CompilerOptions,
    pub package_type: PackageType,
}
