//! Exceptions that nobody catches and no event loop sees, such as a throw in the callback of a `FinalizationRegistry`. Left alone V8 prints
//! them to standard output, which may carry a protocol.

use std::cell::RefCell;
use std::rc::Rc;

use deno_core::{JsRuntime, v8};

use super::hook_port::HookPort;

thread_local! {
    /// Who hears of them on this thread.
    static PORT: RefCell<Option<Rc<HookPort>>> = const { RefCell::new(None) };
}

/// From now on they are failures of the hook whose file threw.
pub fn listen(js: &mut JsRuntime, port: Rc<HookPort>) {
    PORT.set(Some(port));
    js.v8_isolate().add_message_listener(on_message);
}

/// The isolate of this thread is about to go.
pub fn release() {
    PORT.set(None);
}

unsafe extern "C" fn on_message(message: v8::Local<v8::Message>, _error: v8::Local<v8::Value>) {
    let Some(port) = PORT.with_borrow(Clone::clone) else { return };
    v8::callback_scope!(unsafe scope, message);
    let text = message.get(scope).to_rust_string_lossy(scope);
    let script = message.get_script_resource_name(scope).map(|name| name.to_rust_string_lossy(scope));
    port.uncaught(script.as_deref().unwrap_or_default(), text.strip_prefix("Uncaught Error: ").unwrap_or(&text));
}
