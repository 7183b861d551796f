//! `hookrt init`: a hook to start from, with all that a type check of it needs.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::args::InitArgs;
use super::render;
use super::typings::{TEMPLATES, TYPINGS};

pub fn run(args: InitArgs) -> anyhow::Result<u8> {
    let directory = args.dir.unwrap_or_else(|| PathBuf::from("."));
    let typings = TYPINGS.iter().map(|(path, text)| (directory.join("typings").join(path), *text));
    let templates = TEMPLATES.iter().map(|(path, text)| (directory.join(path), *text));
    let mut kept = 0;
    let mut text = String::new();
    for (path, content) in templates.chain(typings) {
        let written = write(&path, content, args.force).with_context(|| format!("cannot write {}", path.display()))?;
        match written {
            Written::New => text.push_str(&format!("wrote   {}\n", path.display())),
            Written::Same => {}
            Written::Kept => {
                kept += 1;
                text.push_str(&format!("kept    {}\n", path.display()));
            }
        }
    }
    if kept > 0 {
        text.push_str(&format!("{kept} files are there already and differ; --force overwrites them\n"));
    }
    let hook = directory.join("hook.ts");
    text.push_str(&format!("next    hookrt check --types {}\n", hook.display()));
    render::text(&text)?;
    Ok(0)
}

enum Written {
    New,
    Same,
    Kept,
}

/// Never loses what somebody wrote, unless told to.
fn write(path: &Path, content: &str, force: bool) -> std::io::Result<Written> {
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)?;
    }
    if force {
        std::fs::write(path, content)?;
        return Ok(Written::New);
    }
    match std::fs::File::create_new(path) {
        Ok(mut file) => file.write_all(content.as_bytes()).map(|()| Written::New),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            let same = std::fs::read_to_string(path).is_ok_and(|text| text == content);
            Ok(if same { Written::Same } else { Written::Kept })
        }
        Err(error) => Err(error),
    }
}
