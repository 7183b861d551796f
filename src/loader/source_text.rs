//! From bytes on disk to text: which files are modules, and how their bytes are decoded.

use std::path::Path;

use super::error::LoaderError;

/// What a file is, judged by its extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileKind {
    Ts,
    Mts,
    Cts,
    Tsx,
    Js,
    Mjs,
    Cjs,
    Jsx,
    Json,
}

impl FileKind {
    /// `None` for extensions that are never modules (`.sh`, `.node`, `.md`, …); a name without
    /// extension counts as JavaScript, as in Node.
    pub fn from_path(path: &Path) -> Option<Self> {
        let Some(extension) = path.extension() else {
            return Some(Self::Js);
        };
        Some(match extension.to_str()? {
            "ts" => Self::Ts,
            "mts" => Self::Mts,
            "cts" => Self::Cts,
            "tsx" => Self::Tsx,
            "js" => Self::Js,
            "mjs" => Self::Mjs,
            "cjs" => Self::Cjs,
            "jsx" => Self::Jsx,
            "json" | "jsonc" => Self::Json,
            _ => return None,
        })
    }

    /// TypeScript syntax is allowed, and unused imports are dropped.
    pub fn is_typescript(self) -> bool {
        matches!(self, Self::Ts | Self::Mts | Self::Cts | Self::Tsx)
    }

    /// Short stable name; part of the cache key.
    pub fn tag(self) -> &'static str {
        match self {
            Self::Ts => "ts",
            Self::Mts => "mts",
            Self::Cts => "cts",
            Self::Tsx => "tsx",
            Self::Js => "js",
            Self::Mjs => "mjs",
            Self::Cjs => "cjs",
            Self::Jsx => "jsx",
            Self::Json => "json",
        }
    }
}

/// Extensions of files that are shell hooks rather than modules.
const SHELL_EXTENSIONS: [&str; 4] = ["sh", "bash", "zsh", "fish"];

/// Whether the file name says that this is a shell script.
pub fn is_shell_path(path: &Path) -> bool {
    path.extension().and_then(|e| e.to_str()).is_some_and(|e| SHELL_EXTENSIONS.contains(&e))
}

/// The name without a shell extension, if it has one.
pub(super) fn strip_shell_extension(name: &str) -> &str {
    SHELL_EXTENSIONS.iter().find_map(|extension| name.strip_suffix(extension)?.strip_suffix('.')).unwrap_or(name)
}

/// Whether a `#!` line names a shell (`#!/bin/sh`, `#!/usr/bin/env -S bash -e`).
fn has_shell_shebang(text: &str) -> bool {
    let Some(line) = text.strip_prefix("#!") else {
        return false;
    };
    let line = line.lines().next().unwrap_or_default();
    line.split_whitespace()
        .filter_map(|word| word.rsplit('/').next())
        .any(|word| matches!(word, "sh" | "dash" | "ksh") || SHELL_EXTENSIONS.contains(&word))
}

/// Sees the bytes of every file that is about to become code, and may refuse them.
pub trait ReadGuard: std::fmt::Debug + Send + Sync {
    /// # Errors
    /// When what was read at `path` must not run.
    fn check(&self, path: &Path, bytes: &[u8]) -> Result<(), LoaderError>;
}

/// Reads a module's source. Errors: as [`read_text`]; shell scripts and files that are never modules
/// are refused before they are read.
pub fn read_source(path: &Path) -> Result<(String, FileKind), LoaderError> {
    read_source_guarded(path, None)
}

pub(super) fn read_source_guarded(
    path: &Path,
    guard: Option<&dyn ReadGuard>,
) -> Result<(String, FileKind), LoaderError> {
    if is_shell_path(path) {
        return Err(LoaderError::ShellHook { path: path.to_path_buf() });
    }
    let kind = FileKind::from_path(path).ok_or_else(|| LoaderError::Unsupported {
        path: path.to_path_buf(),
        message: "not a JavaScript, TypeScript or JSON file".to_string(),
    })?;
    let text = read_text_guarded(path, guard)?;
    if path.extension().is_none() && has_shell_shebang(&text) {
        return Err(LoaderError::ShellHook { path: path.to_path_buf() });
    }
    Ok((text, kind))
}

/// Reads any text file, whatever its extension (`import text from "./x.md" with { type: "text" }`).
/// Directories, devices, missing files and bytes that are not UTF-8 are errors.
pub fn read_text(path: &Path) -> Result<String, LoaderError> {
    read_text_guarded(path, None)
}

pub(super) fn read_text_guarded(path: &Path, guard: Option<&dyn ReadGuard>) -> Result<String, LoaderError> {
    let read_error = |message: String| LoaderError::Read { path: path.to_path_buf(), message };
    // A FIFO or device would block the read for ever.
    let metadata = std::fs::metadata(path).map_err(|e| read_error(e.to_string()))?;
    if metadata.is_dir() {
        return Err(read_error("it is a directory".to_string()));
    }
    if !metadata.is_file() {
        return Err(read_error("it is not a regular file".to_string()));
    }
    let bytes = std::fs::read(path).map_err(|e| read_error(e.to_string()))?;
    guard.map_or(Ok(()), |guard| guard.check(path, &bytes))?;
    decode_source(bytes, path)
}

/// Decodes source bytes: UTF-8 with or without byte order mark. UTF-16, binary data and invalid
/// UTF-8 are told apart, so that the message says what to fix.
pub fn decode_source(mut bytes: Vec<u8>, path: &Path) -> Result<String, LoaderError> {
    let fail = |message: String| Err(LoaderError::Decode { path: path.to_path_buf(), message });
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        return fail("the file is UTF-16, hooks are UTF-8".to_string());
    }
    let head = &bytes[..bytes.len().min(8_000)];
    if head.contains(&0) {
        let zeros = |offset: usize| head.iter().skip(offset).step_by(2).filter(|b| **b == 0).count();
        let (even, odd) = (zeros(0), zeros(1));
        let half = head.len() / 2;
        let utf16 = half > 0 && (even.max(odd) * 10 > half * 7) && even.min(odd) * 10 < half;
        return fail(if utf16 {
            "the file looks like UTF-16 without a byte order mark, hooks are UTF-8".to_string()
        } else {
            "the file is binary, not text".to_string()
        });
    }
    if bytes.starts_with(&[0xEF, 0xBB, 0xBF]) {
        bytes.drain(..3);
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let line = 1 + error.as_bytes()[..valid].iter().filter(|b| **b == b'\n').count();
            fail(format!("invalid UTF-8 on line {line} (byte {valid})"))
        }
    }
}
