//! Any bytes as a file of each foreign format: an error, or a filter that is written and read again as the same bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use seenfilter::interop::{ForeignBloom, Format};

fuzz_target!(|bytes: &[u8]| {
    let _ = ForeignBloom::from_bytes(bytes);
    for format in Format::ALL {
        if let Ok(mut filter) = ForeignBloom::from_bytes_as(format, bytes) {
            let written = filter.to_bytes();
            let again = ForeignBloom::from_bytes_as(format, &written).expect("what was written is read");
            assert!(again.to_bytes() == written);
            filter.add("key");
            assert!(filter.may_contain("key"));
        }
    }
});
