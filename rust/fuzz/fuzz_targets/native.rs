//! Any bytes as a native file, as they are and with their checksums put right.
#![no_main]

use libfuzzer_sys::fuzz_target;
use seenfilter::AnyFilter;

#[path = "../../tests/support/repair.rs"]
mod repair;

fn open(bytes: &[u8]) {
    if let Ok(filter) = AnyFilter::from_bytes(bytes) {
        let _ = (filter.may_contain("key"), filter.may_contain(&42));
    }
}

fuzz_target!(|bytes: &[u8]| {
    open(bytes);
    let mut right = bytes.to_vec();
    repair::repair(&mut right, bytes.len() % 2 == 0);
    open(&right);
});
