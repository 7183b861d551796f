//! Where the files of one user are: state (`trust`) and configuration (`policy`).

use std::ffi::OsString;
use std::path::PathBuf;

/// A look-up of an environment variable, so that nothing here reads the process environment
/// behind its caller's back.
pub type Env<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// A directory that the environment names in a way that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UserDirError {
    /// A relative path would mean another directory in every working directory, a repository's too.
    #[error("{variable} must be an absolute path, got {value:?}")]
    Relative {
        /// The variable.
        variable: &'static str,
        /// Its value.
        value: PathBuf,
    },
    /// There is no home directory to put it in.
    #[error("no home directory: HOME is not set")]
    NoHome,
}

/// The directory for what `hookrt` records: `HOOKRT_STATE_DIR`, else `~/Library/Application
/// Support/hookrt` on macOS, else `$XDG_STATE_HOME/hookrt`, else `~/.local/state/hookrt`.
///
/// # Errors
/// When `HOOKRT_STATE_DIR` is relative, or nothing names a directory.
pub fn state_dir(env: Env<'_>) -> Result<PathBuf, UserDirError> {
    user_dir(env, "HOOKRT_STATE_DIR", "XDG_STATE_HOME", ".local/state")
}

/// The directory for what the person writes: `HOOKRT_CONFIG_DIR`, else `~/Library/Application
/// Support/hookrt` on macOS, else `$XDG_CONFIG_HOME/hookrt`, else `~/.config/hookrt`.
///
/// # Errors
/// When `HOOKRT_CONFIG_DIR` is relative, or nothing names a directory.
pub fn config_dir(env: Env<'_>) -> Result<PathBuf, UserDirError> {
    user_dir(env, "HOOKRT_CONFIG_DIR", "XDG_CONFIG_HOME", ".config")
}

/// The home directory.
pub fn home_dir(env: Env<'_>) -> Option<PathBuf> {
    env("HOME").map(PathBuf::from).filter(|home| home.is_absolute())
}

fn user_dir(env: Env<'_>, own: &'static str, xdg: &str, in_home: &str) -> Result<PathBuf, UserDirError> {
    if let Some(value) = env(own).filter(|value| !value.is_empty()).map(PathBuf::from) {
        return if value.is_absolute() { Ok(value) } else { Err(UserDirError::Relative { variable: own, value }) };
    }
    if cfg!(target_os = "macos") {
        let home = home_dir(env).ok_or(UserDirError::NoHome)?;
        return Ok(home.join("Library/Application Support/hookrt"));
    }
    // The XDG rules say to ignore a relative one.
    if let Some(base) = env(xdg).map(PathBuf::from).filter(|base| base.is_absolute()) {
        return Ok(base.join("hookrt"));
    }
    Ok(home_dir(env).ok_or(UserDirError::NoHome)?.join(in_home).join("hookrt"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with<'a>(vars: &'a [(&'a str, &'a str)]) -> impl Fn(&str) -> Option<OsString> + 'a {
        move |name| vars.iter().find(|(key, _)| *key == name).map(|(_, value)| value.into())
    }

    #[test]
    fn the_own_variable_comes_first_and_must_be_absolute() {
        let env = with(&[("HOOKRT_STATE_DIR", "/s"), ("XDG_STATE_HOME", "/x"), ("HOME", "/h")]);
        assert_eq!(state_dir(&env).unwrap(), PathBuf::from("/s"));
        let env = with(&[("HOOKRT_STATE_DIR", "s"), ("HOME", "/h")]);
        assert!(state_dir(&env).unwrap_err().to_string().contains("HOOKRT_STATE_DIR"));
    }

    #[cfg(not(target_os = "macos"))]
    #[test]
    fn then_the_xdg_rules() {
        assert_eq!(state_dir(&with(&[("XDG_STATE_HOME", "/x"), ("HOME", "/h")])).unwrap(), PathBuf::from("/x/hookrt"));
        assert_eq!(
            state_dir(&with(&[("XDG_STATE_HOME", "x"), ("HOME", "/h")])).unwrap(),
            PathBuf::from("/h/.local/state/hookrt")
        );
        assert_eq!(config_dir(&with(&[("HOME", "/h")])).unwrap(), PathBuf::from("/h/.config/hookrt"));
        assert_eq!(state_dir(&with(&[])), Err(UserDirError::NoHome));
    }
}
