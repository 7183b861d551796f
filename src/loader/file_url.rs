//! Paths as `file:` URLs and back, without losing a byte of the name.
//!
//! The `url` crate leaves `[` or `|` as they are and turns `\` into `/`; names with `?`, `#`,
//! `%` or `\` must survive `import.meta.url` → `fileURLToPath` (`hooks.md`, decision 13), so everything
//! outside a small safe set is percent-encoded here.

use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::error::LoaderError;

/// What stays readable in a path: exactly what Node's `pathToFileURL` leaves alone, because modules compare its result with
/// their `import.meta.url`.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'\'')
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=')
    .remove(b':')
    .remove(b'@');

/// The text of a path. Errors: `NotUtf8`, for text in which bytes were replaced would name another file.
pub fn utf8_path(path: &Path) -> Result<&str, LoaderError> {
    path.to_str().ok_or_else(|| LoaderError::NotUtf8 { path: path.to_path_buf() })
}

/// `/a b/c?.ts` → `file:///a%20b/c%3F.ts`. The path has to be absolute; bytes that are not UTF-8
/// are replaced.
pub fn path_to_file_url(path: &Path) -> String {
    let text = path.to_string_lossy();
    format!("file://{}", utf8_percent_encode(&text, ENCODED))
}

/// The path of a `file:` URL; query and fragment are dropped. Errors: another scheme, another host,
/// an encoded `/` (as in Node), bytes that are not UTF-8.
pub fn file_url_to_path(url: &str) -> Result<PathBuf, LoaderError> {
    let fail = |message: &str| LoaderError::Specifier { specifier: url.to_string(), message: message.to_string() };
    let rest = strip_scheme(url).ok_or_else(|| fail("not a file URL"))?;
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let path = match rest.strip_prefix("//") {
        Some(authority) => {
            let slash = authority.find('/').ok_or_else(|| fail("the URL has no path"))?;
            let (host, path) = authority.split_at(slash);
            if !host.is_empty() && !host.eq_ignore_ascii_case("localhost") {
                return Err(fail("a file URL must not name a host"));
            }
            path
        }
        None if rest.starts_with('/') => rest,
        None => return Err(fail("the URL has no absolute path")),
    };
    if path.to_ascii_lowercase().contains("%2f") {
        return Err(fail("a file URL must not contain an encoded slash"));
    }
    let decoded = percent_decode_str(path).decode_utf8().map_err(|_| fail("the path is not UTF-8"))?;
    if decoded.contains('\0') {
        return Err(fail("the path contains a NUL byte"));
    }
    Ok(path_clean::clean(Path::new(decoded.as_ref())))
}

/// Whether the text is a `file:` URL.
pub fn is_file_url(text: &str) -> bool {
    strip_scheme(text).is_some()
}

fn strip_scheme(text: &str) -> Option<&str> {
    text.get(..5).filter(|scheme| scheme.eq_ignore_ascii_case("file:")).map(|_| &text[5..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn awkward_names_round_trip() {
        for name in [
            "a b.ts",
            "a#b.ts",
            "50%.ts",
            "a%20b.ts",
            "ü.ts",
            "it's.ts",
            "[c].ts",
            "q?.ts",
            "b\\s.ts",
            "😀 \t.ts",
            "a:b@c&d=e+f;g,h.ts",
            "\"<>`{}|^.ts",
        ] {
            let path = Path::new("/tmp/x").join(name);
            let url = path_to_file_url(&path);
            assert_eq!(file_url_to_path(&url).unwrap(), path, "{url}");
            let parsed = url::Url::parse(&url).unwrap();
            assert_eq!(parsed.as_str(), url, "URL parsers keep it as it is");
            assert!(parsed.query().is_none() && parsed.fragment().is_none());
        }
    }

    #[test]
    fn foreign_urls_are_refused() {
        for url in ["http://x/y", "file://host/x", "file:x", "file:///a%2Fb", "file:///a%ff", "file://"] {
            assert!(file_url_to_path(url).is_err(), "{url}");
        }
        assert_eq!(file_url_to_path("file:/a/../b?x#y").unwrap(), Path::new("/b"));
        assert_eq!(file_url_to_path("FILE://localhost/a").unwrap(), Path::new("/a"));
    }
}
