//! `--allow-…`, `--deny-…` and `--allow-all`: one pair of flags for each kind of permission.

use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use crate::security::{Kind, PermissionError, PermissionFlags, PermissionSet};

/// The permission flags of a verb that runs hooks.
#[derive(Debug, Clone, Default)]
pub struct PermissionArgs(PermissionFlags);

impl PermissionArgs {
    /// What the flags grant; paths in them count from `cwd`.
    pub fn into_set(self, cwd: &Path, home: &Path) -> PermissionSet {
        self.0.into_set(cwd, Some(home))
    }
}

const ALL: &str = "allow-all";
const HEADING: &str = "Permissions";

/// Name, whether it allows, of what, help.
#[rustfmt::skip]
const FLAGS: [(&str, bool, Kind, &str); 12] = [
    ("allow-read", true, Kind::Read, "Let hooks read files, or those below the listed paths; commas separate"),
    ("deny-read", false, Kind::Read, "Files hooks may not read, whatever is allowed"),
    ("allow-write", true, Kind::Write, "Let hooks write files, or those below the listed paths"),
    ("deny-write", false, Kind::Write, "Files hooks may not write"),
    ("allow-net", true, Kind::Net, "Let hooks use the network, or the listed HOST or HOST:PORT"),
    ("deny-net", false, Kind::Net, "Hosts hooks may not connect to"),
    ("allow-run", true, Kind::Run, "Let hooks run programs (pi.exec too), or the listed names or paths"),
    ("deny-run", false, Kind::Run, "Programs hooks may not run"),
    ("allow-env", true, Kind::Env, "Let hooks see environment variables, or those listed; NAME_* is a prefix"),
    ("deny-env", false, Kind::Env, "Variables hooks may not see"),
    ("allow-sys", true, Kind::Sys, "Let hooks ask about the machine, or the listed facts, such as hostname"),
    ("deny-sys", false, Kind::Sys, "Facts hooks may not ask for"),
];

impl Args for PermissionArgs {
    fn augment_args(command: Command) -> Command {
        let all = Arg::new(ALL)
            .long(ALL)
            .short('A')
            .help_heading(HEADING)
            .action(ArgAction::SetTrue)
            .help("Let hooks reach everything; the default, unless another --allow-... is given");
        FLAGS.into_iter().fold(command.arg(all), |command, (name, _, _, help)| {
            command.arg(
                Arg::new(name)
                    .long(name)
                    .value_name("LIST")
                    .num_args(0..=1)
                    .require_equals(true)
                    .action(ArgAction::Append)
                    .help_heading(HEADING)
                    .help(help),
            )
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for PermissionArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut flags_given = PermissionFlags::default();
        if matches.get_flag(ALL) {
            flags_given.allow_all();
        }
        for (name, allow, kind, _) in FLAGS {
            for mut values in matches.get_occurrences::<String>(name).into_iter().flatten() {
                flags_given.set(allow, kind, values.next().map(String::as_str)).map_err(unusable)?;
            }
        }
        Ok(PermissionArgs(flags_given))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn unusable(error: PermissionError) -> clap::Error {
    clap::Error::raw(clap::error::ErrorKind::ValueValidation, format!("{error}\n"))
}
