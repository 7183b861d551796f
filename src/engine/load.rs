//! One hook into a running isolate: its module is imported and evaluated, its factory called, all before a deadline.

use std::future::{Future, poll_fn};
use std::path::Path;
use std::task::Poll;
use std::time::Duration;

use deno_core::{ModuleSpecifier, PollEventLoopOptions};

use super::entry::{Arg, Entry};
use super::generation::{Generation, Interrupted};
use super::handle::{Answer, ReplyTo};
use super::js_error::{at, import_message, is_stalled_import, with_place};
use super::limits::{NOBODY, Owner};
use super::port::NO_HOOK;
use super::request::{LoadEntry, LoadFailure};
use super::shared::LoadedHook;
use crate::loader::Places;

impl Generation {
    pub(super) async fn load(&mut self, entry: &LoadEntry) -> Result<(), LoadFailure> {
        self.default_owner = Owner { hook: i32::try_from(entry.index).unwrap_or(NO_HOOK), emit: 0 };
        let outcome = self.load_owned(entry).await;
        self.default_owner = NOBODY;
        self.load_stopped = None;
        outcome
    }

    async fn load_owned(&mut self, entry: &LoadEntry) -> Result<(), LoadFailure> {
        let hook = LoadedHook {
            path: entry.path.clone(),
            resolved_path: entry.file.to_string_lossy().into_owned(),
            permissions: Some(entry.permissions.clone()),
            isolate: entry.isolate,
            ..LoadedHook::default()
        };
        self.shared.begin_hook(entry.index, hook);
        let failed = |message: String| LoadFailure::Failed(message);
        let url = self.loader.entry_url(&entry.path, &entry.file).map_err(failed)?;
        if let Some(inspector) = self.inspector.take() {
            let stop = inspector.attach(&mut self.js, &url);
            self.loader.stop_in_next(stop);
        }
        let deadline = tokio::time::Instant::now() + self.load_timeout;
        self.port.set_importing(self.default_owner.hook);
        let namespace = match self.import(&entry.file, &url, deadline).await {
            Ok(module) => self.js.get_module_namespace(module).map_err(|error| import_message(&error)),
            Err(message) => Err(message),
        };
        if namespace.is_err() {
            // The rejection of the module itself comes up once more in the next turn.
            poll_fn(|cx| Poll::Ready(self.turn(cx))).await;
        }
        self.port.set_importing(NO_HOOK);
        let namespace = namespace.map_err(|message| failed(placed_throw(message, entry, &url)))?;
        let id = self.shared.next_id();
        let (reply, mut done) = ReplyTo::channel();
        self.port.waiting().add(id, reply);
        self.invoke(
            Entry::Load,
            [
                Arg::Id(id),
                Arg::Id(entry.index as u64),
                Arg::Text(&entry.path),
                Arg::Text(url.as_str()),
                Arg::Text(&self.cwd.clone()),
                Arg::Object(namespace),
            ],
        );
        let sleep = tokio::time::sleep_until(deadline);
        tokio::pin!(sleep);
        // Outside tokio's budget: a task that has used it up is told that nothing was sent, and this would take a finished factory for a stalled one.
        let envelope = tokio::task::unconstrained(poll_fn(|cx| {
            let mut idle = false;
            for turns in 0..=2 {
                // Also after the last turn: what ended in it leaves the event loop just as idle as what can never end.
                if let Poll::Ready(envelope) = std::pin::Pin::new(&mut done).poll(cx) {
                    return Poll::Ready(envelope.ok().and_then(Result::ok).map(Answer::into_text).ok_or(false));
                }
                if turns < 2 {
                    idle = self.turn(cx);
                }
            }
            if idle || sleep.as_mut().poll(cx).is_ready() {
                return Poll::Ready(Err(idle));
            }
            Poll::Pending
        }))
        .await;
        let envelope = match envelope {
            Ok(envelope) => envelope,
            Err(idle) => {
                drop(self.port.waiting().take(id));
                self.invoke(Entry::Unload, [Arg::Id(entry.index as u64)]);
                let message = if idle {
                    "the factory can never finish: nothing is left that its promise could wait for".to_owned()
                } else {
                    format!("the factory did not finish within {} ms", self.load_timeout.as_millis())
                };
                return Err(failed(placed_failure(&message, Some(""), entry, &url)));
            }
        };
        interpret_load(&envelope, entry, &url)
    }

