//! `xcsh-plugins`: the hooks of installed plugins.

use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde::Deserialize;

use super::files::{add_pre_and_post, tool_without_shell_extension};
use super::provider::{HookProvider, Level, ProviderFinding, Surroundings};

const LIST: &str = ".xcsh/plugins/installed_plugins.json";

/// `<plugin root>/hooks/{pre,post}` for each root in the user's list of installed plugins and in the
/// nearest project one; the project's entry replaces the user's of the same id.
pub(super) struct Plugins;

impl HookProvider for Plugins {
    fn id(&self) -> &str {
        "xcsh-plugins"
    }

    fn display_name(&self) -> &str {
        "xcsh plugins"
    }

    fn priority(&self) -> i32 {
        70
    }

    fn find(&self, around: &Surroundings<'_>) -> Result<ProviderFinding, String> {
        let mut finding = ProviderFinding::default();
        let user = around.home.join(LIST);
        let project =
            around.cwd.ancestors().map(|ancestor| ancestor.join(LIST)).find(|list| *list != user && list.is_file());
        let mut plugins: IndexMap<String, Vec<(PathBuf, Level)>> = IndexMap::new();
        let lists = [(Some(user), Level::User), (project, Level::Project)];
        for (list, level) in lists.into_iter().filter_map(|(list, level)| Some((list?, level))) {
            match read_list(&list, level) {
                Ok(entries) => plugins.extend(entries),
                Err(message) => {
                    finding.warnings.push(format!("Failed to read {}: {message}", list.display()));
                }
            }
        }
        for (root, level) in plugins.into_values().flatten() {
            let hooks = root.join("hooks");
            add_pre_and_post(&hooks, level, Some(&root), tool_without_shell_extension, &mut finding);
        }
        Ok(finding)
    }
}

#[derive(Deserialize)]
struct List {
    #[serde(default)]
    plugins: IndexMap<String, Vec<Entry>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    scope: Option<String>,
    install_path: PathBuf,
    enabled: Option<bool>,
}

/// The enabled install paths by plugin id. What a project's list names is the project's, whatever
/// scope it claims.
fn read_list(path: &Path, level: Level) -> Result<IndexMap<String, Vec<(PathBuf, Level)>>, String> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(IndexMap::new()),
        Err(error) => return Err(error.to_string()),
    };
    let list: List = serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|e| e.to_string())?;
    let folder = path.parent().unwrap_or(Path::new("/"));
    let roots = |entries: Vec<Entry>| {
        entries
            .into_iter()
            .filter(|entry| entry.enabled != Some(false))
            .map(|entry| {
                let project = entry.scope.as_deref().is_some_and(|scope| scope != "user");
                let level = if project { Level::Project } else { level };
                (folder.join(entry.install_path), level)
            })
            .collect()
    };
    Ok(list.plugins.into_iter().map(|(id, entries)| (id, roots(entries))).collect())
}
