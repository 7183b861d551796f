//! `hookrt check --types`: the project's own TypeScript compiler over the projects that hooks belong to.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde::Serialize;

/// How the type check of one project went.
#[derive(Debug, Serialize)]
pub struct TypeCheck {
    /// Directory of its `tsconfig.json`.
    pub project: String,
    pub ok: bool,
    /// What the compiler said, or why it did not run.
    pub output: String,
}

/// Checks the projects that `hooks` (relative to `base`) belong to. Nothing is written.
pub async fn check(hooks: &[String], base: &Path) -> Vec<TypeCheck> {
    let mut projects = BTreeSet::new();
    let mut checks = Vec::new();
    for hook in hooks {
        let file = std::path::absolute(base.join(hook)).unwrap_or_else(|_| PathBuf::from(hook));
        match file.ancestors().skip(1).find(|directory| directory.join("tsconfig.json").is_file()) {
            Some(project) => {
                projects.insert(project.to_path_buf());
            }
            None => {
                let folder = file.parent().unwrap_or(Path::new("/")).display().to_string();
                let output = format!("no tsconfig.json beside {hook} or above; `hookrt init {folder}` writes one");
                checks.push(TypeCheck { project: folder, ok: false, output });
            }
        }
    }
    for project in projects {
        checks.push(run(&project).await);
    }
    checks
}

async fn run(project: &Path) -> TypeCheck {
    let name = project.display().to_string();
    let failed = |output: String| TypeCheck { project: name.clone(), ok: false, output };
    let Some(compiler) = compiler(project) else {
        return failed(
            "there is no TypeScript compiler: `npm install --save-dev typescript` in the project, or put tsc on PATH"
                .to_owned(),
        );
    };
    let output = tokio::process::Command::new(&compiler)
        .args(["--noEmit", "--pretty", "false", "-p"])
        .arg(project)
        .stdin(Stdio::null())
        .output()
        .await;
    match output {
        Ok(output) => {
            let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
            text.push_str(&String::from_utf8_lossy(&output.stderr));
            TypeCheck { project: name.clone(), ok: output.status.success(), output: text.trim_end().to_owned() }
        }
        Err(error) => failed(format!("{}: {error}", compiler.display())),
    }
}

/// The project's own `tsc`, else the one on `PATH`.
fn compiler(project: &Path) -> Option<PathBuf> {
    let name = if cfg!(windows) { "tsc.cmd" } else { "tsc" };
    let own = project.ancestors().map(|directory| directory.join("node_modules/.bin").join(name));
    let path = std::env::var_os("PATH").unwrap_or_default();
    own.chain(std::env::split_paths(&path).map(|directory| directory.join(name))).find(|file| file.is_file())
}