    /// Loads and evaluates the module at `url`; the error is a message with mapped positions.
    async fn import(
        &mut self,
        file: &Path,
        url: &ModuleSpecifier,
        deadline: tokio::time::Instant,
    ) -> Result<usize, String> {
        let module = self.load_graph(url).await?;
        // Evaluation begins here and now; what is left of it is in the future.
        let evaluation = self.in_js(|js| js.mod_evaluate(module)).map_err(|Interrupted| self.stopped_loading())?;
        tokio::pin!(evaluation);
        let sleep = tokio::time::sleep_until(deadline);
        tokio::pin!(sleep);
        // Outside tokio's budget, as the factory below.
        tokio::task::unconstrained(poll_fn(|cx| {
            let mut stalled = None;
            for turns in 0..=2 {
                // Also after the last turn: what ended in it is not stalled.
                if let Poll::Ready(outcome) = evaluation.as_mut().poll(cx) {
                    return Poll::Ready(outcome.map_err(|error| import_message(&error)));
                }
                if turns == 2 {
                    break;
                }
                stalled = None;
                match self.in_js(|js| js.poll_event_loop(cx, PollEventLoopOptions::default())) {
                    Err(Interrupted) => {
                        if let Some(message) = self.load_stopped.take() {
                            return Poll::Ready(Err(message));
                        }
                    }
                    // The event loop knows of a top-level await that nothing can settle and says where it stands.
                    Ok(Poll::Ready(Err(error))) if is_stalled_import(&error) => stalled = Some(import_message(&error)),
                    // Not of this module, whose failure its evaluation tells.
                    Ok(Poll::Ready(Err(error))) => {
                        self.port.stray_error(&error.to_string());
                        cx.waker().wake_by_ref();
                    }
                    Ok(Poll::Ready(Ok(())) | Poll::Pending) => {}
                }
            }
            if let Some(message) = stalled {
                return Poll::Ready(Err(message));
            }
            if sleep.as_mut().poll(cx).is_ready() {
                return Poll::Ready(Err(unsettled(file, url, self.load_timeout)));
            }
            Poll::Pending
        }))
        .await
        .map(|()| module)
    }

    /// Loads the module at `url` and all that it imports. Reading and compiling are our work; the builtins that are evaluated for it are charged to the hook.
    async fn load_graph(&mut self, url: &ModuleSpecifier) -> Result<usize, String> {
        self.limits.loads(Some(self.default_owner));
        let loaded = self.js.load_side_es_module(url).await;
        self.limits.loads(None);
        loaded.map_err(|error| import_message(&error))
    }

    fn stopped_loading(&mut self) -> String {
        self.load_stopped.take().unwrap_or_else(|| "stopped while it loaded".to_owned())
    }
}

/// A top-level await that did not settle in time; the engine does not say which.
fn unsettled(file: &Path, url: &ModuleSpecifier, limit: Duration) -> String {
    let awaits = Places::of(file).awaits;
    let limit = limit.as_millis();
    match awaits.as_slice() {
        [] => format!("a top-level await of a module it imports did not settle within {limit} ms"),
        [place] => {
            with_place(&format!("its top-level await did not settle within {limit} ms"), &at(url.as_str(), *place))
        }
        _ => {
            let lines: Vec<String> = awaits.iter().map(|(line, _)| line.to_string()).collect();
            let message =
                format!("one of its top-level awaits (lines {}) did not settle within {limit} ms", lines.join(", "));
            with_place(&message, &format!("at {url}"))
        }
    }
}

/// The engine does not know where a value was thrown that is no error. When one `throw` of the file can have been it, it was.
fn placed_throw(message: String, entry: &LoadEntry, url: &ModuleSpecifier) -> String {
    if message.contains('\n') {
        return message; // with its place
    }
    match Places::of(&entry.file).odd_throws.as_slice() {
        [place] => with_place(&message, &at(url.as_str(), *place)),
        _ => with_place(&message, &format!("at {url}")),
    }
}

/// What a factory threw, with the place its stack names, else that of the one `throw` it can have been, else that of the factory.
fn placed_failure(message: &str, stack: Option<&str>, entry: &LoadEntry, url: &ModuleSpecifier) -> String {
    let mut placed = match stack {
        Some(stack) if stack.contains("file://") => with_place(message, stack),
        _ => {
            let places = Places::of(&entry.file);
            let place = match places.odd_throws.as_slice() {
                [place] if stack.is_none() => Some(*place),
                _ => places.default_export,
            };
            with_place(message, &place.map_or_else(|| format!("at {url}"), |place| at(url.as_str(), place)))
        }
    };
    if message.to_lowercase().starts_with("class constructor") {
        placed.push_str("\nhint: the default export is called with `pi` as a function, never with `new`");
    }
    placed
}

fn interpret_load(envelope: &str, entry: &LoadEntry, url: &ModuleSpecifier) -> Result<(), LoadFailure> {
    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Outcome {
        #[serde(default)]
        not_a_function: bool,
        thrown: Option<Thrown>,
    }
    #[derive(serde::Deserialize)]
    struct Thrown {
        message: String,
        stack: Option<String>,
    }
    match serde_json::from_str::<Outcome>(envelope) {
        Ok(Outcome { not_a_function: true, .. }) => {
            let place = Places::of(&entry.file).default_export;
            Err(LoadFailure::NotAFunction(
                place.map(|place| with_place("", &at(url.as_str(), place)).trim_start_matches('\n').to_owned()),
            ))
        }
        Ok(Outcome { thrown: Some(Thrown { message, stack }), .. }) => {
            Err(LoadFailure::Failed(placed_failure(&message, stack.as_deref(), entry, url)))
        }
        Ok(_) => Ok(()),
        Err(error) => Err(LoadFailure::Failed(format!("the engine gave an unreadable answer: {error}"))),
    }
}
