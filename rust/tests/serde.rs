//! Filters as serde values.
#![cfg(feature = "serde")]

use seenfilter::interop::{ForeignBloom, Format};
use seenfilter::*;
use serde::de::DeserializeOwned;
use serde::Serialize;

const TARGET: Target = Target { capacity: 100, fpr: 0.01 };

/// Through JSON and back.
fn through_json<T: Serialize + DeserializeOwned>(filter: &T) -> T {
    serde_json::from_str(&serde_json::to_string(filter).unwrap()).unwrap()
}

#[test]
fn every_type_of_filter_comes_back_as_it_was() {
    macro_rules! check {
        ($($filter:ident),*) => {$({
            let mut filter = $filter::new(TARGET).unwrap();
            filter.extend(["alice"]);
            let back: $filter = through_json(&filter);
            assert!(back == filter && back.may_contain("alice") && back.target() == TARGET);
        })*};
    }
    check!(Bloom, BlockedBloom, SplitBlock, CountingBloom, BlockedCountingBloom, ScalableBloom, ScalableClassicBloom);

    let mut cuckoo = Cuckoo::new(TARGET).unwrap();
    cuckoo.add("alice").unwrap();
    let mut back = through_json(&cuckoo);
    assert!(back == cuckoo && back.len() == 1 && back.remove("alice"));
    let fuse: BinaryFuse = ["alice", "bob"].into_iter().collect();
    assert!(through_json(&fuse) == fuse);

    macro_rules! check_shared {
        ($($filter:ident),*) => {$({
            let filter = $filter::new(TARGET).unwrap();
            filter.add("alice");
            assert!(through_json(&filter) == filter);
        })*};
    }
    check_shared!(ConcurrentBloom, ConcurrentBlockedBloom, ConcurrentSplitBlock);
}

#[test]
fn a_mapped_filter_comes_back_as_a_plain_one() {
    let folder = std::env::temp_dir().join(format!("seen-serde-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("filter.seen");
    let mut filter = Bloom::new(TARGET).unwrap();
    filter.add("alice");
    filter.save(&path).unwrap();
    let text = serde_json::to_string(&MappedBloom::map(&path).unwrap()).unwrap();
    assert!(serde_json::from_str::<Bloom>(&text).unwrap() == filter);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn filters_of_any_kind_and_format_come_back() {
    let mut bloom = Bloom::new(TARGET).unwrap();
    bloom.add("alice");
    let mut counting = CountingBloom::new(TARGET).unwrap();
    counting.add("alice");
    for bytes in [bloom.to_bytes().unwrap(), counting.to_bytes().unwrap()] {
        let filter = AnyFilter::from_bytes(&bytes).unwrap();
        let back = through_json(&filter);
        assert!(back.kind() == filter.kind() && back.to_bytes().unwrap() == bytes);
    }
    let path = std::env::temp_dir().join(format!("seen-serde-any-{}", std::process::id()));
    counting.save(&path).unwrap();
    let AnyFilter::ReadOnly(read_only) = AnyFilter::map(&path).unwrap() else { panic!("a map is read only") };
    assert!(through_json(&read_only).may_contain("alice"));
    std::fs::remove_file(&path).unwrap();
    // Files that do not say what they are.
    for format in Format::ALL {
        let mut filter = ForeignBloom::new(format, TARGET).unwrap();
        filter.add("alice");
        let back = through_json(&filter);
        assert_eq!((back.format(), back.to_bytes()), (format, filter.to_bytes()));
        let back = through_json(&AnyFilter::Foreign(filter));
        assert!(back.may_contain("alice") && !back.may_contain("bob"));
    }
    let hashed = ForeignBloom::new(Format::Phrozen, TARGET).unwrap();
    let mut hashed = hashed.hashed_with(HashFunction::Xxh64 { seed: 0 }).unwrap();
    hashed.add("alice");
    assert!(through_json(&hashed).may_contain("alice"));
}

#[test]
fn a_text_is_base64_and_what_is_not_read_by_people_is_bytes() {
    let filter = Bloom::new(TARGET).unwrap();
    let text = serde_json::to_string(&filter).unwrap();
    // A third more than the bytes, and two quotes.
    let length = filter.to_bytes().unwrap().len();
    assert_eq!(text.len(), (length + 2) / 3 * 4 + 2);
    assert!(text.starts_with("\"jVNFTj")); // the magic
    let binary = bincode::serialize(&filter).unwrap();
    assert_eq!(binary[8..], filter.to_bytes().unwrap());
    assert!(bincode::deserialize::<Bloom>(&binary).unwrap() == filter);
    let any = AnyFilter::from_bytes(&filter.to_bytes().unwrap()).unwrap();
    let binary = bincode::serialize(&any).unwrap();
    assert_eq!(bincode::deserialize::<AnyFilter>(&binary).unwrap().kind(), Some(Kind::Bloom));
}

#[test]
fn another_kind_and_changed_bytes_are_refused() {
    let text = serde_json::to_string(&Bloom::new(TARGET).unwrap()).unwrap();
    assert!(serde_json::from_str::<ConcurrentBlockedBloom>(&text).is_err());
    assert!(serde_json::from_str::<Cuckoo>(&text).is_err());
    assert!(serde_json::from_str::<Bloom>(&text.replacen("jVNF", "jVNE", 1)).is_err());
    for wrong in ["[]", "\"text\"", "\"====\"", "{}", "7", r#"{"format":"portable","hash":"","file":"AAAA"}"#] {
        assert!(serde_json::from_str::<Bloom>(wrong).is_err(), "{wrong}");
        assert!(serde_json::from_str::<AnyFilter>(wrong).is_err(), "{wrong}");
        assert!(serde_json::from_str::<ForeignBloom>(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn the_secret_stays_behind() {
    let secret = Secret([7; 16]);
    let filter = Bloom::with_hash(TARGET, HashFunction::SipHash13 { secret }).unwrap();
    let binary = bincode::serialize(&filter).unwrap();
    assert!(!binary.windows(16).any(|some| some == secret.0));
    let text = serde_json::to_string(&filter).unwrap();
    assert!(serde_json::from_str::<Bloom>(&text).unwrap_err().to_string().contains("secret"));
}
