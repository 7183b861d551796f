//! Reads `hooks.json`: every good entry, and a problem with index and field for every bad one
//! (`lifecycle.md`, Configuration).

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::error::LifecycleError;
use super::events::EventName;
use super::hook::{Action, Hook, HookSource, Protocol};
use super::json::Node;
use super::matcher::Matcher;
use super::packs::Pack;

/// Most packs, and most hooks, a file may have.
const MAX_ENTRIES: usize = 100;
/// Longest command, in characters.
const MAX_COMMAND: usize = 100_000;
/// Longest matcher or pack name, in characters.
const MAX_NAME: usize = 500;
/// Largest file read, in bytes. A hundred commands of the greatest length fit; `/dev/zero` behind a link does not.
const MAX_FILE_BYTES: u64 = 64 * 1024 * 1024;
/// The file, below the project directory.
const RELATIVE_PATH: [&str; 2] = [".ax-code", "hooks.json"];
/// Fields an entry may have.
const ENTRY_FIELDS: [&str; 6] = ["event", "command", "matcher", "blockOnFailure", "protocol", "pack"];

/// How bad a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The entry does not run.
    Error,
    /// The entry runs, but perhaps not as meant.
    Warning,
}

/// Something wrong with one place of a hooks file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigProblem {
    /// Whether the entry still runs.
    pub severity: Severity,
    /// The place, such as `hooks[2].matcher`.
    pub place: String,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for ConfigProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.place, self.message)
    }
}

/// A hooks file that could be read.
#[derive(Debug, Clone, Default)]
pub struct HooksFile {
    /// Names of the packs, in order. Unknown names are among the problems, not here.
    pub packs: Vec<Pack>,
    /// The valid entries, in order.
    pub hooks: Vec<Hook>,
    /// What is wrong with the others.
    pub problems: Vec<ConfigProblem>,
}

impl HooksFile {
    /// Whether running this file would do nothing at all.
    pub fn is_empty(&self) -> bool {
        self.packs.is_empty() && self.hooks.is_empty()
    }
}

/// Where a project keeps its hooks file.
pub fn hooks_path(project: &Path) -> PathBuf {
    RELATIVE_PATH.iter().fold(project.to_owned(), |path, part| path.join(part))
}

/// The project a directory belongs to: the nearest ancestor with a hooks file inside the same repository, otherwise
/// the directory itself. Outside a repository nothing above it is looked at, so that a file planted in a shared parent
/// such as the temporary directory never counts.
pub fn find_project(directory: &Path) -> PathBuf {
    let inside_repository = directory.ancestors().any(|ancestor| ancestor.join(".git").exists());
    if inside_repository {
        for ancestor in directory.ancestors() {
            if hooks_path(ancestor).exists() {
                return ancestor.to_owned();
            }
            if ancestor.join(".git").exists() {
                break;
            }
        }
    }
    directory.to_owned()
}

/// Reads the hooks file of a project. No file is `None`, no error.
pub fn read_project(project: &Path) -> Result<Option<HooksFile>, LifecycleError> {
    let path = hooks_path(project);
    match std::fs::metadata(&path) {
        Err(source) if source.kind() == std::io::ErrorKind::NotFound && path.symlink_metadata().is_err() => Ok(None),
        _ => read_file(&path, project).map(Some),
    }
}

/// Reads a hooks file. Its commands run in `project`.
pub fn read_file(path: &Path, project: &Path) -> Result<HooksFile, LifecycleError> {
    let bytes = read_limited(path).map_err(|source| LifecycleError::Read { path: path.to_owned(), source })?;
    parse(&bytes, path, project)
}

