//! The loader's error enum: everything that can go wrong between a hook's path and runnable code.

use std::path::PathBuf;

/// Why a hook file, or something it imports, could not be turned into code.
///
/// The `Display` text is what ends up behind `Failed to load hook: ` (`hooks.md §1`); positions are
/// 1-based and refer to the file as written, columns count characters.
#[derive(Debug, Clone, thiserror::Error)]
pub enum LoaderError {
    /// The source does not parse; `frame` shows the offending line with a caret.
    #[error("{message} ({}:{line}:{column})\n{frame}", path.display())]
    Syntax { path: PathBuf, line: u32, column: u32, message: String, frame: String },
    /// The bytes are not UTF-8 text.
    #[error("Cannot decode {}: {message}", path.display())]
    Decode { path: PathBuf, message: String },
    /// The file could not be read.
    #[error("Cannot read {}: {message}", path.display())]
    Read { path: PathBuf, message: String },
    /// No file stands behind the specifier; `tried` lists the candidates in probing order.
    #[error("Cannot find module '{specifier}'{}{}", imported_from(referrer), tried_list(tried))]
    NotFound { specifier: String, referrer: Option<PathBuf>, tried: Vec<PathBuf> },
    /// A package was found but does not offer what was asked for (`exports`, `imports`, `main`).
    #[error("{message}{}", imported_from(referrer))]
    Package { specifier: String, referrer: Option<PathBuf>, message: String },
    /// The specifier itself is malformed or of a kind that hooks cannot import.
    #[error("Invalid module specifier '{specifier}': {message}")]
    Specifier { specifier: String, message: String },
    /// The file is not what the person trusted; `why` says whether it is new or changed.
    #[error("{} {why}", path.display())]
    Untrusted { path: PathBuf, why: &'static str },
    /// A `tsconfig.json` or `package.json` on the way is broken.
    #[error("Invalid {}: {message}", path.display())]
    Config { path: PathBuf, message: String },
    /// A path that is no text, which neither a hook nor an import can write.
    #[error("{}: {NOT_UTF8}", path.display())]
    NotUtf8 { path: PathBuf },
    /// A folder stands where a hook is named, and nothing in it is one.
    #[error("{} is a directory without a hook in it{}", path.display(), tried_list(tried))]
    Directory { path: PathBuf, tried: Vec<PathBuf> },
    /// A builtin module that the engine does not have.
    #[error("{message}")]
    Builtin { message: String },
    /// A shell script stands where a JavaScript or TypeScript module is needed.
    #[error("{} is a shell script, not a JavaScript or TypeScript module", path.display())]
    ShellHook { path: PathBuf },
    /// A file of a kind that is never a module.
    #[error("Cannot load {}: {message}", path.display())]
    Unsupported { path: PathBuf, message: String },
    /// The compiler failed on this input; a fault of ours rather than of the file.
    #[error("Cannot compile {}: {message}", path.display())]
    Internal { path: PathBuf, message: String },
}

/// What is wrong with a name of other bytes.
pub const NOT_UTF8: &str = "the name is not valid UTF-8";

fn imported_from(referrer: &Option<PathBuf>) -> String {
    referrer.as_ref().map(|path| format!(" imported from {}", path.display())).unwrap_or_default()
}

fn tried_list(tried: &[PathBuf]) -> String {
    let mut text = String::new();
    for (index, path) in tried.iter().enumerate() {
        text.push_str(if index == 0 { "; tried " } else { ", " });
        text.push_str(&path.display().to_string());
    }
    text
}

impl LoaderError {
    /// What the person who owns the hook can do about it, when there is something.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Decode { .. } => "save the file as UTF-8",
            Self::NotFound { specifier, .. } if is_bare(specifier) => {
                "install the package in a node_modules folder next to the hook or above it, or use `import type` when only its types are needed"
            }
            Self::NotFound { .. } => "check the spelling of the path and the file's extension",
            Self::NotUtf8 { .. } => "rename it: modules are named by text",
            Self::Directory { .. } => {
                "name the hook's file, or add an index.ts or a package.json whose \"main\" names it"
            }
            Self::ShellHook { .. } => {
                "shell hook: run it as a lifecycle hook (hooks.json), or rewrite it as a .ts module with a default function"
            }
            Self::Unsupported { .. } => "a hook is a .ts .mts .cts .tsx .js .mjs .cjs or .jsx file",
            Self::Internal { .. } => "please report this file; splitting very deeply nested code helps",
            Self::Untrusted { .. } => {
                "read it, then run `hookrt trust` again; what is imported under a computed name is recorded only when a literal import names it too"
            }
            Self::Config { .. } => "fix or remove that file",
            Self::Syntax { .. }
            | Self::Read { .. }
            | Self::Package { .. }
            | Self::Specifier { .. }
            | Self::Builtin { .. } => return None,
        };
        Some(hint.to_string())
    }

    /// The error with `place`, a code frame or nothing, and its hint.
    pub fn explained(&self, place: &str) -> String {
        let hint = self.hint().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
        format!("{self}{place}{hint}")
    }

    /// The code frame of a syntax error, for a renderer that colours it itself.
    pub fn frame(&self) -> Option<&str> {
        match self {
            Self::Syntax { frame, .. } => Some(frame),
            _ => None,
        }
    }
}

fn is_bare(specifier: &str) -> bool {
    !specifier.starts_with(['.', '/', '~']) && !specifier.starts_with("file:")
}
