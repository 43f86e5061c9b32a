//! Filters as serde values.
#![cfg(feature = "serde")]

use seenfilter::{Bloom, ConcurrentBlockedBloom, HashFunction, Secret, Target};

const TARGET: Target = Target { capacity: 100, fpr: 0.01 };

#[test]
fn a_filter_comes_back_as_it_was() {
    let mut filter = Bloom::new(TARGET).unwrap();
    filter.add("alice");
    let text = serde_json::to_string(&filter).unwrap();
    assert_eq!(serde_json::from_str::<Bloom>(&text).unwrap(), filter);

    let shared = ConcurrentBlockedBloom::new(TARGET).unwrap();
    shared.add("alice");
    let text = serde_json::to_string(&shared).unwrap();
    assert!(serde_json::from_str::<ConcurrentBlockedBloom>(&text).unwrap().may_contain("alice"));
}

#[test]
fn another_kind_and_changed_bytes_are_refused() {
    let text = serde_json::to_string(&Bloom::new(TARGET).unwrap()).unwrap();
    assert!(serde_json::from_str::<ConcurrentBlockedBloom>(&text).is_err());
    assert!(serde_json::from_str::<Bloom>(&text.replacen("141", "142", 1)).is_err());
    assert!(serde_json::from_str::<Bloom>("[]").is_err());
    assert!(serde_json::from_str::<Bloom>("\"text\"").is_err());
}

#[test]
fn the_secret_stays_behind() {
    let secret = Secret([7; 16]);
    let filter = Bloom::with_hash(TARGET, HashFunction::SipHash13 { secret }).unwrap();
    let text = serde_json::to_string(&filter).unwrap();
    assert!(!text.contains("7,7,7,7,7,7,7,7"));
    assert!(serde_json::from_str::<Bloom>(&text).unwrap_err().to_string().contains("secret"));
}
