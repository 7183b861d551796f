//! Node's builtins and the packages that ship with the engine, evaluated as a whole before a hook's `import` reaches them: deno_core would evaluate them in the middle of hook code, where a stop tears
//! them for good, or panics in a frame that cannot unwind.

use std::sync::Arc;

use deno_core::v8;
use deno_error::JsErrorBox;

use super::limits::Limits;
use super::stack;

/// What evaluates a builtin: `loadBuiltin` of `js/99_main.js`.
pub struct Builtins {
    pub load: v8::Global<v8::Function>,
    pub limits: Arc<Limits>,
}

impl Builtins {
    /// Evaluates the builtin `specifier` unless that has been done.
    ///
    /// # Errors
    /// It threw: the stack is full, or a hook has broken what it builds on.
    pub fn load(&self, scope: &mut v8::PinScope, specifier: &str) -> Result<(), JsErrorBox> {
        if !stack::has_room() {
            return Err(JsErrorBox::range_error("Maximum call stack size exceeded"));
        }
        let enters = self.limits.enter_for_load();
        self.limits.whole(true);
        let outcome = self.call(scope, specifier);
        self.limits.whole(false);
        let stopped = if enters { self.limits.leave() } else { None };
        let outcome = if stopped.is_some() { Err("it reached a limit of the hook".to_owned()) } else { outcome };
        outcome.map_err(|message| JsErrorBox::generic(format!("{specifier} cannot be loaded: {message}")))
    }

    fn call(&self, scope: &mut v8::PinScope, specifier: &str) -> Result<(), String> {
        v8::tc_scope!(scope, scope);
        let load = v8::Local::new(scope, &self.load);
        let specifier = v8::String::new(scope, specifier).ok_or("its name is too long")?;
        let receiver = v8::undefined(scope).into();
        if load.call(scope, receiver, &[specifier.into()]).is_some() {
            return Ok(());
        }
        Err(scope.exception().map_or_else(|| "interrupted".to_owned(), |error| error.to_rust_string_lossy(scope)))
    }
}
