//! The environment hook commands get (`lifecycle.md`, Environment scrubbing).
//!
//! Scrubbing keeps ambient credentials out of a hook's environment. It is not a sandbox: a hook still reads files and
//! uses the network.

use std::ffi::{OsStr, OsString};

/// Opens the gate for project-controlled configuration; only the value `1` does.
pub const TRUST_PROJECT_VARIABLE: &str = "AX_CODE_TRUST_PROJECT_CONFIG";
/// Gives hooks the whole environment; only the value `1` does.
pub const FULL_ENV_VARIABLE: &str = "AX_CODE_HOOKS_FULL_ENV";

/// Parts of a name that mark a secret.
const SECRET_PARTS: [&str; 7] = ["KEY", "SECRET", "TOKEN", "PASSWORD", "PASSWD", "CREDENTIAL", "AUTH"];
/// Whole words of a name that mark a secret. Ours: the contract's parts miss `MY_PASS`, and a part `PASS` would take
/// `BYPASS_CACHE` with it.
const SECRET_WORDS: [&str; 2] = ["PASS", "PASSPHRASE"];
/// Services whose address carries credentials, followed by `URL` or `URI`.
const SERVICES: [&str; 8] = ["DATABASE", "REDIS", "AMQP", "MONGODB", "POSTGRES", "MYSQL", "ELASTIC", "BROKER"];
/// Credential helpers, and variables that inject code into a process.
const REMOVED: [&str; 25] = [
    "SSH_AUTH_SOCK",
    "GIT_ASKPASS",
    "SUDO_ASKPASS",
    "SSH_ASKPASS",
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "LD_AUDIT",
    "NODE_OPTIONS",
    "NODE_PATH",
    "NODE_EXTRA_CA_CERTS",
    "ELECTRON_RUN_AS_NODE",
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "PYTHONHOME",
    "RUBYOPT",
    "RUBYLIB",
    "BASH_ENV",
    "ENV",
    "PERL5OPT",
    "PERL5LIB",
    "JAVA_TOOL_OPTIONS",
    "JAVA_OPTIONS",
    "_JAVA_OPTIONS",
    "CLASSPATH",
    "GIT_SSH_COMMAND",
];
/// Names that look secret and are not.
const KEPT: [&str; 5] = [
    "PYTHON_KEYRING_BACKEND",
    "XAUTHORITY",
    "DOTNET_CLI_TELEMETRY_SESSION_TOKEN",
    "GPG_AGENT_INFO",
    "DBUS_SESSION_BUS_ADDRESS",
];

/// The environment of the host process: what the two switches are read from and what hooks inherit from.
#[derive(Debug, Clone, Default)]
pub struct HostEnv(Vec<(OsString, OsString)>);

impl HostEnv {
    /// The environment of this process, as it is now.
    pub fn current() -> Self {
        HostEnv(std::env::vars_os().collect())
    }

    /// The value of a variable.
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        self.0.iter().find(|(key, _)| key.to_str() == Some(name)).map(|(_, value)| value.as_os_str())
    }

    /// Whether repository-controlled configuration may run code: `AX_CODE_TRUST_PROJECT_CONFIG` is exactly `1`.
    pub fn trusts_project(&self) -> bool {
        self.get(TRUST_PROJECT_VARIABLE) == Some(OsStr::new("1"))
    }

    /// Whether hooks get everything: `AX_CODE_HOOKS_FULL_ENV` is exactly `1`.
    pub fn is_full(&self) -> bool {
        self.get(FULL_ENV_VARIABLE) == Some(OsStr::new("1"))
    }

    /// What hook commands inherit. `passed` names variables that a hook of the host's own gets although they look
    /// secret; nothing in a project's file can add to it.
    pub fn for_hooks(&self, passed: &[String]) -> Vec<(OsString, OsString)> {
        let full = self.is_full();
        self.0
            .iter()
            .filter(|(name, value)| full || is_passed(name, passed) || !is_secret(name, value))
            .cloned()
            .collect()
    }
}

