//! The functions of `js/99_main.js` and what they are called with.

use deno_core::{JsRuntime, v8};

use super::runtime::EntryPoints;

#[derive(Clone, Copy)]
pub enum Entry {
    Load,
    Unload,
    GoLive,
    Emit,
    Call,
    Abort,
    Stopped,
    Stalled,
    Orphaned,
    AddForeignHook,
    Dispose,
    Cancel,
    Reconfigure,
}

impl Entry {
    /// Its function in an isolate.
    pub fn of(self, points: &EntryPoints) -> &v8::Global<v8::Function> {
        match self {
            Entry::Load => &points.load,
            Entry::Unload => &points.unload,
            Entry::GoLive => &points.go_live,
            Entry::Emit => &points.emit,
            Entry::Call => &points.call,
            Entry::Abort => &points.abort,
            Entry::Stopped => &points.stopped,
            Entry::Stalled => &points.stalled,
            Entry::AddForeignHook => &points.add_foreign_hook,
            Entry::Cancel => &points.cancel,
            Entry::Reconfigure => &points.reconfigure,
            Entry::Dispose => &points.dispose,
            Entry::Orphaned => &points.orphaned,
        }
    }
}

/// An argument of an entry point.
pub enum Arg<'a> {
    Flag(bool),
    Id(u64),
    Index(i32),
    Text(&'a str),
    /// An event or the parameters of a call, of any size.
    Payload(String),
    Object(v8::Global<v8::Object>),
}

impl Arg<'_> {
    fn into_v8<'s>(self, scope: &mut v8::PinScope<'s, '_>) -> v8::Local<'s, v8::Value> {
        match self {
            Arg::Index(index) => v8::Integer::new(scope, index).into(),
            Arg::Flag(flag) => v8::Boolean::new(scope, flag).into(),
            Arg::Id(id) => v8::Number::new(scope, id as f64).into(),
            // A text past the engine's string limit becomes undefined, which the callee reports as unreadable JSON.
            Arg::Text(text) => v8::String::new(scope, text).map_or_else(|| v8::undefined(scope).into(), Into::into),
            Arg::Payload(text) => payload(scope, text).map_or_else(|| v8::undefined(scope).into(), Into::into),
            Arg::Object(object) => v8::Local::new(scope, object).into(),
        }
    }
}

/// From this size on the engine reads a text where it stands instead of copying it.
#[cfg(feature = "v8")]
const LARGE: usize = 64 * 1024;

#[cfg(feature = "v8")]
fn payload<'s>(scope: &mut v8::PinScope<'s, '_>, text: String) -> Option<v8::Local<'s, v8::String>> {
    if !text.is_ascii() {
        return v8::String::new(scope, &text);
    }
    if text.len() < LARGE {
        return v8::String::new_from_one_byte(scope, text.as_bytes(), v8::NewStringType::Normal);
    }
    if text.len() > v8::String::MAX_LENGTH {
        return None;
    }
    v8::String::new_external_onebyte(scope, text.into_bytes().into_boxed_slice())
}

#[cfg(not(feature = "v8"))]
fn payload<'s>(scope: &mut v8::PinScope<'s, '_>, text: String) -> Option<v8::Local<'s, v8::String>> {
    v8::String::new(scope, &text)
}

/// Calls an entry point; the text of what it threw, if anything.
pub fn call<const N: usize>(
    js: &mut JsRuntime,
    function: &v8::Global<v8::Function>,
    args: [Arg<'_>; N],
) -> Option<String> {
    deno_core::scope!(scope, js);
    let function = v8::Local::new(scope, function);
    let args = args.map(|arg| arg.into_v8(scope));
    v8::tc_scope!(scope, scope);
    let receiver = v8::undefined(scope).into();
    if function.call(scope, receiver, &args).is_some() {
        return None;
    }
    Some(
        scope.exception().map_or_else(|| "execution was stopped".to_owned(), |error| error.to_rust_string_lossy(scope)),
    )
}
