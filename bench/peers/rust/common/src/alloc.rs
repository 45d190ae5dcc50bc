//! Counts allocations.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

static CALLS: AtomicU64 = AtomicU64::new(0);

/// The system's allocator, which counts how often it is called.
pub struct Counting;

// SAFETY: all is left to System.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        System.alloc(layout)
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count();
        System.alloc_zeroed(layout)
    }

    unsafe fn realloc(&self, p: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        System.realloc(p, layout, size)
    }

    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        System.dealloc(p, layout);
    }
}

/// Counts one allocation. The programs have one thread, so a load and a store will do: they cost next to nothing.
#[inline(always)]
pub fn count() {
    CALLS.store(CALLS.load(Relaxed) + 1, Relaxed);
}

/// How often something was allocated.
pub fn calls() -> u64 {
    CALLS.load(Relaxed)
}

/// How many bytes of the heap are in use, with what the system's allocator adds to each piece.
pub fn live() -> u64 {
    // SAFETY: it only reads counters.
    let m = unsafe { libc::mallinfo2() };
    (m.uordblks + m.hblkhd) as u64
}
