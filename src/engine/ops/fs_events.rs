//! File watching for `fs.watch`: one `notify` watcher a resource, its events handed over one by one.

use std::borrow::Cow;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use deno_core::{AsyncRefCell, CancelFuture, CancelHandle, OpState, RcRef, Resource, ResourceId, op2};
use deno_error::JsErrorBox;
use deno_permissions::{OpenAccessKind, PermissionsContainer};
use notify::event::{AccessKind, ModifyKind};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::mpsc;

/// Events that may wait for the hook; what comes beyond is dropped, as the kernel does.
const QUEUE: usize = 1024;

#[derive(serde::Serialize)]
struct FsEvent {
    kind: &'static str,
    paths: Vec<PathBuf>,
    flag: Option<&'static str>,
}

struct FsEventsResource {
    events: AsyncRefCell<mpsc::Receiver<Result<FsEvent, String>>>,
    cancel: CancelHandle,
    /// Watching ends when this is dropped.
    _watcher: RecommendedWatcher,
}

impl Resource for FsEventsResource {
    fn name(&self) -> Cow<'_, str> {
        "fsEvents".into()
    }

    fn close(self: Rc<Self>) {
        self.cancel.cancel();
    }
}

fn translate(event: notify::Event) -> Option<FsEvent> {
    let kind = match event.kind {
        EventKind::Access(AccessKind::Open(_) | AccessKind::Read) => return None,
        EventKind::Any => "any",
        EventKind::Access(_) => "access",
        EventKind::Create(_) => "create",
        EventKind::Modify(ModifyKind::Name(_)) => "rename",
        EventKind::Modify(_) => "modify",
        EventKind::Remove(_) => "remove",
        EventKind::Other => "other",
    };
    let flag = event.need_rescan().then_some("rescan");
    Some(FsEvent { kind, paths: event.paths, flag })
}

#[op2]
#[smi]
pub fn op_fs_events_open(
    state: &mut OpState,
    recursive: bool,
    #[serde] paths: Vec<String>,
) -> Result<ResourceId, JsErrorBox> {
    let (sender, events) = mpsc::channel(QUEUE);
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        let message = match event {
            Ok(event) => match translate(event) {
                Some(event) => Ok(event),
                None => return,
            },
            Err(error) => Err(error.to_string()),
        };
        let _ = sender.try_send(message);
    })
    .map_err(|error| JsErrorBox::generic(error.to_string()))?;
    let mode = if recursive { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
    for path in &paths {
        let checked = state
            .borrow_mut::<PermissionsContainer>()
            .check_open(Cow::Borrowed(Path::new(path)), OpenAccessKind::ReadNoFollow, Some("fs.watch()"))
            .map_err(JsErrorBox::from_err)?;
        watcher.watch(&checked, mode).map_err(|error| {
            let class = if matches!(error.kind, notify::ErrorKind::PathNotFound) { "NotFound" } else { "Error" };
            JsErrorBox::new(class, format!("cannot watch {path}: {error}"))
        })?;
    }
    Ok(state.resource_table.add(FsEventsResource {
        events: AsyncRefCell::new(events),
        cancel: CancelHandle::default(),
        _watcher: watcher,
    }))
}

#[op2]
#[serde]
pub async fn op_fs_events_poll(
    state: Rc<RefCell<OpState>>,
    #[smi] rid: ResourceId,
) -> Result<Option<FsEvent>, JsErrorBox> {
    let resource = state.borrow().resource_table.get::<FsEventsResource>(rid).map_err(JsErrorBox::from_err)?;
    let mut events = RcRef::map(&resource, |r| &r.events).borrow_mut().await;
    let cancel = RcRef::map(resource, |r| &r.cancel);
    match events.recv().or_cancel(cancel).await {
        Ok(Some(Ok(event))) => Ok(Some(event)),
        Ok(Some(Err(error))) => Err(JsErrorBox::generic(error)),
        Ok(None) | Err(_) => Ok(None),
    }
}
