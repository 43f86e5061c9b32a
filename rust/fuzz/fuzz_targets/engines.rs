//! Any bytes as a list of operations on filters that keys can be taken out of, that grow, and that are built: each agrees with
//! an exact multiset, and comes back from its file.
#![no_main]

use libfuzzer_sys::fuzz_target;
use seenfilter::{BinaryFuse, CountingBloom, Cuckoo, Digest, HashFunction, ScalableBloom, Target};
use std::collections::HashMap;

fuzz_target!(|bytes: &[u8]| {
    let target = Target { capacity: 50, fpr: 0.05 };
    let mut cuckoo = Cuckoo::new(target).unwrap();
    let mut counting = CountingBloom::new(target).unwrap();
    let mut growing = ScalableBloom::new(Target { capacity: 3, fpr: 0.1 }).unwrap();
    let (mut in_cuckoo, mut in_counting) = (HashMap::<u8, u64>::new(), HashMap::<u8, u64>::new());
    for operation in bytes.chunks_exact(2) {
        let key = operation[1];
        let (slots, counters) = (in_cuckoo.entry(key).or_default(), in_counting.entry(key).or_default());
        if operation[0] % 3 != 0 {
            *slots += u64::from(cuckoo.add(key).is_ok());
            counting.add(key);
            *counters += 1;
            growing.add(key).unwrap();
        } else {
            // Only what was put in.
            if *slots > 0 {
                assert!(cuckoo.remove(key));
                *slots -= 1;
            }
            if *counters > 0 {
                assert!(counting.remove(key));
                *counters -= 1;
            }
        }
    }
    assert!(cuckoo.len() == in_cuckoo.values().sum::<u64>());
    for (key, count) in &in_cuckoo {
        assert!(cuckoo.count(*key) >= *count);
    }
    for (key, count) in &in_counting {
        assert!(counting.count(*key) >= (*count).min(15));
        // Whatever was added once grew with the filter.
        assert!(bytes.chunks_exact(2).all(|o| o[1] != *key || o[0] % 3 == 0) || growing.may_contain(*key));
    }
    assert!(Cuckoo::from_bytes(&cuckoo.to_bytes().unwrap()).unwrap() == cuckoo);
    assert!(CountingBloom::from_bytes(&counting.to_bytes().unwrap()).unwrap() == counting);
    assert!(ScalableBloom::from_bytes(&growing.to_bytes().unwrap()).unwrap() == growing);
    // Digests as they come, which need not be hashes: a filter that has them all, or an error.
    let digests: Vec<Digest> = bytes
        .chunks(8)
        .map(|some| {
            let mut word = [0; 8];
            word[..some.len()].copy_from_slice(some);
            Digest(u64::from_le_bytes(word))
        })
        .collect();
    if let Ok(built) =
        BinaryFuse::build_from_digests(digests.clone(), 0.01, Default::default(), HashFunction::default())
    {
        assert!(digests.iter().all(|&digest| built.may_contain_digest(digest)));
    }
});
