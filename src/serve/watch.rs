//! `--watch`: edited hooks, and the files they import, are loaded anew.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::time::Duration;

use notify::{EventKind, RecursiveMode, Watcher};
use tokio::sync::mpsc;

use super::connection::Connection;
use super::engine_messages::ReloadedParams;
use super::methods::loading::reload_now;
use super::served_runner::ServedRunner;

/// Editors write in several steps: so long nothing may happen before hooks are loaded anew.
const QUIET: Duration = Duration::from_millis(60);

/// Watches the files of a runner that wants it, in place of the files watched before.
pub fn start(connection: &Connection, served: &Arc<ServedRunner>) {
    if !served.watch || served.is_disposed() {
        return;
    }
    let Ok(runner) = served.get() else { return };
    // A file that fails to load may fail for what it imports, which nobody knows yet: then every change nearby counts.
    let files = if runner.load_errors().is_empty() { Some(runner.files()) } else { None };
    match watch_files(&runner.files(), files) {
        Ok((watcher, edits)) => {
            served.keep_watcher(Some(watcher));
            connection.runtime().spawn(reload_on(edits, connection.clone(), Arc::downgrade(served)));
        }
        Err(error) => tracing::warn!("hooks are not watched: {error}"),
    }
}

type Watching = (notify::RecommendedWatcher, mpsc::Receiver<()>);

/// Watches the directories: a file that is replaced by renaming is another file. `only`: which changes count.
fn watch_files(files: &BTreeSet<PathBuf>, only: Option<BTreeSet<PathBuf>>) -> notify::Result<Watching> {
    let (sender, edits) = mpsc::channel(1);
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        let Ok(event) = event else { return };
        let changes = !matches!(event.kind, EventKind::Access(_));
        let counts = |path: &PathBuf| only.as_ref().is_none_or(|files| files.contains(path));
        if changes && (event.need_rescan() || event.paths.iter().any(counts)) {
            // Full means that somebody will look anyway.
            let _ = sender.try_send(());
        }
    })?;
    let directories: BTreeSet<&Path> = files.iter().filter_map(|file| file.parent()).collect();
    for directory in directories.into_iter().filter(|directory| directory.is_dir()) {
        watcher.watch(directory, RecursiveMode::NonRecursive)?;
    }
    Ok((watcher, edits))
}

/// Ends with the watcher, which the next generation replaces.
async fn reload_on(mut edits: mpsc::Receiver<()>, connection: Connection, served: Weak<ServedRunner>) {
    while edits.recv().await.is_some() {
        while tokio::time::timeout(QUIET, edits.recv()).await.is_ok_and(|edit| edit.is_some()) {}
        let Some(served) = served.upgrade().filter(|served| !served.is_disposed()) else { return };
        match reload_now(&connection, &served).await {
            Ok(result) => {
                let params = ReloadedParams { runner: &served.name, reason: "watch", result };
                served.host.tell_soon("hooks.reloaded", &params, connection.runtime());
            }
            Err(error) => tracing::error!("hooks were not loaded anew: {error}"),
        }
    }
}
