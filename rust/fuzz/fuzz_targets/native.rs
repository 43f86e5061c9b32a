//! Any bytes as a native file, as they are and with their checksums put right.
#![no_main]

use libfuzzer_sys::fuzz_target;
use seenfilter::{AnyFilter, BinaryFuse, BlockedCountingBloom, CountingBloom, Cuckoo, Kind};

#[path = "../../tests/support/repair.rs"]
mod repair;

fn open(bytes: &[u8]) {
    let filter = match AnyFilter::from_bytes(bytes) {
        Ok(filter) => filter,
        Err(_) => return,
    };
    let _ = (filter.may_contain("key"), filter.may_contain(42), filter.health());
    // A stream gives the same filter, and leaves what follows it.
    let stream = [bytes, b"more"].concat();
    let mut rest = &stream[..];
    if filter.kind().is_some() {
        let again = AnyFilter::read_from(&mut rest).expect("what opens as bytes");
        assert!(rest == b"more" && again.may_contain("key") == filter.may_contain("key"));
    }
    // Kinds that can be changed are opened as such, and changed.
    match filter.kind() {
        Some(Kind::Cuckoo) => {
            let mut filter = Cuckoo::from_bytes(bytes).expect("the same");
            let _ = (filter.add("key"), filter.remove("key"), filter.count("key"), filter.len());
        }
        Some(Kind::CountingBloom) => {
            let mut filter = CountingBloom::from_bytes(bytes).expect("the same");
            filter.add("key");
            assert!(filter.count("key") > 0 && filter.remove("key"));
        }
        Some(Kind::BlockedCountingBloom) => {
            let mut filter = BlockedCountingBloom::from_bytes(bytes).expect("the same");
            filter.add("key");
            assert!(filter.count("key") > 0 && filter.remove("key"));
        }
        Some(Kind::BinaryFuse) => {
            let _ = BinaryFuse::from_bytes(bytes).expect("the same").may_contain("key");
        }
        _ => {}
    }
}

fuzz_target!(|bytes: &[u8]| {
    open(bytes);
    let mut right = bytes.to_vec();
    repair::repair(&mut right, bytes.len() % 2 == 0);
    open(&right);
});