impl<Name: Into<OsString>, Text: Into<OsString>> FromIterator<(Name, Text)> for HostEnv {
    fn from_iter<Pairs: IntoIterator<Item = (Name, Text)>>(pairs: Pairs) -> Self {
        HostEnv(pairs.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }
}

fn is_passed(name: &OsStr, passed: &[String]) -> bool {
    passed.iter().any(|wanted| name == OsStr::new(wanted))
}

/// Names and values that are not UTF-8 are judged by their lossy form: the replacement character matches no rule.
fn is_secret(name: &OsStr, value: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_uppercase();
    is_secret_name(&name) || has_credential_url(&value.to_string_lossy())
}

fn is_secret_name(name: &str) -> bool {
    if KEPT.contains(&name) {
        return false;
    }
    if REMOVED.contains(&name) || name.starts_with("DYLD_") {
        return true;
    }
    // An author is no authentication; what follows the prefix is still looked at.
    let rest = name.strip_prefix("GIT_AUTHOR_").unwrap_or(name);
    SECRET_PARTS.iter().any(|part| rest.contains(part))
        || rest.split('_').any(|word| SECRET_WORDS.contains(&word))
        || SERVICES.iter().any(|service| is_service_address(rest, service))
}

fn is_service_address(name: &str, service: &str) -> bool {
    name.match_indices(service).any(|(start, _)| {
        let rest = &name[start + service.len()..];
        let rest = rest.strip_prefix('_').unwrap_or(rest);
        rest.starts_with("URL") || rest.starts_with("URI")
    })
}

/// Whether the value holds a URL with a user or a password. Lists of URLs count too.
fn has_credential_url(value: &str) -> bool {
    value.match_indices("://").any(|(at, separator)| {
        let has_scheme = value[..at].ends_with(|character: char| character.is_ascii_alphanumeric());
        has_scheme && has_user(&value[at + separator.len()..])
    })
}

fn has_user(after_scheme: &str) -> bool {
    let end = after_scheme
        .find(|character: char| character.is_whitespace() || matches!(character, '"' | '\'' | '<' | '>' | '|'))
        .unwrap_or(after_scheme.len());
    let url = &after_scheme[..end];
    let authority = url.split(['/', '?', '#']).next().unwrap_or(url);
    if authority.contains('@') {
        return true;
    }
    // A password may hold an unescaped `/`, `?` or `#`; then what looks like a port is none.
    match authority.rsplit_once(':') {
        Some((_, port)) => {
            !authority.starts_with('[')
                && !port.is_empty()
                && !port.bytes().all(|byte| byte.is_ascii_digit())
                && url.contains('@')
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(name: &str, value: &str) -> bool {
        !is_secret(OsStr::new(name), OsStr::new(value))
    }

    #[test]
    fn secret_names_go_in_any_case() {
        for name in [
            "ANTHROPIC_API_KEY",
            "github_token",
            "AWS_SECRET_ACCESS_KEY",
            "DbPassword",
            "X_PASSWD",
            "GCP_CREDENTIALS",
            "COMPOSER_AUTH",
            "OPENAI_APIKEY",
            "DATABASE_URL",
            "databaseurl",
            "CELERY_BROKER_URL",
            "REDIS_URI",
            "POSTGRES_URL_READONLY",
            "SSH_AUTH_SOCK",
            "GIT_ASKPASS",
            "ssh_askpass",
            "LD_PRELOAD",
            "DYLD_INSERT_LIBRARIES",
            "NODE_OPTIONS",
            "ENV",
            "BASH_ENV",
            "_JAVA_OPTIONS",
            "GIT_SSH_COMMAND",
            "MY_PASS",
            "GPG_PASSPHRASE",
            "GIT_AUTHOR_TOKEN",
        ] {
            assert!(!kept(name, "x"), "{name}");
        }
    }

    #[test]
    fn ordinary_names_stay() {
        for name in [
            "PATH",
            "HOME",
            "LANG",
            "LC_ALL",
            "TMPDIR",
            "PWD",
            "OLDPWD",
            "SHELL",
            "GIT_AUTHOR_NAME",
            "GIT_AUTHOR_EMAIL",
            "PYTHON_KEYRING_BACKEND",
            "XAUTHORITY",
            "DOTNET_CLI_TELEMETRY_SESSION_TOKEN",
            "GPG_AGENT_INFO",
            "DBUS_SESSION_BUS_ADDRESS",
            "BYPASS_CACHE",
            "COMPASS",
            "BASE_URL",
            "REDIS_HOST",
            "ENVIRONMENT",
            "VIRTUAL_ENV",
        ] {
            assert!(kept(name, "x"), "{name}");
        }
    }

    #[test]
    fn urls_with_a_user_go_whatever_the_name() {
        for value in [
            "http://u:p@proxy:8080",
            "https://token@github.com/x",
            "socks5h://u@h",
            "jdbc:mysql://u:p@h/db",
            "https://a.example/ https://u:p@b.example/",
            "postgres://u:p/w@host/db",
            "ssh://git@host/repo",
        ] {
            assert!(!kept("SOMETHING", value), "{value}");
        }
        for value in [
            "https://example.com/@scope/package",
            "http://localhost:8080/a@b",
            "http://[::1]:80/@x",
            "a@b.example",
            "git@github.com:a/b.git",
            "see https://example.com and mail me@example.com",
            "://x@y",
        ] {
            assert!(kept("SOMETHING", value), "{value}");
        }
    }

    #[test]
    fn only_the_value_one_opens_the_switches() {
        for (value, open) in [("1", true), ("true", false), ("", false), ("1 ", false), ("01", false), ("yes", false)] {
            let host: HostEnv = [(TRUST_PROJECT_VARIABLE, value), (FULL_ENV_VARIABLE, value)].into_iter().collect();
            assert_eq!((host.trusts_project(), host.is_full()), (open, open), "{value:?}");
        }
        assert!(!HostEnv::default().trusts_project());
    }

    #[test]
    fn a_host_hook_may_be_given_a_variable_by_name() {
        let host: HostEnv = [("A_TOKEN", "1"), ("B_TOKEN", "2"), ("PATH", "/bin")].into_iter().collect();
        let names: Vec<OsString> = host.for_hooks(&["B_TOKEN".to_owned()]).into_iter().map(|pair| pair.0).collect();
        assert_eq!(names, ["B_TOKEN", "PATH"]);
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_not_utf8_pass_unharmed() {
        use std::os::unix::ffi::OsStringExt;
        let odd = OsString::from_vec(vec![b'a', 0xff, b'b']);
        let host: HostEnv =
            [(OsString::from("ODD"), odd.clone()), (OsString::from("ODD_KEY"), odd.clone())].into_iter().collect();
        assert_eq!(host.for_hooks(&[]), [(OsString::from("ODD"), odd)]);
    }
}
