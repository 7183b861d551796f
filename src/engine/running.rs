//! Who runs on the isolate's thread at this moment, and where: read from the async context and the stack, without running JavaScript.

use std::cell::RefCell;

use deno_core::v8;

use super::limits::Owner;

/// A place in a script as the engine knows it, 1-based.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptPlace {
    pub script: String,
    pub line: u32,
    pub column: u32,
}

thread_local! {
    /// The context of the isolate that lives on this thread, for its interrupts.
    static CONTEXT: RefCell<Option<v8::Global<v8::Context>>> = const { RefCell::new(None) };
}

/// The isolate of this thread begins to run with this context.
pub fn set_context(context: v8::Global<v8::Context>) {
    CONTEXT.set(Some(context));
}

/// The isolate of this thread is about to go: nothing of it may outlive it.
pub fn release_context() {
    CONTEXT.set(None);
}

/// Frames that are looked at for one of a file.
const MAX_FRAMES: usize = 50;

/// Where the code that runs is: the innermost frame of a file.
pub fn place(isolate: &mut v8::Isolate) -> Option<ScriptPlace> {
    let context = CONTEXT.with_borrow(Clone::clone)?;
    v8::scope!(let scope, isolate);
    let context = v8::Local::new(scope, context);
    let scope = &mut v8::ContextScope::new(scope, context);
    let stack = v8::StackTrace::current_stack_trace(scope, MAX_FRAMES)?;
    (0..stack.get_frame_count()).find_map(|index| {
        let frame = stack.get_frame(scope, index)?;
        let script = frame.get_script_name(scope)?.to_rust_string_lossy(scope);
        let place = ScriptPlace {
            script,
            line: u32::try_from(frame.get_line_number()).ok()?,
            column: u32::try_from(frame.get_column()).ok()?,
        };
        place.script.starts_with("file://").then_some(place)
    })
}

/// The handler that runs, as `js/50_dispatch.js` noted it in the async context. Reads plain data properties, so no JavaScript runs.
pub fn owner(isolate: &mut v8::Isolate) -> Option<Owner> {
    let context = CONTEXT.with_borrow(Clone::clone)?;
    v8::scope!(let scope, isolate);
    let context = v8::Local::new(scope, context);
    let scope = &mut v8::ContextScope::new(scope, context);
    let data = scope.get_continuation_preserved_embedder_data();
    let mapping: v8::Local<v8::Object> = data.try_into().ok()?;
    let owner: v8::Local<v8::Object> = property(scope, mapping, "hookrt")?.try_into().ok()?;
    let hook = property(scope, owner, "hook")?.int32_value(scope)?;
    let emit = property(scope, owner, "emit")?.number_value(scope)?;
    Some(Owner { hook, emit: emit as u64 })
}

fn property<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    object: v8::Local<'s, v8::Object>,
    name: &str,
) -> Option<v8::Local<'s, v8::Value>> {
    let key = v8::String::new(scope, name)?;
    object.get(scope, key.into()).filter(|value| !value.is_undefined())
}