fn read_limited(path: &Path) -> std::io::Result<Vec<u8>> {
    let invalid = |text: &str| std::io::Error::new(std::io::ErrorKind::InvalidData, text.to_owned());
    // Asked before opening: opening a FIFO would wait for a writer.
    if !std::fs::metadata(path)?.is_file() {
        return Err(invalid("not a regular file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(invalid("larger than 64 MiB"));
    }
    Ok(bytes)
}

fn parse(bytes: &[u8], path: &Path, project: &Path) -> Result<HooksFile, LifecycleError> {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let root: Node =
        serde_json::from_slice(text).map_err(|source| LifecycleError::Parse { path: path.to_owned(), source })?;
    let shape = |message: String| LifecycleError::Shape { path: path.to_owned(), message };
    let fields = root.as_object().ok_or_else(|| shape(format!("expected an object, found {}", root.kind())))?;
    let mut reader = Reader { project, file: HooksFile::default(), packs_seen: 0, hooks_seen: 0 };
    for (index, (key, value)) in fields.iter().enumerate() {
        let repeated = fields[..index].iter().any(|earlier| earlier.0 == *key);
        match (key.as_str(), value) {
            ("packs", Node::List(names)) => names.iter().for_each(|name| reader.pack(name)),
            ("hooks", Node::List(entries)) => entries.iter().for_each(|entry| reader.entry(entry)),
            ("packs" | "hooks", other) => {
                let settings = matches!(other, Node::Object(_)) && key == "hooks";
                let hint = if settings { " (Claude Code's settings format is not read)" } else { "" };
                return Err(shape(format!("`{key}`: expected an array, found {}{hint}", other.kind())));
            }
            _ => {
                // A name of nothing would be none.
                let place = if key.is_empty() { "\"\"".to_owned() } else { key.clone() };
                reader.warn(place, "unknown field, ignored");
            }
        }
        if repeated {
            reader.warn(key.clone(), "stands twice in the file; the lists are read one after the other");
        }
    }
    Ok(reader.file)
}

struct Reader<'a> {
    project: &'a Path,
    file: HooksFile,
    packs_seen: usize,
    hooks_seen: usize,
}

impl Reader<'_> {
    fn problem(&mut self, severity: Severity, place: String, message: impl Into<String>) {
        self.file.problems.push(ConfigProblem { severity, place, message: message.into() });
    }

    fn warn(&mut self, place: String, message: impl Into<String>) {
        self.problem(Severity::Warning, place, message);
    }

    fn pack(&mut self, name: &Node) {
        let index = self.packs_seen;
        self.packs_seen += 1;
        let place = format!("packs[{index}]");
        if index >= MAX_ENTRIES {
            return self.problem(Severity::Error, place, "past the 100 packs a file may have");
        }
        let Some(text) = name.as_str() else {
            return self.problem(Severity::Error, place, format!("expected a pack name, found {}", name.kind()));
        };
        match Pack::by_name(text) {
            Some(pack) => self.file.packs.push(pack),
            None => self.warn(place, unknown_pack(text)),
        }
    }

    fn entry(&mut self, entry: &Node) {
        let index = self.hooks_seen;
        self.hooks_seen += 1;
        let place = format!("hooks[{index}]");
        if index >= MAX_ENTRIES {
            return self.problem(Severity::Error, place, "past the 100 hooks a file may have");
        }
        if entry.as_object().is_none() {
            return self.problem(Severity::Error, place, format!("expected an object, found {}", entry.kind()));
        }
        match EntryReader::read(entry, index, self.project) {
            Ok((hook, warnings)) => {
                for (field, message) in warnings {
                    self.warn(format!("{place}.{field}"), message);
                }
                self.file.hooks.push(hook);
            }
            Err(problems) => {
                for (field, message) in problems {
                    self.problem(Severity::Error, format!("{place}.{field}"), message);
                }
            }
        }
    }
}

/// A field and what is wrong with it.
type FieldProblem = (String, String);

/// Reads one entry; collects every problem rather than the first.
struct EntryReader<'a> {
    entry: &'a Node,
    problems: Vec<FieldProblem>,
}

