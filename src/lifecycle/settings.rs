//! What a host configures, and which hooks follow from it.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::config::{self, HooksFile, Severity};
use super::env::{HostEnv, TRUST_PROJECT_VARIABLE};
use super::error::LifecycleError;
use super::hook::{Hook, HookSource, HostHook};
use super::packs::Pack;
use super::prompt::{Headless, PermissionPrompt};
use super::slots::HookSlots;

/// The limit of one hook: writing its stdin, reading its output and waiting for it.
pub const TIME_LIMIT: Duration = Duration::from_secs(30);

/// Everything a host decides about lifecycle hooks.
#[derive(Clone)]
pub struct LifecycleSettings {
    /// The directory that owns `.ax-code/hooks.json`; hook commands run there.
    pub project: PathBuf,
    /// Packs named by the user's own configuration.
    pub user_packs: Vec<String>,
    /// Extra hooks of the host.
    pub host_hooks: Vec<HostHook>,
    /// A hooks file that cannot be read blocks every blockable event instead of counting as no hooks.
    pub enforce: bool,
    /// Limit of one hook.
    pub time_limit: Duration,
    /// Where the two switches are read from and what hooks inherit from.
    pub env: HostEnv,
    /// Hook processes at once.
    pub slots: HookSlots,
    /// How a person is asked.
    pub prompt: Arc<dyn PermissionPrompt>,
}

impl LifecycleSettings {
    /// The settings of a headless host: this process's environment, nothing but the project's own file.
    pub fn new(project: impl Into<PathBuf>) -> Self {
        LifecycleSettings {
            project: project.into(),
            user_packs: Vec::new(),
            host_hooks: Vec::new(),
            enforce: false,
            time_limit: TIME_LIMIT,
            env: HostEnv::current(),
            slots: HookSlots::process_wide(),
            prompt: Arc::new(Headless),
        }
    }
}

impl fmt::Debug for LifecycleSettings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The environment holds secrets and the prompt is a trait object.
        formatter
            .debug_struct("LifecycleSettings")
            .field("project", &self.project)
            .field("user_packs", &self.user_packs)
            .field("host_hooks", &self.host_hooks)
            .field("enforce", &self.enforce)
            .field("time_limit", &self.time_limit)
            .finish_non_exhaustive()
    }
}

/// The hooks that follow from the settings, and what is wrong with them.
#[derive(Debug, Default)]
pub struct LoadedHooks {
    /// Hooks that run, in order: user packs, packs of the file, hooks of the file, host hooks.
    pub active: Vec<Hook>,
    /// Hooks of a file that is not trusted, in order. None of them ever runs.
    pub untrusted: Vec<Hook>,
    /// Notices and problems for the person, one line each.
    pub warnings: Vec<String>,
    /// Why the hooks file could not be read at all.
    pub file_error: Option<LifecycleError>,
}

impl LoadedHooks {
    /// Reads the project's file and puts the hooks in order.
    pub fn load(settings: &LifecycleSettings) -> Self {
        let mut loaded = LoadedHooks::default();
        let mut packs: Vec<(Pack, HookSource)> = Vec::new();
        for name in &settings.user_packs {
            match Pack::by_name(name) {
                Some(pack) => packs.push((pack, HookSource::UserPack)),
                None => loaded.warnings.push(config::unknown_pack(name)),
            }
        }
        let mut file_hooks = Vec::new();
        match config::read_project(&settings.project) {
            Ok(None) => {}
            Ok(Some(file)) if settings.env.trusts_project() => {
                let path = config::hooks_path(&settings.project);
                for problem in &file.problems {
                    loaded.warnings.push(match problem.severity {
                        Severity::Error => format!("{}: {problem}; this entry does not run", path.display()),
                        Severity::Warning => format!("{}: {problem}", path.display()),
                    });
                }
                packs.extend(file.packs.iter().map(|pack| (*pack, HookSource::ProjectPack)));
                file_hooks = file.hooks;
            }
            Ok(Some(file)) => loaded.refuse(settings, file),
            Err(error) if settings.env.trusts_project() => {
                loaded.warnings.push(format!("{error}; {}", error.hint()));
                loaded.file_error = Some(error);
            }
            Err(_) => loaded.warnings.push(untrusted_notice(settings, "its content cannot be read")),
        }
        for (index, (pack, source)) in packs.iter().enumerate() {
            // Named twice, a pack still is one hook: its reminder should not reach the model twice.
            if !packs[..index].iter().any(|earlier| earlier.0 == *pack) {
                loaded.active.push(Hook::from_pack(*pack, *source));
            }
        }
        loaded.active.append(&mut file_hooks);
        for (index, hook) in settings.host_hooks.iter().enumerate() {
            loaded.active.push(hook.clone().into_hook(index, &settings.project));
        }
        loaded
    }

    /// Keeps an untrusted file's hooks for display only, and says so once.
    fn refuse(&mut self, settings: &LifecycleSettings, file: HooksFile) {
        if file.is_empty() {
            return;
        }
        let contents = format!("{} and {}", count(file.packs.len(), "pack"), count(file.hooks.len(), "hook"));
        self.warnings.push(untrusted_notice(settings, &contents));
        self.untrusted = file
            .packs
            .into_iter()
            .map(|pack| Hook::from_pack(pack, HookSource::ProjectPack))
            .chain(file.hooks)
            .collect();
    }
}

fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

fn untrusted_notice(settings: &LifecycleSettings, contents: &str) -> String {
    format!(
        "{}: ignored ({contents}), because the repository controls this file and the project is not trusted; after \
         reviewing it start with {TRUST_PROJECT_VARIABLE}=1",
        config::hooks_path(&settings.project).display()
    )
}
