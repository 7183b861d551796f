//! How deep JavaScript may go on the isolate's thread, which has 16 MiB of stack.

#[cfg(all(feature = "v8", not(windows)))]
mod limit {
    use std::cell::Cell;

    use deno_core::v8;

    /// As V8 has it by itself.
    const ORDINARY: usize = 984 * 1024;
    /// What a part of the engine has beyond that.
    const MORE: usize = 2 * 1024 * 1024;

    thread_local! {
        /// The isolate of this thread and where its ordinary limit lies.
        static PLACE: Cell<Option<(v8::UnsafeRawIsolatePtr, usize)>> = const { Cell::new(None) };
    }

    unsafe extern "C" {
        // `v8::Isolate::SetStackLimit(uintptr_t)`, which the binding does not offer.
        #[link_name = "_ZN2v87Isolate13SetStackLimitEm"]
        fn set_stack_limit(isolate: v8::UnsafeRawIsolatePtr, limit: usize);
    }

    pub fn begin(isolate: &v8::Isolate) {
        let here = 0_u8;
        let limit = std::ptr::from_ref(&here).addr().saturating_sub(ORDINARY);
        // SAFETY: the pointer is used on this thread only, and `end` forgets it before the isolate goes.
        let isolate = unsafe { isolate.as_raw_isolate_ptr() };
        PLACE.set(Some((isolate, limit)));
        set(isolate, limit);
    }

    pub fn end() {
        PLACE.set(None);
    }

    pub fn has_room() -> bool {
        true // `more` makes it
    }

    pub fn more(more: bool) {
        if let Some((isolate, limit)) = PLACE.get() {
            set(isolate, if more { limit.saturating_sub(MORE) } else { limit });
        }
    }

    fn set(isolate: v8::UnsafeRawIsolatePtr, limit: usize) {
        // SAFETY: the isolate lives, this is its thread, and the stack reaches far below the limit.
        unsafe { set_stack_limit(isolate, limit) };
    }
}

#[cfg(not(all(feature = "v8", not(windows))))]
mod limit {
    use std::cell::Cell;

    use deno_core::v8;

    /// Of the 1 MiB that the engine has by itself the rest is room enough.
    const USED: usize = 512 * 1024;

    thread_local! {
        /// Where the stack of the isolate of this thread begins.
        static BEGIN: Cell<Option<usize>> = const { Cell::new(None) };
    }

    fn here() -> usize {
        let here = 0_u8;
        std::ptr::from_ref(&here).addr()
    }

    pub fn begin(_isolate: &v8::Isolate) {
        BEGIN.set(Some(here()));
    }

    pub fn end() {
        BEGIN.set(None);
    }

    pub fn has_room() -> bool {
        BEGIN.get().is_none_or(|begin| begin.saturating_sub(here()) < USED)
    }

    pub fn more(_more: bool) {}
}

/// The isolate of this thread begins to run; what calls this must not stand deeper than what runs JavaScript.
pub use limit::begin;
/// It is about to go.
pub use limit::end;
/// Whether what a part of the engine needs is there.
pub use limit::has_room;
/// A part of the engine runs that a stack without room would tear, or is over. Only V8 can be told.
pub use limit::more;