impl<'a> EntryReader<'a> {
    fn read(entry: &Node, index: usize, project: &Path) -> Result<(Hook, Vec<FieldProblem>), Vec<FieldProblem>> {
        let mut reader = EntryReader { entry, problems: Vec::new() };
        let event = reader.event();
        let command = reader.command();
        let matcher = Matcher::new(reader.name("matcher").unwrap_or_default());
        let block_on_failure = reader.block_on_failure();
        let protocol = reader.protocol();
        let pack = reader.name("pack").map(str::to_owned);
        let (Some(event), Some(command), true) = (event, command, reader.problems.is_empty()) else {
            return Err(reader.problems);
        };
        let mut warnings: Vec<FieldProblem> =
            matcher.advice().map(|advice| ("matcher".to_owned(), advice)).into_iter().collect();
        for (key, _) in entry.as_object().unwrap_or_default() {
            if !ENTRY_FIELDS.contains(&key.as_str()) {
                warnings.push((key.clone(), "unknown field, ignored".to_owned()));
            }
        }
        if block_on_failure && !event.is_blockable() {
            warnings.push(("blockOnFailure".to_owned(), format!("has no effect: {event} cannot be blocked")));
        }
        let hook = Hook {
            event,
            matcher,
            block_on_failure,
            protocol,
            pack,
            source: HookSource::ProjectFile { index },
            action: Action::Command {
                command: command.to_owned(),
                cwd: project.to_owned(),
                time_limit: None,
                pass_env: Vec::new(),
            },
        };
        Ok((hook, warnings))
    }

    fn complain(&mut self, field: &str, message: impl Into<String>) {
        self.problems.push((field.to_owned(), message.into()));
    }

    /// The value of a field; `null` counts as absent, a repeated field is a problem.
    fn field(&mut self, field: &'static str) -> Option<&'a Node> {
        let entry = self.entry;
        let mut values = entry.all(field);
        let first = values.next();
        if values.next().is_some() {
            self.complain(field, "stands twice in the entry");
            return None;
        }
        first.filter(|value| **value != Node::Null)
    }

    fn text(&mut self, field: &'static str) -> Option<&'a str> {
        let value = self.field(field)?;
        if value.as_str().is_none() {
            self.complain(field, format!("expected a string, found {}", value.kind()));
        }
        value.as_str()
    }

    fn required_text(&mut self, field: &'static str) -> Option<&'a str> {
        let before = self.problems.len();
        let text = self.text(field);
        if text.is_none() && self.problems.len() == before {
            self.complain(field, "missing");
        }
        text
    }

    fn event(&mut self) -> Option<EventName> {
        let name = self.required_text("event")?;
        match name.parse() {
            Ok(event) => Some(event),
            Err(_) => {
                self.complain("event", format!("unknown event `{}`", clip(name)));
                None
            }
        }
    }

    fn command(&mut self) -> Option<&'a str> {
        let command = self.required_text("command")?;
        if command.trim().is_empty() {
            self.complain("command", "empty");
        } else if command.contains('\0') {
            self.complain("command", "contains a NUL character");
        } else if command.chars().count() > MAX_COMMAND {
            self.complain("command", "longer than 100000 characters");
        }
        Some(command)
    }

    fn name(&mut self, field: &'static str) -> Option<&'a str> {
        let name = self.text(field)?;
        if name.chars().count() > MAX_NAME {
            self.complain(field, "longer than 500 characters");
        }
        Some(name)
    }

    fn block_on_failure(&mut self) -> bool {
        match self.field("blockOnFailure") {
            None => false,
            Some(Node::Bool(value)) => *value,
            Some(other) => {
                self.complain("blockOnFailure", format!("expected a boolean, found {}", other.kind()));
                false
            }
        }
    }

    fn protocol(&mut self) -> Protocol {
        match self.text("protocol") {
            None => Protocol::Plain,
            Some("claude-code") => Protocol::ClaudeCode,
            Some(other) => {
                self.complain("protocol", format!("expected `claude-code`, found `{}`", clip(other)));
                Protocol::Plain
            }
        }
    }
}

/// The warning for a pack nobody has.
pub(crate) fn unknown_pack(name: &str) -> String {
    format!("unknown pack `{}`, ignored", clip(name))
}

/// The beginning of a text that may be long, for a message on one line.
pub(crate) fn clip(text: &str) -> String {
    const LONGEST: usize = 120;
    let line = text.replace(['\n', '\r'], " ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
