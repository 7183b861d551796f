//! Code of the host that the engine's thread runs. Below it on the stack are frames that are not Rust: a panic must not unwind through
//! them, so it ends here, as an error.

use std::any::Any;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::task::Poll;

use serde_json::Value;

use super::call::{BoxFuture, Host, HostCall, HostError};

/// A host whose panics are errors.
pub struct Guarded(pub Arc<dyn Host>);

impl Host for Guarded {
    fn has_ui(&self) -> bool {
        run("hasUI", || self.0.has_ui()).unwrap_or_default()
    }

    fn is_present(&self) -> bool {
        run("hasHost", || self.0.is_present()).unwrap_or_default()
    }

    fn session_version(&self) -> Option<u64> {
        run("session.version", || self.0.session_version()).unwrap_or_default()
    }

    fn call(&self, call: HostCall) -> BoxFuture<Result<Option<Value>, HostError>> {
        let name = call.name.clone();
        let started = run(&name, || self.0.call(call));
        Box::pin(async move {
            let mut answer = started?;
            poll_fn(|cx| run(&name, || answer.as_mut().poll(cx)).unwrap_or_else(|error| Poll::Ready(Err(error)))).await
        })
    }

    fn call_sync(&self, call: HostCall) -> Result<Option<Value>, HostError> {
        let name = call.name.clone();
        run(&name, || self.0.call_sync(call))?
    }

    fn notify(&self, call: HostCall) {
        let name = call.name.clone();
        tell(&name, || self.0.notify(call));
    }

    fn cancel(&self, id: u32) {
        tell("cancel", || self.0.cancel(id));
    }

    fn log(&self, hook: Option<usize>, level: &str, message: &str, context: Option<&str>) -> bool {
        run("log", || self.0.log(hook, level, message, context)).unwrap_or_default()
    }
}

/// Runs code of the host whose outcome nobody waits for; a panic is logged.
pub fn tell(what: &str, code: impl FnOnce()) {
    // `run` has logged what there is to say.
    let _ = run(what, code);
}

fn run<T>(what: &str, code: impl FnOnce() -> T) -> Result<T, HostError> {
    catch_unwind(AssertUnwindSafe(code)).map_err(|payload| {
        let error = HostError::new(format!("{what}: the host panicked: {}", text(payload.as_ref())));
        tracing::error!("{error}");
        error
    })
}

fn text(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message")
}
