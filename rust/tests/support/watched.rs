//! How much memory a call asks for: an allocator that counts, per thread, while it is told to.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Watched;

thread_local! {
    static ASKED_FOR: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: everything is handed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Watched {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size.saturating_sub(layout.size()));
        unsafe { System.realloc(at, layout, size) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        unsafe { System.dealloc(at, layout) }
    }
}

fn count(bytes: usize) {
    // A thread that ends has no counter any more.
    let _ = ASKED_FOR.try_with(|asked| asked.set(asked.get().saturating_add(bytes)));
}

#[global_allocator]
static WATCHED: Watched = Watched;

/// The result of a call, and how many bytes it asked for in all, freed again or not.
pub fn bytes_asked_for<T>(call: impl FnOnce() -> T) -> (T, usize) {
    let before = ASKED_FOR.with(Cell::get);
    let returned = call();
    (returned, ASKED_FOR.with(Cell::get) - before)
}
