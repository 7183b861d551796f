//! Memory of one isolate: its heap limit, and the buffers it keeps outside of the heap.

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc};
use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use deno_core::{JsRuntime, v8};

use super::limits::Limits;

/// Room an isolate gets to unwind once its limit is reached. Little steps do not do: the engine aborts when an allocation finds no room.
const HEADROOM: usize = 512 * 1024 * 1024;
/// Share of the limit, in percent, that may still be in use after a collection; above it the isolate is not worth saving.
const SAVEABLE_PERCENT: usize = 70;
/// As the C allocator aligns.
const ALIGNMENT: usize = 16;

/// Creation parameters with the limit in force for the heap and, by itself, for array buffers. Bytes.
pub fn create_params(limit: usize) -> v8::CreateParams {
    let buffers = Arc::into_raw(Arc::new(Buffers { used: AtomicUsize::new(0), limit }));
    // SAFETY: the table's functions are those of `Buffers`, and `drop_handle` takes the count back that `into_raw` left.
    let allocator = unsafe { v8::new_rust_allocator(buffers, &VTABLE) };
    v8::CreateParams::default().heap_limits(0, limit).array_buffer_allocator(allocator)
}

/// From now on reaching the heap limit stops the running handler instead of the process.
pub fn guard(js: &mut JsRuntime, limits: &Arc<Limits>) {
    let limits = limits.clone();
    js.add_near_heap_limit_callback(move |current, initial| {
        limits.out_of_memory();
        current.saturating_add(initial.max(HEADROOM))
    });
}

/// Puts the limit back in force after a handler was stopped for reaching it. False when what is left is not worth saving.
pub fn restore(js: &mut JsRuntime, limits: &Arc<Limits>, limit: usize) -> bool {
    js.v8_isolate().low_memory_notification();
    let used = js.v8_isolate().get_heap_statistics().used_heap_size();
    js.remove_near_heap_limit_callback(limit);
    guard(js, limits);
    used <= limit / 100 * SAVEABLE_PERCENT
}

/// Array buffers of one isolate. One that does not fit fails with an ordinary `RangeError`.
struct Buffers {
    used: AtomicUsize,
    limit: usize,
}

static VTABLE: v8::RustAllocatorVtable<Buffers> =
    v8::RustAllocatorVtable { allocate, allocate_uninitialized, free, drop: drop_handle };

impl Buffers {
    fn take(&self, length: usize, allocate: unsafe fn(Layout) -> *mut u8) -> *mut c_void {
        let Ok(layout) = Layout::from_size_align(length.max(1), ALIGNMENT) else { return std::ptr::null_mut() };
        if self.used.fetch_add(length, Ordering::Relaxed).saturating_add(length) > self.limit {
            self.used.fetch_sub(length, Ordering::Relaxed);
            return std::ptr::null_mut();
        }
        // SAFETY: the layout is not empty.
        unsafe { allocate(layout) }.cast()
    }
}

unsafe extern "C" fn allocate(buffers: &Buffers, length: usize) -> *mut c_void {
    buffers.take(length, alloc_zeroed)
}

unsafe extern "C" fn allocate_uninitialized(buffers: &Buffers, length: usize) -> *mut c_void {
    buffers.take(length, alloc)
}

unsafe extern "C" fn free(buffers: &Buffers, data: *mut c_void, length: usize) {
    if let Ok(layout) = Layout::from_size_align(length.max(1), ALIGNMENT)
        && !data.is_null()
    {
        // SAFETY: `data` came from `take` with this length.
        unsafe { dealloc(data.cast(), layout) };
        buffers.used.fetch_sub(length, Ordering::Relaxed);
    }
}

unsafe extern "C" fn drop_handle(buffers: *const Buffers) {
    // SAFETY: the pointer is the one `create_params` made, and this is its only drop.
    drop(unsafe { Arc::from_raw(buffers) });
}
